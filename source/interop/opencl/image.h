/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The whole of an image, as OpenCL's functions take it. */
#ifndef INTEROP_OPENCL_IMAGE_H
#define INTEROP_OPENCL_IMAGE_H

#include "interop/object/memory.h"

typedef struct opencl_region_t {
  size_t origin[3], size[3];
} opencl_region_t;

static inline opencl_region_t opencl_region_of(const struct quern_memory_s *memory) {
  const quern_image_layout_t *layout = &memory->layout;
  return (opencl_region_t){{0, 0, 0}, {layout->width, layout->height, layout->depth}};
}

#endif
