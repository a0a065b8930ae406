/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sampler objects. */
#ifndef CL_MEMORY_SAMPLER_H
#define CL_MEMORY_SAMPLER_H

#include "cl/queueing/context.h"

struct _cl_sampler {
  object_t object;
  /** Held. */
  cl_context context;
  cl_bool normalized_coords;
  cl_addressing_mode addressing_mode;
  cl_filter_mode filter_mode;
  /** Of mipmapped images. */
  cl_filter_mode mip_filter_mode;
  cl_float min_lod, max_lod;
  /** As the application gave them, with the final zero; room for each of the six that there are. */
  cl_sampler_properties properties[13];
  size_t property_count;
};

bool sampler_is_valid(cl_sampler sampler);

/** A sampler with the defaults of clCreateSamplerWithProperties; null when out of memory. */
cl_sampler sampler_create(cl_context context);

/** What kernels are told of it; the modes are valid. */
mux_sampler_t sampler_to_mux(cl_sampler sampler);

#endif
