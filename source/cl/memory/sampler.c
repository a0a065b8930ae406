/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sampler objects. */
#include "cl/memory/sampler.h"

#include <float.h>
#include <stdlib.h>

bool sampler_is_valid(cl_sampler sampler) { return object_is(sampler, object_kind_sampler); }

static void destroy(object_t *object) {
  cl_sampler sampler = (cl_sampler)(void *)object;
  cl_context context = sampler->context;
  object_free(OBJECT(sampler), object_kind_sampler);
  object_drop(OBJECT(context));
}

cl_sampler sampler_create(cl_context context) {
  cl_sampler sampler = calloc(1, sizeof *sampler);
  if (!sampler) return NULL;
  object_init(&sampler->object, object_kind_sampler, destroy);
  object_hold(OBJECT(context));
  sampler->context = context;
  sampler->normalized_coords = CL_TRUE;
  sampler->addressing_mode = CL_ADDRESS_CLAMP;
  sampler->filter_mode = CL_FILTER_NEAREST;
  sampler->mip_filter_mode = CL_FILTER_NEAREST;
  sampler->max_lod = FLT_MAX;
  return sampler;
}

static mux_address_mode_e address_mode(cl_addressing_mode mode) {
  switch (mode) {
    case CL_ADDRESS_REPEAT: return mux_address_mode_repeat;
    case CL_ADDRESS_MIRRORED_REPEAT: return mux_address_mode_repeat_mirror;
    case CL_ADDRESS_CLAMP: return mux_address_mode_clamp;
    case CL_ADDRESS_CLAMP_TO_EDGE: return mux_address_mode_clamp_edge;
    default: return mux_address_mode_none;
  }
}

static mux_filter_mode_e filter_mode(cl_filter_mode mode) {
  return mode == CL_FILTER_LINEAR ? mux_filter_mode_linear : mux_filter_mode_nearest;
}

mux_sampler_t sampler_to_mux(cl_sampler sampler) {
  return (mux_sampler_t){
      .address_mode = address_mode(sampler->addressing_mode),
      .filter_mode = filter_mode(sampler->filter_mode),
      .normalize_coords = sampler->normalized_coords,
      .mip_filter_mode = filter_mode(sampler->mip_filter_mode),
      .min_lod = sampler->min_lod,
      .max_lod = sampler->max_lod,
  };
}
