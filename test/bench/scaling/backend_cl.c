/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The work over the plain OpenCL API, on whatever driver the loader has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scaling.h"
#include "test_device.h"

/** `groups` does nothing, but no two of its work-groups can be made one. A step is a few dependent instructions that no
 * compiler can shorten. */
static const char source[] =
    "kernel void empty(void) {}\n"
    "kernel void groups(global uint *data) {\n"
    "  if (get_group_id(0) == 0xffffffff) data[0] = 0;\n"
    "}\n"
    "kernel void chain(global uint *data, uint steps) {\n"
    "  uint x = data[get_global_id(0)];\n"
    "  for (uint i = 0; i < steps; i++) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; }\n"
    "  data[get_global_id(0)] = x;\n"
    "}\n"
    "kernel void uneven(global uint *data, global const uint *steps) {\n"
    "  uint x = data[get_global_id(0)];\n"
    "  for (uint i = 0, n = steps[get_group_id(0)]; i < n; i++) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; }\n"
    "  data[get_global_id(0)] = x;\n"
    "}\n"
    "kernel void triad(global float *a, global const float *b, global const float *c) {\n"
    "  a[get_global_id(0)] = b[get_global_id(0)] + 3.0f * c[get_global_id(0)];\n"
    "}\n";

enum { LOCAL = SCALING_LOCAL, ITEMS = SCALING_GROUPS * SCALING_LOCAL, QUEUES = 2 };

static cl_command_queue queues[QUEUES], unordered;
static cl_kernel empty_kernel, groups_kernel, chain_kernels[QUEUES], many_kernel, uneven_kernel, triad_kernel;
static cl_mem from, to, third, uneven_steps;
static unsigned char *host;
static uint32_t uneven_known;

static cl_kernel kernel_get(cl_program program, const char *name) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  ASSERT_CL(error);
  return kernel;
}

static cl_mem buffer_get(size_t bytes) {
  cl_int error;
  cl_mem buffer = clCreateBuffer(dut.context, CL_MEM_READ_WRITE, bytes, NULL, &error);
  /* As in C; a denormal number would make the triad slow. */
  const cl_uint bytes_of_one = 0x01010101;
  ASSERT_CL(error);
  ASSERT_CL(clEnqueueFillBuffer(queues[0], buffer, &bytes_of_one, sizeof(bytes_of_one), 0, bytes, 0, NULL, NULL));
  return buffer;
}

static bool open_driver(size_t bytes) {
  void *state = NULL;
  if (test_device_open(&state) != 0) return false;
  cl_program program = test_program(source, NULL);
  empty_kernel = kernel_get(program, "empty");
  groups_kernel = kernel_get(program, "groups");
  many_kernel = kernel_get(program, "chain");
  uneven_kernel = kernel_get(program, "uneven");
  triad_kernel = kernel_get(program, "triad");
  for (int i = 0; i < QUEUES; i++) {
    cl_int error;
    queues[i] = clCreateCommandQueueWithProperties(dut.context, dut.device, NULL, &error);
    ASSERT_CL(error);
    chain_kernels[i] = kernel_get(program, "chain");
    cl_mem data = buffer_get(ITEMS * sizeof(cl_uint));
    ASSERT_CL(clSetKernelArg(chain_kernels[i], 0, sizeof(data), &data));
  }
  const cl_queue_properties out_of_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int error;
  unordered = clCreateCommandQueueWithProperties(dut.context, dut.device, out_of_order, &error);
  ASSERT_CL(error);
  from = buffer_get(bytes);
  to = buffer_get(bytes);
  third = buffer_get(bytes);
  uneven_steps = buffer_get(SCALING_UNEVEN_GROUPS * sizeof(cl_uint));
  host = aligned_alloc(4096, bytes);
  memset(host, 1, bytes);
  ASSERT_CL(clFinish(queues[0]));
  return true;
}

static void launch(cl_command_queue queue, cl_kernel kernel, size_t items, size_t local) {
  ASSERT_CL(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL));
}

static void chain_enqueue(int which, uint32_t steps, size_t launches) {
  ASSERT_CL(clSetKernelArg(chain_kernels[which], 1, sizeof(steps), &steps));
  for (size_t i = 0; i < launches; i++) launch(queues[which], chain_kernels[which], ITEMS, LOCAL);
}

static void chain(uint32_t steps, size_t launches) {
  chain_enqueue(0, steps, launches);
  ASSERT_CL(clFinish(queues[0]));
}

static void many_groups(uint32_t steps) {
  ASSERT_CL(clSetKernelArg(many_kernel, 0, sizeof(to), &to));
  ASSERT_CL(clSetKernelArg(many_kernel, 1, sizeof(steps), &steps));
  launch(queues[0], many_kernel, (size_t)SCALING_MANY_GROUPS * LOCAL, LOCAL);
  ASSERT_CL(clFinish(queues[0]));
}

static void chains(uint32_t steps, size_t launches) {
  for (int i = 0; i < QUEUES; i++) {
    chain_enqueue(i, steps, launches);
    ASSERT_CL(clFlush(queues[i]));
  }
  for (int i = 0; i < QUEUES; i++) ASSERT_CL(clFinish(queues[i]));
}

static void independent(uint32_t steps) {
  const size_t local = LOCAL;
  ASSERT_CL(clSetKernelArg(chain_kernels[0], 1, sizeof(steps), &steps));
  for (size_t offset = 0; offset < ITEMS; offset += LOCAL)
    ASSERT_CL(clEnqueueNDRangeKernel(unordered, chain_kernels[0], 1, &offset, &local, &local, 0, NULL, NULL));
  ASSERT_CL(clFinish(unordered));
}

static void empty(size_t groups) {
  if (groups == 1) {
    launch(queues[0], empty_kernel, 1, 1);
  } else {
    ASSERT_CL(clSetKernelArg(groups_kernel, 0, sizeof(to), &to));
    launch(queues[0], groups_kernel, groups * LOCAL, LOCAL);
  }
  ASSERT_CL(clFinish(queues[0]));
}

static void transfer(scaling_transfer_e kind, size_t bytes) {
  if (kind == TRANSFER_READ) {
    ASSERT_CL(clEnqueueReadBuffer(queues[0], from, CL_TRUE, 0, bytes, host, 0, NULL, NULL));
  } else if (kind == TRANSFER_WRITE) {
    ASSERT_CL(clEnqueueWriteBuffer(queues[0], to, CL_TRUE, 0, bytes, host, 0, NULL, NULL));
  } else {
    ASSERT_CL(clEnqueueCopyBuffer(queues[0], from, to, 0, 0, bytes, 0, NULL, NULL));
    ASSERT_CL(clFinish(queues[0]));
  }
}

static void uneven_prepare(uint32_t steps) {
  cl_uint numbers[SCALING_UNEVEN_GROUPS];
  if (uneven_known == steps) return;
  for (size_t i = 0; i < SCALING_UNEVEN_GROUPS; i++) numbers[i] = scaling_uneven_steps(i, steps);
  ASSERT_CL(clEnqueueWriteBuffer(queues[0], uneven_steps, CL_TRUE, 0, sizeof(numbers), numbers, 0, NULL, NULL));
  uneven_known = steps;
}

static void uneven(uint32_t steps) {
  uneven_prepare(steps);
  ASSERT_CL(clSetKernelArg(uneven_kernel, 0, sizeof(to), &to));
  ASSERT_CL(clSetKernelArg(uneven_kernel, 1, sizeof(uneven_steps), &uneven_steps));
  launch(queues[0], uneven_kernel, (size_t)SCALING_UNEVEN_GROUPS * LOCAL, LOCAL);
  ASSERT_CL(clFinish(queues[0]));
}

static void stream(size_t bytes) {
  const cl_mem arguments[] = {to, from, third};
  for (cl_uint i = 0; i < 3; i++) ASSERT_CL(clSetKernelArg(triad_kernel, i, sizeof(cl_mem), &arguments[i]));
  launch(queues[0], triad_kernel, bytes / sizeof(cl_float), LOCAL);
  ASSERT_CL(clFinish(queues[0]));
}

const scaling_backend_t scaling_backend_cl = {open_driver, chain,  many_groups, empty,      transfer,
                                              uneven,      stream, chains,      independent};
