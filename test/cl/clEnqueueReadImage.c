/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clEnqueueReadImage and clEnqueueWriteImage. */
#include "test_image.h"

enum { W = 5, H = 4, D = 3, PIXEL = 4, MAX_BYTES = W * H * D * PIXEL };

static const cl_image_format rgba8 = {CL_RGBA, CL_UNSIGNED_INT8};
static const size_t zero[3] = {0, 0, 0};
static unsigned char contents[MAX_BYTES];

static const struct shape_t {
  cl_mem_object_type type;
  size_t extent[3];
} shapes[] = {{CL_MEM_OBJECT_IMAGE1D, {W, 1, 1}},
              {CL_MEM_OBJECT_IMAGE1D_ARRAY, {W, D, 1}},
              {CL_MEM_OBJECT_IMAGE2D, {W, H, 1}},
              {CL_MEM_OBJECT_IMAGE2D_ARRAY, {W, H, D}},
              {CL_MEM_OBJECT_IMAGE3D, {W, H, D}}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static int open_device(void **state) {
  for (int i = 0; i < MAX_BYTES; i++) contents[i] = (unsigned char)(i * 11 + i / 256);
  int failed = test_device_open(state);
  return failed ? failed : !test_device_number(CL_DEVICE_IMAGE_SUPPORT);
}

static cl_mem make(cl_mem_object_type type, cl_mem_flags flags) {
  cl_int error;
  const cl_image_desc desc = test_image_desc(type, W, H, D, D);
  cl_mem image =
      clCreateImage(dut.context, flags, &rgba8, &desc, flags & CL_MEM_COPY_HOST_PTR ? contents : NULL, &error);
  ASSERT_CL(error);
  return image;
}

static cl_int read_image(cl_mem image, const size_t *origin, const size_t *region, size_t row, size_t slice,
                         void *out) {
  return clEnqueueReadImage(dut.queue, image, CL_TRUE, origin, region, row, slice, out, 0, NULL, NULL);
}

static cl_int write_image(cl_mem image, const size_t *origin, const size_t *region, size_t row, size_t slice,
                          const void *in) {
  return clEnqueueWriteImage(dut.queue, image, CL_TRUE, origin, region, row, slice, in, 0, NULL, NULL);
}

/* Pixel x, y, z of packed contents with these extents. */
static const unsigned char *pixel_at(const size_t extent[3], size_t x, size_t y, size_t z) {
  return contents + ((z * extent[1] + y) * extent[0] + x) * PIXEL;
}

static void reads_boxes_of_every_type(void **state) {
  (void)state;
  for (int i = 0; i < SHAPES; i++) {
    const size_t *extent = shapes[i].extent;
    const size_t origin[3] = {1, extent[1] > 1, extent[2] > 1};
    const size_t region[3] = {extent[0] - 2, extent[1] - origin[1], extent[2] - origin[2]};
    unsigned char out[MAX_BYTES];
    cl_mem image = make(shapes[i].type, CL_MEM_COPY_HOST_PTR);
    ASSERT_CL(read_image(image, origin, region, 0, 0, out));
    for (size_t j = 0; j < region[0] * region[1] * region[2]; j++) {
      size_t x = j % region[0], y = j / region[0] % region[1], z = j / region[0] / region[1];
      assert_memory_equal(out + j * PIXEL, pixel_at(extent, x + origin[0], y + origin[1], z + origin[2]), PIXEL);
    }
    ASSERT_CL(clReleaseMemObject(image));
  }
}

static void writes_boxes_of_every_type(void **state) {
  (void)state;
  for (int i = 0; i < SHAPES; i++) {
    const size_t *extent = shapes[i].extent;
    const size_t corner[3] = {extent[0] - 1, extent[1] - 1, extent[2] - 1}, one[3] = {1, 1, 1};
    const unsigned char mark[PIXEL] = {250, 251, 252, 253};
    unsigned char out[MAX_BYTES];
    size_t bytes = extent[0] * extent[1] * extent[2] * PIXEL;
    cl_mem image = make(shapes[i].type, 0);
    ASSERT_CL(write_image(image, zero, extent, 0, 0, contents));
    ASSERT_CL(write_image(image, corner, one, 0, 0, mark));
    ASSERT_CL(read_image(image, zero, extent, 0, 0, out));
    assert_memory_equal(out, contents, bytes - PIXEL);
    assert_memory_equal(out + bytes - PIXEL, mark, PIXEL);
    ASSERT_CL(clReleaseMemObject(image));
  }
}

/* Rows of 2 pixels every 12 bytes, slices of 2 rows every 36; the slice of a 1D array is a layer. */
static void uses_the_pitches_of_the_host(void **state) {
  (void)state;
  const size_t region[3] = {2, 2, 2}, layers[3] = {2, 3, 1};
  unsigned char host[3 * 36], out[24];
  for (size_t i = 0; i < sizeof host; i++) host[i] = (unsigned char)(i + 1);
  cl_mem image = make(CL_MEM_OBJECT_IMAGE3D, 0);
  ASSERT_CL(write_image(image, zero, region, 12, 36, host));
  ASSERT_CL(read_image(image, zero, (const size_t[]){2, 1, 1}, 0, 0, out));
  assert_memory_equal(out, host, 8);
  ASSERT_CL(read_image(image, (const size_t[]){0, 1, 1}, (const size_t[]){2, 1, 1}, 0, 0, out));
  assert_memory_equal(out, host + 36 + 12, 8);
  ASSERT_CL(clReleaseMemObject(image));
  image = make(CL_MEM_OBJECT_IMAGE1D_ARRAY, 0);
  ASSERT_CL(write_image(image, zero, layers, 12, 36, host));
  ASSERT_CL(read_image(image, zero, layers, 0, 8, out));
  for (int i = 0; i < 3; i++) assert_memory_equal(out + 8 * i, host + (ptrdiff_t)36 * i, 8);
  memset(host, 0, sizeof host);
  ASSERT_CL(read_image(image, zero, layers, 0, 36, host));
  for (int i = 0; i < 3; i++) assert_memory_equal(out + 8 * i, host + (ptrdiff_t)36 * i, 8);
  ASSERT_CL(clReleaseMemObject(image));
}

static void events_tell_what_was_done(void **state) {
  (void)state;
  unsigned char out[MAX_BYTES];
  const size_t region[3] = {W, H, 1};
  cl_event events[2];
  cl_mem image = make(CL_MEM_OBJECT_IMAGE2D, 0);
  ASSERT_CL(clEnqueueWriteImage(dut.queue, image, CL_FALSE, zero, region, 0, 0, contents, 0, NULL, &events[0]));
  ASSERT_CL(clEnqueueReadImage(dut.queue, image, CL_FALSE, zero, region, 0, 0, out, 1, events, &events[1]));
  ASSERT_INFO(clGetEventInfo, events[0], CL_EVENT_COMMAND_TYPE, cl_command_type, CL_COMMAND_WRITE_IMAGE);
  ASSERT_INFO(clGetEventInfo, events[1], CL_EVENT_COMMAND_TYPE, cl_command_type, CL_COMMAND_READ_IMAGE);
  /* The command holds the image. */
  ASSERT_CL(clReleaseMemObject(image));
  ASSERT_CL(clWaitForEvents(1, &events[1]));
  assert_memory_equal(out, contents, (size_t)W * H * PIXEL);
  ASSERT_CL(clReleaseEvent(events[0]));
  ASSERT_CL(clReleaseEvent(events[1]));
}

static void refuses_bad_regions(void **state) {
  (void)state;
  static const size_t bad[][2][3] = {{{0, 0, 0}, {0, 1, 1}},          {{0, 0, 0}, {1, 0, 1}},
                                     {{0, 0, 0}, {1, 1, 0}},          {{0, 0, 0}, {W + 1, 1, 1}},
                                     {{W, 0, 0}, {1, 1, 1}},          {{0, H - 1, 0}, {1, 2, 1}},
                                     {{0, 0, 1}, {1, 1, 1}},          {{0, 0, 0}, {1, 1, 2}},
                                     {{2, 0, 0}, {(size_t)-1, 1, 1}}, {{(size_t)-1, 0, 0}, {2, 1, 1}}};
  unsigned char host[MAX_BYTES] = {0};
  const size_t one[3] = {1, 1, 1};
  cl_mem image = make(CL_MEM_OBJECT_IMAGE2D, 0);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    ASSERT_CL_ERROR(read_image(image, bad[i][0], bad[i][1], 0, 0, host), CL_INVALID_VALUE);
    ASSERT_CL_ERROR(write_image(image, bad[i][0], bad[i][1], 0, 0, host), CL_INVALID_VALUE);
  }
  ASSERT_CL_ERROR(read_image(image, NULL, one, 0, 0, host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(read_image(image, zero, NULL, 0, 0, host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(read_image(image, zero, one, 0, 0, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(write_image(image, zero, one, 0, 0, NULL), CL_INVALID_VALUE);
  ASSERT_CL(clReleaseMemObject(image));
}

static void refuses_bad_pitches(void **state) {
  (void)state;
  unsigned char host[MAX_BYTES] = {0};
  cl_mem flat = make(CL_MEM_OBJECT_IMAGE2D, 0), deep = make(CL_MEM_OBJECT_IMAGE3D, 0);
  const size_t region[3] = {3, 2, 1};
  ASSERT_CL_ERROR(read_image(flat, zero, region, 11, 0, host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(write_image(flat, zero, region, 11, 0, host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(read_image(flat, zero, region, 12, 24, host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(read_image(deep, zero, region, 12, 23, host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(read_image(deep, zero, region, (size_t)-1, 0, host), CL_INVALID_VALUE);
  ASSERT_CL(read_image(deep, zero, region, 12, 24, host));
  ASSERT_CL(clReleaseMemObject(deep));
  ASSERT_CL(clReleaseMemObject(flat));
}

static void refuses_what_the_flags_rule_out(void **state) {
  (void)state;
  unsigned char host[PIXEL] = {0};
  const size_t one[3] = {1, 1, 1};
  static const struct {
    cl_mem_flags flags;
    cl_int read, write;
  } cases[] = {{CL_MEM_HOST_READ_ONLY, CL_SUCCESS, CL_INVALID_OPERATION},
               {CL_MEM_HOST_WRITE_ONLY, CL_INVALID_OPERATION, CL_SUCCESS},
               {CL_MEM_HOST_NO_ACCESS, CL_INVALID_OPERATION, CL_INVALID_OPERATION}};
  for (int i = 0; i < 3; i++) {
    cl_mem image = make(CL_MEM_OBJECT_IMAGE2D, cases[i].flags);
    ASSERT_CL_ERROR(read_image(image, zero, one, 0, 0, host), cases[i].read);
    ASSERT_CL_ERROR(write_image(image, zero, one, 0, 0, host), cases[i].write);
    ASSERT_CL(clReleaseMemObject(image));
  }
}

static void refuses_bad_objects(void **state) {
  (void)state;
  unsigned char host[PIXEL] = {0};
  const size_t one[3] = {1, 1, 1};
  cl_mem image = make(CL_MEM_OBJECT_IMAGE2D, 0), buffer = test_buffer(64, NULL);
  cl_context context = test_other_context();
  cl_command_queue queue = test_other_queue(context);
  cl_event event;
  ASSERT_CL_ERROR(read_image(NULL, zero, one, 0, 0, host), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(write_image(buffer, zero, one, 0, 0, host), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(clEnqueueReadImage(queue, image, CL_TRUE, zero, one, 0, 0, host, 0, NULL, NULL), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(clEnqueueWriteImage(queue, image, CL_TRUE, zero, one, 0, 0, host, 0, NULL, NULL), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(clEnqueueReadImage(NULL, image, CL_TRUE, zero, one, 0, 0, host, 0, NULL, NULL),
                  CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL_ERROR(clEnqueueReadImage(dut.queue, image, CL_TRUE, zero, one, 0, 0, host, 1, NULL, NULL),
                  CL_INVALID_EVENT_WAIT_LIST);
  ASSERT_CL_ERROR(clEnqueueWriteImage(dut.queue, image, CL_TRUE, zero, one, 0, 0, host, 0, &event, NULL),
                  CL_INVALID_EVENT_WAIT_LIST);
  /* A buffer's commands take no images. */
  ASSERT_CL_ERROR(clEnqueueReadBuffer(dut.queue, image, CL_TRUE, 0, 4, host, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clReleaseContext(context));
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseMemObject(image));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_boxes_of_every_type),
      cmocka_unit_test(writes_boxes_of_every_type),
      cmocka_unit_test(uses_the_pitches_of_the_host),
      cmocka_unit_test(events_tell_what_was_done),
      cmocka_unit_test(refuses_bad_regions),
      cmocka_unit_test(refuses_bad_pitches),
      cmocka_unit_test(refuses_what_the_flags_rule_out),
      cmocka_unit_test(refuses_bad_objects),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
