/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The work by an OpenCL driver: the first device of the loader's first platform. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backend.h"
#include "test_device.h"
#include "test_process.h"

enum { FEW = 64 };
static const unsigned char spoilt = 0xA5;

static const bench_case_t *the_case;
static const bench_data_t *the_data;
static cl_command_queue queue; /**< without profiling, unlike the fixture's */
static cl_kernel kernel;
static cl_mem memory[BENCH_MAX_ARGUMENTS];

static void driver_name(char *name) {
  char platform[64] = "", version[48] = "";
  clGetPlatformInfo(dut.platform, CL_PLATFORM_NAME, sizeof(platform), platform, NULL);
  clGetDeviceInfo(dut.device, CL_DRIVER_VERSION, sizeof(version), version, NULL);
  snprintf(name, BENCH_NAME_SIZE, "%s %s", platform, version);
}

static cl_mem image_create(const bench_argument_t *argument) {
  const cl_image_format format = {CL_RGBA, argument->type == BENCH_F32 ? CL_FLOAT : CL_UNORM_INT8};
  const cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                     .image_width = argument->width,
                                     .image_height = argument->count / 4 / argument->width};
  cl_int error;
  cl_mem image = clCreateImage(dut.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &description,
                               argument->contents, &error);
  ASSERT_CL(error);
  return image;
}

static cl_mem memory_create(const bench_argument_t *argument) {
  if (argument->kind == BENCH_IMAGE) return image_create(argument);
  if (argument->kind != BENCH_ARRAY) return NULL;
  return test_buffer(argument->bytes, argument->is_output ? NULL : argument->contents);
}

static void argument_set(cl_uint index) {
  const bench_argument_t *argument = &the_data->arguments[index];
  switch (argument->kind) {
    case BENCH_ARRAY:
    case BENCH_IMAGE: ASSERT_CL(clSetKernelArg(kernel, index, sizeof(cl_mem), &memory[index])); break;
    case BENCH_VALUE: ASSERT_CL(clSetKernelArg(kernel, index, argument->bytes, argument->value)); break;
    case BENCH_LOCAL: ASSERT_CL(clSetKernelArg(kernel, index, argument->bytes, NULL)); break;
  }
}

static void range_run(const size_t *global) {
  const size_t *local = the_data->local[0] > 0 ? the_data->local : NULL;
  ASSERT_CL(clEnqueueNDRangeKernel(queue, kernel, the_data->dimensions, NULL, global, local, 0, NULL, NULL));
  ASSERT_CL(clFinish(queue));
}

static void run(void) { range_run(the_data->global); }

/** As little as the kernel can do: a work-group, or some work-items. */
static void run_little(void) {
  size_t global[3] = {the_data->local[0] > 0 ? the_data->local[0] : FEW, 1, 1};
  if (the_data->local[0] > 0) memcpy(global, the_data->local, sizeof(global));
  if (global[0] > the_data->global[0]) global[0] = the_data->global[0];
  range_run(global);
}

/** Builds the kernel, and runs a little of it since a driver may compile then. No driver can have this program in a
 * cache: each build has another option. Returns the seconds. */
static double kernel_build(void) {
  static unsigned builds;
  char options[64];
  if (kernel != NULL) ASSERT_CL(clReleaseKernel(kernel));
  const double begin = test_seconds();
  snprintf(options, sizeof(options), "-cl-std=CL1.2 -DBENCH_BUILD=%.0f%u", begin * 1e6, builds++);
  kernel = test_kernel(the_case->source, options, the_case->name);
  for (cl_uint i = 0; i < the_data->argument_count; i++) argument_set(i);
  run_little();
  return test_seconds() - begin;
}

static bool has_images(void) {
  cl_bool images = CL_FALSE;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_IMAGE_SUPPORT, sizeof(images), &images, NULL));
  return images == CL_TRUE;
}

static bool needs_images(const bench_data_t *data) {
  for (size_t i = 0; i < data->argument_count; i++) {
    if (data->arguments[i].kind == BENCH_IMAGE) return true;
  }
  return false;
}

static bench_status_e open_driver(const bench_case_t *bench_case, const bench_data_t *data, size_t builds,
                                  bench_opened_t *opened) {
  const cl_queue_properties properties[] = {0};
  void *state = NULL;
  cl_int error;
  if (test_device_open(&state) != 0) return BENCH_FAILED;
  driver_name(opened->name);
  if (needs_images(data) && !has_images()) return BENCH_SKIPPED;
  the_case = bench_case;
  the_data = data;
  queue = clCreateCommandQueueWithProperties(dut.context, dut.device, properties, &error);
  ASSERT_CL(error);
  for (size_t i = 0; i < data->argument_count; i++) memory[i] = memory_create(&data->arguments[i]);
  kernel_build(); /* the first one loads the compiler too */
  opened->compile_seconds = NAN;
  for (size_t i = 0; i < builds; i++) opened->compile_seconds = fmin(opened->compile_seconds, kernel_build());
  return BENCH_OK;
}

static void spoil(void) {
  for (size_t i = 0; i < the_data->argument_count; i++) {
    const bench_argument_t *argument = &the_data->arguments[i];
    if (!argument->is_output) continue;
    ASSERT_CL(clEnqueueFillBuffer(queue, memory[i], &spoilt, 1, 0, argument->bytes, 0, NULL, NULL));
  }
  ASSERT_CL(clFinish(queue));
}

static void read_output(size_t index, void *contents) {
  test_read(memory[index], the_data->arguments[index].bytes, contents);
}

const bench_backend_t bench_backend_cl = {open_driver, run, spoil, read_output};
