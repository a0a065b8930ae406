/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What read_imagei and read_imageui give of an image of floats is undefined (OpenCL C section 6.15.15.2). GPUs give the
 * bits, and programs use them to get doubles out of an image (SHOC's Spmv). */
#include <string.h>

#include "test_image.h"

enum { WIDTH = 37 };

static const char source[] =
    "constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;\n"
    "kernel void bits(read_only image2d_t in, global int4 *i, global uint4 *u) {\n"
    "  const int x = get_global_id(0);\n"
    "  i[x] = read_imagei(in, nearest, (int2)(x, 0));\n"
    "  u[x] = read_imageui(in, (int2)(x, 0));\n"
    "}\n";

static void bits_of(cl_channel_order order, unsigned channels) {
  const cl_image_format format = {order, CL_FLOAT};
  const cl_image_desc desc = test_image_desc(CL_MEM_OBJECT_IMAGE2D, WIDTH, 1, 1, 1);
  const size_t count = WIDTH;
  cl_uint pixels[WIDTH * 4], i[WIDTH][4], u[WIDTH][4];
  cl_int error;
  for (unsigned k = 0; k < WIDTH * 4; k++) pixels[k] = k * 2654435761u;
  cl_mem image = clCreateImage(dut.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &desc, pixels, &error);
  ASSERT_CL(error);
  cl_mem out_i = test_buffer(sizeof i, NULL), out_u = test_buffer(sizeof u, NULL);
  cl_kernel kernel = test_kernel(source, "-cl-std=CL3.0", "bits");
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &image));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), &out_i));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof(cl_mem), &out_u));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
  ASSERT_CL(clEnqueueReadBuffer(dut.queue, out_i, CL_TRUE, 0, sizeof i, i, 0, NULL, NULL));
  ASSERT_CL(clEnqueueReadBuffer(dut.queue, out_u, CL_TRUE, 0, sizeof u, u, 0, NULL, NULL));
  for (unsigned x = 0; x < WIDTH; x++) {
    cl_uint expected[4] = {0, 0, 0, 1};
    memcpy(expected, pixels + (size_t)x * channels, channels * sizeof(cl_uint));
    assert_memory_equal(i[x], expected, sizeof expected);
    assert_memory_equal(u[x], expected, sizeof expected);
  }
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseMemObject(image));
  ASSERT_CL(clReleaseMemObject(out_i));
  ASSERT_CL(clReleaseMemObject(out_u));
}

static void integers_of_floats_are_their_bits(void **state) {
  (void)state;
  bits_of(CL_R, 1);
  bits_of(CL_RG, 2);
  bits_of(CL_RGBA, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(integers_of_floats_are_their_bits)};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
