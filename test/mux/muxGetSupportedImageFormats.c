/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxGetSupportedImageFormats. */
#include "support.h"
#define NEEDS_IMAGES TEST_NEEDS(test.info->image_support, "a device with images")

static mux_result_t list(uint32_t count, mux_image_format_e *formats, uint32_t *out_count) {
  return muxGetSupportedImageFormats(test.device, mux_image_type_2d, mux_allocation_type_alloc_device, count, formats,
                                     out_count);
}

TEST(counts_then_fills) {
  NEEDS_IMAGES;
  mux_image_format_e formats[256] = {0};
  uint32_t count = 0, again = 0;
  ASSERT_SUCCESS(list(0, NULL, &count));
  assert_in_range(count, 1, 255);
  ASSERT_SUCCESS(list(count, formats, &again));
  assert_int_equal(again, count);
  assert_int_equal(formats[count], 0);
  for (uint32_t i = 0; i < count; i++) {
    mux_image_t image = NULL;
    for (uint32_t j = 0; j < i; j++) assert_int_not_equal(formats[i], formats[j]);
    ASSERT_SUCCESS(
        muxCreateImage(test.device, mux_image_type_2d, formats[i], 4, 4, 1, 0, 0, 0, test.allocator, &image));
    muxDestroyImage(test.device, image, test.allocator);
  }
}

TEST(fills_what_fits) {
  NEEDS_IMAGES;
  mux_image_format_e formats[2] = {0};
  uint32_t count = 0;
  ASSERT_SUCCESS(list(1, formats, &count));
  assert_int_not_equal(formats[0], 0);
  assert_int_equal(formats[1], 0);
  ASSERT_SUCCESS(list(1, formats, NULL));
}

TEST(refuses_bad_arguments) {
  const mux_image_type_e type = mux_image_type_1d;
  const mux_allocation_type_e memory = mux_allocation_type_alloc_host;
  mux_image_format_e formats[1];
  uint32_t count;
  ASSERT_UNSUPPORTED_WITH(image_support, false, list(0, NULL, &count));
  NEEDS_IMAGES;
  ASSERT_REFUSES_BAD(mux_device_t, device, muxGetSupportedImageFormats(bad, type, memory, 0, NULL, &count));
  ASSERT_INVALID(muxGetSupportedImageFormats(test.device, 0, memory, 0, NULL, &count));
  ASSERT_INVALID(muxGetSupportedImageFormats(test.device, 4, memory, 0, NULL, &count));
  ASSERT_INVALID(muxGetSupportedImageFormats(test.device, type, 0, 0, NULL, &count));
  ASSERT_INVALID(muxGetSupportedImageFormats(test.device, type, 3, 0, NULL, &count));
  ASSERT_INVALID(list(0, formats, &count));
  ASSERT_NULL_OUTPUT(list(0, NULL, NULL));
  ASSERT_NULL_OUTPUT(list(1, NULL, &count));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(counts_then_fills),
    cmocka_unit_test(fills_what_fits),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
