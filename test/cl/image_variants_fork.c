/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * fork() while a kernel is compiled anew for its images: both processes go on, and can compile. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test_image.h"

enum { SIDE = 512 };

/* In a child: a program is built and runs, with whatever the compiler's thread had locked. */
static int child(cl_mem image) {
  static const char source[] =
      "constant sampler_t nearest = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
      "kernel void child(read_only image2d_t in, global float *out) { *out = read_imagef(in, nearest, (int2)(3, 4)).y; "
      "}";
  const size_t one = 1;
  float value = 0;
  cl_kernel kernel = test_kernel(source, "-cl-std=CL3.0", "child");
  cl_mem out = test_buffer(sizeof value, NULL);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &image));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), &out));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  test_read(out, sizeof value, &value);
  return value == 0.25f ? 0 : 3;
}

static void launch(cl_kernel kernel, cl_mem image, cl_mem out) {
  const size_t size[2] = {SIDE, SIDE};
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &image));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), &out));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 2, NULL, size, NULL, 0, NULL, NULL));
}

static void forks(void **state) {
  (void)state;
  static const char source[] =
      "constant sampler_t nearest = CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;\n"
      "kernel void busy(read_only image2d_t in, global float4 *out) {\n"
      "  float2 at = (float2)(get_global_id(0), get_global_id(1));\n"
      "  float4 sum = NUMBER;\n"
      "  for (int i = 0; i < 4; i++) sum += read_imagef(in, nearest, at + i);\n"
      "  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum;\n"
      "}\n";
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  const cl_image_desc desc = test_image_desc(CL_MEM_OBJECT_IMAGE2D, SIDE, SIDE, 1, 1);
  const cl_float4 color = {{0.5f, 0.25f, 1, 1}};
  const size_t origin[3] = {0, 0, 0}, region[3] = {SIDE, SIDE, 1};
  cl_int error;
  cl_mem image = clCreateImage(dut.context, CL_MEM_READ_WRITE, &format, &desc, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clEnqueueFillImage(dut.queue, image, &color, origin, region, 0, NULL, NULL));
  cl_mem out = test_buffer(SIDE * SIDE * sizeof(cl_float4), NULL);
  for (int turn = 0; turn < 4; turn++) {
    char options[64];
    snprintf(options, sizeof options, "-cl-std=CL3.0 -DNUMBER=%d", turn);
    cl_kernel kernel = test_kernel(source, options, "busy");
    for (int i = 0; i < 9; i++) launch(kernel, image, out);
    ASSERT_CL(clFinish(dut.queue));
    usleep((useconds_t)turn * 6000);
    pid_t process = fork();
    if (!process) _exit(child(image));
    int status;
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    for (int i = 0; i < 5; i++) launch(kernel, image, out);
    cl_float4 sum;
    test_read(out, sizeof sum, &sum);
    assert_true(sum.s[0] > (float)turn);
    ASSERT_CL(clReleaseKernel(kernel));
  }
  ASSERT_CL(clReleaseMemObject(image));
  ASSERT_CL(clReleaseMemObject(out));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forks)};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
