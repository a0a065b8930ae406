/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clGetImageInfo and clGetSupportedImageFormats. */
#include "test_image.h"

static int open_device(void **state) {
  int failed = test_device_open(state);
  return failed ? failed : !test_device_number(CL_DEVICE_IMAGE_SUPPORT);
}

static const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE1D,       CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                           CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                                           CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};
enum { TYPE_COUNT = sizeof types / sizeof *types };

/* Rows of 7 pixels of 8 bytes, 5 of them to a slice. */
static void answers_for_every_type(void **state) {
  (void)state;
  static const size_t height[] = {0, 0, 0, 5, 5, 5}, depth[] = {0, 0, 0, 0, 0, 3}, layers[] = {0, 0, 2, 0, 2, 0},
                      slice[] = {0, 0, 56, 0, 280, 280}, size[] = {56, 56, 112, 280, 560, 840};
  const cl_image_format format = {CL_RGBA, CL_HALF_FLOAT};
  cl_mem buffer = test_buffer(64, NULL);
  for (int i = 0; i < TYPE_COUNT; i++) {
    cl_int error;
    cl_image_desc desc = test_image_desc(types[i], 7, 5, 3, 2);
    if (types[i] == CL_MEM_OBJECT_IMAGE1D_BUFFER) desc.mem_object = buffer;
    cl_mem image = clCreateImage(dut.context, 0, &format, &desc, NULL, &error);
    ASSERT_CL(error);
    ASSERT_INFO(clGetImageInfo, image, CL_IMAGE_WIDTH, size_t, 7);
    ASSERT_INFO(clGetImageInfo, image, CL_IMAGE_HEIGHT, size_t, height[i]);
    ASSERT_INFO(clGetImageInfo, image, CL_IMAGE_DEPTH, size_t, depth[i]);
    ASSERT_INFO(clGetImageInfo, image, CL_IMAGE_ARRAY_SIZE, size_t, layers[i]);
    ASSERT_INFO(clGetImageInfo, image, CL_IMAGE_ELEMENT_SIZE, size_t, 8);
    ASSERT_INFO(clGetImageInfo, image, CL_IMAGE_ROW_PITCH, size_t, 56);
    ASSERT_INFO(clGetImageInfo, image, CL_IMAGE_SLICE_PITCH, size_t, slice[i]);
    ASSERT_INFO(clGetImageInfo, image, CL_IMAGE_BUFFER, cl_mem, desc.mem_object);
    ASSERT_INFO(clGetImageInfo, image, CL_IMAGE_NUM_MIP_LEVELS, cl_uint, 0);
    ASSERT_INFO(clGetImageInfo, image, CL_IMAGE_NUM_SAMPLES, cl_uint, 0);
    ASSERT_INFO(clGetMemObjectInfo, image, CL_MEM_TYPE, cl_mem_object_type, types[i]);
    ASSERT_INFO(clGetMemObjectInfo, image, CL_MEM_SIZE, size_t, size[i]);
    ASSERT_INFO(clGetMemObjectInfo, image, CL_MEM_FLAGS, cl_mem_flags, CL_MEM_READ_WRITE);
    cl_image_format answer = {0, 0};
    ASSERT_CL(clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof answer, &answer, NULL));
    assert_memory_equal(&answer, &format, sizeof format);
    ASSERT_INFO_RULES(clGetImageInfo, image, CL_IMAGE_WIDTH);
    ASSERT_CL(clReleaseMemObject(image));
  }
  ASSERT_CL_ERROR(clGetImageInfo(buffer, CL_IMAGE_WIDTH, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(clGetImageInfo(NULL, CL_IMAGE_WIDTH, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void every_listed_format_makes_an_image(void **state) {
  (void)state;
  cl_mem buffer = test_buffer(4096, NULL);
  for (int i = 0; i < TYPE_COUNT; i++) {
    cl_image_format formats[TEST_MAX_FORMATS];
    cl_uint count = test_formats(types[i], formats);
    for (cl_uint f = 0; f < count; f++) {
      cl_int error;
      cl_image_desc desc = test_image_desc(types[i], 3, 3, 3, 3);
      if (types[i] == CL_MEM_OBJECT_IMAGE1D_BUFFER) desc.mem_object = buffer;
      cl_mem image = clCreateImage(dut.context, 0, &formats[f], &desc, NULL, &error);
      ASSERT_CL(error);
      ASSERT_INFO(clGetImageInfo, image, CL_IMAGE_ELEMENT_SIZE, size_t, test_pixel_size(&formats[f]));
      ASSERT_CL(clReleaseMemObject(image));
    }
  }
  ASSERT_CL(clReleaseMemObject(buffer));
}

static bool is_listed(cl_mem_flags flags, cl_mem_object_type type, cl_channel_order order, cl_channel_type data) {
  cl_image_format formats[TEST_MAX_FORMATS];
  cl_uint count = 0;
  ASSERT_CL(clGetSupportedImageFormats(dut.context, flags, type, TEST_MAX_FORMATS, formats, &count));
  for (cl_uint i = 0; i < count; i++) {
    if (formats[i].image_channel_order == order && formats[i].image_channel_data_type == data) return true;
  }
  return false;
}

/* Section 5.3.1.1, the minimum lists. */
static void has_what_every_device_must_have(void **state) {
  (void)state;
  static const cl_channel_type all[] = {CL_UNORM_INT8,     CL_UNORM_INT16,    CL_SNORM_INT8,   CL_SNORM_INT16,
                                        CL_SIGNED_INT8,    CL_SIGNED_INT16,   CL_SIGNED_INT32, CL_UNSIGNED_INT8,
                                        CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT,   CL_FLOAT};
  static const cl_channel_order orders[] = {CL_R, CL_RG, CL_RGBA};
  static const cl_mem_flags flags[] = {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE,
                                       CL_MEM_KERNEL_READ_AND_WRITE};
  for (int t = 0; t < TYPE_COUNT; t++) {
    for (int f = 0; f < 4; f++) {
      for (int o = 0; o < 3; o++) {
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
          assert_true(is_listed(flags[f], types[t], orders[o], all[i]));
        }
      }
      assert_true(is_listed(flags[f], types[t], CL_BGRA, CL_UNORM_INT8));
    }
    assert_true(is_listed(CL_MEM_READ_ONLY, types[t], CL_sRGBA, CL_UNORM_INT8));
    bool takes_depth = types[t] == CL_MEM_OBJECT_IMAGE2D || types[t] == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    assert_int_equal(is_listed(CL_MEM_READ_WRITE, types[t], CL_DEPTH, CL_FLOAT), takes_depth);
    assert_int_equal(is_listed(CL_MEM_READ_WRITE, types[t], CL_DEPTH, CL_UNORM_INT16), takes_depth);
  }
}

static void lists_as_many_formats_as_there_is_room_for(void **state) {
  (void)state;
  cl_image_format formats[3] = {{1, 1}, {1, 1}, {1, 1}};
  cl_uint count = 0;
  ASSERT_CL(clGetSupportedImageFormats(dut.context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 2, formats, &count));
  assert_true(count > 2);
  assert_int_not_equal(formats[1].image_channel_order, 1);
  assert_int_equal(formats[2].image_channel_order, 1);
  ASSERT_CL(clGetSupportedImageFormats(dut.context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 3, formats, NULL));
  assert_int_not_equal(formats[2].image_channel_order, 1);
}

static void refuses_bad_questions(void **state) {
  (void)state;
  cl_image_format format;
  cl_uint count;
  ASSERT_CL_ERROR(clGetSupportedImageFormats(NULL, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(
      clGetSupportedImageFormats(dut.context, (cl_mem_flags)1 << 40, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count),
      CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clGetSupportedImageFormats(dut.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, CL_MEM_OBJECT_IMAGE2D,
                                             0, NULL, &count),
                  CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clGetSupportedImageFormats(dut.context, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
                                             CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count),
                  CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clGetSupportedImageFormats(dut.context, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR,
                                             CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count),
                  CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clGetSupportedImageFormats(dut.context, 0, CL_MEM_OBJECT_BUFFER, 0, NULL, &count), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clGetSupportedImageFormats(dut.context, 0, CL_MEM_OBJECT_IMAGE2D, 0, &format, NULL),
                  CL_INVALID_VALUE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_for_every_type),          cmocka_unit_test(every_listed_format_makes_an_image),
      cmocka_unit_test(has_what_every_device_must_have), cmocka_unit_test(lists_as_many_formats_as_there_is_room_for),
      cmocka_unit_test(refuses_bad_questions),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
