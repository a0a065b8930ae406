/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Several contexts and devices from many threads: programs, buffers and queues of whole devices and their parts are
 * shared between threads, work goes from device to device by events, and everything comes and goes meanwhile. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "test_device.h"

enum { THREADS = 8, ROUNDS = 60, ITEMS = 512, CONTEXTS = 3, MAX_DEVICES = 3, STEPS = 6 };

/** Shared by all threads: the device alone, its parts, and both together. */
typedef struct shared_t {
  cl_context context;
  cl_uint device_count;
  cl_device_id devices[MAX_DEVICES];
  cl_command_queue queues[MAX_DEVICES];
  cl_program program;
} shared_t;

static shared_t shared[CONTEXTS];
static cl_device_id parts[2];
static cl_uint part_count;
/** The line of the first failure; worker threads cannot use cmocka's assertions, which jump. */
static atomic_int failed_line;

static bool expect(bool condition, int line) {
  int none = 0;
  if (!condition) atomic_compare_exchange_strong(&failed_line, &none, line);
  return condition;
}
#define EXPECT(condition) expect((condition), __LINE__)

static const char source[] =
    "kernel void step(global const uint *in, global uint *out, uint by) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = in[i] * 3 + by;\n"
    "}\n";

static cl_uint next(cl_uint *seed) { return (*seed = *seed * 1664525u + 1013904223u) >> 8; }

/* ---------------------------------------------------------------- one chain of work */

typedef struct chain_t {
  const shared_t *at;
  cl_mem buffers[2];
  cl_kernel kernel;
  cl_event last;
  cl_uint expected[ITEMS];
} chain_t;

static bool chain_open(chain_t *chain, const shared_t *at, cl_uint *seed) {
  cl_int error, second;
  *chain = (chain_t){.at = at};
  for (int i = 0; i < ITEMS; i++) chain->expected[i] = next(seed);
  chain->buffers[0] =
      clCreateBuffer(at->context, CL_MEM_COPY_HOST_PTR, sizeof(chain->expected), chain->expected, &error);
  chain->buffers[1] = clCreateBuffer(at->context, 0, sizeof(chain->expected), NULL, &second);
  if (!EXPECT(!error && !second)) return false;
  chain->kernel = clCreateKernel(at->program, "step", &error);
  return EXPECT(!error);
}

static void chain_close(chain_t *chain) {
  if (chain->last) EXPECT(!clReleaseEvent(chain->last));
  if (chain->kernel) EXPECT(!clReleaseKernel(chain->kernel));
  for (int i = 0; i < 2; i++) {
    if (chain->buffers[i]) EXPECT(!clReleaseMemObject(chain->buffers[i]));
  }
}

/** The event of the next command takes the place of the one that it waits for. */
static void advance(chain_t *chain, cl_event event) {
  if (chain->last) EXPECT(!clReleaseEvent(chain->last));
  chain->last = event;
}

static void step_kernel(chain_t *chain, cl_command_queue queue, cl_uint by) {
  const size_t items = ITEMS;
  cl_event event = NULL;
  bool set = !clSetKernelArg(chain->kernel, 0, sizeof(cl_mem), &chain->buffers[0]) &&
             !clSetKernelArg(chain->kernel, 1, sizeof(cl_mem), &chain->buffers[1]) &&
             !clSetKernelArg(chain->kernel, 2, sizeof(by), &by);
  if (!EXPECT(set)) return;
  cl_int error = clEnqueueNDRangeKernel(queue, chain->kernel, 1, NULL, &items, NULL, chain->last != NULL,
                                        chain->last ? &chain->last : NULL, &event);
  if (!EXPECT(!error)) return;
  advance(chain, event);
  for (int i = 0; i < ITEMS; i++) chain->expected[i] = chain->expected[i] * 3 + by;
}

static void step_copy(chain_t *chain, cl_command_queue queue) {
  cl_event event = NULL;
  cl_int error = clEnqueueCopyBuffer(queue, chain->buffers[0], chain->buffers[1], 0, 0, sizeof(chain->expected),
                                     chain->last != NULL, chain->last ? &chain->last : NULL, &event);
  if (EXPECT(!error)) advance(chain, event);
}

static void step_migrate(chain_t *chain, cl_command_queue queue) {
  cl_event event = NULL;
  cl_int error = clEnqueueMigrateMemObjects(queue, 1, &chain->buffers[0], 0, chain->last != NULL,
                                            chain->last ? &chain->last : NULL, &event);
  if (EXPECT(!error)) advance(chain, event);
}

static void swap_buffers(chain_t *chain) {
  cl_mem first = chain->buffers[0];
  chain->buffers[0] = chain->buffers[1];
  chain->buffers[1] = first;
}

static cl_command_queue any_queue(const chain_t *chain, cl_uint *seed) {
  return chain->at->queues[next(seed) % chain->at->device_count];
}

/** Through a mapping, or by a copy. */
static void check(chain_t *chain, cl_command_queue queue, bool by_map) {
  cl_uint found[ITEMS];
  cl_int error;
  cl_uint count = chain->last != NULL;
  const cl_event *waits = chain->last ? &chain->last : NULL;
  if (by_map) {
    void *mapped = clEnqueueMapBuffer(queue, chain->buffers[0], CL_TRUE, CL_MAP_READ, 0, sizeof(found), count, waits,
                                      NULL, &error);
    if (!EXPECT(!error && mapped)) return;
    memcpy(found, mapped, sizeof(found));
    EXPECT(!clEnqueueUnmapMemObject(queue, chain->buffers[0], mapped, 0, NULL, NULL));
  } else {
    error = clEnqueueReadBuffer(queue, chain->buffers[0], CL_TRUE, 0, sizeof(found), found, count, waits, NULL);
    if (!EXPECT(!error)) return;
  }
  EXPECT(!memcmp(found, chain->expected, sizeof(found)));
}

static void run_chain(const shared_t *at, cl_uint *seed) {
  chain_t chain;
  bool open = chain_open(&chain, at, seed);
  for (int i = 0; open && i < STEPS; i++) {
    cl_command_queue queue = any_queue(&chain, seed);
    switch (next(seed) % 4) {
      case 0:
        step_copy(&chain, queue);
        swap_buffers(&chain);
        break;
      case 1: step_migrate(&chain, queue); break;
      default:
        step_kernel(&chain, queue, next(seed));
        swap_buffers(&chain);
        break;
    }
    if (next(seed) % 4 == 0) EXPECT(!clFlush(queue));
  }
  if (open) check(&chain, any_queue(&chain, seed), next(seed) % 2);
  chain_close(&chain);
}

/* ---------------------------------------------------------------- devices and contexts that come and go */

static void open_shared(shared_t *at, cl_uint count, const cl_device_id *devices) {
  static const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  const char *text = source;
  cl_int error;
  *at = (shared_t){.device_count = count};
  at->context = clCreateContext(NULL, count, devices, NULL, NULL, &error);
  if (!EXPECT(!error)) return;
  for (cl_uint i = 0; i < count; i++) {
    at->devices[i] = devices[i];
    at->queues[i] = clCreateCommandQueueWithProperties(at->context, devices[i], i % 2 ? properties : NULL, &error);
    EXPECT(!error);
  }
  at->program = clCreateProgramWithSource(at->context, 1, &text, NULL, &error);
  EXPECT(!error && !clBuildProgram(at->program, count, devices, NULL, NULL, NULL));
}

static void close_shared(shared_t *at) {
  for (cl_uint i = 0; i < at->device_count; i++) EXPECT(!clReleaseCommandQueue(at->queues[i]));
  EXPECT(!clReleaseProgram(at->program));
  EXPECT(!clReleaseContext(at->context));
}

/** Devices, a context and queues of this thread's own, released before their work is complete. */
static void own_devices(cl_uint *seed) {
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id own[2];
  cl_uint count = 0;
  shared_t at;
  if (part_count == 0) return;
  if (!EXPECT(!clCreateSubDevices(dut.device, equally, 2, own, &count))) return;
  if (count > 2) count = 2;
  open_shared(&at, count, own);
  for (cl_uint i = 0; i < count; i++) EXPECT(!clReleaseDevice(own[i]));
  run_chain(&at, seed);
  const cl_uint zero = 0;
  cl_int error;
  cl_mem buffer = clCreateBuffer(at.context, 0, 4096, NULL, &error);
  EXPECT(!error && !clEnqueueFillBuffer(at.queues[0], buffer, &zero, 4, 0, 4096, 0, NULL, NULL));
  EXPECT(!clReleaseMemObject(buffer));
  close_shared(&at);
}

static void query(const shared_t *at) {
  cl_uint references, units;
  char name[256];
  EXPECT(!clGetContextInfo(at->context, CL_CONTEXT_REFERENCE_COUNT, sizeof(references), &references, NULL));
  EXPECT(!clGetDeviceInfo(at->devices[0], CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units, NULL));
  EXPECT(!clGetDeviceInfo(at->devices[0], CL_DEVICE_NAME, sizeof(name), name, NULL));
  EXPECT(units > 0);
}

static void *work(void *number) {
  cl_uint seed = (cl_uint)(uintptr_t)number * 7919 + 1;
  for (int round = 0; round < ROUNDS && !atomic_load(&failed_line); round++) {
    const shared_t *at = &shared[next(&seed) % CONTEXTS];
    switch (next(&seed) % 16) {
      case 0: own_devices(&seed); break;
      case 1: query(at); break;
      case 2: EXPECT(!clFinish(at->queues[next(&seed) % at->device_count])); break;
      default: run_chain(at, &seed); break;
    }
  }
  return NULL;
}

static int open_devices(void **state) {
  if (test_device_open(state)) return 1;
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint count = 0;
  bool has_parts = !clCreateSubDevices(dut.device, equally, 0, NULL, &count) && count == 2 &&
                   !clCreateSubDevices(dut.device, equally, 2, parts, NULL);
  if (has_parts) part_count = 2;
  const cl_device_id all[MAX_DEVICES] = {dut.device, parts[0], parts[1]};
  open_shared(&shared[0], 1, all);
  open_shared(&shared[1], has_parts ? 2 : 1, has_parts ? parts : all);
  open_shared(&shared[2], has_parts ? 3 : 1, all);
  return atomic_load(&failed_line);
}

static int close_devices(void **state) {
  for (int i = 0; i < CONTEXTS; i++) close_shared(&shared[i]);
  for (cl_uint i = 0; i < part_count; i++) EXPECT(!clReleaseDevice(parts[i]));
  return test_device_close(state) || atomic_load(&failed_line);
}

static void every_chain_of_work_gives_what_it_must(void **state) {
  (void)state;
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_create(&threads[i], NULL, work, (void *)i), 0);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  if (atomic_load(&failed_line)) fail_msg("line %d", atomic_load(&failed_line));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_chain_of_work_gives_what_it_must)};
  return cmocka_run_group_tests(tests, open_devices, close_devices);
}
