/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCreateMipmappedImage, and commands on levels. */
#include "support.h"
#define NEEDS_LEVELS TEST_NEEDS(test.info->mipmapped_images, "a device with mipmapped images")

static mux_result_t create(mux_image_type_e type, uint32_t width, uint32_t height, uint32_t depth, uint32_t layers,
                           uint32_t level_count, mux_image_t *out_image) {
  return muxCreateMipmappedImage(test.device, type, test_image_format(), width, height, depth, layers, level_count,
                                 test.allocator, out_image);
}

TEST(levels_are_halves_beside_each_other) {
  NEEDS_LEVELS;
  mux_image_t image = NULL;
  ASSERT_SUCCESS(create(mux_image_type_2d, 13, 6, 1, 3, 4, &image));
  const size_t widths[] = {13, 6, 3, 1}, heights[] = {6, 3, 1, 1};
  uint64_t end = 0;
  assert_int_equal(image->level_count, 4);
  assert_ptr_equal(image->levels[0], image);
  assert_null(image->whole);
  for (uint32_t i = 0; i < 4; i++) {
    const mux_image_t level = image->levels[i];
    assert_true(level->size.x == widths[i] && level->size.y == heights[i] && level->size.z == 1);
    assert_int_equal(level->array_layers, 3);
    assert_int_equal(level->format, image->format);
    assert_int_equal(level->row_pitch, widths[i] * level->pixel_size);
    assert_true(level->level_offset >= end);
    end = level->level_offset + 3 * level->slice_pitch;
    if (i) assert_ptr_equal(level->whole, image);
  }
  assert_true(image->memory_requirements.size >= end);
  muxDestroyImage(test.device, image, test.allocator);
}

TEST(one_level_is_a_plain_image) {
  NEEDS_LEVELS;
  mux_image_t image = NULL;
  ASSERT_SUCCESS(create(mux_image_type_3d, 4, 4, 4, 0, 1, &image));
  assert_int_equal(image->level_count, 1);
  assert_null(image->levels);
  muxDestroyImage(test.device, image, test.allocator);
}

/* A level goes with its image: it is neither bound nor destroyed by itself. */
TEST(levels_are_bound_with_their_image) {
  NEEDS_LEVELS;
  mux_image_t image = NULL;
  ASSERT_SUCCESS(create(mux_image_type_1d, 4, 1, 1, 0, 2, &image));
  const mux_memory_requirements_s needs = image->memory_requirements;
  mux_memory_t memory = test_memory_create(needs.size);
  ASSERT_INVALID(muxBindImageMemory(test.device, memory, image->levels[1], 0));
  ASSERT_SUCCESS(muxBindImageMemory(test.device, memory, image, 0));
  ASSERT_INVALID(muxBindImageMemory(test.device, memory, image, 0));
  muxDestroyImage(test.device, image->levels[1], test.allocator);

  const uint32_t size = image->pixel_size;
  unsigned char first[64], second[32], out[64];
  memset(first, 1, sizeof first);
  memset(second, 2, sizeof second);
  const mux_offset_3d_t origin = {0, 0, 0};
  const mux_extent_3d_t four = {4, 1, 1}, two = {2, 1, 1};
  mux_command_buffer_t commands = test_command_buffer_create();
  ASSERT_INVALID(muxCommandWriteImage(commands, image->levels[1], origin, four, 0, 0, first, NO_SYNC));
  ASSERT_SUCCESS(muxCommandWriteImage(commands, image, origin, four, 0, 0, first, NO_SYNC));
  ASSERT_SUCCESS(muxCommandWriteImage(commands, image->levels[1], origin, two, 0, 0, second, NO_SYNC));
  ASSERT_SUCCESS(muxCommandReadImage(commands, image, origin, four, 0, 0, out, NO_SYNC));
  ASSERT_SUCCESS(test_command_buffer_run(commands));
  assert_memory_equal(out, first, 4 * size);
  test_command_buffer_destroy(commands);
  muxDestroyImage(test.device, image, test.allocator);
  test_memory_destroy(memory);
}

TEST(refuses_bad_arguments) {
  mux_image_t image = NULL;
  ASSERT_UNSUPPORTED_WITH(mipmapped_images, false, create(mux_image_type_2d, 4, 4, 1, 0, 2, &image));
  NEEDS_LEVELS;
  ASSERT_INVALID(create(mux_image_type_2d, 4, 4, 1, 0, 0, &image));
  ASSERT_INVALID(create(mux_image_type_2d, 4, 4, 1, 0, 4, &image));
  ASSERT_INVALID(create(mux_image_type_1d, 4, 1, 1, 100, 4, &image));
  ASSERT_INVALID(create(mux_image_type_2d, 4, 4, 1, 0, 33, &image));
  ASSERT_INVALID(create(mux_image_type_2d, 4, 0, 1, 0, 2, &image));
  const mux_image_format_e format = test_image_format();
  ASSERT_REFUSES_BAD(mux_device_t, device,
                     muxCreateMipmappedImage(bad, mux_image_type_1d, format, 4, 1, 1, 0, 2, test.allocator, &image));
  ASSERT_NULL_OUTPUT(create(mux_image_type_1d, 4, 1, 1, 0, 2, NULL));
  ASSERT_REFUSES_CALLBACKS(
      muxCreateMipmappedImage(test.device, mux_image_type_1d, format, 4, 1, 1, 0, 2, allocator, &image));
  ASSERT_SURVIVES_NO_MEMORY(create(mux_image_type_1d, 4, 1, 1, 0, 2, &image));
  muxDestroyImage(test.device, image, test.allocator);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(levels_are_halves_beside_each_other),
    cmocka_unit_test(one_level_is_a_plain_image),
    cmocka_unit_test(levels_are_bound_with_their_image),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
