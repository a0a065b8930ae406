/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Tables of channel orders and types, and what a device makes of them. */
#include "cl/memory/image_format.h"

#include <stdlib.h>

/* ------------------------------------------------------------ what OpenCL defines */

/* Which channel types go with an order: sets of the types below. */
enum {
  set_unorm_snorm_8_16 = 1,
  set_half_float = 2,
  set_integers = 4,
  set_packed = 8,
  set_unorm8 = 16,
  set_bytes = 32,
  set_depth = 64,
  set_packed_1010102 = 128,
};
enum { set_floats = set_unorm_snorm_8_16 | set_half_float, set_all = set_floats | set_integers };

typedef struct channel_order_t {
  cl_channel_order order;
  unsigned channels, sets;
} channel_order_t;

static const channel_order_t orders[] = {
    {CL_R, 1, set_all},
    {CL_A, 1, set_all},
    {CL_Rx, 1, set_all},
    {CL_RG, 2, set_all},
    {CL_RA, 2, set_all},
    {CL_RGx, 2, set_all},
    {CL_RGB, 3, set_packed},
    {CL_RGBx, 4, set_packed},
    {CL_RGBA, 4, set_all | set_packed_1010102},
    {CL_BGRA, 4, set_bytes},
    {CL_ARGB, 4, set_bytes},
    {CL_ABGR, 4, set_bytes},
    {CL_INTENSITY, 1, set_floats},
    {CL_LUMINANCE, 1, set_floats},
    {CL_DEPTH, 1, set_depth},
    {CL_sRGB, 3, set_unorm8},
    {CL_sRGBx, 4, set_unorm8},
    {CL_sRGBA, 4, set_unorm8},
    {CL_sBGRA, 4, set_unorm8},
};

typedef struct channel_type_t {
  cl_channel_type type;
  /** Bytes of a channel; of a pixel when packed. */
  unsigned size, sets;
} channel_type_t;

static const channel_type_t types[] = {
    {CL_SNORM_INT8, 1, set_unorm_snorm_8_16 | set_bytes},
    {CL_SNORM_INT16, 2, set_unorm_snorm_8_16},
    {CL_UNORM_INT8, 1, set_unorm_snorm_8_16 | set_bytes | set_unorm8},
    {CL_UNORM_INT16, 2, set_unorm_snorm_8_16 | set_depth},
    {CL_UNORM_SHORT_565, 2, set_packed},
    {CL_UNORM_SHORT_555, 2, set_packed},
    {CL_UNORM_INT_101010, 4, set_packed},
    {CL_UNORM_INT_101010_2, 4, set_packed_1010102},
    {CL_SIGNED_INT8, 1, set_integers | set_bytes},
    {CL_SIGNED_INT16, 2, set_integers},
    {CL_SIGNED_INT32, 4, set_integers},
    {CL_UNSIGNED_INT8, 1, set_integers | set_bytes},
    {CL_UNSIGNED_INT16, 2, set_integers},
    {CL_UNSIGNED_INT32, 4, set_integers},
    {CL_HALF_FLOAT, 2, set_half_float},
    {CL_FLOAT, 4, set_half_float | set_depth},
};

static const channel_order_t *find_order(cl_channel_order order) {
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    if (orders[i].order == order) return &orders[i];
  }
  return NULL;
}

static const channel_type_t *find_type(cl_channel_type type) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (types[i].type == type) return &types[i];
  }
  return NULL;
}

bool image_format_is_valid(const cl_image_format *format) {
  const channel_order_t *order = find_order(format->image_channel_order);
  const channel_type_t *type = find_type(format->image_channel_data_type);
  return order && type && (order->sets & type->sets);
}

static bool is_packed(cl_channel_type type) {
  return type == CL_UNORM_SHORT_565 || type == CL_UNORM_SHORT_555 || type == CL_UNORM_INT_101010 ||
         type == CL_UNORM_INT_101010_2;
}

size_t image_format_element_size(const cl_image_format *format) {
  const channel_order_t *order = find_order(format->image_channel_order);
  const channel_type_t *type = find_type(format->image_channel_data_type);
  return is_packed(type->type) ? type->size : (size_t)type->size * order->channels;
}

/* ------------------------------------------------------------ what a device has */

static const cl_uint constant_base = 0x1000;

mux_image_format_e image_format_to_mux(const cl_image_format *format) {
  return MUX_IMAGE_FORMAT(format->image_channel_order & 0xff, format->image_channel_data_type & 0xff);
}

cl_image_format image_format_from_mux(mux_image_format_e format) {
  return (cl_image_format){constant_base | format >> 8, constant_base | (format & 0xff)};
}

mux_image_type_e image_type_to_mux(cl_mem_object_type type) {
  switch (type) {
    case CL_MEM_OBJECT_IMAGE3D: return mux_image_type_3d;
    case CL_MEM_OBJECT_IMAGE2D:
    case CL_MEM_OBJECT_IMAGE2D_ARRAY: return mux_image_type_2d;
    default: return mux_image_type_1d;
  }
}

cl_uint image_formats_list(mux_device_t device, cl_mem_object_type type, cl_uint capacity,
                           cl_image_format *out_formats) {
  mux_image_type_e mux_type = image_type_to_mux(type);
  uint32_t count = 0, listed = 0;
  if (muxGetSupportedImageFormats(device, mux_type, mux_allocation_type_alloc_device, 0, NULL, &count) || !count) {
    return 0;
  }
  mux_image_format_e *formats = malloc(count * sizeof *formats);
  if (!formats || muxGetSupportedImageFormats(device, mux_type, mux_allocation_type_alloc_device, count, formats, NULL))
    count = 0;
  for (uint32_t i = 0; i < count; i++) {
    const cl_image_format format = image_format_from_mux(formats[i]);
    if (listed < capacity) out_formats[listed] = format;
    listed++;
  }
  free(formats);
  return listed;
}

bool image_format_is_supported(mux_device_t device, cl_mem_object_type type, const cl_image_format *format) {
  cl_image_format list[256];
  cl_uint count = image_formats_list(device, type, 256, list);
  for (cl_uint i = 0; i < count && i < 256; i++) {
    if (list[i].image_channel_order == format->image_channel_order &&
        list[i].image_channel_data_type == format->image_channel_data_type) {
      return true;
    }
  }
  return false;
}
