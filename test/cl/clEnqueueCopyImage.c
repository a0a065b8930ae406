/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clEnqueueCopyImage, clEnqueueCopyImageToBuffer, clEnqueueCopyBufferToImage. */
#include "test_image.h"

enum { W = 6, H = 5, D = 4, PIXEL = 4, BYTES = W * H * D * PIXEL };

static const cl_image_format rgba8 = {CL_RGBA, CL_UNSIGNED_INT8};
static const size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
static unsigned char contents[BYTES];

static const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                                           CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};
enum { TYPES = sizeof types / sizeof *types };

static int open_device(void **state) {
  for (int i = 0; i < BYTES; i++) contents[i] = (unsigned char)(i * 13 + i / 256);
  int failed = test_device_open(state);
  return failed ? failed : !test_device_number(CL_DEVICE_IMAGE_SUPPORT);
}

static cl_mem make_as(cl_mem_object_type type, const cl_image_format *format, bool filled) {
  cl_int error;
  const cl_image_desc desc = test_image_desc(type, W, H, D, D);
  cl_mem image =
      clCreateImage(dut.context, filled ? CL_MEM_COPY_HOST_PTR : 0, format, &desc, filled ? contents : NULL, &error);
  ASSERT_CL(error);
  return image;
}

static cl_mem make(cl_mem_object_type type, bool filled) { return make_as(type, &rgba8, filled); }

static void extent_of(cl_mem_object_type type, size_t out[3]) {
  bool has_height =
      type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY || type == CL_MEM_OBJECT_IMAGE3D;
  out[0] = W;
  out[1] = has_height ? H : type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? D : 1;
  out[2] = type == CL_MEM_OBJECT_IMAGE3D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? D : 1;
}

static void read_pixel(cl_mem image, size_t x, size_t y, size_t z, unsigned char out[PIXEL]) {
  const size_t origin[3] = {x, y, z};
  ASSERT_CL(clEnqueueReadImage(dut.queue, image, CL_TRUE, origin, one, 0, 0, out, 0, NULL, NULL));
}

static cl_int copy(cl_mem from, cl_mem to, const size_t *from_at, const size_t *to_at, const size_t *region) {
  return clEnqueueCopyImage(dut.queue, from, to, from_at, to_at, region, 0, NULL, NULL);
}

/* A row of pixels between images of any two types, which have at least that. */
static void copies_between_all_types(void **state) {
  (void)state;
  const size_t region[3] = {3, 1, 1};
  for (int from = 0; from < TYPES; from++) {
    for (int to = 0; to < TYPES; to++) {
      size_t a[3], b[3];
      unsigned char pixel[PIXEL];
      extent_of(types[from], a);
      extent_of(types[to], b);
      const size_t from_at[3] = {1, a[1] - 1, a[2] - 1}, to_at[3] = {2, b[1] - 1, b[2] - 1};
      cl_mem source = make(types[from], true), target = make(types[to], false);
      ASSERT_CL(copy(source, target, from_at, to_at, region));
      for (size_t x = 0; x < 3; x++) {
        size_t place = ((from_at[2] * a[1] + from_at[1]) * a[0] + from_at[0] + x) * PIXEL;
        read_pixel(target, to_at[0] + x, to_at[1], to_at[2], pixel);
        assert_memory_equal(pixel, contents + place, PIXEL);
      }
      ASSERT_CL(clReleaseMemObject(source));
      ASSERT_CL(clReleaseMemObject(target));
    }
  }
}

static void copies_inside_one_image_unless_boxes_overlap(void **state) {
  (void)state;
  const size_t region[3] = {3, 2, 2}, beside[3] = {3, 0, 0}, below[3] = {0, 2, 0}, behind[3] = {0, 0, 2},
               overlapping[3] = {2, 1, 1};
  unsigned char pixel[PIXEL];
  cl_mem image = make(CL_MEM_OBJECT_IMAGE3D, true);
  ASSERT_CL_ERROR(copy(image, image, zero, overlapping, region), CL_MEM_COPY_OVERLAP);
  ASSERT_CL_ERROR(copy(image, image, overlapping, zero, region), CL_MEM_COPY_OVERLAP);
  ASSERT_CL_ERROR(copy(image, image, zero, zero, region), CL_MEM_COPY_OVERLAP);
  ASSERT_CL(copy(image, image, zero, beside, region));
  ASSERT_CL(copy(image, image, zero, below, region));
  ASSERT_CL(copy(image, image, zero, behind, region));
  read_pixel(image, 5, 1, 1, pixel);
  assert_memory_equal(pixel, contents + ((1 * H + 1) * W + 2) * PIXEL, PIXEL);
  ASSERT_CL(clReleaseMemObject(image));
}

static void refuses_bad_image_copies(void **state) {
  (void)state;
  const cl_image_format other = {CL_RGBA, CL_SIGNED_INT8};
  const size_t large[3] = {W, H, 2}, corner[3] = {W - 1, H - 1, 0}, two[3] = {2, 1, 1};
  cl_mem deep = make(CL_MEM_OBJECT_IMAGE3D, true), flat = make(CL_MEM_OBJECT_IMAGE2D, false),
         signed_flat = make_as(CL_MEM_OBJECT_IMAGE2D, &other, false), buffer = test_buffer(64, NULL);
  ASSERT_CL_ERROR(copy(deep, signed_flat, zero, zero, one), CL_IMAGE_FORMAT_MISMATCH);
  ASSERT_CL_ERROR(copy(deep, flat, zero, zero, large), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy(flat, deep, zero, zero, large), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy(deep, flat, corner, zero, two), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy(deep, flat, zero, corner, two), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy(deep, flat, NULL, zero, one), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy(deep, flat, zero, NULL, one), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy(deep, flat, zero, zero, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy(NULL, flat, zero, zero, one), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(copy(flat, buffer, zero, zero, one), CL_INVALID_MEM_OBJECT);
  cl_context context = test_other_context();
  cl_command_queue queue = test_other_queue(context);
  ASSERT_CL_ERROR(clEnqueueCopyImage(queue, deep, flat, zero, zero, one, 0, NULL, NULL), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(clEnqueueCopyImage(NULL, deep, flat, zero, zero, one, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL_ERROR(clEnqueueCopyImage(dut.queue, deep, flat, zero, zero, one, 1, NULL, NULL),
                  CL_INVALID_EVENT_WAIT_LIST);
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clReleaseContext(context));
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseMemObject(signed_flat));
  ASSERT_CL(clReleaseMemObject(flat));
  ASSERT_CL(clReleaseMemObject(deep));
}

/* ------------------------------------------------------------ buffers */

static cl_int to_buffer(cl_mem image, cl_mem buffer, const size_t *origin, const size_t *region, size_t offset) {
  return clEnqueueCopyImageToBuffer(dut.queue, image, buffer, origin, region, offset, 0, NULL, NULL);
}

static cl_int from_buffer(cl_mem buffer, cl_mem image, size_t offset, const size_t *origin, const size_t *region) {
  return clEnqueueCopyBufferToImage(dut.queue, buffer, image, offset, origin, region, 0, NULL, NULL);
}

static void copies_to_and_from_buffers(void **state) {
  (void)state;
  enum { OFFSET = 12 };
  for (int i = 0; i < TYPES; i++) {
    size_t extent[3];
    unsigned char out[OFFSET + BYTES] = {0};
    extent_of(types[i], extent);
    size_t bytes = extent[0] * extent[1] * extent[2] * PIXEL;
    cl_mem image = make(types[i], true), other = make(types[i], false), buffer = test_buffer(sizeof out, out);
    ASSERT_CL(to_buffer(image, buffer, zero, extent, OFFSET));
    test_read(buffer, sizeof out, out);
    assert_int_equal(out[OFFSET - 1], 0);
    assert_memory_equal(out + OFFSET, contents, bytes);
    ASSERT_CL(from_buffer(buffer, other, OFFSET, zero, extent));
    memset(out, 0, sizeof out);
    ASSERT_CL(clEnqueueReadImage(dut.queue, other, CL_TRUE, zero, extent, 0, 0, out, 0, NULL, NULL));
    assert_memory_equal(out, contents, bytes);
    ASSERT_CL(clReleaseMemObject(buffer));
    ASSERT_CL(clReleaseMemObject(other));
    ASSERT_CL(clReleaseMemObject(image));
  }
}

static void refuses_bad_buffer_copies(void **state) {
  (void)state;
  const size_t all[3] = {W, H, 1}, beyond[3] = {W, H, 2}, bytes = (size_t)W * H * PIXEL;
  cl_mem image = make(CL_MEM_OBJECT_IMAGE2D, true), buffer = test_buffer(bytes, NULL);
  ASSERT_CL(to_buffer(image, buffer, zero, all, 0));
  ASSERT_CL_ERROR(to_buffer(image, buffer, zero, all, 1), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(from_buffer(buffer, image, 1, zero, all), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(to_buffer(image, buffer, zero, one, (size_t)-2), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(to_buffer(image, buffer, zero, beyond, 0), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(from_buffer(buffer, image, 0, zero, beyond), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(to_buffer(image, buffer, NULL, one, 0), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(from_buffer(buffer, image, 0, zero, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(to_buffer(buffer, buffer, zero, one, 0), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(to_buffer(image, image, zero, one, 0), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(from_buffer(NULL, image, 0, zero, one), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(from_buffer(buffer, NULL, 0, zero, one), CL_INVALID_MEM_OBJECT);
  cl_context context = test_other_context();
  cl_command_queue queue = test_other_queue(context);
  ASSERT_CL_ERROR(clEnqueueCopyImageToBuffer(queue, image, buffer, zero, one, 0, 0, NULL, NULL), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(clEnqueueCopyBufferToImage(queue, buffer, image, 0, zero, one, 0, NULL, NULL), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(clEnqueueCopyBufferToImage(NULL, buffer, image, 0, zero, one, 0, NULL, NULL),
                  CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clReleaseContext(context));
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseMemObject(image));
}

static void refuses_the_buffer_that_an_image_is_made_of(void **state) {
  (void)state;
  cl_int error;
  cl_mem buffer = test_buffer(64, NULL), other = test_buffer(64, NULL);
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 8, .mem_object = buffer};
  cl_mem image = clCreateImage(dut.context, 0, &rgba8, &desc, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL_ERROR(to_buffer(image, buffer, zero, one, 60), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(from_buffer(buffer, image, 60, zero, one), CL_INVALID_MEM_OBJECT);
  ASSERT_CL(to_buffer(image, other, zero, one, 60));
  ASSERT_CL(clReleaseMemObject(image));
  ASSERT_CL(clReleaseMemObject(other));
  ASSERT_CL(clReleaseMemObject(buffer));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies_between_all_types),  cmocka_unit_test(copies_inside_one_image_unless_boxes_overlap),
      cmocka_unit_test(refuses_bad_image_copies),  cmocka_unit_test(copies_to_and_from_buffers),
      cmocka_unit_test(refuses_bad_buffer_copies), cmocka_unit_test(refuses_the_buffer_that_an_image_is_made_of),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
