/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Every allocation of the library fails once, and as long as it takes: each call then says so, or the group that needed
 * it fails, with nothing leaked and nothing stuck; and all is well once memory is there again. The library's own
 * objects are linked, as only their calls can be led elsewhere. Argument: the OpenCL platform.
 *
 * One thread submits: with several, which allocation is the next one would be chance. */
#include <stdatomic.h>
#include <unistd.h>

#include "allocations.h"
#include "groups.h"

enum { items = 64, bytes = items * sizeof(int), repetitions = 4 };

static quern_device_t devices[2];
/** Calls and groups that failed in the last run. */
static atomic_size_t failures;
static const char *_Atomic last_failure;

/** True when the call did its work; it fails for want of memory, and for nothing else. */
static bool check(quern_result_t result, const char *call) {
  if (result == quern_success) return true;
  if (result != quern_error_out_of_memory)
    fail_msg("%s: %s (%s)", call, quern_result_text(result), quern_last_error_message());
  failures++;
  last_failure = call;
  return false;
}

static void note_error(const quern_async_error_t *error, void *data) {
  (void)data;
  (void)check(error->result, "a group");
}

#define TRY(call) check(call, #call)

typedef struct place_t {
  quern_device_t device;
  quern_context_t context;
  quern_queue_t in_order, out_of_order;
  quern_program_t program;
  quern_kernel_t kernel;
} place_t;

static bool is_host(const place_t *place) { return place->device == devices[0]; }

/** With these the kernel is compiled once: building takes long. */
static void *native_context, *native_program;

static bool context_open(place_t *place) {
  if (is_host(place)) return TRY(quern_context_create(1, &place->device, note_error, NULL, &place->context));
  return TRY(quern_context_make_from_native(quern_backend_opencl, native_context, quern_ownership_retain, note_error,
                                            NULL, &place->context)) &&
         TRY(quern_program_make_from_native(place->context, native_program, quern_ownership_retain, &place->program)) &&
         TRY(quern_kernel_create(place->program, "add", &place->kernel));
}

static bool place_open(place_t *place) {
  return context_open(place) &&
         TRY(quern_queue_create(place->context, place->device, 0, NULL, NULL, &place->in_order)) &&
         TRY(quern_queue_create(place->context, place->device, quern_queue_out_of_order | quern_queue_profiling, NULL,
                                NULL, &place->out_of_order));
}

static void place_close(place_t *place) {
  if (place->kernel) quern_kernel_release(place->kernel);
  if (place->program) quern_program_release(place->program);
  if (place->in_order) quern_queue_release(place->in_order);
  if (place->out_of_order) quern_queue_release(place->out_of_order);
  if (place->context) quern_context_release(place->context);
}

/* ------------------------------------------------------------ groups */

typedef struct addition_t {
  quern_accessor_t accessor;
  int value;
} addition_t;

static quern_result_t run_addition(quern_handle_t handle, void *data) {
  const addition_t *addition = data;
  void *pointer = NULL;
  quern_result_t result = quern_handle_get_pointer(handle, addition->accessor, &pointer);
  for (int i = 0; result == quern_success && i < items; i++) ((int *)pointer)[i] += addition->value;
  return result;
}

static atomic_int callbacks;

static void CL_CALLBACK count_callback(quern_event_t event, quern_result_t result, void *data) {
  (void)event, (void)result, (void)data;
  atomic_fetch_add(&callbacks, 1);
}

/** Submits the group, or discards what could not be made. */
static bool submit(quern_group_t group, bool is_complete, quern_event_t *out_event) {
  if (is_complete) return TRY(quern_group_submit(group, out_event));
  if (group) quern_group_discard(group);
  return false;
}

/** x[i] += 1, where there are kernels as one. */
static bool add_one(const place_t *place, quern_queue_t queue, quern_memory_t memory, addition_t *addition,
                    quern_event_t after, quern_event_t *out_event) {
  const quern_range_t range = {.dimensions = 1, .global = {items}};
  quern_group_t group = NULL;
  addition->value = 1;
  bool made = TRY(quern_group_create(queue, &group)) &&
              TRY(quern_group_access(group, memory, quern_access_read_write, 0, 0, &addition->accessor));
  if (made && after) made = TRY(quern_group_depend(group, after));
  if (made && is_host(place))
    made = TRY(quern_group_set_host_task(group, run_addition, addition));
  else if (made)
    made = TRY(quern_group_set_kernel(group, place->kernel, &range)) &&
           TRY(quern_group_set_argument_accessor(group, 0, addition->accessor)) &&
           TRY(quern_group_set_argument(group, 1, sizeof(addition->value), &addition->value));
  return submit(group, made, out_event);
}

static bool copy(quern_queue_t queue, quern_memory_t from, quern_memory_t to) {
  quern_group_t group = NULL;
  quern_accessor_t source, target;
  bool made = TRY(quern_group_create(queue, &group)) &&
              TRY(quern_group_access(group, from, quern_access_read, 0, 0, &source)) &&
              TRY(quern_group_access(group, to, quern_access_discard_write, 0, 0, &target)) &&
              TRY(quern_group_set_copy(group, source, target));
  return submit(group, made, NULL);
}

static bool fill(quern_queue_t queue, quern_memory_t memory, size_t offset, size_t size, int value) {
  quern_group_t group = NULL;
  quern_accessor_t target;
  bool made = TRY(quern_group_create(queue, &group)) &&
              TRY(quern_group_access(group, memory, quern_access_write, offset, size, &target)) &&
              TRY(quern_group_set_fill(group, target, &value, sizeof(value)));
  return submit(group, made, NULL);
}

static bool wait_for(quern_event_t event) {
  const bool complete = TRY(quern_event_wait(event));
  quern_event_release(event);
  return complete;
}

/* ------------------------------------------------------------ scenarios */

static void place_wait(const place_t *place) {
  if (place->in_order) (void)TRY(quern_queue_wait(place->in_order));
  if (place->out_of_order) (void)TRY(quern_queue_wait(place->out_of_order));
}

/** Contents, when nothing is under way: they are right, or somebody said that they could not be. */
static bool expect(quern_memory_t memory, int first, int rest) {
  quern_host_access_t access = NULL;
  void *pointer = NULL;
  if (!TRY(quern_host_access_begin(memory, quern_access_read, 0, 0, &pointer, &access))) return false;
  const int *x = pointer;
  for (int i = 0; i < items; i++) {
    if (!failures) assert_int_equal(x[i], i < items / 2 ? first : rest);
  }
  return TRY(quern_host_access_end(access));
}

/** Groups of one device after the other, with contents that move, in parts too. */
static void groups_run(place_t places[2]) {
  quern_memory_t memory = NULL, part = NULL, other = NULL;
  quern_event_t event = NULL, second = NULL;
  addition_t additions[4];
  int host[items] = {0};
  if (!TRY(quern_buffer_create(bytes, host, NULL, &memory)) || !TRY(quern_buffer_create(bytes, NULL, NULL, &other)) ||
      !TRY(quern_buffer_create_part(memory, 0, bytes / 2, &part)))
    goto done;
  if (!fill(places[1].in_order, memory, 0, 0, 5) || !fill(places[0].in_order, part, 0, bytes / 2, 7)) goto done;
  if (!add_one(&places[0], places[0].out_of_order, memory, &additions[0], NULL, &event)) goto done;
  (void)TRY(quern_event_set_callback(event, count_callback, NULL));
  if (!add_one(&places[1], places[1].out_of_order, memory, &additions[1], event, &second)) goto done;
  if (!add_one(&places[1], places[1].in_order, memory, &additions[2], second, NULL)) goto done;
  if (!copy(places[1].out_of_order, memory, other) || !copy(places[0].in_order, memory, other)) goto done;
  for (int i = 0; i < 2; i++) place_wait(&places[i]);
  expect(other, 10, 8);
done:
  if (second) wait_for(second);
  if (event) wait_for(event);
  for (int i = 0; i < 2; i++) place_wait(&places[i]);
  if (part) quern_memory_release(part);
  if (other) quern_memory_release(other);
  if (memory) (void)check(quern_memory_release(memory), "quern_memory_release");
}

/** Buffers and images in one context, samplers, memory by address. */
static void objects_make(const place_t *place) {
  const quern_memory_options_t bound = {sizeof(bound), 0, place->context};
  quern_memory_t memory = NULL;
  quern_context_t contexts[2];
  void *pointer = NULL;
  size_t count = 0;
  quern_usm_facts_t facts;
  if (TRY(quern_buffer_create(bytes, NULL, &bound, &memory))) {
    (void)TRY(quern_memory_get_contexts(memory, 2, contexts, &count));
    const bool is_filled = fill(place->out_of_order, memory, 0, 0, 3);
    place_wait(place);
    if (is_filled) expect(memory, 3, 3);
    quern_memory_release(memory);
  }
  if (TRY(quern_usm_allocate(place->context, place->device, quern_usm_shared, bytes, 0, &pointer))) {
    (void)TRY(quern_usm_find(place->context, pointer, &facts));
    if (TRY(quern_usm_wait(place->context, pointer, bytes, quern_access_write))) memset(pointer, 1, bytes);
    quern_usm_free(place->context, pointer);
  }
}

/** Native objects that come back. */
static void natives_pass(const place_t *place) {
  void *native = NULL, *native_queue = NULL;
  quern_context_t context = NULL;
  quern_queue_t queue = NULL;
  if (is_host(place) || !TRY(quern_context_get_native(place->context, quern_backend_opencl, &native))) return;
  if (!TRY(quern_context_make_from_native(quern_backend_opencl, native, quern_ownership_transfer, NULL, NULL,
                                          &context))) {
    clReleaseContext(native);
    return;
  }
  if (TRY(quern_queue_get_native(place->in_order, quern_backend_opencl, &native_queue))) {
    if (TRY(quern_queue_make_from_native(context, native_queue, quern_ownership_transfer, &queue)))
      quern_queue_release(queue);
    else
      clReleaseCommandQueue(native_queue);
  }
  quern_context_release(context);
}

static void scenario_run(void) {
  place_t places[2] = {{.device = devices[0]}, {.device = devices[1]}};
  failures = 0;
  if (place_open(&places[0]) && place_open(&places[1])) {
    for (int i = 0; i < 2; i++) {
      objects_make(&places[i]);
      natives_pass(&places[i]);
    }
    groups_run(places);
  }
  place_close(&places[0]);
  place_close(&places[1]);
}

/* ------------------------------------------------------------ starving */

/** Blocks after a run that must go well; threads let go of theirs a little later. */
static long blocks_after_run(long before) {
  long blocks = 0;
  for (int i = 0; i < 200; i++) {
    if (i) usleep(1000);
    if (i % 50 == 0) {
      scenario_run();
      if (failures) fail_msg("%s still fails", last_failure);
    }
    blocks = allocations_live_blocks();
    if (blocks <= before) break;
  }
  return blocks;
}

static void starve(allocations_mode_e mode) {
  bool failed = true;
  long before, after = blocks_after_run(0);
  for (long number = 1; failed; number++) {
    int grown = 0;
    do {
      before = after;
      allocations_arm(mode, number);
      scenario_run();
      failed = allocations_disarm();
      after = blocks_after_run(before);
      grown++;
    } while (grown < repetitions && after > before);
    if (grown == repetitions) fail_msg("allocation %ld: %ld blocks leak", number, after - before);
  }
}

static void one_allocation_fails(void **state) {
  (void)state;
  starve(allocations_fail_one);
}

static void memory_runs_out(void **state) {
  (void)state;
  starve(allocations_fail_from);
}

static int find_devices(void **state) {
  (void)state;
  devices[0] = test_host_device();
  devices[1] = test_find_device(test_platform);
  if (!devices[1]) return -1;
  quern_context_t context = NULL;
  quern_program_t program = NULL;
  ASSERT_SUCCESS(quern_context_create(1, &devices[1], NULL, NULL, &context));
  ASSERT_SUCCESS(quern_program_create_from_source(
      context, "kernel void add(global int *x, int value) { x[get_global_id(0)] += value; }", NULL, &program));
  ASSERT_SUCCESS(quern_context_get_native(context, quern_backend_opencl, &native_context));
  ASSERT_SUCCESS(quern_program_get_native(program, quern_backend_opencl, &native_program));
  quern_program_release(program);
  quern_context_release(context);
  return 0;
}

static int release_natives(void **state) {
  (void)state;
  clReleaseProgram(native_program);
  clReleaseContext(native_context);
  return 0;
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_allocation_fails),
      cmocka_unit_test(memory_runs_out),
  };
  test_platform = argc > 1 ? argv[1] : "Quern";
  alarm(240);
  return cmocka_run_group_tests(tests, find_devices, release_natives);
}
