/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Samplers. */
#ifndef INTEROP_OBJECT_SAMPLER_H
#define INTEROP_OBJECT_SAMPLER_H

#include "interop/object/context.h"
#include "quern/sampler.h"

struct quern_sampler_s {
  interop_object_t object;
  quern_context_t context;
  void *native;
};

QUERN_MUST_CHECK quern_result_t interop_sampler_check(quern_sampler_t sampler);
/** Takes over the native reference; null when out of memory. */
quern_sampler_t interop_sampler_create(quern_context_t context, void *native);
void interop_sampler_drop(quern_sampler_t sampler);

#endif
