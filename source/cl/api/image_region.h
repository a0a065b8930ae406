/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Rules that the commands on images share. */
#ifndef CL_API_IMAGE_REGION_H
#define CL_API_IMAGE_REGION_H

#include "cl/memory/image.h"

/** CL_INVALID_MEM_OBJECT: not an image. CL_INVALID_CONTEXT: not of the queue's context. The queue is valid. */
cl_int validate_image(const char *function, cl_command_queue queue, cl_mem image);

/** Finds the level that the origin names, if the image has several, and the box in it. An origin has as many members as
 * that takes, which is four for arrays of 2D images and 3D images with levels. CL_INVALID_VALUE: null or empty, or not
 * inside the level. CL_INVALID_MIP_LEVEL: no level of the image. */
cl_int validate_image_region(const char *function, cl_mem image, const size_t *origin, const size_t *region,
                             image_box_t *out_box);

/** Host memory of a read or write: a distance of 0 is the packed one. */
typedef struct image_host_layout_t {
  /** Bytes from y to y + 1 and z to z + 1, as commands count. */
  size_t row, slice;
} image_host_layout_t;

/** CL_INVALID_VALUE: pitches that the region does not fit into, or that the image's type does not have. */
cl_int validate_image_host_layout(const char *function, cl_mem image, const size_t *region, size_t row_pitch,
                                  size_t slice_pitch, image_host_layout_t *out_layout);

/** The errors of clEnqueueCopyImage, but for those of the queue and the wait list; so in the next one. */
cl_int validate_image_copy(const char *function, cl_command_queue queue, cl_mem source, cl_mem destination,
                           const size_t *source_origin, const size_t *destination_origin, const size_t *region,
                           image_box_t *out_source, image_box_t *out_destination);

/** Of a copy, in either direction, between a box of `image` and packed pixels from byte `offset` of `buffer` on. */
cl_int validate_image_buffer_copy(const char *function, cl_command_queue queue, cl_mem image, const size_t *origin,
                                  const size_t *region, cl_mem buffer, size_t offset, image_box_t *out_box);

#endif
