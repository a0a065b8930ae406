/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Transfers of images, shared virtual memory and unified shared memory so large that several threads do them: every
 * byte, and no byte more. */
#include <stdlib.h>
#include <time.h>

#include <CL/cl_ext.h>

#include "quern/threads.h"
#include "test_extension.h"
#include "test_image.h"

#define FUNCTIONS(X) X(clSharedMemAllocINTEL) X(clMemBlockingFreeINTEL) X(clEnqueueMemFillINTEL) X(clEnqueueMemcpyINTEL)

TEST_EXTENSION_FUNCTIONS(usm, FUNCTIONS)

/* Rows of an odd number of pixels, so that few begin with a cache line. */
enum { PIXEL = 4, WIDTH = 1021, ROW = WIDTH * PIXEL, PADDING = 20, UNTOUCHED = 0xA5 };

static const cl_image_format rgba8 = {CL_RGBA, CL_UNSIGNED_INT8};

static void *memory_get(size_t size) {
  void *memory = malloc(size);
  assert_non_null(memory);
  return memory;
}

static unsigned char *bytes_make(size_t size, unsigned seed) {
  unsigned char *bytes = memory_get(size);
  for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)((i + seed) * 2654435761u >> 13);
  return bytes;
}

static void all_are(const unsigned char *bytes, size_t count, unsigned char value) {
  for (size_t i = 0; i < count; i++) assert_int_equal(bytes[i], value);
}

/* ---------------------------------------------------------------- who did it */

typedef struct threads_t {
  size_t count;
  cl_device_thread_quern *list;
} threads_t;

static threads_t threads_look(void) {
  size_t size = 0;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_THREADS_QUERN, 0, NULL, &size));
  threads_t threads = {size / sizeof(cl_device_thread_quern), memory_get(size)};
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_THREADS_QUERN, size, threads.list, NULL));
  return threads;
}

static cl_ulong shares_of(threads_t threads) {
  cl_ulong shares = 0;
  for (size_t i = 0; i < threads.count; i++) shares += threads.list[i].shares;
  free(threads.list);
  return shares;
}

enum { PATIENCE_SECONDS = 20 };

/* Enqueues `transfer` until a thread has helped another one with it: more and more of them, as some are over before any
 * is awake. A machine that is busy with other things may have no processor for it: then one thread has done it all. */
static void is_shared(void (*transfer)(void *), void *argument) {
  if (!test_is_quern() || test_device_number(CL_DEVICE_MAX_COMPUTE_UNITS) < 2) {
    transfer(argument);
    ASSERT_CL(clFinish(dut.queue));
    return;
  }
  const cl_ulong before = shares_of(threads_look());
  const time_t end = time(NULL) + PATIENCE_SECONDS;
  for (unsigned count = 1; shares_of(threads_look()) == before; count = count < 1024 ? 2 * count : count) {
    if (time(NULL) > end) {
      print_message("no thread has helped in %d seconds\n", PATIENCE_SECONDS);
      return;
    }
    for (unsigned i = 0; i < count; i++) transfer(argument);
    ASSERT_CL(clFinish(dut.queue));
  }
}

/* ---------------------------------------------------------------- images */

/* A part of an image, in host memory with gaps behind rows and slices. */
typedef struct box_t {
  cl_mem image;
  size_t origin[3], region[3];
  size_t row_pitch, slice_pitch;
  /** `bytes` is what the host has, of `size`; the image itself is as `model` says, tightly packed. */
  unsigned char *bytes, *model;
  size_t size, height, depth;
  bool is_layered;
} box_t;

/* The rows of a one-dimensional array are its layers: they have the slice pitch. */
static size_t host_offset(const box_t *box, size_t y, size_t z) {
  return box->is_layered ? y * box->slice_pitch : z * box->slice_pitch + y * box->row_pitch;
}

static unsigned char *model_row(const box_t *box, size_t y, size_t z) {
  return box->model + ((box->origin[2] + z) * box->height + box->origin[1] + y) * ROW + box->origin[0] * PIXEL;
}

static box_t box_make(cl_mem_object_type type, size_t height, size_t depth) {
  cl_int error;
  box_t box = {.height = height, .depth = depth, .is_layered = type == CL_MEM_OBJECT_IMAGE1D_ARRAY};
  const cl_image_desc desc = test_image_desc(type, WIDTH, height, depth, box.is_layered ? height : depth);
  box.model = bytes_make(ROW * height * depth, 1);
  box.image = clCreateImage(dut.context, CL_MEM_COPY_HOST_PTR, &rgba8, &desc, box.model, &error);
  ASSERT_CL(error);
  const size_t origin[3] = {3, 1, depth > 1}, region[3] = {WIDTH - 5, height - 2, depth > 1 ? depth - 1 : 1};
  memcpy(box.origin, origin, sizeof(origin));
  memcpy(box.region, region, sizeof(region));
  box.row_pitch = ROW + PADDING;
  box.slice_pitch = box.is_layered ? box.row_pitch : box.row_pitch * (height + 1);
  if (depth == 1 && !box.is_layered) box.slice_pitch = 0;
  box.size = box.row_pitch * (height + 1) * depth;
  box.bytes = memory_get(box.size);
  return box;
}

static void box_free(box_t *box) {
  ASSERT_CL(clReleaseMemObject(box->image));
  free(box->bytes);
  free(box->model);
}

static void box_read(void *argument) {
  const box_t *box = argument;
  ASSERT_CL(clEnqueueReadImage(dut.queue, box->image, CL_FALSE, box->origin, box->region,
                               box->is_layered ? 0 : box->row_pitch, box->slice_pitch, box->bytes, 0, NULL, NULL));
}

static void box_is_read_right(const box_t *box) {
  const size_t bytes = box->region[0] * PIXEL;
  size_t end = 0;
  for (size_t z = 0; z < box->region[2]; z++)
    for (size_t y = 0; y < box->region[1]; y++) {
      const size_t begin = host_offset(box, y, z);
      all_are(box->bytes + end, begin - end, UNTOUCHED);
      assert_memory_equal(box->bytes + begin, model_row(box, y, z), bytes);
      end = begin + bytes;
    }
  all_are(box->bytes + end, box->size - end, UNTOUCHED);
}

/* What the whole image holds, beside what the box does. */
static void image_is_as_its_model(const box_t *box) {
  const size_t origin[3] = {0}, region[3] = {WIDTH, box->height, box->depth}, size = ROW * box->height * box->depth;
  unsigned char *bytes = memory_get(size);
  ASSERT_CL(clEnqueueReadImage(dut.queue, box->image, CL_TRUE, origin, region, 0, 0, bytes, 0, NULL, NULL));
  assert_memory_equal(bytes, box->model, size);
  free(bytes);
}

static void box_write(void *argument) {
  const box_t *box = argument;
  ASSERT_CL(clEnqueueWriteImage(dut.queue, box->image, CL_FALSE, box->origin, box->region,
                                box->is_layered ? 0 : box->row_pitch, box->slice_pitch, box->bytes, 0, NULL, NULL));
}

static void box_is_written(box_t *box) {
  for (size_t i = 0; i < box->size; i++) box->bytes[i] = (unsigned char)(i * 40503u >> 7);
  for (size_t z = 0; z < box->region[2]; z++)
    for (size_t y = 0; y < box->region[1]; y++)
      memcpy(model_row(box, y, z), box->bytes + host_offset(box, y, z), box->region[0] * PIXEL);
  is_shared(box_write, box);
  image_is_as_its_model(box);
}

static void box_fill(void *argument) {
  static const cl_uint color[4] = {11, 22, 33, 44};
  const box_t *box = argument;
  ASSERT_CL(clEnqueueFillImage(dut.queue, box->image, color, box->origin, box->region, 0, NULL, NULL));
}

static void box_is_filled(box_t *box) {
  static const unsigned char pixel[PIXEL] = {11, 22, 33, 44};
  for (size_t z = 0; z < box->region[2]; z++)
    for (size_t y = 0; y < box->region[1]; y++)
      for (size_t x = 0; x < box->region[0]; x++) memcpy(model_row(box, y, z) + x * PIXEL, pixel, PIXEL);
  is_shared(box_fill, box);
  image_is_as_its_model(box);
}

static void box_is_mapped(box_t *box) {
  cl_int error;
  size_t row_pitch = 0, slice_pitch = 0;
  unsigned char *mapped = clEnqueueMapImage(dut.queue, box->image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, box->origin,
                                            box->region, &row_pitch, &slice_pitch, 0, NULL, NULL, &error);
  ASSERT_CL(error);
  for (size_t z = 0; z < box->region[2]; z++)
    for (size_t y = 0; y < box->region[1]; y++) {
      unsigned char *row = mapped + (box->is_layered ? y * slice_pitch : z * slice_pitch + y * row_pitch);
      assert_memory_equal(row, model_row(box, y, z), box->region[0] * PIXEL);
      row[5] = model_row(box, y, z)[5] = (unsigned char)(y + z);
    }
  ASSERT_CL(clEnqueueUnmapMemObject(dut.queue, box->image, mapped, 0, NULL, NULL));
  image_is_as_its_model(box);
}

/* From one image to another, by way of a buffer, and back again. */
static void box_is_copied(const box_t *box) {
  enum { OFFSET = 44 };
  const size_t size = box->region[0] * box->region[1] * box->region[2] * PIXEL, bytes = box->region[0] * PIXEL;
  unsigned char *read = memory_get(size + OFFSET);
  cl_mem buffer = test_buffer(size + OFFSET, NULL);
  ASSERT_CL(clEnqueueCopyImageToBuffer(dut.queue, box->image, buffer, box->origin, box->region, OFFSET, 0, NULL, NULL));
  ASSERT_CL(clEnqueueReadBuffer(dut.queue, buffer, CL_TRUE, OFFSET, size, read, 0, NULL, NULL));
  for (size_t z = 0; z < box->region[2]; z++)
    for (size_t y = 0; y < box->region[1]; y++)
      assert_memory_equal(read + (z * box->region[1] + y) * bytes, model_row(box, y, z), bytes);
  ASSERT_CL(clEnqueueCopyBufferToImage(dut.queue, buffer, box->image, OFFSET, box->origin, box->region, 0, NULL, NULL));
  image_is_as_its_model(box);
  ASSERT_CL(clReleaseMemObject(buffer));
  free(read);
}

static void boxes_are_copied(cl_mem_object_type type, const box_t *box) {
  cl_int error;
  const size_t size = ROW * box->height * box->depth;
  const cl_image_desc desc =
      test_image_desc(type, WIDTH, box->height, box->depth, box->is_layered ? box->height : box->depth);
  box_t other = *box;
  other.model = bytes_make(size, 77);
  other.image = clCreateImage(dut.context, CL_MEM_COPY_HOST_PTR, &rgba8, &desc, other.model, &error);
  ASSERT_CL(error);
  for (size_t z = 0; z < box->region[2]; z++)
    for (size_t y = 0; y < box->region[1]; y++)
      memcpy(model_row(&other, y, z), model_row(box, y, z), box->region[0] * PIXEL);
  ASSERT_CL(
      clEnqueueCopyImage(dut.queue, box->image, other.image, box->origin, box->origin, box->region, 0, NULL, NULL));
  image_is_as_its_model(&other);
  ASSERT_CL(clReleaseMemObject(other.image));
  free(other.model);
}

static void images_of(cl_mem_object_type type, size_t height, size_t depth) {
  if (!test_device_number(CL_DEVICE_IMAGE_SUPPORT)) skip();
  box_t box = box_make(type, height, depth);
  memset(box.bytes, UNTOUCHED, box.size);
  is_shared(box_read, &box);
  box_is_read_right(&box);
  box_is_written(&box);
  box_is_filled(&box);
  box_is_mapped(&box);
  box_is_copied(&box);
  boxes_are_copied(type, &box);
  box_free(&box);
}

static void images_2d(void **state) {
  (void)state;
  images_of(CL_MEM_OBJECT_IMAGE2D, 1500, 1);
}

static void images_3d(void **state) {
  (void)state;
  images_of(CL_MEM_OBJECT_IMAGE3D, 60, 25);
}

static void arrays_of_images_1d(void **state) {
  (void)state;
  images_of(CL_MEM_OBJECT_IMAGE1D_ARRAY, 1500, 1);
}

static void arrays_of_images_2d(void **state) {
  (void)state;
  images_of(CL_MEM_OBJECT_IMAGE2D_ARRAY, 60, 25);
}

/* ---------------------------------------------------------------- maps that copy */

/* The buffer's memory is the host's, which begins where vectors do not: a map may have to copy. */
static void buffers_of_odd_host_memory_are_mapped(void **state) {
  enum { SIZE = 5000011, BEGIN = 1003, PART = SIZE - 2001 };
  (void)state;
  cl_int error;
  unsigned char *own = bytes_make(SIZE + 1, 3), *expected = bytes_make(SIZE + 1, 3);
  cl_mem buffer = clCreateBuffer(dut.context, CL_MEM_USE_HOST_PTR, SIZE, own + 1, &error);
  ASSERT_CL(error);
  unsigned char *mapped =
      clEnqueueMapBuffer(dut.queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, BEGIN, PART, 0, NULL, NULL, &error);
  ASSERT_CL(error);
  assert_ptr_equal(mapped, own + 1 + BEGIN);
  assert_memory_equal(mapped, expected + 1 + BEGIN, PART);
  memset(mapped, 9, PART);
  memset(expected + 1 + BEGIN, 9, PART);
  ASSERT_CL(clEnqueueUnmapMemObject(dut.queue, buffer, mapped, 0, NULL, NULL));
  unsigned char *read = memory_get(SIZE);
  ASSERT_CL(clEnqueueReadBuffer(dut.queue, buffer, CL_TRUE, 0, SIZE, read, 0, NULL, NULL));
  assert_memory_equal(read, expected + 1, SIZE);
  ASSERT_CL(clReleaseMemObject(buffer));
  free(read);
  free(expected);
  free(own);
}

/* ---------------------------------------------------------------- shared memory */

enum { BLOCK = 6 << 20, MARGIN = 129, INNER = BLOCK - 2 * MARGIN };

/* Blocks whose margins stay as they are, and what the middle of the second shall hold. */
typedef struct blocks_t {
  unsigned char *from, *to, *expected;
  size_t pattern;
} blocks_t;

static void blocks_prepare(blocks_t *blocks) {
  for (size_t i = 0; i < BLOCK; i++) blocks->from[i] = (unsigned char)(i * 2654435761u >> 11);
  memset(blocks->to, UNTOUCHED, BLOCK);
  blocks->expected = memory_get(BLOCK);
}

static void second_is_as_expected(const blocks_t *blocks) {
  all_are(blocks->to, MARGIN, UNTOUCHED);
  assert_memory_equal(blocks->to + MARGIN, blocks->expected, INNER);
  all_are(blocks->to + MARGIN + INNER, MARGIN, UNTOUCHED);
}

static void usm_copy(void *argument) {
  const blocks_t *blocks = argument;
  ASSERT_CL(usm.clEnqueueMemcpyINTEL(dut.queue, CL_FALSE, blocks->to + MARGIN, blocks->from + 7, INNER, 0, NULL, NULL));
}

static void usm_fill(void *argument) {
  const blocks_t *blocks = argument;
  ASSERT_CL(usm.clEnqueueMemFillINTEL(dut.queue, blocks->to + 2 * 128, blocks->from, blocks->pattern, BLOCK - 4 * 128,
                                      0, NULL, NULL));
}

static void svm_copy(void *argument) {
  const blocks_t *blocks = argument;
  ASSERT_CL(clEnqueueSVMMemcpy(dut.queue, CL_FALSE, blocks->to + MARGIN, blocks->from + 7, INNER, 0, NULL, NULL));
}

static void svm_fill(void *argument) {
  const blocks_t *blocks = argument;
  ASSERT_CL(clEnqueueSVMMemFill(dut.queue, blocks->to + 2 * 128, blocks->from, blocks->pattern, BLOCK - 4 * 128, 0,
                                NULL, NULL));
}

static void fills_of_all_patterns(blocks_t *blocks, void (*fill)(void *)) {
  for (blocks->pattern = 1; blocks->pattern <= 128; blocks->pattern *= 2) {
    memset(blocks->to, UNTOUCHED, BLOCK);
    is_shared(fill, blocks);
    all_are(blocks->to, 2 * 128, UNTOUCHED);
    for (size_t i = 2 * 128; i < BLOCK - 2 * 128; i += blocks->pattern)
      assert_memory_equal(blocks->to + i, blocks->from, blocks->pattern);
    all_are(blocks->to + BLOCK - 2 * 128, 2 * 128, UNTOUCHED);
  }
}

static void blocks_are_copied_and_filled(blocks_t *blocks, void (*copy)(void *), void (*fill)(void *)) {
  blocks_prepare(blocks);
  memcpy(blocks->expected, blocks->from + 7, INNER);
  is_shared(copy, blocks);
  second_is_as_expected(blocks);
  fills_of_all_patterns(blocks, fill);
  free(blocks->expected);
}

static void unified_shared_memory(void **state) {
  (void)state;
  cl_int errors[2];
  if (!test_has_extension("cl_intel_unified_shared_memory") || !usm_load()) skip();
  blocks_t blocks = {.from = usm.clSharedMemAllocINTEL(dut.context, dut.device, NULL, BLOCK, 0, &errors[0]),
                     .to = usm.clSharedMemAllocINTEL(dut.context, dut.device, NULL, BLOCK, 0, &errors[1])};
  ASSERT_CL(errors[0]);
  ASSERT_CL(errors[1]);
  blocks_are_copied_and_filled(&blocks, usm_copy, usm_fill);
  ASSERT_CL(usm.clMemBlockingFreeINTEL(dut.context, blocks.from));
  ASSERT_CL(usm.clMemBlockingFreeINTEL(dut.context, blocks.to));
}

static void shared_virtual_memory(void **state) {
  (void)state;
  if (!(test_device_number(CL_DEVICE_SVM_CAPABILITIES) & CL_DEVICE_SVM_FINE_GRAIN_BUFFER)) skip();
  const cl_svm_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER;
  blocks_t blocks = {.from = clSVMAlloc(dut.context, flags, BLOCK, 0), .to = clSVMAlloc(dut.context, flags, BLOCK, 0)};
  assert_true(blocks.from && blocks.to);
  blocks_are_copied_and_filled(&blocks, svm_copy, svm_fill);
  clSVMFree(dut.context, blocks.from);
  clSVMFree(dut.context, blocks.to);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(images_2d),
      cmocka_unit_test(images_3d),
      cmocka_unit_test(arrays_of_images_1d),
      cmocka_unit_test(arrays_of_images_2d),
      cmocka_unit_test(buffers_of_odd_host_memory_are_mapped),
      cmocka_unit_test(unified_shared_memory),
      cmocka_unit_test(shared_virtual_memory),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
