/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The interop task document's example (T11): a complex transform of clFFT's inside of an interop task, between groups
 * that make its input and read its output. Argument: the OpenCL platform. */
#include <math.h>

#include "groups.h"

/* After the version of OpenCL is chosen. */
#include <clFFT.h>

enum { points = 16 };

static test_place_t place, host;
static const char *platform_name;

/* Which the header only has inline. */
clfftStatus clfftInitSetupData(clfftSetupData *setup);

static int open_place(void **state) {
  (void)state;
  clfftSetupData setup;
  quern_device_t device = test_find_device(platform_name);
  assert_non_null(device);
  test_place_open(&place, device);
  test_place_open_host(&host);
  test_company_begin(&place, &host);
  return clfftInitSetupData(&setup) == CLFFT_SUCCESS && clfftSetup(&setup) == CLFFT_SUCCESS ? 0 : -1;
}

static int close_place(void **state) {
  (void)state;
  test_company_end();
  test_place_close(&place);
  test_place_close(&host);
  return clfftTeardown() == CLFFT_SUCCESS ? 0 : -1;
}

static clfftStatus make_plan(quern_handle_t handle, cl_command_queue *queue, clfftPlanHandle *out_plan) {
  const size_t lengths[] = {points};
  clfftPlanHandle plan;
  clfftStatus status = clfftCreateDefaultPlan(&plan, quern_opencl_handle_get_context(handle), CLFFT_1D, lengths);
  if (status != CLFFT_SUCCESS) return status;
  status = clfftSetPlanPrecision(plan, CLFFT_SINGLE);
  if (status == CLFFT_SUCCESS) status = clfftSetLayout(plan, CLFFT_COMPLEX_INTERLEAVED, CLFFT_COMPLEX_INTERLEAVED);
  if (status == CLFFT_SUCCESS) status = clfftSetResultLocation(plan, CLFFT_INPLACE);
  if (status == CLFFT_SUCCESS) status = clfftBakePlan(plan, 1, queue, NULL, NULL);
  *out_plan = plan;
  return status;
}

static quern_result_t transform(quern_handle_t handle, void *data) {
  cl_command_queue queue = quern_opencl_handle_get_queue(handle);
  cl_mem memory = quern_opencl_handle_get_mem(handle, *(const quern_accessor_t *)data);
  clfftPlanHandle plan;
  clfftStatus status = make_plan(handle, &queue, &plan);
  if (status == CLFFT_SUCCESS) {
    status = clfftEnqueueTransform(plan, CLFFT_FORWARD, 1, &queue, 0, NULL, NULL, &memory, NULL, NULL);
  }
  cl_int error = clFinish(queue);
  if (clfftDestroyPlan(&plan) != CLFFT_SUCCESS || error != CL_SUCCESS) status = CLFFT_INVALID_OPERATION;
  return status == CLFFT_SUCCESS ? quern_success : quern_error_task_failed;
}

/* What the definition of the transform gives. */
static void check_transform(const float *input, const float *output) {
  const double pi = 3.14159265358979323846;
  for (int k = 0; k < points; k++) {
    double re = 0, im = 0;
    for (int n = 0; n < points; n++) {
      double angle = -2 * pi * k * n / points;
      re += input[2 * n] * cos(angle) - input[2 * n + 1] * sin(angle);
      im += input[2 * n] * sin(angle) + input[2 * n + 1] * cos(angle);
    }
    assert_true(fabs(re - output[2 * k]) < 1e-4 && fabs(im - output[2 * k + 1]) < 1e-4);
  }
}

static void the_transform_is_part_of_the_task_graph(void **state) {
  (void)state;
  float input[2 * points], output[2 * points] = {0};
  for (int i = 0; i < 2 * points; i++) input[i] = (float)(i * i % 7) - 2.5f;
  quern_memory_t memory = test_buffer(sizeof(input), NULL, NULL);
  const quern_queue_t queues[] = {place.in_order, place.out_of_order};
  for (int q = 0; q < 2; q++) {
    quern_group_t group = test_group(queues[q]);
    ASSERT_SUCCESS(quern_group_set_write(group, input, test_access(group, memory, quern_access_discard_write)));
    test_submit_only(group);
    group = test_group(queues[q]);
    quern_accessor_t accessor = test_access(group, memory, quern_access_read_write);
    ASSERT_SUCCESS(quern_group_set_interop_task(group, transform, &accessor));
    test_submit_only(group);
    group = test_group(queues[1 - q]);
    ASSERT_SUCCESS(quern_group_set_read(group, test_access(group, memory, quern_access_read), output));
    test_finish(test_submit(group));
    check_transform(input, output);
  }
  ASSERT_SUCCESS(quern_memory_release(memory));
}

int main(int argc, char **argv) {
  platform_name = argc > 1 ? argv[1] : "Quern";
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_transform_is_part_of_the_task_graph)};
  return test_result(cmocka_run_group_tests(tests, open_place, close_place));
}
