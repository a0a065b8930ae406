/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clSetKernelArg with images and samplers, clCloneKernel of such kernels, and what clGetKernelArgInfo says of them. */
#include "test_image.h"

static const char source[] =
    "typedef read_only image2d_t picture;\n"
    "kernel void k(read_only image2d_t in, write_only image2d_t out, read_write image3d_t both, sampler_t s,\n"
    "              read_only image1d_buffer_t line, image2d_array_t plain, picture named) {}\n"
    "kernel void copy(read_only image2d_t in, write_only image2d_t out, sampler_t s) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imageui(out, at, read_imageui(in, s, at));\n"
    "}\n";
enum { IN, OUT, BOTH, SAMPLER, LINE, PLAIN, NAMED, COUNT };

static const cl_image_format rgba8 = {CL_RGBA, CL_UNSIGNED_INT8};
static cl_kernel kernel;
static cl_program program;

static int build(void **state) {
  int failed = test_device_open(state);
  if (failed || !test_device_number(CL_DEVICE_IMAGE_SUPPORT)) return 1;
  cl_int error;
  program = test_program(source, "-cl-std=CL3.0 -cl-kernel-arg-info");
  kernel = clCreateKernel(program, "k", &error);
  return error != CL_SUCCESS;
}

static int release(void **state) {
  cl_int first = clReleaseKernel(kernel), second = clReleaseProgram(program);
  return test_device_close(state) != 0 || first != CL_SUCCESS || second != CL_SUCCESS;
}

static cl_mem make(cl_context context, cl_mem_flags flags) {
  cl_int error;
  const cl_image_desc desc = test_image_desc(CL_MEM_OBJECT_IMAGE2D, 4, 4, 0, 0);
  cl_mem image = clCreateImage(context, flags, &rgba8, &desc, NULL, &error);
  ASSERT_CL(error);
  return image;
}

static cl_sampler make_sampler(cl_context context) {
  cl_int error;
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, 0};
  cl_sampler sampler = clCreateSamplerWithProperties(context, properties, &error);
  ASSERT_CL(error);
  return sampler;
}

static void access_follows_the_qualifier(void **state) {
  (void)state;
  static const cl_mem_flags flags[] = {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY};
  static const cl_int expected[3][3] = {{CL_SUCCESS, CL_SUCCESS, CL_SUCCESS},
                                        {CL_SUCCESS, CL_INVALID_ARG_VALUE, CL_INVALID_ARG_VALUE},
                                        {CL_INVALID_ARG_VALUE, CL_SUCCESS, CL_INVALID_ARG_VALUE}};
  for (int i = 0; i < 3; i++) {
    cl_mem image = make(dut.context, flags[i]);
    for (cl_uint argument = IN; argument <= BOTH; argument++) {
      ASSERT_CL_ERROR(clSetKernelArg(kernel, argument, sizeof(cl_mem), &image), expected[i][argument]);
    }
    ASSERT_CL(clReleaseMemObject(image));
  }
}

static void refuses_bad_images(void **state) {
  (void)state;
  const cl_mem null = NULL;
  cl_mem image = make(dut.context, 0), buffer = test_buffer(64, NULL);
  cl_context context = test_other_context();
  cl_mem foreign = make(context, 0);
  cl_sampler sampler = make_sampler(dut.context);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, IN, sizeof(cl_mem) - 1, &image), CL_INVALID_ARG_SIZE);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, IN, sizeof(cl_mem), NULL), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, IN, sizeof(cl_mem), &null), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, IN, sizeof(cl_mem), &buffer), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, IN, sizeof(cl_sampler), &sampler), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, IN, sizeof(cl_mem), &foreign), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, COUNT, sizeof(cl_mem), &image), CL_INVALID_ARG_INDEX);
  ASSERT_CL(clReleaseSampler(sampler));
  ASSERT_CL(clReleaseMemObject(foreign));
  ASSERT_CL(clReleaseContext(context));
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseMemObject(image));
}

static void refuses_bad_samplers(void **state) {
  (void)state;
  const cl_sampler null = NULL;
  cl_mem image = make(dut.context, 0);
  cl_context context = test_other_context();
  cl_sampler sampler = make_sampler(dut.context), foreign = make_sampler(context);
  ASSERT_CL(clSetKernelArg(kernel, SAMPLER, sizeof(cl_sampler), &sampler));
  ASSERT_CL_ERROR(clSetKernelArg(kernel, SAMPLER, sizeof(cl_sampler) - 1, &sampler), CL_INVALID_ARG_SIZE);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, SAMPLER, sizeof(cl_sampler), NULL), CL_INVALID_SAMPLER);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, SAMPLER, sizeof(cl_sampler), &null), CL_INVALID_SAMPLER);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, SAMPLER, sizeof(cl_sampler), &image), CL_INVALID_SAMPLER);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, SAMPLER, sizeof(cl_sampler), &foreign), CL_INVALID_CONTEXT);
  ASSERT_CL(clReleaseSampler(foreign));
  ASSERT_CL(clReleaseSampler(sampler));
  ASSERT_CL(clReleaseContext(context));
  ASSERT_CL(clReleaseMemObject(image));
}

/* Kernels hold neither; commands hold images. */
static void clones_have_the_arguments(void **state) {
  (void)state;
  cl_int error;
  const cl_uint color[4] = {3, 4, 5, 6};
  const size_t zero[3] = {0, 0, 0}, all[3] = {4, 4, 1};
  unsigned char pixels[64];
  cl_mem in = make(dut.context, 0), out = make(dut.context, 0);
  cl_sampler sampler = make_sampler(dut.context);
  cl_kernel copy = clCreateKernel(program, "copy", &error);
  ASSERT_CL(error);
  ASSERT_CL(clEnqueueFillImage(dut.queue, in, color, zero, all, 0, NULL, NULL));
  ASSERT_CL(clSetKernelArg(copy, 0, sizeof(cl_mem), &in));
  ASSERT_CL(clSetKernelArg(copy, 1, sizeof(cl_mem), &out));
  ASSERT_CL_ERROR(clEnqueueNDRangeKernel(dut.queue, copy, 2, NULL, all, NULL, 0, NULL, NULL), CL_INVALID_KERNEL_ARGS);
  ASSERT_CL(clSetKernelArg(copy, 2, sizeof(cl_sampler), &sampler));
  cl_kernel clone = clCloneKernel(copy, &error);
  ASSERT_CL(error);
  ASSERT_CL(clReleaseSampler(sampler));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, clone, 2, NULL, all, NULL, 0, NULL, NULL));
  ASSERT_CL(clReleaseMemObject(in));
  ASSERT_CL(clEnqueueReadImage(dut.queue, out, CL_TRUE, zero, all, 0, 0, pixels, 0, NULL, NULL));
  for (int i = 0; i < 64; i++) assert_int_equal(pixels[i], 3 + i % 4);
  ASSERT_CL(clReleaseKernel(clone));
  ASSERT_CL(clReleaseKernel(copy));
  ASSERT_CL(clReleaseMemObject(out));
}

static void information_says_what_was_written(void **state) {
  (void)state;
  static const struct {
    const char *type;
    cl_kernel_arg_access_qualifier access;
    cl_kernel_arg_address_qualifier address;
  } expected[] = {{"image2d_t", CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_ADDRESS_GLOBAL},
                  {"image2d_t", CL_KERNEL_ARG_ACCESS_WRITE_ONLY, CL_KERNEL_ARG_ADDRESS_GLOBAL},
                  {"image3d_t", CL_KERNEL_ARG_ACCESS_READ_WRITE, CL_KERNEL_ARG_ADDRESS_GLOBAL},
                  {"sampler_t", CL_KERNEL_ARG_ACCESS_NONE, CL_KERNEL_ARG_ADDRESS_PRIVATE},
                  {"image1d_buffer_t", CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_ADDRESS_GLOBAL},
                  {"image2d_array_t", CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_ADDRESS_GLOBAL},
                  {"picture", CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_ADDRESS_GLOBAL}};
  for (cl_uint i = 0; i < COUNT; i++) {
    char type[64];
    cl_kernel_arg_access_qualifier access;
    cl_kernel_arg_address_qualifier address;
    ASSERT_CL(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL));
    ASSERT_CL(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL));
    ASSERT_CL(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address, NULL));
    assert_string_equal(type, expected[i].type);
    assert_int_equal(access, expected[i].access);
    assert_int_equal(address, expected[i].address);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(access_follows_the_qualifier),
      cmocka_unit_test(refuses_bad_images),
      cmocka_unit_test(refuses_bad_samplers),
      cmocka_unit_test(clones_have_the_arguments),
      cmocka_unit_test(information_says_what_was_written),
  };
  return cmocka_run_group_tests(tests, build, release);
}
