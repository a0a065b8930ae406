/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clEnqueueMapImage, and clEnqueueUnmapMemObject on images. */
#include "test_image.h"

enum { W = 6, H = 5, D = 4, PIXEL = 4, BYTES = W * H * D * PIXEL };

static const cl_image_format rgba8 = {CL_RGBA, CL_UNSIGNED_INT8};
static const size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
static unsigned char contents[BYTES];

static int open_device(void **state) {
  for (int i = 0; i < BYTES; i++) contents[i] = (unsigned char)(i * 17 + i / 256);
  int failed = test_device_open(state);
  return failed ? failed : !test_device_number(CL_DEVICE_IMAGE_SUPPORT);
}

static cl_mem make(cl_mem_object_type type, cl_mem_flags flags) {
  cl_int error;
  const cl_image_desc desc = test_image_desc(type, W, H, D, D);
  bool takes_pointer = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
  cl_mem image = clCreateImage(dut.context, flags, &rgba8, &desc, takes_pointer ? contents : NULL, &error);
  ASSERT_CL(error);
  return image;
}

static unsigned char *map(cl_mem image, cl_map_flags flags, const size_t *origin, const size_t *region, size_t *row,
                          size_t *slice, cl_int *error) {
  return clEnqueueMapImage(dut.queue, image, CL_TRUE, flags, origin, region, row, slice, 0, NULL, NULL, error);
}

static void unmap(cl_mem image, void *pointer) {
  ASSERT_CL(clEnqueueUnmapMemObject(dut.queue, image, pointer, 0, NULL, NULL));
}

static void shows_the_pixels_of_every_type(void **state) {
  (void)state;
  static const struct {
    cl_mem_object_type type;
    size_t extent[3];
    bool has_slices;
  } shapes[] = {{CL_MEM_OBJECT_IMAGE1D, {W, 1, 1}, false},
                {CL_MEM_OBJECT_IMAGE1D_ARRAY, {W, D, 1}, true},
                {CL_MEM_OBJECT_IMAGE2D, {W, H, 1}, false},
                {CL_MEM_OBJECT_IMAGE2D_ARRAY, {W, H, D}, true},
                {CL_MEM_OBJECT_IMAGE3D, {W, H, D}, true}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    const size_t *extent = shapes[i].extent;
    const size_t origin[3] = {1, extent[1] > 1, extent[2] > 1};
    const size_t region[3] = {3, extent[1] - origin[1], extent[2] - origin[2]};
    size_t row = 1, slice = 1;
    cl_int error;
    cl_mem image = make(shapes[i].type, CL_MEM_COPY_HOST_PTR);
    unsigned char *pixels = map(image, CL_MAP_READ, origin, region, &row, &slice, &error);
    ASSERT_CL(error);
    assert_non_null(pixels);
    assert_true(row >= region[0] * PIXEL);
    assert_int_equal(slice != 0, shapes[i].has_slices);
    ASSERT_INFO(clGetMemObjectInfo, image, CL_MEM_MAP_COUNT, cl_uint, 1);
    /* The y of a 1D array is its layer. */
    size_t y_pitch = shapes[i].type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? slice : row;
    for (size_t z = 0; z < region[2]; z++) {
      for (size_t y = 0; y < region[1]; y++) {
        size_t place = (((z + origin[2]) * extent[1] + y + origin[1]) * extent[0] + origin[0]) * PIXEL;
        assert_memory_equal(pixels + z * slice + y * y_pitch, contents + place, 3 * PIXEL);
      }
    }
    unmap(image, pixels);
    ASSERT_CL(clFinish(dut.queue));
    ASSERT_INFO(clGetMemObjectInfo, image, CL_MEM_MAP_COUNT, cl_uint, 0);
    ASSERT_CL(clReleaseMemObject(image));
  }
}

static void what_the_host_writes_is_the_devices_after_unmapping(void **state) {
  (void)state;
  static const cl_map_flags flags[] = {CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION, CL_MAP_READ | CL_MAP_WRITE};
  const size_t origin[3] = {2, 3, 1};
  cl_mem image = make(CL_MEM_OBJECT_IMAGE3D, 0);
  for (int i = 0; i < 3; i++) {
    size_t row, slice;
    cl_int error;
    unsigned char out[PIXEL], *pixels = map(image, flags[i], origin, one, &row, &slice, &error);
    ASSERT_CL(error);
    memset(pixels, 40 + i, PIXEL);
    unmap(image, pixels);
    ASSERT_CL(clEnqueueReadImage(dut.queue, image, CL_TRUE, origin, one, 0, 0, out, 0, NULL, NULL));
    assert_int_equal(out[0], 40 + i);
    assert_int_equal(out[3], 40 + i);
  }
  ASSERT_CL(clReleaseMemObject(image));
}

static void maps_the_hosts_own_memory(void **state) {
  (void)state;
  const size_t origin[3] = {1, 2, 0}, region[3] = {2, 2, 1};
  size_t row;
  cl_int error;
  cl_mem image = make(CL_MEM_OBJECT_IMAGE2D, CL_MEM_USE_HOST_PTR);
  unsigned char *pixels = map(image, CL_MAP_READ, origin, region, &row, NULL, &error);
  ASSERT_CL(error);
  assert_ptr_equal(pixels, contents + (2 * W + 1) * PIXEL);
  assert_int_equal(row, W * PIXEL);
  unmap(image, pixels);
  ASSERT_CL(clReleaseMemObject(image));
}

static void maps_images_of_buffers(void **state) {
  (void)state;
  size_t row;
  cl_int error;
  unsigned char out[BYTES];
  cl_mem buffer = test_buffer(BYTES, contents);
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 9, .mem_object = buffer};
  cl_mem image = clCreateImage(dut.context, 0, &rgba8, &desc, NULL, &error);
  ASSERT_CL(error);
  unsigned char *pixels = map(image, CL_MAP_WRITE, (const size_t[]){3, 0, 0}, one, &row, NULL, &error);
  ASSERT_CL(error);
  pixels[0] = 201;
  unmap(image, pixels);
  test_read(buffer, BYTES, out);
  assert_int_equal(out[12], 201);
  ASSERT_CL(clReleaseMemObject(image));
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void boxes_mapped_for_writing_do_not_overlap(void **state) {
  (void)state;
  const size_t region[3] = {3, 2, 1}, beside[3] = {3, 0, 0}, overlapping[3] = {2, 1, 0};
  size_t row;
  cl_int error;
  cl_mem image = make(CL_MEM_OBJECT_IMAGE2D, CL_MEM_COPY_HOST_PTR);
  void *first = map(image, CL_MAP_WRITE, zero, region, &row, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL_REFUSED(map(image, CL_MAP_WRITE, overlapping, region, &row, NULL, &error), error, CL_INVALID_OPERATION);
  void *second = map(image, CL_MAP_WRITE, beside, region, &row, NULL, &error);
  ASSERT_CL(error);
  void *third = map(image, CL_MAP_READ, overlapping, region, &row, NULL, &error);
  ASSERT_CL(error);
  ASSERT_INFO(clGetMemObjectInfo, image, CL_MEM_MAP_COUNT, cl_uint, 3);
  unmap(image, first);
  unmap(image, second);
  unmap(image, third);
  ASSERT_CL_ERROR(clEnqueueUnmapMemObject(dut.queue, image, first, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL(clReleaseMemObject(image));
}

static void refuses_bad_arguments(void **state) {
  (void)state;
  size_t row, slice;
  cl_int error;
  const size_t beyond[3] = {W + 1, 1, 1};
  cl_mem image = make(CL_MEM_OBJECT_IMAGE3D, 0), buffer = test_buffer(64, NULL);
#define REFUSED(image, flags, origin, region, row, slice, code) \
  ASSERT_CL_REFUSED(map(image, flags, origin, region, row, slice, &error), error, code)
  REFUSED(NULL, CL_MAP_READ, zero, one, &row, &slice, CL_INVALID_MEM_OBJECT);
  REFUSED(buffer, CL_MAP_READ, zero, one, &row, &slice, CL_INVALID_MEM_OBJECT);
  REFUSED(image, CL_MAP_READ, NULL, one, &row, &slice, CL_INVALID_VALUE);
  REFUSED(image, CL_MAP_READ, zero, NULL, &row, &slice, CL_INVALID_VALUE);
  REFUSED(image, CL_MAP_READ, zero, beyond, &row, &slice, CL_INVALID_VALUE);
  REFUSED(image, CL_MAP_READ, zero, one, NULL, &slice, CL_INVALID_VALUE);
  REFUSED(image, CL_MAP_READ, zero, one, &row, NULL, CL_INVALID_VALUE);
  REFUSED(image, 1 << 20, zero, one, &row, &slice, CL_INVALID_VALUE);
  REFUSED(image, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, zero, one, &row, &slice, CL_INVALID_VALUE);
  cl_context context = test_other_context();
  cl_command_queue queue = test_other_queue(context);
  ASSERT_CL_REFUSED(
      clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, zero, one, &row, &slice, 0, NULL, NULL, &error), error,
      CL_INVALID_CONTEXT);
  ASSERT_CL_REFUSED(
      clEnqueueMapImage(NULL, image, CL_TRUE, CL_MAP_READ, zero, one, &row, &slice, 0, NULL, NULL, &error), error,
      CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL_REFUSED(
      clEnqueueMapImage(dut.queue, image, CL_TRUE, CL_MAP_READ, zero, one, &row, &slice, 1, NULL, NULL, &error), error,
      CL_INVALID_EVENT_WAIT_LIST);
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clReleaseContext(context));
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseMemObject(image));
  image = make(CL_MEM_OBJECT_IMAGE2D, CL_MEM_HOST_WRITE_ONLY);
  REFUSED(image, CL_MAP_READ, zero, one, &row, &slice, CL_INVALID_OPERATION);
  ASSERT_CL(clReleaseMemObject(image));
  image = make(CL_MEM_OBJECT_IMAGE2D, CL_MEM_HOST_READ_ONLY);
  REFUSED(image, CL_MAP_WRITE_INVALIDATE_REGION, zero, one, &row, &slice, CL_INVALID_OPERATION);
  ASSERT_CL(clReleaseMemObject(image));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shows_the_pixels_of_every_type),
      cmocka_unit_test(what_the_host_writes_is_the_devices_after_unmapping),
      cmocka_unit_test(maps_the_hosts_own_memory),
      cmocka_unit_test(maps_images_of_buffers),
      cmocka_unit_test(boxes_mapped_for_writing_do_not_overlap),
      cmocka_unit_test(refuses_bad_arguments),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
