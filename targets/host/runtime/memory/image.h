/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Images: pixels in rows, slices and layers of linear memory. */
#ifndef HOST_RUNTIME_MEMORY_IMAGE_H
#define HOST_RUNTIME_MEMORY_IMAGE_H

#include "compiler/image.h"
#include "host/runtime/memory/image_format.h"
#include "mux/mux.h"

typedef struct host_image_t {
  struct mux_image_s base;
  /** Null until memory is bound. */
  char *data;
  /** What kernels get the address of; those of all levels follow each other. */
  image_description_t *description;
} host_image_t;

static inline host_image_t *host_image(mux_image_t image) { return (host_image_t *)image; }

/** Bytes from y to y + 1, which is the layer of a 1d array. */
static inline uint64_t host_image_row_pitch(const host_image_t *image) {
  return image->base.type == mux_image_type_1d ? image->base.slice_pitch : image->base.row_pitch;
}

/* Operations of mux_target_t. */
mux_result_t host_create_image(mux_device_t device, mux_image_type_e type, mux_image_format_e format, uint32_t width,
                               uint32_t height, uint32_t depth, uint32_t array_layers, uint64_t row_size,
                               uint64_t slice_size, uint32_t level_count, mux_allocator_info_t allocator,
                               mux_image_t *out_image);
void host_destroy_image(mux_device_t device, mux_image_t image, mux_allocator_info_t allocator);
mux_result_t host_bind_image_memory(mux_device_t device, mux_memory_t memory, mux_image_t handle, uint64_t offset);

#endif
