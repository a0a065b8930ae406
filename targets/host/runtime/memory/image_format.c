/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which image formats there are. */
#include "host/runtime/memory/image_format.h"

/* Depth images are 2d, as OpenCL C has no type for others. */
static bool type_has(mux_image_type_e type, mux_image_format_e format) {
  return type == mux_image_type_2d || format >> 8 != host_order_depth;
}

const host_image_format_t *host_image_format_find(mux_image_type_e type, mux_image_format_e format) {
  return type_has(type, format) ? host_image_format_of(format) : NULL;
}

mux_result_t host_get_supported_image_formats(mux_device_t device, mux_image_type_e image_type,
                                              mux_allocation_type_e allocation_type, uint32_t count,
                                              mux_image_format_e *out_formats, uint32_t *out_count) {
  (void)device, (void)allocation_type;
  uint32_t found = 0;
  for (uint32_t i = 0; i < host_image_format_count; ++i) {
    if (!type_has(image_type, host_image_formats[i].format)) continue;
    if (found < count) out_formats[found] = host_image_formats[i].format;
    ++found;
  }
  if (out_count) *out_count = found;
  return mux_success;
}
