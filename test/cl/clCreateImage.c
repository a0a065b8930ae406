/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clCreateImage, clCreateImageWithProperties, and the creation functions of OpenCL 1.0. */
#include "test_image.h"

static const cl_image_format rgba8 = {CL_RGBA, CL_UNORM_INT8};
static const cl_image_desc plain_desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};

static int open_device(void **state) {
  int failed = test_device_open(state);
  return failed ? failed : !test_device_number(CL_DEVICE_IMAGE_SUPPORT);
}

static cl_int create(cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc, void *host) {
  cl_int error = 1;
  cl_mem image = clCreateImage(dut.context, flags, format, desc, host, &error);
  if (error == CL_SUCCESS) {
    assert_non_null(image);
    ASSERT_CL(clReleaseMemObject(image));
  } else {
    assert_null(image);
  }
  return error;
}

/** Whether there are 2D images of the format. */
static bool is_listed(const cl_image_format *format) {
  cl_image_format formats[TEST_MAX_FORMATS];
  cl_uint count = test_formats(CL_MEM_OBJECT_IMAGE2D, formats);
  for (cl_uint i = 0; i < count; i++) {
    if (memcmp(&formats[i], format, sizeof *format) == 0) return true;
  }
  return false;
}

/* ------------------------------------------------------------ what works */

static void makes_images_of_every_type(void **state) {
  (void)state;
  static const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                                             CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    const cl_image_desc desc = test_image_desc(types[i], 5, 4, 3, 2);
    ASSERT_CL(create(0, &rgba8, &desc, NULL));
    ASSERT_CL(create(CL_MEM_WRITE_ONLY | CL_MEM_ALLOC_HOST_PTR | CL_MEM_HOST_READ_ONLY, &rgba8, &desc, NULL));
  }
}

static void makes_images_as_large_as_the_device_says(void **state) {
  (void)state;
  cl_image_desc desc = plain_desc;
  const cl_image_format format = {CL_R, CL_UNSIGNED_INT8};
  desc.image_width = (size_t)test_device_number(CL_DEVICE_IMAGE2D_MAX_WIDTH);
  desc.image_height = 1;
  ASSERT_CL(create(0, &format, &desc, NULL));
  desc.image_width++;
  ASSERT_CL_ERROR(create(0, &format, &desc, NULL), CL_INVALID_IMAGE_SIZE);
  desc = test_image_desc(CL_MEM_OBJECT_IMAGE3D, 1, 1, (size_t)test_device_number(CL_DEVICE_IMAGE3D_MAX_DEPTH), 0);
  ASSERT_CL(create(0, &format, &desc, NULL));
  desc.image_depth++;
  ASSERT_CL_ERROR(create(0, &format, &desc, NULL), CL_INVALID_IMAGE_SIZE);
  desc =
      test_image_desc(CL_MEM_OBJECT_IMAGE1D_ARRAY, 1, 0, 0, (size_t)test_device_number(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE));
  ASSERT_CL(create(0, &format, &desc, NULL));
  desc.image_array_size++;
  ASSERT_CL_ERROR(create(0, &format, &desc, NULL), CL_INVALID_IMAGE_SIZE);
}

/* Rows of 5 pixels in 24 bytes, slices of 2 rows in 72. */
enum { ROW = 24, SLICE = 72, PIXEL = 4 };
static const cl_image_desc pitched_desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                                           .image_width = 5,
                                           .image_height = 2,
                                           .image_depth = 3,
                                           .image_row_pitch = ROW,
                                           .image_slice_pitch = SLICE};

static void takes_the_pitches_of_the_host(void **state) {
  (void)state;
  static const cl_mem_flags flags[] = {CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR};
  unsigned char host[3 * SLICE], read[3 * 2 * 5 * PIXEL];
  const size_t origin[3] = {0, 0, 0}, region[3] = {5, 2, 3};
  for (size_t i = 0; i < sizeof host; i++) host[i] = (unsigned char)(i * 7);
  for (int f = 0; f < 2; f++) {
    cl_int error;
    cl_mem image = clCreateImage(dut.context, flags[f], &rgba8, &pitched_desc, host, &error);
    ASSERT_CL(error);
    ASSERT_CL(clEnqueueReadImage(dut.queue, image, CL_TRUE, origin, region, 0, 0, read, 0, NULL, NULL));
    for (size_t i = 0; i < sizeof read; i++) {
      size_t x = i % 20, y = i / 20 % 2, z = i / 40;
      assert_int_equal(read[i], host[z * SLICE + y * ROW + x]);
    }
    ASSERT_INFO(clGetMemObjectInfo, image, CL_MEM_HOST_PTR, void *, f ? host : NULL);
    ASSERT_CL(clReleaseMemObject(image));
  }
}

/* What is copied is the application's again when the call returns. */
static void copies_the_host_memory_at_once(void **state) {
  (void)state;
  unsigned char host[64] = {1, 2, 3}, read[64];
  const size_t origin[3] = {0, 0, 0}, region[3] = {4, 4, 1};
  cl_int error;
  cl_mem image = clCreateImage(dut.context, CL_MEM_COPY_HOST_PTR, &rgba8, &plain_desc, host, &error);
  ASSERT_CL(error);
  host[0] = 99;
  ASSERT_CL(clEnqueueReadImage(dut.queue, image, CL_TRUE, origin, region, 0, 0, read, 0, NULL, NULL));
  assert_int_equal(read[0], 1);
  assert_int_equal(read[2], 3);
  ASSERT_CL(clReleaseMemObject(image));
}

static void functions_of_1_0_make_images(void **state) {
  (void)state;
  cl_int error;
  cl_mem image = clCreateImage2D(dut.context, CL_MEM_READ_ONLY, &rgba8, 6, 5, 0, NULL, &error);
  ASSERT_CL(error);
  ASSERT_INFO(clGetMemObjectInfo, image, CL_MEM_TYPE, cl_mem_object_type, CL_MEM_OBJECT_IMAGE2D);
  ASSERT_INFO(clGetImageInfo, image, CL_IMAGE_HEIGHT, size_t, 5);
  ASSERT_CL(clReleaseMemObject(image));
  image = clCreateImage3D(dut.context, CL_MEM_READ_ONLY, &rgba8, 6, 5, 4, 0, 0, NULL, &error);
  ASSERT_CL(error);
  ASSERT_INFO(clGetMemObjectInfo, image, CL_MEM_TYPE, cl_mem_object_type, CL_MEM_OBJECT_IMAGE3D);
  ASSERT_INFO(clGetImageInfo, image, CL_IMAGE_DEPTH, size_t, 4);
  ASSERT_CL(clReleaseMemObject(image));
}

/** A format that the device has no images of, though it is one; false when it has them all. */
static bool find_unsupported(cl_image_format *out_format) {
  static const cl_channel_order orders[] = {CL_RGx, CL_Rx, CL_RGBx, CL_ABGR, CL_sRGB, CL_RA};
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    *out_format = (cl_image_format){orders[i], orders[i] == CL_RGBx ? CL_UNORM_SHORT_565 : CL_UNORM_INT8};
    if (!is_listed(out_format)) return true;
  }
  return false;
}

static void functions_of_1_0_refuse_what_clCreateImage_does(void **state) {
  (void)state;
  cl_int error;
  cl_image_format format;
  char host[4 * 4 * 4 * PIXEL] = {0};
  const size_t flat = (size_t)test_device_number(CL_DEVICE_IMAGE2D_MAX_WIDTH) + 1,
               deep = (size_t)test_device_number(CL_DEVICE_IMAGE3D_MAX_DEPTH) + 1;
#define REFUSED_2D(context, flags, format, width, height, pitch, host, code) \
  ASSERT_CL_REFUSED(clCreateImage2D(context, flags, format, width, height, pitch, host, &error), error, code)
#define REFUSED_3D(context, flags, format, depth, pitch, slice, host, code) \
  ASSERT_CL_REFUSED(clCreateImage3D(context, flags, format, 4, 4, depth, pitch, slice, host, &error), error, code)
  REFUSED_2D(NULL, 0, &rgba8, 4, 4, 0, NULL, CL_INVALID_CONTEXT);
  REFUSED_3D(NULL, 0, &rgba8, 4, 0, 0, NULL, CL_INVALID_CONTEXT);
  REFUSED_2D(dut.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &rgba8, 4, 4, 0, NULL, CL_INVALID_VALUE);
  REFUSED_3D(dut.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &rgba8, 4, 0, 0, NULL, CL_INVALID_VALUE);
  REFUSED_2D(dut.context, 0, NULL, 4, 4, 0, NULL, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  REFUSED_3D(dut.context, 0, NULL, 4, 0, 0, NULL, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  REFUSED_2D(dut.context, 0, &rgba8, 0, 4, 0, NULL, CL_INVALID_IMAGE_SIZE);
  REFUSED_2D(dut.context, 0, &rgba8, 4, 0, 0, NULL, CL_INVALID_IMAGE_SIZE);
  REFUSED_2D(dut.context, 0, &rgba8, flat, 1, 0, NULL, CL_INVALID_IMAGE_SIZE);
  REFUSED_2D(dut.context, 0, &rgba8, 4, 4, 16, NULL, CL_INVALID_IMAGE_SIZE);
  REFUSED_2D(dut.context, CL_MEM_COPY_HOST_PTR, &rgba8, 4, 4, 12, host, CL_INVALID_IMAGE_SIZE);
  REFUSED_2D(dut.context, CL_MEM_COPY_HOST_PTR, &rgba8, 4, 4, 18, host, CL_INVALID_IMAGE_SIZE);
  REFUSED_3D(dut.context, 0, &rgba8, 0, 0, 0, NULL, CL_INVALID_IMAGE_SIZE);
  REFUSED_3D(dut.context, 0, &rgba8, 1, 0, 0, NULL, CL_INVALID_IMAGE_SIZE);
  REFUSED_3D(dut.context, 0, &rgba8, deep, 0, 0, NULL, CL_INVALID_IMAGE_SIZE);
  REFUSED_3D(dut.context, 0, &rgba8, 4, 16, 64, NULL, CL_INVALID_IMAGE_SIZE);
  REFUSED_3D(dut.context, CL_MEM_COPY_HOST_PTR, &rgba8, 4, 16, 48, host, CL_INVALID_IMAGE_SIZE);
  REFUSED_3D(dut.context, CL_MEM_COPY_HOST_PTR, &rgba8, 4, 16, 72, host, CL_INVALID_IMAGE_SIZE);
  REFUSED_2D(dut.context, CL_MEM_USE_HOST_PTR, &rgba8, 4, 4, 0, NULL, CL_INVALID_HOST_PTR);
  REFUSED_3D(dut.context, CL_MEM_COPY_HOST_PTR, &rgba8, 4, 0, 0, NULL, CL_INVALID_HOST_PTR);
  REFUSED_2D(dut.context, 0, &rgba8, 4, 4, 0, host, CL_INVALID_HOST_PTR);
  REFUSED_3D(dut.context, CL_MEM_ALLOC_HOST_PTR, &rgba8, 4, 0, 0, host, CL_INVALID_HOST_PTR);
  if (!find_unsupported(&format)) return;
  REFUSED_2D(dut.context, 0, &format, 4, 4, 0, NULL, CL_IMAGE_FORMAT_NOT_SUPPORTED);
  REFUSED_3D(dut.context, 0, &format, 4, 0, 0, NULL, CL_IMAGE_FORMAT_NOT_SUPPORTED);
}

static void clCreateImageWithProperties_refuses_what_clCreateImage_does(void **state) {
  (void)state;
  cl_int error;
  cl_image_format format;
  cl_mem_properties twice[] = {0x1234, 1, 0x1234, 1, 0};
#define REFUSED(context, properties, flags, format, desc, code) \
  ASSERT_CL_REFUSED(clCreateImageWithProperties(context, properties, flags, format, desc, NULL, &error), error, code)
  REFUSED(NULL, NULL, 0, &rgba8, &plain_desc, CL_INVALID_CONTEXT);
  REFUSED(dut.context, twice, 0, &rgba8, &plain_desc, CL_INVALID_PROPERTY);
  REFUSED(dut.context, NULL, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &rgba8, &plain_desc, CL_INVALID_VALUE);
  REFUSED(dut.context, NULL, 0, NULL, &plain_desc, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  REFUSED(dut.context, NULL, 0, &rgba8, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
  const cl_image_desc none = test_image_desc(CL_MEM_OBJECT_IMAGE2D, 0, 4, 0, 0);
  REFUSED(dut.context, NULL, 0, &rgba8, &none, CL_INVALID_IMAGE_SIZE);
  REFUSED(dut.context, NULL, CL_MEM_USE_HOST_PTR, &rgba8, &plain_desc, CL_INVALID_HOST_PTR);
  if (find_unsupported(&format)) REFUSED(dut.context, NULL, 0, &format, &plain_desc, CL_IMAGE_FORMAT_NOT_SUPPORTED);
#undef REFUSED
}

static void properties_are_kept(void **state) {
  (void)state;
  cl_int error;
  cl_mem_properties none[] = {0}, unknown[] = {0x1234, 1, 0}, answer[1] = {7};
  size_t size = 77;
  cl_mem image = clCreateImageWithProperties(dut.context, none, 0, &rgba8, &plain_desc, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clGetMemObjectInfo(image, CL_MEM_PROPERTIES, sizeof answer, answer, &size));
  assert_int_equal(size, sizeof answer);
  assert_int_equal(answer[0], 0);
  ASSERT_CL(clReleaseMemObject(image));
  image = clCreateImageWithProperties(dut.context, NULL, 0, &rgba8, &plain_desc, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clGetMemObjectInfo(image, CL_MEM_PROPERTIES, 0, NULL, &size));
  assert_int_equal(size, 0);
  ASSERT_CL(clReleaseMemObject(image));
  ASSERT_CL_REFUSED(clCreateImageWithProperties(dut.context, unknown, 0, &rgba8, &plain_desc, NULL, &error), error,
                    CL_INVALID_PROPERTY);
}

/* ------------------------------------------------------------ what is refused */

static void refuses_bad_contexts_and_flags(void **state) {
  (void)state;
  cl_int error;
  char host[64];
  ASSERT_CL_REFUSED(clCreateImage(NULL, 0, &rgba8, &plain_desc, NULL, &error), error, CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(create(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &rgba8, &plain_desc, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(create(CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, &rgba8, &plain_desc, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(create(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, &rgba8, &plain_desc, host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(create((cl_mem_flags)1 << 40, &rgba8, &plain_desc, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(create(0, &rgba8, &plain_desc, host), CL_INVALID_HOST_PTR);
  ASSERT_CL_ERROR(create(CL_MEM_USE_HOST_PTR, &rgba8, &plain_desc, NULL), CL_INVALID_HOST_PTR);
  ASSERT_CL_ERROR(create(CL_MEM_COPY_HOST_PTR, &rgba8, &plain_desc, NULL), CL_INVALID_HOST_PTR);
}

static void refuses_bad_formats(void **state) {
  (void)state;
  static const cl_image_format bad[] = {{0, CL_UNORM_INT8},
                                        {CL_RGBA, 0},
                                        {CL_RGB, CL_UNORM_INT8},
                                        {CL_RGBA, CL_UNORM_SHORT_565},
                                        {CL_BGRA, CL_FLOAT},
                                        {CL_INTENSITY, CL_SIGNED_INT8},
                                        {CL_DEPTH, CL_UNORM_INT8},
                                        {CL_sRGBA, CL_FLOAT},
                                        {CL_LUMINANCE, CL_UNSIGNED_INT32}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    ASSERT_CL_ERROR(create(0, &bad[i], &plain_desc, NULL), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  }
  ASSERT_CL_ERROR(create(0, NULL, &plain_desc, NULL), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  const cl_image_format depth = {CL_DEPTH, CL_FLOAT};
  const cl_image_desc box = test_image_desc(CL_MEM_OBJECT_IMAGE3D, 4, 4, 4, 0);
  ASSERT_CL_ERROR(create(0, &depth, &box, NULL), CL_IMAGE_FORMAT_NOT_SUPPORTED);
}

static void refuses_formats_that_are_not_listed(void **state) {
  (void)state;
  static const cl_image_format optional[] = {
      {CL_RGx, CL_UNORM_INT8}, {CL_ABGR, CL_UNORM_INT8}, {CL_sRGB, CL_UNORM_INT8}, {CL_RA, CL_FLOAT}};
  for (size_t i = 0; i < sizeof optional / sizeof *optional; i++) {
    const cl_int expected = is_listed(&optional[i]) ? CL_SUCCESS : CL_IMAGE_FORMAT_NOT_SUPPORTED;
    ASSERT_CL_ERROR(create(0, &optional[i], &plain_desc, NULL), expected);
  }
}

static void refuses_bad_descriptors(void **state) {
  (void)state;
  cl_image_desc desc;
  cl_mem buffer = test_buffer(64, NULL);
  ASSERT_CL_ERROR(create(0, &rgba8, NULL, NULL), CL_INVALID_IMAGE_DESCRIPTOR);
#define REFUSED(member, value)                                                    \
  do {                                                                            \
    desc = plain_desc;                                                            \
    desc.member = (value);                                                        \
    ASSERT_CL_ERROR(create(0, &rgba8, &desc, NULL), CL_INVALID_IMAGE_DESCRIPTOR); \
  } while (0)
  REFUSED(image_type, CL_MEM_OBJECT_BUFFER);
  REFUSED(num_mip_levels, 40);
  REFUSED(num_samples, 1);
  REFUSED(image_row_pitch, 16);
  REFUSED(image_type, CL_MEM_OBJECT_IMAGE1D_BUFFER); /* of no buffer */
#undef REFUSED
  desc = test_image_desc(CL_MEM_OBJECT_IMAGE1D, 4, 0, 0, 0);
  desc.mem_object = buffer;
  ASSERT_CL_ERROR(create(0, &rgba8, &desc, NULL), CL_INVALID_IMAGE_DESCRIPTOR);
  ASSERT_CL(clReleaseMemObject(buffer));
}

/** "CL_INVALID_IMAGE_SIZE if the image dimensions are not valid". */
static void refuses_dimensions_of_nothing(void **state) {
  (void)state;
  const cl_image_desc descs[] = {test_image_desc(CL_MEM_OBJECT_IMAGE1D, 0, 1, 1, 1),
                                 test_image_desc(CL_MEM_OBJECT_IMAGE2D, 0, 4, 0, 0),
                                 test_image_desc(CL_MEM_OBJECT_IMAGE2D, 4, 0, 1, 1),
                                 test_image_desc(CL_MEM_OBJECT_IMAGE3D, 4, 4, 0, 0),
                                 test_image_desc(CL_MEM_OBJECT_IMAGE1D_ARRAY, 4, 4, 4, 0),
                                 test_image_desc(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 4, 4, 0)};
  for (size_t i = 0; i < sizeof descs / sizeof *descs; i++) {
    ASSERT_CL_ERROR(create(0, &rgba8, &descs[i], NULL), CL_INVALID_IMAGE_SIZE);
  }
}

static void refuses_bad_pitches(void **state) {
  (void)state;
  static const size_t bad[][2] = {{16, 0}, {22, 0}, {ROW, 24}, {ROW, 50}, {0, 44}};
  char host[3 * SLICE] = {0};
  cl_image_desc desc = pitched_desc;
  ASSERT_CL(create(CL_MEM_COPY_HOST_PTR, &rgba8, &desc, host));
  ASSERT_CL_ERROR(create(0, &rgba8, &desc, NULL), CL_INVALID_IMAGE_DESCRIPTOR);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    desc.image_row_pitch = bad[i][0];
    desc.image_slice_pitch = bad[i][1];
    ASSERT_CL_ERROR(create(CL_MEM_COPY_HOST_PTR, &rgba8, &desc, host), CL_INVALID_IMAGE_DESCRIPTOR);
  }
}

static void refuses_what_memory_does_not_hold(void **state) {
  (void)state;
  cl_image_desc desc = test_image_desc(CL_MEM_OBJECT_IMAGE3D, (size_t)test_device_number(CL_DEVICE_IMAGE3D_MAX_WIDTH),
                                       (size_t)test_device_number(CL_DEVICE_IMAGE3D_MAX_HEIGHT),
                                       (size_t)test_device_number(CL_DEVICE_IMAGE3D_MAX_DEPTH), 0);
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  ASSERT_CL_ERROR(create(0, &format, &desc, NULL), CL_MEM_OBJECT_ALLOCATION_FAILURE);
  /* Rows that no memory has: the pixels are not looked at. */
  char pixels[64];
  cl_image_desc wide = test_image_desc(CL_MEM_OBJECT_IMAGE2D, 4, 8, 1, 0);
  wide.image_row_pitch = (size_t)1 << 62;
  ASSERT_CL_ERROR(create(CL_MEM_COPY_HOST_PTR, &format, &wide, pixels), CL_MEM_OBJECT_ALLOCATION_FAILURE);
  ASSERT_CL_ERROR(create(CL_MEM_USE_HOST_PTR, &format, &wide, pixels), CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(makes_images_of_every_type),
      cmocka_unit_test(makes_images_as_large_as_the_device_says),
      cmocka_unit_test(takes_the_pitches_of_the_host),
      cmocka_unit_test(copies_the_host_memory_at_once),
      cmocka_unit_test(functions_of_1_0_make_images),
      cmocka_unit_test(functions_of_1_0_refuse_what_clCreateImage_does),
      cmocka_unit_test(clCreateImageWithProperties_refuses_what_clCreateImage_does),
      cmocka_unit_test(properties_are_kept),
      cmocka_unit_test(refuses_bad_contexts_and_flags),
      cmocka_unit_test(refuses_bad_formats),
      cmocka_unit_test(refuses_formats_that_are_not_listed),
      cmocka_unit_test(refuses_bad_descriptors),
      cmocka_unit_test(refuses_dimensions_of_nothing),
      cmocka_unit_test(refuses_bad_pitches),
      cmocka_unit_test(refuses_what_memory_does_not_hold),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
