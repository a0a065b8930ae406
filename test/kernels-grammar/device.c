/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Arguments as memory objects, the launch, the comparison. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>

#include "test_il.h"

/* What an argument needs on the device; nulls for values. */
typedef struct object_t {
  cl_mem memory, parent; /* an image over a buffer has that one for a parent */
  cl_sampler sampler;
} object_t;

static cl_mem_flags image_flags(const argument_t *argument) {
  return argument->kind == ARGUMENT_IMAGE ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY;
}

static void create_buffer_image(const argument_t *argument, object_t *out) {
  cl_int error;
  out->parent = test_buffer(argument->size, argument->initial);
  const cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = argument->pixels.width, .buffer = out->parent};
  out->memory = clCreateImage(dut.context, CL_MEM_READ_ONLY, &argument->pixels.format, &desc, NULL, &error);
  ASSERT_CL(error);
}

static void create_sampler(const argument_t *argument, object_t *out) {
  cl_int error;
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                              argument->sampler.normalized,
                                              CL_SAMPLER_ADDRESSING_MODE,
                                              argument->sampler.addressing,
                                              CL_SAMPLER_FILTER_MODE,
                                              argument->sampler.filter,
                                              0};
  out->sampler = clCreateSamplerWithProperties(dut.context, properties, &error);
  ASSERT_CL(error);
}

static void create_object(const argument_t *argument, object_t *out) {
  switch (argument->kind) {
    case ARGUMENT_BUFFER: out->memory = test_buffer(argument->size, argument->initial); break;
    case ARGUMENT_IMAGE:
    case ARGUMENT_WRITTEN_IMAGE:
      if (argument->pixels.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
        create_buffer_image(argument, out);
      } else {
        out->memory = test_pixels_image(&argument->pixels, image_flags(argument));
      }
      break;
    case ARGUMENT_SAMPLER: create_sampler(argument, out); break;
    default: break;
  }
}

static void release_object(const object_t *object) {
  if (object->memory) ASSERT_CL(clReleaseMemObject(object->memory));
  if (object->parent) ASSERT_CL(clReleaseMemObject(object->parent));
  if (object->sampler) ASSERT_CL(clReleaseSampler(object->sampler));
}

static void set_argument(cl_kernel kernel, cl_uint index, const argument_t *argument, const object_t *object) {
  switch (argument->kind) {
    case ARGUMENT_VALUE: ASSERT_CL(clSetKernelArg(kernel, index, argument->size, argument->initial)); break;
    case ARGUMENT_LOCAL: ASSERT_CL(clSetKernelArg(kernel, index, argument->size, NULL)); break;
    case ARGUMENT_SAMPLER: ASSERT_CL(clSetKernelArg(kernel, index, sizeof(cl_sampler), &object->sampler)); break;
    default: ASSERT_CL(clSetKernelArg(kernel, index, sizeof(cl_mem), &object->memory));
  }
}

static void set_arguments(const program_t *program, cl_kernel kernel, const object_t *objects) {
  cl_uint index = 0;
  for (unsigned i = 0; i < program->argument_count; i++) {
    if (program->arguments[i].kind == ARGUMENT_LITERAL_SAMPLER) continue;
    set_argument(kernel, index++, &program->arguments[i], &objects[i]);
  }
}

static void launch(const program_t *program, cl_kernel kernel) {
  const size_t *local = program->is_local_free ? NULL : program->local;
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, program->dimensions, program->offset, program->global, local, 0,
                                   NULL, NULL));
  ASSERT_CL(clFinish(dut.queue));
}

static void read_back(const argument_t *argument, const object_t *object, unsigned char *out) {
  if (argument->kind == ARGUMENT_BUFFER) {
    test_read(object->memory, argument->size, out);
    return;
  }
  const size_t origin[3] = {0};
  const size_t region[3] = {argument->pixels.width, argument->pixels.height, argument->pixels.depth};
  ASSERT_CL(clEnqueueReadImage(dut.queue, object->memory, CL_TRUE, origin, region, 0, 0, out, 0, NULL, NULL));
}

static bool compare(const program_t *program, const argument_t *argument, const unsigned char *actual) {
  for (size_t i = 0; i < argument->size; i++) {
    if (actual[i] == argument->expected[i] || (argument->mask && !argument->mask[i])) continue;
    bool is_buffer = argument->kind == ARGUMENT_BUFFER;
    size_t size = is_buffer ? argument->parameter->type->element->size : test_pixel_size(&argument->pixels.format);
    printf("seed %llu: %s, element %zu, byte %zu of it: %02x instead of %02x (before: %02x)\n",
           (unsigned long long)program->seed, argument->parameter->name, i / size, i % size, actual[i],
           argument->expected[i], argument->initial[i]);
    return false;
  }
  return true;
}

static bool compare_all(const program_t *program, const object_t *objects) {
  bool agrees = true;
  for (unsigned i = 0; i < program->argument_count; i++) {
    const argument_t *argument = &program->arguments[i];
    if (argument->kind != ARGUMENT_BUFFER && argument->kind != ARGUMENT_WRITTEN_IMAGE) continue;
    unsigned char *actual = malloc(argument->size);
    assert_non_null(actual);
    read_back(argument, &objects[i], actual);
    agrees &= compare(program, argument, actual);
    free(actual);
  }
  return agrees;
}

bool device_agrees(const program_t *program, const char *source, const char *options, volatile int *stage) {
  object_t objects[MAX_ARGUMENTS] = {{0}};
  char all_options[256];
  snprintf(all_options, sizeof(all_options), "-cl-std=%s %s", program->is_cxx ? "CLC++2021" : "CL3.0", options);
  *stage = STAGE_BUILD;
  cl_kernel kernel = test_kernel(source, all_options, "grammar");
  *stage = STAGE_RUN;
  for (unsigned i = 0; i < program->argument_count; i++) create_object(&program->arguments[i], &objects[i]);
  set_arguments(program, kernel, objects);
  launch(program, kernel);
  bool agrees = compare_all(program, objects);
  for (unsigned i = 0; i < program->argument_count; i++) release_object(&objects[i]);
  ASSERT_CL(clReleaseKernel(kernel));
  *stage = STAGE_DONE;
  return agrees;
}
