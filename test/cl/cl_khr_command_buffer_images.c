/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_khr_command_buffer: commands on images in command buffers, and their errors. */
#include "test_command_buffer.h"
#include "test_image.h"

enum { SIDE = 4, BYTES = SIDE * SIDE * 4 };

static const cl_image_format rgba8 = {CL_RGBA, CL_UNSIGNED_INT8};
static const size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1}, all[3] = {SIDE, SIDE, 1}, beyond[3] = {SIDE + 1, 1, 1};

static int open_device(void **state) {
  if (test_device_open(state) || !test_has_extension("cl_khr_command_buffer") || !cb_load()) return 1;
  return !test_device_number(CL_DEVICE_IMAGE_SUPPORT);
}

static cl_mem make_in(cl_context context, const cl_image_format *format) {
  cl_int error;
  const cl_image_desc desc = test_image_desc(CL_MEM_OBJECT_IMAGE2D, SIDE, SIDE, 0, 0);
  cl_mem image = clCreateImage(context, 0, format, &desc, NULL, &error);
  ASSERT_CL(error);
  return image;
}

static cl_mem make(const cl_image_format *format) { return make_in(dut.context, format); }

static cl_int enqueue(cl_command_buffer_khr buffer) {
  return cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL);
}

/* A fill, through an image and a buffer, into another image; twice, as instances are used again. */
static void commands_run_each_time(void **state) {
  (void)state;
  const cl_uint color[4] = {1, 2, 3, 4}, other[4] = {9, 9, 9, 9};
  cl_mem a = make(&rgba8), b = make(&rgba8), c = make(&rgba8), memory = test_buffer(BYTES, NULL);
  cl_command_buffer_khr buffer = test_command_buffer(NULL);
  ASSERT_CL(cb.clCommandFillImageKHR(buffer, NULL, NULL, a, color, zero, all, NO_SYNC));
  ASSERT_CL(cb.clCommandCopyImageKHR(buffer, NULL, NULL, a, b, zero, zero, all, NO_SYNC));
  ASSERT_CL(cb.clCommandCopyImageToBufferKHR(buffer, NULL, NULL, b, memory, zero, all, 0, NO_SYNC));
  ASSERT_CL(cb.clCommandCopyBufferToImageKHR(buffer, NULL, NULL, memory, c, 0, zero, all, NO_SYNC));
  ASSERT_CL(cb.clFinalizeCommandBufferKHR(buffer));
  /* The command buffer keeps what it names. */
  ASSERT_CL(clReleaseMemObject(a));
  ASSERT_CL(clReleaseMemObject(b));
  ASSERT_CL(clReleaseMemObject(memory));
  for (int round = 0; round < 2; round++) {
    unsigned char pixels[BYTES];
    ASSERT_CL(clEnqueueFillImage(dut.queue, c, other, zero, all, 0, NULL, NULL));
    ASSERT_CL(enqueue(buffer));
    ASSERT_CL(clEnqueueReadImage(dut.queue, c, CL_TRUE, zero, all, 0, 0, pixels, 0, NULL, NULL));
    for (int i = 0; i < BYTES; i++) assert_int_equal(pixels[i], i % 4 + 1);
  }
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
  ASSERT_CL(clReleaseMemObject(c));
}

static void recording_checks_what_enqueuing_checks(void **state) {
  (void)state;
  const cl_uint color[4] = {0};
  const cl_image_format signed8 = {CL_RGBA, CL_SIGNED_INT8};
  cl_mem a = make(&rgba8), b = make(&signed8), memory = test_buffer(BYTES, NULL);
  cl_command_buffer_khr buffer = test_command_buffer(NULL);
  ASSERT_CL_ERROR(cb.clCommandFillImageKHR(buffer, NULL, NULL, memory, color, zero, one, NO_SYNC),
                  CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(cb.clCommandFillImageKHR(buffer, NULL, NULL, a, NULL, zero, one, NO_SYNC), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(cb.clCommandFillImageKHR(buffer, NULL, NULL, a, color, zero, beyond, NO_SYNC), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(cb.clCommandCopyImageKHR(buffer, NULL, NULL, a, b, zero, zero, one, NO_SYNC),
                  CL_IMAGE_FORMAT_MISMATCH);
  ASSERT_CL_ERROR(cb.clCommandCopyImageKHR(buffer, NULL, NULL, a, a, zero, zero, one, NO_SYNC), CL_MEM_COPY_OVERLAP);
  ASSERT_CL_ERROR(cb.clCommandCopyImageToBufferKHR(buffer, NULL, NULL, a, memory, zero, all, 1, NO_SYNC),
                  CL_INVALID_VALUE);
  ASSERT_CL_ERROR(cb.clCommandCopyBufferToImageKHR(buffer, NULL, NULL, memory, a, 0, zero, beyond, NO_SYNC),
                  CL_INVALID_VALUE);
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
  ASSERT_CL(clReleaseMemObject(memory));
  ASSERT_CL(clReleaseMemObject(b));
  ASSERT_CL(clReleaseMemObject(a));
}

static void recording_refuses_images_of_another_context(void **state) {
  (void)state;
  const cl_uint color[4] = {0};
  cl_context context = test_other_context();
  cl_mem image = make(&rgba8), foreign = make_in(context, &rgba8), memory = test_buffer(BYTES, NULL);
  cl_command_buffer_khr buffer = test_command_buffer(NULL);
  ASSERT_CL_ERROR(cb.clCommandFillImageKHR(buffer, NULL, NULL, foreign, color, zero, one, NO_SYNC), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(cb.clCommandCopyImageKHR(buffer, NULL, NULL, image, foreign, zero, zero, one, NO_SYNC),
                  CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(cb.clCommandCopyImageKHR(buffer, NULL, NULL, foreign, image, zero, zero, one, NO_SYNC),
                  CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(cb.clCommandCopyImageToBufferKHR(buffer, NULL, NULL, foreign, memory, zero, one, 0, NO_SYNC),
                  CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(cb.clCommandCopyBufferToImageKHR(buffer, NULL, NULL, memory, foreign, 0, zero, one, NO_SYNC),
                  CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(cb.clCommandCopyImageKHR(buffer, NULL, NULL, image, image, zero, beyond, one, NO_SYNC),
                  CL_INVALID_VALUE);
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
  ASSERT_CL(clReleaseMemObject(memory));
  ASSERT_CL(clReleaseMemObject(foreign));
  ASSERT_CL(clReleaseMemObject(image));
  ASSERT_CL(clReleaseContext(context));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(commands_run_each_time),
      cmocka_unit_test(recording_checks_what_enqueuing_checks),
      cmocka_unit_test(recording_refuses_images_of_another_context),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
