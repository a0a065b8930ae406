/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCreateImage, muxDestroyImage and muxBindImageMemory. */
#include "support.h"
#define NEEDS_IMAGES TEST_NEEDS(test.info->image_support, "a device with images")

static mux_result_t create(mux_image_type_e type, uint32_t width, uint32_t height, uint32_t depth, uint32_t layers,
                           mux_image_t *out_image) {
  return muxCreateImage(test.device, type, test_image_format(), width, height, depth, layers, 0, 0, test.allocator,
                        out_image);
}

TEST(describes_itself) {
  NEEDS_IMAGES;
  mux_image_t image = NULL;
  ASSERT_SUCCESS(create(mux_image_type_2d, 5, 7, 1, 3, &image));
  assert_int_equal(image->type, mux_image_type_2d);
  assert_int_equal(image->format, test_image_format());
  assert_int_equal(image->array_layers, 3);
  assert_true(image->size.x == 5 && image->size.y == 7 && image->size.z == 1);
  assert_in_range(image->pixel_size, 1, 16);
  assert_true(image->row_pitch >= 5 * image->pixel_size && image->slice_pitch >= 7 * image->row_pitch);
  assert_true(image->memory_requirements.size >= 5 * 7 * 3 * image->pixel_size);
  muxDestroyImage(test.device, image, test.allocator);
}

TEST(has_the_pitches_asked_for) {
  NEEDS_IMAGES;
  mux_image_t image = NULL;
  const mux_image_format_e format = test_image_format();
  ASSERT_SUCCESS(muxCreateImage(test.device, mux_image_type_3d, format, 4, 4, 2, 0, 256, 2048, test.allocator, &image));
  assert_true(image->row_pitch == 256 && image->slice_pitch == 2048);
  muxDestroyImage(test.device, image, test.allocator);
  ASSERT_INVALID(muxCreateImage(test.device, mux_image_type_3d, format, 4, 4, 2, 0, 3, 0, test.allocator, &image));
  ASSERT_INVALID(muxCreateImage(test.device, mux_image_type_3d, format, 4, 4, 2, 0, 256, 512, test.allocator, &image));
  ASSERT_INVALID(muxCreateImage(test.device, mux_image_type_3d, format, 4, 4, 2, 0, 0, 512, test.allocator, &image));
  ASSERT_INVALID(
      muxCreateImage(test.device, mux_image_type_3d, format, 4, 4, 2, 0, UINT64_MAX, 0, test.allocator, &image));
}

TEST(refuses_bad_dimensions) {
  NEEDS_IMAGES;
  mux_image_t image;
  const uint32_t limit_1d = test.info->max_image_dimension_1d, limit_2d = test.info->max_image_dimension_2d;
  const uint32_t limit_3d = test.info->max_image_dimension_3d, limit_layers = test.info->max_image_array_layers;
  ASSERT_INVALID(create(0, 4, 4, 4, 0, &image));
  ASSERT_INVALID(create(4, 4, 4, 4, 0, &image));
  ASSERT_INVALID(create(mux_image_type_1d, 0, 1, 1, 0, &image));
  ASSERT_INVALID(create(mux_image_type_1d, 4, 0, 1, 0, &image));
  ASSERT_INVALID(create(mux_image_type_1d, 4, 2, 1, 0, &image));
  ASSERT_INVALID(create(mux_image_type_1d, limit_1d + 1, 1, 1, 0, &image));
  ASSERT_INVALID(create(mux_image_type_1d, 4, 1, 1, limit_layers + 1, &image));
  ASSERT_INVALID(create(mux_image_type_2d, 4, 0, 1, 0, &image));
  ASSERT_INVALID(create(mux_image_type_2d, 4, 4, 2, 0, &image));
  ASSERT_INVALID(create(mux_image_type_2d, 4, limit_2d + 1, 1, 0, &image));
  ASSERT_INVALID(create(mux_image_type_3d, 4, 4, 0, 0, &image));
  ASSERT_INVALID(create(mux_image_type_3d, 4, 4, limit_3d + 1, 0, &image));
  ASSERT_INVALID(create(mux_image_type_3d, 4, 4, 4, 2, &image));
}

TEST(is_bound_once_and_where_it_fits) {
  NEEDS_IMAGES;
  mux_image_t image = NULL;
  ASSERT_SUCCESS(create(mux_image_type_2d, 4, 4, 1, 0, &image));
  const mux_memory_requirements_s needs = image->memory_requirements;
  mux_memory_t small = test_memory_create(needs.size - 1), memory = test_memory_create(needs.size + needs.alignment);
  ASSERT_INVALID(muxBindImageMemory(test.device, small, image, 0));
  if (needs.alignment > 1) ASSERT_INVALID(muxBindImageMemory(test.device, memory, image, needs.alignment / 2));
  ASSERT_REFUSES_BAD(mux_device_t, device, muxBindImageMemory(bad, memory, image, 0));
  ASSERT_REFUSES_BAD(mux_memory_t, memory, muxBindImageMemory(test.device, bad, image, 0));
  ASSERT_REFUSES_BAD(mux_image_t, image, muxBindImageMemory(test.device, memory, bad, 0));
  ASSERT_UNSUPPORTED_WITH(image_support, false, muxBindImageMemory(test.device, memory, image, 0));
  ASSERT_SUCCESS(muxBindImageMemory(test.device, memory, image, needs.alignment));
  ASSERT_INVALID(muxBindImageMemory(test.device, memory, image, 0));
  muxDestroyImage(test.device, image, test.allocator);
  test_memory_destroy(memory);
  test_memory_destroy(small);
}

TEST(needs_a_device_with_images) {
  mux_image_t image;
  ASSERT_UNSUPPORTED_WITH(image_support, false,
                          muxCreateImage(test.device, mux_image_type_1d, MUX_IMAGE_FORMAT(0xb5, 0xd2), 4, 1, 1, 0, 0, 0,
                                         test.allocator, &image));
}

TEST(refuses_bad_arguments) {
  NEEDS_IMAGES;
  const mux_image_format_e format = test_image_format();
  const mux_image_type_e type = mux_image_type_1d;
  mux_image_t image;
  ASSERT_REFUSES_BAD(mux_device_t, device, muxCreateImage(bad, type, format, 4, 1, 1, 0, 0, 0, test.allocator, &image));
  ASSERT_INVALID(muxCreateImage(test.device, type, UINT32_MAX, 4, 1, 1, 0, 0, 0, test.allocator, &image));
  ASSERT_NULL_OUTPUT(muxCreateImage(test.device, type, format, 4, 1, 1, 0, 0, 0, test.allocator, NULL));
  ASSERT_REFUSES_CALLBACKS(muxCreateImage(test.device, type, format, 4, 1, 1, 0, 0, 0, allocator, &image));
  ASSERT_SURVIVES_NO_MEMORY(create(type, 4, 1, 1, 0, &image));
  for (unsigned i = 0; i < TEST_BAD_HANDLE_COUNT; i++)
    muxDestroyImage(test.device, test_bad_handle(i, mux_object_id_image), test.allocator);
  muxDestroyImage(NULL, image, test.allocator);
  muxDestroyImage(test.device, image, test.allocator);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(describes_itself),           cmocka_unit_test(has_the_pitches_asked_for),
    cmocka_unit_test(refuses_bad_dimensions),     cmocka_unit_test(is_bound_once_and_where_it_fits),
    cmocka_unit_test(needs_a_device_with_images), cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
