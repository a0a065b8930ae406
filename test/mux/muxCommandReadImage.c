/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCommandReadImage and muxCommandWriteImage. */
#include "support.h"
#define NEEDS_IMAGES TEST_NEEDS(test.info->image_support, "a device with images")

static const struct {
  mux_image_type_e type;
  mux_extent_3d_t size;
  uint32_t layers;
  mux_extent_3d_t bounds;
} shapes[] = {{mux_image_type_1d, {9, 1, 1}, 0, {9, 1, 1}},
              {mux_image_type_1d, {9, 1, 1}, 4, {9, 4, 1}},
              {mux_image_type_2d, {5, 4, 1}, 0, {5, 4, 1}},
              {mux_image_type_2d, {5, 4, 1}, 3, {5, 4, 3}},
              {mux_image_type_3d, {5, 4, 3}, 0, {5, 4, 3}}};
enum { shape_count = sizeof(shapes) / sizeof(shapes[0]), max_bytes = 5 * 4 * 3 * 16 };
static const mux_offset_3d_t origin = {0, 0, 0};

TEST(gives_back_what_was_written) {
  NEEDS_IMAGES;
  for (size_t i = 0; i < shape_count; i++) {
    test_image_t image = test_image_create(shapes[i].type, shapes[i].size, shapes[i].layers);
    mux_command_buffer_t command_buffer = test_command_buffer_create();
    const mux_extent_3d_t box = shapes[i].bounds;
    const size_t bytes = box.x * box.y * box.z * image.image->pixel_size;
    uint8_t in[max_bytes], out[max_bytes] = {0};
    for (size_t j = 0; j < bytes; j++) in[j] = (uint8_t)(j * 7 + 1);
    ASSERT_SUCCESS(muxCommandWriteImage(command_buffer, image.image, origin, box, 0, 0, in, NO_SYNC));
    ASSERT_SUCCESS(muxCommandReadImage(command_buffer, image.image, origin, box, 0, 0, out, NO_SYNC));
    ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
    assert_memory_equal(out, in, bytes);

    /* One pixel in the far corner. */
    const mux_offset_3d_t corner = {box.x - 1, box.y - 1, box.z - 1};
    const mux_extent_3d_t pixel = {1, 1, 1};
    memset(out, 0, sizeof(out));
    ASSERT_SUCCESS(muxResetCommandBuffer(command_buffer));
    ASSERT_SUCCESS(muxCommandReadImage(command_buffer, image.image, corner, pixel, 0, 0, out, NO_SYNC));
    ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
    assert_memory_equal(out, in + bytes - image.image->pixel_size, image.image->pixel_size);
    test_command_buffer_destroy(command_buffer);
    test_image_destroy(&image);
  }
}

TEST(uses_the_pitches_of_the_host) {
  NEEDS_IMAGES;
  test_image_t image = test_image_create(mux_image_type_3d, (mux_extent_3d_t){2, 2, 2}, 0);
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  const size_t pixel = image.image->pixel_size, row = 3 * pixel, slice = 7 * pixel;
  const mux_extent_3d_t box = {2, 2, 2};
  uint8_t in[14 * 16], out[14 * 16] = {0};
  for (size_t i = 0; i < sizeof(in); i++) in[i] = (uint8_t)(i + 1);
  ASSERT_SUCCESS(muxCommandWriteImage(command_buffer, image.image, origin, box, row, slice, in, NO_SYNC));
  ASSERT_SUCCESS(muxCommandReadImage(command_buffer, image.image, origin, box, row, slice, out, NO_SYNC));
  ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
  for (size_t i = 0; i < 14 * pixel; i++) {
    const bool inside = i % slice % row < 2 * pixel && i % slice / row < 2;
    assert_int_equal(out[i], inside ? in[i] : 0);
  }
  test_command_buffer_destroy(command_buffer);
  test_image_destroy(&image);
}

typedef struct bad_box_t {
  mux_offset_3d_t offset;
  mux_extent_3d_t extent;
  uint64_t row, slice;
} bad_box_t;

TEST(refuses_bad_boxes_and_pitches) {
  NEEDS_IMAGES;
  static const bad_box_t bad[] = {
      {{0, 0, 0}, {0, 1, 1}, 0, 0}, {{0, 0, 0}, {1, 0, 1}, 0, 0},        {{0, 0, 0}, {1, 1, 0}, 0, 0},
      {{0, 0, 0}, {5, 1, 1}, 0, 0}, {{0, 0, 0}, {1, 5, 1}, 0, 0},        {{0, 0, 0}, {1, 1, 2}, 0, 0},
      {{4, 0, 0}, {1, 1, 1}, 0, 0}, {{0, SIZE_MAX, 0}, {1, 2, 1}, 0, 0}, {{0, 0, 1}, {1, 1, 1}, 0, 0},
      {{0, 0, 0}, {4, 4, 1}, 3, 0}, {{0, 0, 0}, {4, 4, 1}, 64, 255},     {{0, 0, 0}, {4, 4, 1}, UINT64_MAX, 0},
  };
  test_image_t image = test_image_create(mux_image_type_2d, (mux_extent_3d_t){4, 4, 1}, 0);
  mux_command_buffer_t recording = test_command_buffer_create();
  uint8_t data[4 * 64] = {0};
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    const bad_box_t box = bad[i];
    ASSERT_INVALID(
        muxCommandReadImage(recording, image.image, box.offset, box.extent, box.row, box.slice, data, NO_SYNC));
    ASSERT_INVALID(
        muxCommandWriteImage(recording, image.image, box.offset, box.extent, box.row, box.slice, data, NO_SYNC));
  }
  test_command_buffer_destroy(recording);
  test_image_destroy(&image);
}

TEST(refuses_bad_arguments) {
  NEEDS_IMAGES;
  test_image_t image = test_image_create(mux_image_type_1d, (mux_extent_3d_t){4, 1, 1}, 0);
  mux_command_buffer_t to = test_command_buffer_create(), from = test_command_buffer_create();
  const mux_image_t good = image.image;
  const mux_extent_3d_t box = {4, 1, 1};
  uint8_t data[64] = {0};
  ASSERT_CHECKS_COMMAND_BUFFER(muxCommandReadImage(command_buffer, good, origin, box, 0, 0, data, NO_SYNC));
  ASSERT_CHECKS_COMMAND_BUFFER(muxCommandWriteImage(command_buffer, good, origin, box, 0, 0, data, NO_SYNC));
  ASSERT_REFUSES_BAD(mux_image_t, image, muxCommandReadImage(to, bad, origin, box, 0, 0, data, NO_SYNC));
  ASSERT_REFUSES_BAD(mux_image_t, image, muxCommandWriteImage(from, bad, origin, box, 0, 0, data, NO_SYNC));
  ASSERT_INVALID(muxCommandReadImage(to, good, origin, box, 0, 0, NULL, NO_SYNC));
  ASSERT_INVALID(muxCommandWriteImage(from, good, origin, box, 0, 0, NULL, NO_SYNC));
  ASSERT_UNSUPPORTED_WITH(image_support, false, muxCommandReadImage(to, good, origin, box, 0, 0, data, NO_SYNC));
  ASSERT_UNSUPPORTED_WITH(image_support, false, muxCommandWriteImage(from, good, origin, box, 0, 0, data, NO_SYNC));
  ASSERT_CHECKS_SYNC(to, muxCommandReadImage(to, good, origin, box, 0, 0, data, CHECKED_SYNC));
  ASSERT_CHECKS_SYNC(from, muxCommandWriteImage(from, good, origin, box, 0, 0, data, CHECKED_SYNC));
  ASSERT_RECORDS_WITHOUT_MEMORY(muxCommandReadImage(to, good, origin, box, 0, 0, data, NO_SYNC));
  ASSERT_RECORDS_WITHOUT_MEMORY(muxCommandWriteImage(from, good, origin, box, 0, 0, data, NO_SYNC));
  test_command_buffer_destroy(from);
  test_command_buffer_destroy(to);
  test_image_destroy(&image);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(gives_back_what_was_written),
    cmocka_unit_test(uses_the_pitches_of_the_host),
    cmocka_unit_test(refuses_bad_boxes_and_pitches),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
