/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Samplers. */
#include "interop/object/sampler.h"

#include <stdlib.h>

#include "interop/object/runtime.h"

quern_result_t interop_sampler_check(quern_sampler_t sampler) {
  return interop_object_check(sampler, interop_tag_sampler, "sampler");
}

quern_sampler_t interop_sampler_create(quern_context_t context, void *native) {
  quern_sampler_t sampler = calloc(1, sizeof(*sampler));
  if (!sampler) return NULL;
  sampler->object.tag = interop_tag_sampler;
  atomic_init(&sampler->object.references, 1);
  sampler->context = context;
  sampler->native = native;
  interop_context_hold(context);
  return sampler;
}

void interop_sampler_drop(quern_sampler_t sampler) {
  if (!interop_object_drop(&sampler->object)) return;
  interop_runtime_of(sampler->context)->release(sampler->context->state, quern_object_sampler, sampler->native);
  interop_context_drop(sampler->context);
  sampler->object.tag = interop_tag_none;
  free(sampler);
}
