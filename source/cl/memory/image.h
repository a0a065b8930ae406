/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Image objects: memory objects (memory/memory.h) whose `image` is set. */
#ifndef CL_MEMORY_IMAGE_H
#define CL_MEMORY_IMAGE_H

#include "cl/memory/image_format.h"
#include "cl/memory/memory.h"

/** Dimensions of an image: `extent` as commands count them, layers being y of a 1D array and z of a 2D array. */
void image_extent(const cl_image_desc *desc, size_t out_extent[3]);

bool image_type_is_array(cl_mem_object_type type);
/** True for types whose images have slices or layers, and so a slice pitch. */
bool image_type_has_slices(cl_mem_object_type type);

/** Bytes of a pixel of a valid image. */
static inline size_t image_element_size(cl_mem image) { return image->image->pixel_size; }

/** Mipmap levels, at least 1. */
static inline cl_uint image_level_count(cl_mem image) { return image->image->level_count; }
/** The member of an origin that names the level of an image with several: the one behind those of its dimensions. */
unsigned image_level_index(cl_mem_object_type type);
/** Pixels of a level that there is, as image_extent. */
void image_level_extent(cl_mem image, cl_uint level, size_t out_extent[3]);

/** Pixels of one level of an image. */
typedef struct image_box_t {
  mux_image_t level;
  mux_offset_3d_t origin;
  mux_extent_3d_t extent;
} image_box_t;

/** Bytes from y to y + 1 and z to z + 1 of a level, as commands count. */
mux_extent_2d_t image_level_pitches(mux_image_t level);

/** Creates an image of memory of its own, with CL_MEM_USE_HOST_PTR of `host_pointer`, or of external memory, whose
 * descriptor is then closed. The caller has checked everything, pitches too. CL_OUT_OF_HOST_MEMORY,
 * CL_MEM_OBJECT_ALLOCATION_FAILURE; CL_INVALID_IMAGE_SIZE when the external memory is too small. */
cl_int image_create(cl_context context, const memory_properties_t *properties, cl_mem_flags flags,
                    const cl_image_format *format, const cl_image_desc *desc, void *host_pointer, cl_mem *out_image);

/** Creates an image of the memory of a buffer or image, desc->mem_object; likewise. */
cl_int image_create_from(const memory_properties_t *properties, cl_mem_flags flags, const cl_image_format *format,
                         const cl_image_desc *desc, cl_mem *out_image);

#endif
