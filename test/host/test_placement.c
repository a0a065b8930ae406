/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Where memory lies and workers run, on a machine of hwloc's imagination with two memory nodes, and a system whose
 * memory policy is this program. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"
#include "host/runtime/device.h"
#include "host/runtime/memory/placement.h"
#include "host/runtime/sub_device.h"

enum { units = 8 };
#define LARGE ((size_t)8 << 20)
#define SMALL ((size_t)4096)

/* ---------------------------------------------------------------- the system */

typedef struct policy_call_t {
  void *data;
  uint64_t size;
  host_policy_e policy;
  uint64_t nodes;
} policy_call_t;

static policy_call_t last_call;
static unsigned calls;
static bool refuses;

bool __wrap_host_policy_set(void *data, uint64_t size, host_policy_e policy, const host_nodes_t *nodes);
bool __wrap_host_policy_set(void *data, uint64_t size, host_policy_e policy, const host_nodes_t *nodes) {
  last_call = (policy_call_t){data, size, policy, nodes->bits[0]};
  ++calls;
  return !refuses;
}

static void allocate(mux_device_t device, size_t size, policy_call_t *out_call, unsigned expected_calls) {
  mux_memory_t memory;
  void *data;
  calls = 0;
  assert_int_equal(muxAllocateMemory(device, size, 1, mux_memory_property_host_visible, mux_allocation_type_alloc_host,
                                     64, allocator, &memory),
                   mux_success);
  assert_int_equal(muxMapMemory(device, memory, 0, size, &data), mux_success);
  assert_int_equal(calls, expected_calls);
  if (calls) {
    assert_ptr_equal(last_call.data, data);
    assert_true(last_call.size == size);
  }
  memset(data, 1, size);
  assert_int_equal(muxUnmapMemory(device, memory), mux_success);
  muxFreeMemory(device, memory, allocator);
  *out_call = last_call;
}

static mux_device_t half_create(uint32_t first) {
  mux_device_t half;
  assert_int_equal(muxCreateSubDevice(test.device, first, units / 2, allocator, &half), mux_success);
  return half;
}

/* ---------------------------------------------------------------- memory */

static void memory_of_a_sub_device_lies_on_its_node(void **state) {
  (void)state;
  for (uint32_t node = 0; node < 2; ++node) {
    mux_device_t half = half_create(node * units / 2);
    policy_call_t call;
    allocate(half, LARGE, &call, 1);
    assert_int_equal(call.policy, host_policy_preferred);
    assert_true(call.nodes == 1u << node);
    /* Shares pages with other blocks. */
    allocate(half, SMALL, &call, 0);
    muxDestroyDevice(half, allocator);
  }
}

static void refused_policies_are_no_errors(void **state) {
  (void)state;
  mux_device_t half = half_create(0);
  policy_call_t call;
  refuses = true;
  allocate(half, LARGE, &call, 1);
  refuses = false;
  muxDestroyDevice(half, allocator);
}

static void sub_devices_have_the_account_of_their_root(void **state) {
  (void)state;
  mux_device_t half = half_create(0);
  mux_memory_t memory;
  assert_int_equal(muxAllocateMemory(half, LARGE, 1, mux_memory_property_host_visible, mux_allocation_type_alloc_host,
                                     64, allocator, &memory),
                   mux_success);
  assert_true(host_device_allocated(test.device) == LARGE);
  muxFreeMemory(test.device, memory, allocator);
  assert_true(host_device_allocated(half) == 0);
  muxDestroyDevice(half, allocator);
}

static void pages_lie_where_they_are_touched(void **state) {
  (void)state;
  policy_call_t call;
  allocate(test.device, LARGE, &call, 0);
}

static void pages_are_interleaved_when_told(void **state) {
  (void)state;
  policy_call_t call;
  allocate(test.device, LARGE, &call, 1);
  assert_int_equal(call.policy, host_policy_interleaved);
  assert_true(call.nodes == 3);
}

static void one_node_is_preferred_to_interleaving(void **state) {
  (void)state;
  mux_device_t half = half_create(units / 2);
  policy_call_t call;
  allocate(half, LARGE, &call, 1);
  assert_int_equal(call.policy, host_policy_preferred);
  assert_true(call.nodes == 2);
  muxDestroyDevice(half, allocator);
}

/* ---------------------------------------------------------------- the machine itself */

/* Refused where it has no such node, and done where it has. */
static void system_places_pages(void **state) {
  (void)state;
  extern bool __real_host_policy_set(void *data, uint64_t size, host_policy_e policy, const host_nodes_t *nodes);
  void *block = aligned_alloc(4096, LARGE);
  const host_nodes_t first = {{1}}, none = {{0}};
  assert_non_null(block);
  if (!__real_host_policy_set(block, LARGE, host_policy_preferred, &first)) {
    print_message("this system has no memory policies\n");
    free(block);
    skip();
  }
  assert_true(__real_host_policy_set(block, LARGE, host_policy_interleaved, &first));
  assert_false(__real_host_policy_set(block, LARGE, host_policy_interleaved, &none));
  memset(block, 1, LARGE);
  free(block);
}

/* ---------------------------------------------------------------- workers */

static _Atomic uint32_t bound_to;

static void processors_note(mux_command_buffer_t command_buffer, mux_result_t error, void *user_data) {
  host_cpus_t cpus;
  (void)command_buffer, (void)error, (void)user_data;
  if (!sched_getaffinity(0, sizeof cpus, cpus.parts)) bound_to = host_cpus_count(&cpus);
}

/* Nobody waits, so a worker executes it. */
static void workers_have_the_processors_of_a_unit(void **state) {
  (void)state;
  mux_command_buffer_t commands = command_buffer_create(&test);
  bound_to = 0;
  assert_int_equal(muxFinalizeCommandBuffer(commands), mux_success);
  assert_int_equal(muxDispatch(test.queue, commands, NULL, NULL, 0, NULL, 0, processors_note, NULL), mux_success);
  while (!bound_to) usleep(100);
  assert_int_equal(muxWaitAll(test.queue), mux_success);
  /* The first worker; the calling thread has the first unit. */
  host_cpus_t unit;
  assert_true(host_unit_cpus(host_device(test.device), 1 % test.info->compute_units, &unit));
  assert_int_equal(bound_to, host_cpus_count(&unit));
  command_buffer_destroy(&test, commands);
}

static void units_share_the_processors(void **state) {
  (void)state;
  const host_device_t *device = host_device(test.device);
  host_cpus_t all, unit;
  memset(&all, 0, sizeof all);
  for (uint32_t i = 0; i < test.info->compute_units; ++i) {
    assert_true(host_unit_cpus(device, i, &unit));
    assert_in_range(host_cpus_count(&unit), 1, host_cpus_count(&device->scheduler.cpus));
    for (uint32_t cpu = 0; cpu < HOST_CPU_LIMIT; ++cpu)
      if (host_cpus_have(&unit, cpu)) host_cpus_add(&all, cpu);
  }
  if (test.info->compute_units >= host_cpus_count(&device->scheduler.cpus))
    assert_int_equal(host_cpus_count(&all), host_cpus_count(&device->scheduler.cpus));
}

/* ---------------------------------------------------------------- processes, as options are read once */

static const struct CMUnitTest touching[] = {
    cmocka_unit_test_setup_teardown(memory_of_a_sub_device_lies_on_its_node, begin, end),
    cmocka_unit_test_setup_teardown(refused_policies_are_no_errors, begin, end),
    cmocka_unit_test_setup_teardown(sub_devices_have_the_account_of_their_root, begin, end),
    cmocka_unit_test_setup_teardown(pages_lie_where_they_are_touched, begin, end),
    cmocka_unit_test(system_places_pages),
};
static const struct CMUnitTest interleaving[] = {
    cmocka_unit_test_setup_teardown(pages_are_interleaved_when_told, begin, end),
    cmocka_unit_test_setup_teardown(one_node_is_preferred_to_interleaving, begin, end),
};
static const struct CMUnitTest pinning[] = {
    cmocka_unit_test_setup_teardown(workers_have_the_processors_of_a_unit, begin, end),
    cmocka_unit_test_setup_teardown(units_share_the_processors, begin, end),
};

static void machine_imagine(void) {
  setenv("HWLOC_SYNTHETIC", "numa:2 l3:1 l2:2 pu:2", 1);
  setenv("QUERN_NUM_THREADS", "8", 1);
}

static int touching_run(void) {
  machine_imagine();
  return cmocka_run_group_tests(touching, NULL, NULL);
}

static int interleaving_run(void) {
  machine_imagine();
  setenv("QUERN_INTERLEAVE", "1", 1);
  return cmocka_run_group_tests(interleaving, NULL, NULL);
}

/* On the real machine. */
static int pinning_run(void) {
  setenv("QUERN_PIN_THREADS", "1", 1);
  return cmocka_run_group_tests(pinning, NULL, NULL);
}

static int process_run(int (*group_run)(void)) {
  const pid_t child = fork();
  if (!child) _exit(group_run() != 0);
  int status = -1;
  return child > 0 && waitpid(child, &status, 0) == child && !status ? 0 : 1;
}

int main(void) { return process_run(touching_run) + process_run(interleaving_run) + process_run(pinning_run); }
