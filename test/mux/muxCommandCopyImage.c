/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Filling images, copying them, and copying them to and from buffers. */
#include "support.h"
#define NEEDS_IMAGES TEST_NEEDS(test.info->image_support, "a device with images")

enum { side = 4, pixels = side * side, max_pixel = 16 };
static const mux_offset_3d_t origin = {0, 0, 0};
static const mux_extent_3d_t whole = {side, side, 1};

typedef struct image_test_t {
  test_image_t a, b;
  test_buffer_t buffer;
  mux_command_buffer_t command_buffer;
  size_t pixel;
} image_test_t;

/* Pixel i of `a` and of the buffer has the value i in all bytes; those of `b` are 0xff. */
static void create_images(image_test_t *it) {
  uint8_t ones[pixels * max_pixel];
  memset(ones, 0xff, sizeof(ones));
  it->a = test_image_create(mux_image_type_2d, whole, 0);
  it->b = test_image_create(mux_image_type_2d, whole, 0);
  it->pixel = it->a.image->pixel_size;
  it->buffer = test_buffer_create(pixels * it->pixel);
  it->command_buffer = test_command_buffer_create();
  for (size_t i = 0; i < pixels * it->pixel; i++) it->buffer.bytes[i] = (uint8_t)(i / it->pixel);
  ASSERT_SUCCESS(muxCommandWriteImage(it->command_buffer, it->a.image, origin, whole, 0, 0, it->buffer.bytes, NO_SYNC));
  ASSERT_SUCCESS(muxCommandWriteImage(it->command_buffer, it->b.image, origin, whole, 0, 0, ones, NO_SYNC));
  ASSERT_SUCCESS(test_command_buffer_run(it->command_buffer));
  ASSERT_SUCCESS(muxResetCommandBuffer(it->command_buffer));
}

static void destroy_images(image_test_t *it) {
  test_command_buffer_destroy(it->command_buffer);
  test_buffer_destroy(&it->buffer);
  test_image_destroy(&it->b);
  test_image_destroy(&it->a);
}

/* Runs what is recorded, then compares one byte of each pixel. */
static void check_image(image_test_t *it, mux_image_t image, const uint8_t expected[pixels]) {
  uint8_t out[pixels * max_pixel] = {0};
  ASSERT_SUCCESS(muxCommandReadImage(it->command_buffer, image, origin, whole, 0, 0, out, NO_SYNC));
  ASSERT_SUCCESS(test_command_buffer_run(it->command_buffer));
  for (size_t i = 0; i < pixels * it->pixel; i++) assert_int_equal(out[i], expected[i / it->pixel]);
}

TEST(fills_a_box) {
  NEEDS_IMAGES;
  static const uint8_t expected[pixels] = {0, 1, 2, 3, 4, 99, 99, 7, 8, 99, 99, 11, 12, 13, 14, 15};
  image_test_t it;
  uint8_t color[max_pixel];
  create_images(&it);
  memset(color, 99, sizeof(color));
  ASSERT_SUCCESS(muxCommandFillImage(it.command_buffer, it.a.image, color, (uint32_t)it.pixel,
                                     (mux_offset_3d_t){1, 1, 0}, (mux_extent_3d_t){2, 2, 1}, NO_SYNC));
  memset(color, 0, sizeof(color)); /* It was copied. */
  check_image(&it, it.a.image, expected);
  destroy_images(&it);
}

TEST(copies_a_box) {
  NEEDS_IMAGES;
  static const uint8_t expected[pixels] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 2, 255, 255, 5, 6};
  image_test_t it;
  create_images(&it);
  ASSERT_SUCCESS(muxCommandCopyImage(it.command_buffer, it.a.image, it.b.image, (mux_offset_3d_t){1, 0, 0},
                                     (mux_offset_3d_t){2, 2, 0}, (mux_extent_3d_t){2, 2, 1}, NO_SYNC));
  check_image(&it, it.b.image, expected);
  destroy_images(&it);
}

TEST(copies_inside_an_image_what_does_not_overlap) {
  NEEDS_IMAGES;
  static const uint8_t expected[pixels] = {0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15};
  image_test_t it;
  create_images(&it);
  const mux_extent_3d_t box = {2, 2, 1};
  ASSERT_INVALID(muxCommandCopyImage(it.command_buffer, it.a.image, it.a.image, origin, origin, box, NO_SYNC));
  ASSERT_INVALID(
      muxCommandCopyImage(it.command_buffer, it.a.image, it.a.image, origin, (mux_offset_3d_t){1, 1, 0}, box, NO_SYNC));
  ASSERT_SUCCESS(
      muxCommandCopyImage(it.command_buffer, it.a.image, it.a.image, origin, (mux_offset_3d_t){2, 0, 0}, box, NO_SYNC));
  check_image(&it, it.a.image, expected);
  destroy_images(&it);
}

TEST(copies_to_and_from_a_buffer) {
  NEEDS_IMAGES;
  static const uint8_t expected[pixels] = {255, 255, 255, 255, 255, 255, 2, 3, 255, 255, 6, 7, 255, 255, 255, 255};
  image_test_t it;
  create_images(&it);
  const mux_extent_3d_t box = {2, 2, 1};
  const mux_offset_3d_t from = {2, 0, 0}, to = {2, 1, 0};
  ASSERT_SUCCESS(
      muxCommandCopyImageToBuffer(it.command_buffer, it.a.image, it.buffer.buffer, from, 5 * it.pixel, box, NO_SYNC));
  ASSERT_SUCCESS(
      muxCommandCopyBufferToImage(it.command_buffer, it.buffer.buffer, it.b.image, 5 * it.pixel, to, box, NO_SYNC));
  check_image(&it, it.b.image, expected);
  static const uint8_t packed[4] = {2, 3, 6, 7};
  for (size_t i = 0; i < pixels; i++)
    assert_int_equal(it.buffer.bytes[i * it.pixel], i >= 5 && i < 9 ? packed[i - 5] : i);
  destroy_images(&it);
}

TEST(refuses_bad_boxes) {
  NEEDS_IMAGES;
  static const struct {
    mux_offset_3d_t offset;
    mux_extent_3d_t extent;
  } bad[] = {{{0, 0, 0}, {0, 1, 1}}, {{0, 0, 0}, {1, 0, 1}}, {{0, 0, 0}, {1, 1, 0}},       {{1, 0, 0}, {4, 1, 1}},
             {{0, 1, 0}, {1, 4, 1}}, {{0, 0, 1}, {1, 1, 1}}, {{SIZE_MAX, 0, 0}, {2, 1, 1}}};
  image_test_t it;
  create_images(&it);
  const mux_command_buffer_t recording = it.command_buffer;
  const mux_image_t a = it.a.image, b = it.b.image;
  const uint8_t color[max_pixel] = {0};
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    const mux_offset_3d_t at = bad[i].offset;
    const mux_extent_3d_t box = bad[i].extent;
    ASSERT_INVALID(muxCommandFillImage(recording, a, color, (uint32_t)it.pixel, at, box, NO_SYNC));
    ASSERT_INVALID(muxCommandCopyImage(recording, a, b, at, origin, box, NO_SYNC));
    ASSERT_INVALID(muxCommandCopyImage(recording, a, b, origin, at, box, NO_SYNC));
    ASSERT_INVALID(muxCommandCopyImageToBuffer(recording, a, it.buffer.buffer, at, 0, box, NO_SYNC));
    ASSERT_INVALID(muxCommandCopyBufferToImage(recording, it.buffer.buffer, a, 0, at, box, NO_SYNC));
  }
  ASSERT_INVALID(muxCommandCopyImageToBuffer(recording, a, it.buffer.buffer, origin, 1, whole, NO_SYNC));
  ASSERT_INVALID(muxCommandCopyBufferToImage(recording, it.buffer.buffer, a, 1, origin, whole, NO_SYNC));
  ASSERT_INVALID(muxCommandCopyImageToBuffer(recording, a, it.buffer.buffer, origin, UINT64_MAX, whole, NO_SYNC));
  destroy_images(&it);
}

TEST(refuses_other_formats_and_colors) {
  NEEDS_IMAGES;
  image_test_t it;
  mux_image_format_e formats[2] = {0};
  mux_image_t other = NULL;
  const uint8_t color[32] = {0};
  const mux_image_format_e first = test_image_format();
  create_images(&it);
  ASSERT_INVALID(muxCommandFillImage(it.command_buffer, it.a.image, NULL, (uint32_t)it.pixel, origin, whole, NO_SYNC));
  ASSERT_INVALID(muxCommandFillImage(it.command_buffer, it.a.image, color, 0, origin, whole, NO_SYNC));
  ASSERT_INVALID(
      muxCommandFillImage(it.command_buffer, it.a.image, color, (uint32_t)it.pixel + 1, origin, whole, NO_SYNC));
  ASSERT_SUCCESS(
      muxGetSupportedImageFormats(test.device, mux_image_type_2d, mux_allocation_type_alloc_device, 2, formats, NULL));
  if (formats[1] && formats[1] != first) {
    ASSERT_SUCCESS(
        muxCreateImage(test.device, mux_image_type_2d, formats[1], side, side, 1, 0, 0, 0, test.allocator, &other));
    ASSERT_INVALID(muxCommandCopyImage(it.command_buffer, it.a.image, other, origin, origin, whole, NO_SYNC));
    muxDestroyImage(test.device, other, test.allocator);
  }
  destroy_images(&it);
}

TEST(refuses_bad_arguments) {
  NEEDS_IMAGES;
  image_test_t it;
  create_images(&it);
  const mux_command_buffer_t recording = it.command_buffer;
  const mux_image_t a = it.a.image, b = it.b.image;
  const mux_buffer_t buffer = it.buffer.buffer;
  const uint32_t size = (uint32_t)it.pixel;
  const uint8_t color[max_pixel] = {0};
  ASSERT_CHECKS_COMMAND_BUFFER(muxCommandFillImage(command_buffer, a, color, size, origin, whole, NO_SYNC));
  ASSERT_CHECKS_COMMAND_BUFFER(muxCommandCopyImage(command_buffer, a, b, origin, origin, whole, NO_SYNC));
  ASSERT_CHECKS_COMMAND_BUFFER(muxCommandCopyImageToBuffer(command_buffer, a, buffer, origin, 0, whole, NO_SYNC));
  ASSERT_CHECKS_COMMAND_BUFFER(muxCommandCopyBufferToImage(command_buffer, buffer, a, 0, origin, whole, NO_SYNC));
  ASSERT_REFUSES_BAD(mux_image_t, image, muxCommandFillImage(recording, bad, color, size, origin, whole, NO_SYNC));
  ASSERT_REFUSES_BAD(mux_image_t, image, muxCommandCopyImage(recording, bad, b, origin, origin, whole, NO_SYNC));
  ASSERT_REFUSES_BAD(mux_image_t, image, muxCommandCopyImage(recording, a, bad, origin, origin, whole, NO_SYNC));
  ASSERT_REFUSES_BAD(mux_image_t, image,
                     muxCommandCopyImageToBuffer(recording, bad, buffer, origin, 0, whole, NO_SYNC));
  ASSERT_REFUSES_BAD(mux_buffer_t, buffer, muxCommandCopyImageToBuffer(recording, a, bad, origin, 0, whole, NO_SYNC));
  ASSERT_REFUSES_BAD(mux_image_t, image,
                     muxCommandCopyBufferToImage(recording, buffer, bad, 0, origin, whole, NO_SYNC));
  ASSERT_REFUSES_BAD(mux_buffer_t, buffer, muxCommandCopyBufferToImage(recording, bad, a, 0, origin, whole, NO_SYNC));
  ASSERT_CHECKS_SYNC(recording, muxCommandFillImage(recording, a, color, size, origin, whole, CHECKED_SYNC));
  ASSERT_CHECKS_SYNC(recording, muxCommandCopyImage(recording, a, b, origin, origin, whole, CHECKED_SYNC));
  ASSERT_CHECKS_SYNC(recording, muxCommandCopyImageToBuffer(recording, a, buffer, origin, 0, whole, CHECKED_SYNC));
  ASSERT_CHECKS_SYNC(recording, muxCommandCopyBufferToImage(recording, buffer, a, 0, origin, whole, CHECKED_SYNC));
  destroy_images(&it);
}

TEST(needs_memory_and_images) {
  NEEDS_IMAGES;
  image_test_t it;
  create_images(&it);
  const mux_command_buffer_t recording = it.command_buffer;
  const mux_image_t a = it.a.image, b = it.b.image;
  const mux_buffer_t buffer = it.buffer.buffer;
  const uint32_t size = (uint32_t)it.pixel;
  const uint8_t color[max_pixel] = {0};
  ASSERT_UNSUPPORTED_WITH(image_support, false, muxCommandFillImage(recording, a, color, size, origin, whole, NO_SYNC));
  ASSERT_UNSUPPORTED_WITH(image_support, false, muxCommandCopyImage(recording, a, b, origin, origin, whole, NO_SYNC));
  ASSERT_UNSUPPORTED_WITH(image_support, false,
                          muxCommandCopyImageToBuffer(recording, a, buffer, origin, 0, whole, NO_SYNC));
  ASSERT_UNSUPPORTED_WITH(image_support, false,
                          muxCommandCopyBufferToImage(recording, buffer, a, 0, origin, whole, NO_SYNC));
  ASSERT_RECORDS_WITHOUT_MEMORY(muxCommandFillImage(recording, a, color, size, origin, whole, NO_SYNC));
  ASSERT_RECORDS_WITHOUT_MEMORY(muxCommandCopyImage(recording, a, b, origin, origin, whole, NO_SYNC));
  ASSERT_RECORDS_WITHOUT_MEMORY(muxCommandCopyImageToBuffer(recording, a, buffer, origin, 0, whole, NO_SYNC));
  ASSERT_RECORDS_WITHOUT_MEMORY(muxCommandCopyBufferToImage(recording, buffer, a, 0, origin, whole, NO_SYNC));
  destroy_images(&it);
}

TEST(refuses_an_image_that_is_not_bound) {
  NEEDS_IMAGES;
  mux_image_t image = NULL;
  mux_command_buffer_t recording = test_command_buffer_create();
  test_buffer_t buffer = test_buffer_create(pixels * max_pixel);
  const uint8_t color[max_pixel] = {0};
  ASSERT_SUCCESS(muxCreateImage(test.device, mux_image_type_2d, test_image_format(), side, side, 1, 0, 0, 0,
                                test.allocator, &image));
  ASSERT_INVALID(muxCommandFillImage(recording, image, color, image->pixel_size, origin, whole, NO_SYNC));
  ASSERT_INVALID(muxCommandCopyImageToBuffer(recording, image, buffer.buffer, origin, 0, whole, NO_SYNC));
  ASSERT_INVALID(muxCommandCopyBufferToImage(recording, buffer.buffer, image, 0, origin, whole, NO_SYNC));
  test_buffer_destroy(&buffer);
  test_command_buffer_destroy(recording);
  muxDestroyImage(test.device, image, test.allocator);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(fills_a_box),
    cmocka_unit_test(copies_a_box),
    cmocka_unit_test(copies_inside_an_image_what_does_not_overlap),
    cmocka_unit_test(copies_to_and_from_a_buffer),
    cmocka_unit_test(refuses_bad_boxes),
    cmocka_unit_test(refuses_other_formats_and_colors),
    cmocka_unit_test(refuses_bad_arguments),
    cmocka_unit_test(needs_memory_and_images),
    cmocka_unit_test(refuses_an_image_that_is_not_bound),
};

TEST_MAIN(tests)
