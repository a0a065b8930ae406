/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clCreateImage of the memory of a buffer (1D, and 2D: cl_khr_image2d_from_buffer) and of a 2D image. */
#include <stdlib.h>

#include "test_image.h"

enum { PIXELS = 64, BYTES = PIXELS * 4 };

static const cl_image_format rgba8 = {CL_RGBA, CL_UNSIGNED_INT8};
static cl_mem buffer;
static unsigned char contents[BYTES];

static int open_device(void **state) {
  int failed = test_device_open(state);
  return failed ? failed : !test_device_number(CL_DEVICE_IMAGE_SUPPORT);
}

static int make_buffer(void **state) {
  (void)state;
  for (int i = 0; i < BYTES; i++) contents[i] = (unsigned char)(i * 5 + 1);
  buffer = test_buffer(BYTES, contents);
  return 0;
}

static int release_buffer(void **state) {
  (void)state;
  return clReleaseMemObject(buffer);
}

static cl_image_desc desc_1d(size_t width, cl_mem object) {
  return (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = width, .mem_object = object};
}

static cl_image_desc desc_2d(size_t width, size_t height, size_t pitch, cl_mem object) {
  return (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D,
                         .image_width = width,
                         .image_height = height,
                         .image_row_pitch = pitch,
                         .mem_object = object};
}

static cl_mem make(const cl_image_format *format, cl_image_desc desc) {
  cl_int error;
  cl_mem image = clCreateImage(dut.context, 0, format, &desc, NULL, &error);
  ASSERT_CL(error);
  return image;
}

static cl_int refused(cl_mem_flags flags, const cl_image_format *format, cl_image_desc desc) {
  cl_int error = 1;
  assert_null(clCreateImage(dut.context, flags, format, &desc, NULL, &error));
  return error;
}

static void a_1d_image_shows_the_buffer(void **state) {
  (void)state;
  const size_t origin[3] = {3, 0, 0}, region[3] = {2, 1, 1};
  unsigned char read[BYTES], pixels[8] = {9, 8, 7, 6, 5, 4, 3, 2};
  cl_mem image = make(&rgba8, desc_1d(PIXELS, buffer));
  ASSERT_INFO(clGetImageInfo, image, CL_IMAGE_BUFFER, cl_mem, buffer);
  ASSERT_INFO(clGetMemObjectInfo, image, CL_MEM_ASSOCIATED_MEMOBJECT, cl_mem, buffer);
  ASSERT_INFO(clGetMemObjectInfo, image, CL_MEM_TYPE, cl_mem_object_type, CL_MEM_OBJECT_IMAGE1D_BUFFER);
  ASSERT_INFO(clGetMemObjectInfo, image, CL_MEM_OFFSET, size_t, 0);
  ASSERT_CL(clEnqueueReadImage(dut.queue, image, CL_TRUE, origin, region, 0, 0, read, 0, NULL, NULL));
  assert_memory_equal(read, contents + 12, 8);
  ASSERT_CL(clEnqueueWriteImage(dut.queue, image, CL_TRUE, origin, region, 0, 0, pixels, 0, NULL, NULL));
  memcpy(contents + 12, pixels, 8);
  test_read(buffer, BYTES, read);
  assert_memory_equal(read, contents, BYTES);
  ASSERT_CL(clReleaseMemObject(image));
}

static void a_2d_image_shows_the_buffer(void **state) {
  (void)state;
  const size_t origin[3] = {1, 2, 0}, region[3] = {3, 2, 1};
  unsigned char read[24];
  cl_mem image = make(&rgba8, desc_2d(5, 6, 28, buffer));
  ASSERT_INFO(clGetImageInfo, image, CL_IMAGE_ROW_PITCH, size_t, 28);
  ASSERT_CL(clEnqueueReadImage(dut.queue, image, CL_TRUE, origin, region, 0, 0, read, 0, NULL, NULL));
  assert_memory_equal(read, contents + 2 * 28 + 4, 12);
  assert_memory_equal(read + 12, contents + 3 * 28 + 4, 12);
  ASSERT_CL(clReleaseMemObject(image));
}

static void an_image_of_a_sub_buffer_begins_where_that_does(void **state) {
  (void)state;
  cl_int error;
  const size_t step = (size_t)test_device_number(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  const cl_buffer_region region = {step, 64};
  unsigned char *data = calloc(1, step + 64), pixel[4];
  assert_non_null(data);
  data[step + 4] = 42;
  cl_mem whole = test_buffer(step + 64, data);
  cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  ASSERT_CL(error);
  cl_mem image = make(&rgba8, desc_1d(16, part));
  ASSERT_INFO(clGetMemObjectInfo, image, CL_MEM_ASSOCIATED_MEMOBJECT, cl_mem, part);
  /* The image keeps what it is made of. */
  ASSERT_CL(clReleaseMemObject(part));
  ASSERT_CL(clReleaseMemObject(whole));
  ASSERT_CL(clEnqueueReadImage(dut.queue, image, CL_TRUE, (const size_t[]){1, 0, 0}, (const size_t[]){1, 1, 1}, 0, 0,
                               pixel, 0, NULL, NULL));
  assert_int_equal(pixel[0], 42);
  ASSERT_CL(clReleaseMemObject(image));
  free(data);
}

static void an_image_of_an_image_has_the_same_pixels(void **state) {
  (void)state;
  const cl_image_format linear = {CL_RGBA, CL_UNORM_INT8}, srgb = {CL_sRGBA, CL_UNORM_INT8};
  cl_mem image = make(&linear, desc_2d(4, 4, 0, NULL));
  cl_mem view = make(&srgb, desc_2d(4, 4, 0, image));
  ASSERT_INFO(clGetMemObjectInfo, view, CL_MEM_ASSOCIATED_MEMOBJECT, cl_mem, image);
  ASSERT_INFO(clGetImageInfo, view, CL_IMAGE_BUFFER, cl_mem, NULL);
  const size_t origin[3] = {2, 3, 0}, region[3] = {1, 1, 1};
  unsigned char pixel[4] = {1, 2, 3, 4}, read[4] = {0};
  ASSERT_CL(clEnqueueWriteImage(dut.queue, image, CL_TRUE, origin, region, 0, 0, pixel, 0, NULL, NULL));
  ASSERT_CL(clEnqueueReadImage(dut.queue, view, CL_TRUE, origin, region, 0, 0, read, 0, NULL, NULL));
  assert_memory_equal(read, pixel, 4);
  ASSERT_CL(clReleaseMemObject(image));
  ASSERT_CL(clReleaseMemObject(view));
}

static void flags_come_from_the_parent(void **state) {
  (void)state;
  cl_int error;
  cl_mem parent = clCreateBuffer(dut.context, CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, BYTES, NULL, &error);
  ASSERT_CL(error);
  cl_mem image = make(&rgba8, desc_1d(4, parent));
  ASSERT_INFO(clGetMemObjectInfo, image, CL_MEM_FLAGS, cl_mem_flags, CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY);
  ASSERT_CL(clReleaseMemObject(image));
  ASSERT_CL_ERROR(refused(CL_MEM_READ_WRITE, &rgba8, desc_1d(4, parent)), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(refused(CL_MEM_WRITE_ONLY, &rgba8, desc_1d(4, parent)), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(refused(CL_MEM_HOST_READ_ONLY, &rgba8, desc_1d(4, parent)), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(refused(CL_MEM_ALLOC_HOST_PTR, &rgba8, desc_1d(4, parent)), CL_INVALID_VALUE);
  ASSERT_CL(clReleaseMemObject(parent));
  static const struct {
    cl_mem_flags parent, image;
  } excluded[] = {{CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE},
                  {CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY},
                  {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY},
                  {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY},
                  {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY}};
  for (size_t i = 0; i < sizeof excluded / sizeof *excluded; i++) {
    parent = clCreateBuffer(dut.context, excluded[i].parent, BYTES, NULL, &error);
    ASSERT_CL(error);
    ASSERT_CL_ERROR(refused(excluded[i].image, &rgba8, desc_1d(4, parent)), CL_INVALID_VALUE);
    ASSERT_CL_ERROR(refused(excluded[i].image, &rgba8, desc_2d(4, 4, 0, parent)), CL_INVALID_VALUE);
    ASSERT_CL(clReleaseMemObject(parent));
  }
}

static void refuses_what_does_not_fit(void **state) {
  (void)state;
  ASSERT_CL_ERROR(refused(0, &rgba8, desc_1d(PIXELS + 1, buffer)), CL_INVALID_IMAGE_SIZE);
  ASSERT_CL_ERROR(refused(0, &rgba8, desc_2d(8, 9, 0, buffer)), CL_INVALID_IMAGE_SIZE);
  ASSERT_CL_ERROR(refused(0, &rgba8, desc_2d(4, 8, 36, buffer)), CL_INVALID_IMAGE_SIZE);
  ASSERT_CL_ERROR(refused(0, &rgba8, desc_2d(4, 4, 18, buffer)), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  ASSERT_CL_ERROR(refused(0, &rgba8, desc_2d(8, 4, 16, buffer)), CL_INVALID_IMAGE_DESCRIPTOR);
}

/** The buffer's memory begins where a pixel may: CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, in pixels. */
static void refuses_host_memory_that_is_not_aligned(void **state) {
  (void)state;
  cl_int error;
  _Alignas(64) static unsigned char host[BYTES + 64];
  const size_t aligned = 4 * (size_t)test_device_number(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT);
  cl_mem odd = clCreateBuffer(dut.context, CL_MEM_USE_HOST_PTR, BYTES, host + 1, &error);
  ASSERT_CL(error);
  cl_mem even = clCreateBuffer(dut.context, CL_MEM_USE_HOST_PTR, BYTES, host + aligned, &error);
  ASSERT_CL(error);
  ASSERT_CL_ERROR(refused(0, &rgba8, desc_2d(4, 4, 0, odd)), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  cl_mem image = make(&rgba8, desc_2d(4, 4, 0, even));
  ASSERT_CL(clReleaseMemObject(image));
  ASSERT_CL(clReleaseMemObject(even));
  ASSERT_CL(clReleaseMemObject(odd));
}

static void refuses_parents_of_the_wrong_kind(void **state) {
  (void)state;
  const cl_image_format other_type = {CL_RGBA, CL_SIGNED_INT8}, other_order = {CL_BGRA, CL_UNSIGNED_INT8};
  cl_mem image = make(&rgba8, desc_2d(4, 4, 0, NULL));
  cl_mem row = make(&rgba8, desc_1d(4, buffer));
  ASSERT_CL_ERROR(refused(0, &rgba8, desc_1d(4, image)), CL_INVALID_IMAGE_DESCRIPTOR);
  ASSERT_CL_ERROR(refused(0, &rgba8, desc_2d(4, 1, 0, row)), CL_INVALID_IMAGE_DESCRIPTOR);
  ASSERT_CL_ERROR(refused(0, &other_type, desc_2d(4, 4, 0, image)), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  ASSERT_CL_ERROR(refused(0, &other_order, desc_2d(4, 4, 0, image)), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  ASSERT_CL_ERROR(refused(0, &rgba8, desc_2d(4, 3, 0, image)), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  ASSERT_CL_ERROR(refused(0, &rgba8, desc_2d(4, 4, 32, image)), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  ASSERT_CL(clReleaseMemObject(row));
  ASSERT_CL(clReleaseMemObject(image));
  cl_context context = test_other_context();
  cl_int error;
  const cl_image_desc desc = desc_1d(4, buffer);
  ASSERT_CL_REFUSED(clCreateImage(context, 0, &rgba8, &desc, NULL, &error), error, CL_INVALID_CONTEXT);
  ASSERT_CL(clReleaseContext(context));
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, make_buffer, release_buffer)
  const struct CMUnitTest tests[] = {
      CASE(a_1d_image_shows_the_buffer),
      CASE(a_2d_image_shows_the_buffer),
      CASE(an_image_of_a_sub_buffer_begins_where_that_does),
      CASE(an_image_of_an_image_has_the_same_pixels),
      CASE(flags_come_from_the_parent),
      CASE(refuses_what_does_not_fit),
      CASE(refuses_host_memory_that_is_not_aligned),
      CASE(refuses_parents_of_the_wrong_kind),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
