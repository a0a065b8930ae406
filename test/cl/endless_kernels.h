/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels that never end, each in another way. */
#ifndef TEST_CL_ENDLESS_KERNELS_H
#define TEST_CL_ENDLESS_KERNELS_H

#include "test_device.h"

/** `go_on` is not 0, and nobody changes it; `started` becomes 1. */
static const char endless_source[] =
    "kernel void spins(volatile global int *go_on, volatile global int *started, global float *out) {\n"
    "  *started = 1;\n"
    "  while (*go_on) ;\n"
    "}\n"
    "kernel void computes(volatile global int *go_on, volatile global int *started, global float *out) {\n"
    "  float x = get_global_id(0);\n"
    "  *started = 1;\n"
    "  for (uint i = 0; i < 1000000 || *go_on; i++) x = mad(x, 0.5f, (float)i);\n"
    "  out[get_global_id(0)] = x;\n"
    "}\n"
    "kernel void calls(volatile global int *go_on, volatile global int *started, global float *out) {\n"
    "  float x = get_global_id(0);\n"
    "  *started = 1;\n"
    "  while (*go_on) x = tgamma(fmod(fabs(x), 5.0f) + 0.5f);\n"
    "  out[get_global_id(0)] = x;\n"
    "}\n"
    "kernel void prints(volatile global int *go_on, volatile global int *started, global float *out) {\n"
    "  *started = 1;\n"
    "  while (*go_on) if (get_global_id(0) > 1000000) printf(\"%d\\n\", *go_on);\n"
    "}\n"
    "kernel void waits(volatile global int *go_on, volatile global int *started, global float *out) {\n"
    "  local int row[16];\n"
    "  *started = 1;\n"
    "  for (int i = 0, goes = 1; goes; i++) {\n"
    "    row[get_local_id(0)] = i;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    goes = row[(get_local_id(0) + 1) % 16] >= 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (i == 1 << 20) i = 0;\n"
    "  }\n"
    "}\n"
    "kernel void counts(volatile global int *go_on, volatile global int *started, global float *out) {\n"
    "  *started = 1;\n"
    "  while (atomic_add(go_on, 0)) ;\n"
    "}\n";

static const char *const endless_names[] = {"spins", "computes", "calls", "prints", "waits", "counts"};
enum { ENDLESS_KERNELS = sizeof endless_names / sizeof endless_names[0], ENDLESS_LOCAL = 16 };

typedef struct endless_t {
  cl_context context;
  cl_program program;
  cl_mem go_on, started, out;
} endless_t;

static inline endless_t endless_create(cl_context context) {
  const cl_int one = 1;
  const char *text = endless_source;
  cl_int error;
  endless_t endless = {.context = context};
  endless.program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clBuildProgram(endless.program, 1, &dut.device, "", NULL, NULL));
  endless.go_on = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof one, (void *)(uintptr_t)&one, &error);
  ASSERT_CL(error);
  endless.started = clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, sizeof one, NULL, &error);
  ASSERT_CL(error);
  endless.out = clCreateBuffer(context, 0, 1 << 20, NULL, &error);
  ASSERT_CL(error);
  return endless;
}

static inline void endless_release(const endless_t *endless) {
  ASSERT_CL(clReleaseMemObject(endless->go_on));
  ASSERT_CL(clReleaseMemObject(endless->started));
  ASSERT_CL(clReleaseMemObject(endless->out));
  ASSERT_CL(clReleaseProgram(endless->program));
}

static inline void endless_enqueue(const endless_t *endless, cl_command_queue queue, const char *name, size_t groups,
                                   cl_event *event) {
  const size_t items = groups * ENDLESS_LOCAL, local = ENDLESS_LOCAL;
  cl_int error;
  cl_kernel kernel = clCreateKernel(endless->program, name, &error);
  ASSERT_CL(error);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &endless->go_on));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), &endless->started));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof(cl_mem), &endless->out));
  ASSERT_CL(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0, NULL, event));
  ASSERT_CL(clReleaseKernel(kernel));
}

#endif
