/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The measurements: each runs in a process of its own, over the plain OpenCL API, on whatever driver the loader has. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "runtime.h"
#include "test_device.h"
#include "test_process.h"

enum { MAX_REPETITIONS = 5000 };
static double samples[BENCH_MAX_VALUES][MAX_REPETITIONS];

/** Kernels that most measurements share. `spin`: as many dependent steps as `steps` has for the work-group, which no
 * compiler can shorten. `compute`: what a processor does best, and nothing else. */
static const char source[] =
    "kernel void empty(void) {}\n"
    "kernel void spin(global const uint *steps, global uint *out) {\n"
    "  uint x = get_global_id(0) + 1;\n"
    "  for (uint i = 0, n = steps[get_group_id(0)]; i < n; i++) {\n"
    "    x ^= x << 13; x ^= x >> 17; x ^= x << 5;\n"
    "  }\n"
    "  out[get_global_id(0)] = x;\n"
    "}\n"
    "kernel void compute(global float *out, float by, int steps) {\n"
    "  float x = get_global_id(0);\n"
    "  for (int i = 0; i < steps; i++) x = mad(x, by, 1.0f);\n"
    "  out[get_global_id(0)] = x;\n"
    "}\n";

/** A queue without profiling, unlike the fixture's. */
static cl_command_queue queue_create(cl_command_queue_properties properties) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  cl_int error;
  cl_command_queue queue = clCreateCommandQueueWithProperties(dut.context, dut.device, list, &error);
  ASSERT_CL(error);
  return queue;
}

static void range_enqueue(cl_command_queue queue, cl_kernel kernel, size_t items) {
  ASSERT_CL(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
}

/* ---- launches */

static double finish_once(cl_command_queue queue, cl_kernel kernel) {
  const double begin = test_seconds();
  range_enqueue(queue, kernel, 1);
  ASSERT_CL(clFinish(queue));
  return test_seconds() - begin;
}

/** Microseconds of one empty kernel and clFinish. */
static void measure_finish(bool quick, double *values) {
  const size_t count = quick ? 50 : MAX_REPETITIONS;
  cl_command_queue queue = queue_create(0);
  cl_kernel kernel = test_kernel(source, NULL, "empty");
  for (size_t i = 0; i < count / 5; i++) finish_once(queue, kernel);
  for (size_t i = 0; i < count; i++) samples[0][i] = finish_once(queue, kernel);
  values[0] = test_median(samples[0], count) * 1e6;
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseCommandQueue(queue));
}

/** Enqueues `count` kernels and waits for all of them. */
typedef void launch_all_t(cl_command_queue queue, cl_kernel kernel, cl_event *events, size_t count);

static void launch_plainly(cl_command_queue queue, cl_kernel kernel, cl_event *events, size_t count) {
  (void)events;
  for (size_t i = 0; i < count; i++) range_enqueue(queue, kernel, 1);
  ASSERT_CL(clFinish(queue));
}

static void launch_with_events(cl_command_queue queue, cl_kernel kernel, cl_event *events, size_t count) {
  const size_t one = 1;
  for (size_t i = 0; i < count; i++) {
    ASSERT_CL(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, &events[i]));
  }
  ASSERT_CL(clFinish(queue));
  for (size_t i = 0; i < count; i++) ASSERT_CL(clReleaseEvent(events[i]));
}

static void launch_chain(cl_command_queue queue, cl_kernel kernel, cl_event *events, size_t count) {
  const size_t one = 1;
  for (size_t i = 0; i < count; i++) {
    const cl_event *wait = i > 0 ? &events[i - 1] : NULL;
    ASSERT_CL(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, i > 0, wait, &events[i]));
  }
  ASSERT_CL(clFinish(queue));
  for (size_t i = 0; i < count; i++) ASSERT_CL(clReleaseEvent(events[i]));
}

/** Microseconds of each of many launches, for several ways to launch them that take turns. */
static void launches_measure(bool quick, cl_command_queue queue, launch_all_t *const ways[], size_t way_count,
                             double *values) {
  const size_t count = quick ? 500 : 20000, repetitions = quick ? 1 : 7;
  cl_kernel kernel = test_kernel(source, NULL, "empty");
  cl_event *events = calloc(count, sizeof(cl_event));
  assert_non_null(events);
  for (size_t i = 0; i <= repetitions; i++) { /* the first is for warming up, and is overwritten */
    for (size_t way = 0; way < way_count; way++) {
      const double begin = test_seconds();
      ways[way](queue, kernel, events, count);
      samples[way][i > 0 ? i - 1 : 0] = (test_seconds() - begin) / (double)count;
    }
  }
  for (size_t way = 0; way < way_count; way++) values[way] = test_median(samples[way], repetitions) * 1e6;
  free(events);
  ASSERT_CL(clReleaseKernel(kernel));
}

static void measure_batch(bool quick, double *values) {
  cl_command_queue queue = queue_create(0);
  launches_measure(quick, queue, (launch_all_t *[]){launch_plainly}, 1, values);
  ASSERT_CL(clReleaseCommandQueue(queue));
}

static void measure_events(bool quick, double *values) {
  cl_command_queue queue = queue_create(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  launches_measure(quick, queue, (launch_all_t *[]){launch_with_events, launch_chain}, 2, values);
  ASSERT_CL(clReleaseCommandQueue(queue));
}

/* ---- transfers */

/** Two buffers and host memory, all of `size` bytes. memcpy works on the same memory as the commands, so that caches
 * and pages are the same for both: on what clEnqueueMapBuffer gives. */
typedef struct transfer_t {
  cl_command_queue queue;
  cl_mem from, to;
  unsigned char *host;
  size_t size;
} transfer_t;

static void *map(const transfer_t *transfer, cl_mem buffer, cl_map_flags flags) {
  cl_int error;
  void *mapped = clEnqueueMapBuffer(transfer->queue, buffer, CL_TRUE, flags, 0, transfer->size, 0, NULL, NULL, &error);
  ASSERT_CL(error);
  return mapped;
}

static double memcpy_seconds(void *to, const void *from, size_t size) {
  const double begin = test_seconds();
  memcpy(to, from, size);
  return test_seconds() - begin;
}

/** What a transfer is and what memcpy has to do for it: `from` and `to` say which side is a buffer, not the host. */
static double memcpy_measure(const transfer_t *transfer, bool from, bool to) {
  void *source_bytes = from ? map(transfer, transfer->from, CL_MAP_READ) : transfer->host;
  void *target_bytes = to ? map(transfer, transfer->to, CL_MAP_WRITE) : transfer->host;
  const double seconds = memcpy_seconds(target_bytes, source_bytes, transfer->size);
  if (from) ASSERT_CL(clEnqueueUnmapMemObject(transfer->queue, transfer->from, source_bytes, 0, NULL, NULL));
  if (to) ASSERT_CL(clEnqueueUnmapMemObject(transfer->queue, transfer->to, target_bytes, 0, NULL, NULL));
  ASSERT_CL(clFinish(transfer->queue));
  return seconds;
}

static double command_measure(const transfer_t *transfer, bool from, bool to) {
  const transfer_t *t = transfer;
  const double begin = test_seconds();
  if (from && to) {
    ASSERT_CL(clEnqueueCopyBuffer(t->queue, t->from, t->to, 0, 0, t->size, 0, NULL, NULL));
    ASSERT_CL(clFinish(t->queue));
  } else if (from) {
    ASSERT_CL(clEnqueueReadBuffer(t->queue, t->from, CL_TRUE, 0, t->size, t->host, 0, NULL, NULL));
  } else {
    ASSERT_CL(clEnqueueWriteBuffer(t->queue, t->to, CL_TRUE, 0, t->size, t->host, 0, NULL, NULL));
  }
  return test_seconds() - begin;
}

/** memcpy's time divided by the command's; each is first in every other repetition. */
static double transfer_ratio(const transfer_t *transfer, bool from, bool to, size_t repetitions) {
  double ratios[32], copying = 0, command = 0;
  for (size_t i = 0; i <= repetitions; i++) { /* the first is for warming up, and is overwritten */
    if (i % 2 == 0) copying = memcpy_measure(transfer, from, to);
    command = command_measure(transfer, from, to);
    if (i % 2 != 0) copying = memcpy_measure(transfer, from, to);
    ratios[i > 0 ? i - 1 : 0] = copying / command;
  }
  return test_median(ratios, repetitions);
}

/** Read, write and copy. */
static void measure_transfer(bool quick, double *values) {
  const size_t size = (size_t)(quick ? 1 : 64) << 20, repetitions = quick ? 2 : 14;
  transfer_t transfer = {.queue = queue_create(0), .size = size, .host = malloc(size)};
  assert_non_null(transfer.host);
  memset(transfer.host, 1, size);
  transfer.from = test_buffer(size, transfer.host);
  transfer.to = test_buffer(size, transfer.host);
  values[0] = transfer_ratio(&transfer, true, false, repetitions);
  values[1] = transfer_ratio(&transfer, false, true, repetitions);
  values[2] = transfer_ratio(&transfer, true, true, repetitions);
  ASSERT_CL(clReleaseMemObject(transfer.to));
  ASSERT_CL(clReleaseMemObject(transfer.from));
  ASSERT_CL(clReleaseCommandQueue(transfer.queue));
  free(transfer.host);
}

/* ---- threads */

/** Seconds of a compute-bound kernel. */
static void measure_compute(bool quick, double *values) {
  const size_t items = quick ? 256 : 16384, repetitions = quick ? 1 : 9;
  const cl_float by = 0.5f;
  const cl_int steps = 4096;
  cl_command_queue queue = queue_create(0);
  cl_kernel kernel = test_kernel(source, NULL, "compute");
  cl_mem out = test_buffer(items * sizeof(cl_float), NULL);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &out));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(by), &by));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof(steps), &steps));
  for (size_t i = 0; i <= repetitions; i++) { /* the first is for warming up, and is overwritten */
    const double begin = test_seconds();
    range_enqueue(queue, kernel, items);
    ASSERT_CL(clFinish(queue));
    samples[0][i > 0 ? i - 1 : 0] = test_seconds() - begin;
  }
  values[0] = test_median(samples[0], repetitions);
  ASSERT_CL(clReleaseMemObject(out));
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseCommandQueue(queue));
}

/** How the cost is spread over work-groups: relative to the others', of the one at `place` of 0 to 1. */
typedef double spread_t(double place, size_t group);

static double spread_evenly(double place, size_t group) {
  (void)place;
  (void)group;
  return 1;
}

/** A thirty-second of the work-groups cost as much as all others: the last ones, ... */
static double spread_last(double place, size_t group) {
  (void)group;
  return place >= 31.0 / 32 ? 31 : 1;
}

static double spread_rising(double place, size_t group) {
  (void)group;
  return 0.01 + place * place;
}

/** ... or about as many anywhere. */
static double spread_scattered(double place, size_t group) {
  (void)place;
  return (cl_uint)group * 2654435761u >> 27 == 0 ? 31 : 1;
}

typedef struct balance_t {
  cl_command_queue queue;
  cl_kernel kernel;
  cl_mem out;
  size_t groups;
  double steps; /**< of all work-groups together, however they are spread */
} balance_t;

/** A buffer with the number of steps of each work-group. */
static cl_mem spread_create(const balance_t *balance, spread_t *spread) {
  double total = 0;
  const double groups = (double)balance->groups;
  cl_uint *steps = calloc(balance->groups, sizeof(cl_uint));
  assert_non_null(steps);
  for (size_t i = 0; i < balance->groups; i++) total += spread((double)i / groups, i);
  for (size_t i = 0; i < balance->groups; i++) {
    steps[i] = (cl_uint)lround(spread((double)i / groups, i) / total * balance->steps);
  }
  cl_mem buffer = test_buffer(balance->groups * sizeof(cl_uint), steps);
  free(steps);
  return buffer;
}

static double spread_run(const balance_t *balance, cl_mem steps) {
  const size_t one = 1;
  ASSERT_CL(clSetKernelArg(balance->kernel, 0, sizeof(cl_mem), &steps));
  ASSERT_CL(clSetKernelArg(balance->kernel, 1, sizeof(cl_mem), &balance->out));
  const double begin = test_seconds();
  ASSERT_CL(clEnqueueNDRangeKernel(balance->queue, balance->kernel, 1, NULL, &balance->groups, &one, 0, NULL, NULL));
  ASSERT_CL(clFinish(balance->queue));
  return test_seconds() - begin;
}

/** Takes turns; values are the ideal time divided by that of each uneven spread. The ideal is the time of the same
 * number of steps in work-groups of equal cost. */
static void balance_measure(const balance_t *balance, size_t repetitions, double *values) {
  spread_t *const spreads[1 + BENCH_MAX_VALUES] = {spread_evenly, spread_last, spread_rising, spread_scattered};
  cl_mem buffers[1 + BENCH_MAX_VALUES];
  for (size_t s = 0; s <= BENCH_MAX_VALUES; s++) buffers[s] = spread_create(balance, spreads[s]);
  for (size_t i = 0; i <= repetitions; i++) { /* the first is for warming up, and is overwritten */
    const double ideal = spread_run(balance, buffers[0]);
    for (size_t s = 0; s < BENCH_MAX_VALUES; s++) {
      samples[s][i > 0 ? i - 1 : 0] = ideal / spread_run(balance, buffers[s + 1]);
    }
  }
  for (size_t s = 0; s < BENCH_MAX_VALUES; s++) values[s] = test_median(samples[s], repetitions);
  for (size_t s = 0; s <= BENCH_MAX_VALUES; s++) ASSERT_CL(clReleaseMemObject(buffers[s]));
}

static balance_t balance_create(size_t groups_of_unit, double steps_of_unit) {
  const size_t units = test_device_number(CL_DEVICE_MAX_COMPUTE_UNITS);
  balance_t balance = {.groups = groups_of_unit * units, .steps = steps_of_unit * (double)units};
  balance.queue = queue_create(0);
  balance.kernel = test_kernel(source, NULL, "spin");
  balance.out = test_buffer(balance.groups * sizeof(cl_uint), NULL);
  return balance;
}

static void balance_release(balance_t *balance) {
  ASSERT_CL(clReleaseMemObject(balance->out));
  ASSERT_CL(clReleaseKernel(balance->kernel));
  ASSERT_CL(clReleaseCommandQueue(balance->queue));
}

static void measure_balance(bool quick, double *values) {
  balance_t balance = balance_create(512, quick ? 1e5 : 1e7);
  balance_measure(&balance, quick ? 1 : 9, values);
  balance_release(&balance);
}

/* ---- idleness */

static double clock_microseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

/** Microseconds of processor time that all threads but the calling one have used so far. What this thread uses between
 * the two readings is counted too, so the lowest of several differences is nearest to the truth. */
static double others_time(void) {
  double lowest = INFINITY;
  for (int i = 0; i < 10; i++) {
    const double own = clock_microseconds(CLOCK_THREAD_CPUTIME_ID);
    lowest = fmin(lowest, clock_microseconds(CLOCK_PROCESS_CPUTIME_ID) - own);
  }
  return lowest;
}

/** Wake-ups of all threads but the calling one so far: as many as the times that they began to wait. */
static double others_wakeups(void) {
  struct rusage all, own;
  getrusage(RUSAGE_THREAD, &own);
  getrusage(RUSAGE_SELF, &all);
  return (double)(all.ru_nvcsw - own.ru_nvcsw);
}

static void pause_for(long milliseconds) {
  const struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

/** Processor time and wake-ups of the driver's threads in a second in which nothing is asked of it, while its objects
 * exist. The first tenth of a second after the work is left out: threads may look for more before they sleep. */
static void measure_idle(bool quick, double *values) {
  double ignored[BENCH_MAX_VALUES];
  balance_t balance = balance_create(512, quick ? 1e5 : 1e6);
  cl_mem steps = spread_create(&balance, spread_evenly);
  for (int i = 0; i < 10; i++) spread_run(&balance, steps);
  measure_events(true, ignored);
  measure_finish(true, ignored);
  pause_for(100);
  const double time = others_time(), wakeups = others_wakeups();
  pause_for(quick ? 50 : 1000);
  values[0] = fmax(others_time() - time, 0);
  values[1] = others_wakeups() - wakeups;
  ASSERT_CL(clReleaseMemObject(steps));
  balance_release(&balance);
}

const bench_measurement_t bench_measurements[MEASUREMENTS] = {
    [MEASURE_FINISH] = {"finish", 1, false, measure_finish},
    [MEASURE_BATCH] = {"batch", 1, false, measure_batch},
    [MEASURE_EVENTS] = {"events", 2, false, measure_events},
    [MEASURE_TRANSFER] = {"transfer", 3, false, measure_transfer},
    [MEASURE_COMPUTE] = {"compute", 1, true, measure_compute},
    [MEASURE_BALANCE] = {"balance", 3, false, measure_balance},
    [MEASURE_IDLE] = {"idle", 2, false, measure_idle},
};
