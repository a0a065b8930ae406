/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Markers without a wait list wait for everything before them; what one costs must not grow with how much that is. */
#include <math.h>
#include <time.h>

#include "test_device.h"

/* Both are more than caches and the device's spare batches hold: with fewer, one costs a third for that alone. Five
 * times as many: quadratic is 5 and more, as the memory grows. */
enum { few = 3000, many = 15000 };
static const double most_ratio = 3.5;

/** Of the process, all its threads: what others do on the machine is not in it. */
static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/** Processor seconds that one of `count` commands of the kind takes, enqueued behind a gate, so that none is
 * complete. */
static double seconds_per_command(int count, cl_int (*enqueue)(cl_command_queue queue)) {
  cl_int error;
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(dut.context, dut.device, properties, &error);
  ASSERT_CL(error);
  cl_event gate = clCreateUserEvent(dut.context, &error);
  ASSERT_CL(error);
  double start = cpu_seconds();
  ASSERT_CL(clEnqueueMarkerWithWaitList(queue, 1, &gate, NULL));
  for (int i = 0; i < count; i++) {
    ASSERT_CL(enqueue(queue));
    if (i % 100 == 50) ASSERT_CL(clFlush(queue));
  }
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clFinish(queue));
  double seconds = cpu_seconds() - start;
  ASSERT_CL(clReleaseEvent(gate));
  ASSERT_CL(clReleaseCommandQueue(queue));
  return seconds / count;
}

/** The best of three, of `total` commands each, `count` at once: whatever number that is, threads that spin while there
 * is more to come have as long to do so. */
static double best_seconds(int count, int total, cl_int (*enqueue)(cl_command_queue queue)) {
  double best = INFINITY;
  for (int i = 0; i < 3; i++) {
    double seconds = 0;
    for (int done = 0; done < total; done += count) seconds += seconds_per_command(count, enqueue);
    best = fmin(best, seconds * count / total);
  }
  return best;
}

static cl_int marker(cl_command_queue queue) { return clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL); }
static cl_int barrier(cl_command_queue queue) { return clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL); }

/* How many times as much one of many costs as one of few. */
static double cost_ratio(const char *what, cl_int (*enqueue)(cl_command_queue queue)) {
  const double one_of_many = best_seconds(many, many, enqueue), one_of_few = best_seconds(few, many, enqueue);
  print_message("a %s of %d: %.2f us, of %d: %.2f us\n", what, few, one_of_few * 1e6, many, one_of_many * 1e6);
  return one_of_many / one_of_few;
}

/* What is quadratic is so each time; a machine that is slow for a second is not. */
static void assert_linear(const char *what, cl_int (*enqueue)(cl_command_queue queue)) {
  double ratio = INFINITY;
  for (int i = 0; i < 3 && ratio > most_ratio; i++) ratio = fmin(ratio, cost_ratio(what, enqueue));
  if (ratio > most_ratio) fail_msg("one of %d costs %.1f times what one of %d does", many, ratio, few);
}

static void markers_are_linear(void **state) {
  (void)state;
  assert_linear("marker", marker);
}

static void barriers_are_linear(void **state) {
  (void)state;
  assert_linear("barrier", barrier);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(markers_are_linear),
      cmocka_unit_test(barriers_are_linear),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
