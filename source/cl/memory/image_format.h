/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Image formats: which exist, their sizes, and colours as pixels. */
#ifndef CL_MEMORY_IMAGE_FORMAT_H
#define CL_MEMORY_IMAGE_FORMAT_H

#include "cl/object/object.h"
#include "mux/mux.h"

/** Bytes of the largest pixel. */
enum { image_max_element_size = 16 };

/** True when OpenCL defines this pair of channel order and type, whether a device has it or not. */
bool image_format_is_valid(const cl_image_format *format);

/** Bytes of a pixel of a valid format. */
size_t image_format_element_size(const cl_image_format *format);

mux_image_format_e image_format_to_mux(const cl_image_format *format);
cl_image_format image_format_from_mux(mux_image_format_e format);

/** The Mux type of images of an OpenCL type. */
mux_image_type_e image_type_to_mux(cl_mem_object_type type);

/** Writes the formats of images of a type that `device` has, at most `capacity`, and returns how many there are in all;
 * 0 when out of memory. All of them can be read and written, whatever an image's flags. */
cl_uint image_formats_list(mux_device_t device, cl_mem_object_type type, cl_uint capacity,
                           cl_image_format *out_formats);
/** True when that list has `format`. */
bool image_format_is_supported(mux_device_t device, cl_mem_object_type type, const cl_image_format *format);

/** Converts a colour to a pixel, by the rules of a write in a kernel (OpenCL C sections 6.15.15 and 8.3). `color`: four
 * float, int or unsigned int components as the channel type asks for, one float of a depth format. */
void image_color_encode(const cl_image_format *format, const void *color, unsigned char out_pixel[]);

/** Bytes of such a colour. */
size_t image_color_size(const cl_image_format *format);

#endif
