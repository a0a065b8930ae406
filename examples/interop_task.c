/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Command groups over any OpenCL driver: a kernel, then a library that enqueues OpenCL commands by itself. */
#include <quern/opencl.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1 << 16, BYTES = COUNT * sizeof(float) };

static const char *const source =
    "kernel void square(global const float *x, global float *y) {\n"
    "  size_t i = get_global_id(0);\n"
    "  y[i] = x[i] * x[i];\n"
    "}\n";

static float x[COUNT], y[COUNT];

static void check(quern_result_t result) {
  if (result == quern_success) return;
  fprintf(stderr, "%s\n", quern_last_error_message());
  exit(EXIT_FAILURE);
}

/* Stands for a library of somebody else: it knows OpenCL, and nothing of who calls it. The queue may be out of order,
 * so the last copy waits for the two before it. */
static cl_int swap_halves(cl_command_queue queue, cl_mem buffer, cl_mem scratch) {
  const size_t half = BYTES / 2;
  cl_int error = clEnqueueCopyBuffer(queue, buffer, scratch, 0, half, half, 0, NULL, NULL);
  if (error == CL_SUCCESS) error = clEnqueueCopyBuffer(queue, buffer, scratch, half, 0, half, 0, NULL, NULL);
  if (error == CL_SUCCESS) error = clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL);
  if (error == CL_SUCCESS) error = clEnqueueCopyBuffer(queue, scratch, buffer, 0, 0, BYTES, 0, NULL, NULL);
  return error == CL_SUCCESS ? clFinish(queue) : error;
}

typedef struct task_t {
  quern_accessor_t values, scratch;
} task_t;

/* Runs on a thread of the library's when the kernel before it is complete, and has the queue for itself. */
static quern_result_t call_library(quern_handle_t handle, void *data) {
  const task_t *task = data;
  cl_int error = swap_halves(quern_opencl_handle_get_queue(handle), quern_opencl_handle_get_mem(handle, task->values),
                             quern_opencl_handle_get_mem(handle, task->scratch));
  if (error == CL_SUCCESS) return quern_success;
  return quern_handle_fail(handle, quern_error_task_failed, "the library could not swap the halves");
}

static void submit_kernel(quern_queue_t queue, quern_kernel_t kernel, quern_memory_t from, quern_memory_t to) {
  const quern_range_t range = {.dimensions = 1, .global = {COUNT}};
  quern_group_t group;
  quern_accessor_t in, out;
  check(quern_group_create(queue, &group));
  check(quern_group_access(group, from, quern_access_read, 0, 0, &in));
  check(quern_group_access(group, to, quern_access_discard_write, 0, 0, &out));
  check(quern_group_set_kernel(group, kernel, &range));
  check(quern_group_set_argument_accessor(group, 0, in));
  check(quern_group_set_argument_accessor(group, 1, out));
  check(quern_group_submit(group, NULL));
}

static void submit_task(quern_queue_t queue, task_t *task, quern_memory_t values, quern_memory_t scratch) {
  quern_group_t group;
  check(quern_group_create(queue, &group));
  check(quern_group_access(group, values, quern_access_read_write, 0, 0, &task->values));
  check(quern_group_access(group, scratch, quern_access_discard_write, 0, 0, &task->scratch));
  check(quern_group_set_interop_task(group, call_library, task));
  check(quern_group_submit(group, NULL));
}

int main(void) {
  for (int i = 0; i < COUNT; i++) x[i] = (float)(i % 100);

  quern_device_t device;
  quern_context_t context;
  quern_queue_t queue;
  const char *name;
  check(quern_device_select(quern_selector_default, NULL, &device));
  check(quern_device_get_name(device, &name));
  check(quern_context_create(1, &device, NULL, NULL, &context));
  check(quern_queue_create(context, device, quern_queue_out_of_order, NULL, NULL, &queue));

  quern_program_t program;
  quern_kernel_t kernel;
  check(quern_program_create_from_source(context, source, NULL, &program));
  check(quern_kernel_create(program, "square", &kernel));

  quern_memory_t from, to, scratch;
  check(quern_buffer_create(BYTES, x, NULL, &from));
  check(quern_buffer_create(BYTES, y, NULL, &to));
  check(quern_buffer_create(BYTES, NULL, NULL, &scratch));

  task_t task;
  submit_kernel(queue, kernel, from, to);
  submit_task(queue, &task, to, scratch);

  /* The last release writes the contents back to y, behind the groups that use them. */
  check(quern_memory_release(to));
  int wrong = 0;
  for (int i = 0; i < COUNT; i++) {
    float expected = x[(i + COUNT / 2) % COUNT];
    wrong += y[i] != expected * expected;
  }
  printf("%s: %d values wrong\n", name, wrong);

  check(quern_memory_release(scratch));
  check(quern_memory_release(from));
  check(quern_kernel_release(kernel));
  check(quern_program_release(program));
  check(quern_queue_release(queue));
  check(quern_context_release(context));
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
