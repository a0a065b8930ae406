/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Public functions on samplers. */
#include "quern/sampler.h"

#include "interop/object/runtime.h"
#include "interop/object/sampler.h"
#include "interop/object/task.h"

static quern_result_t check_create(quern_context_t context, const quern_sampler_description_t *description,
                                   const void *out_sampler) {
  quern_result_t result = interop_task_check_make();
  if (result == quern_success) result = interop_context_check(context);
  if (result != quern_success) return result;
  if (!description || !out_sampler) return interop_fail(quern_error_invalid_argument, "null pointer");
  if ((unsigned)description->addressing >= quern_addressing_total) {
    return interop_fail(quern_error_invalid_argument, "%d is no addressing of samplers", (int)description->addressing);
  }
  if (!interop_context_is_host(context)) return quern_success;
  return interop_fail(quern_error_feature_not_supported, "the host backend has no samplers");
}

quern_result_t quern_sampler_create(quern_context_t context, const quern_sampler_description_t *description,
                                    quern_sampler_t *out_sampler) {
  void *native;
  quern_result_t result = check_create(context, description, (const void *)out_sampler);
  if (result == quern_success) result = interop_runtime_of(context)->create_sampler(context, description, &native);
  if (result != quern_success) return result;
  quern_sampler_t sampler = interop_sampler_create(context, native);
  if (!sampler) {
    interop_runtime_of(context)->release(context->state, quern_object_sampler, native);
    return interop_fail_memory();
  }
  *out_sampler = sampler;
  return quern_success;
}

quern_result_t quern_sampler_retain(quern_sampler_t sampler) {
  quern_result_t result = interop_sampler_check(sampler);
  if (result == quern_success) interop_object_hold(&sampler->object);
  return result;
}

quern_result_t quern_sampler_release(quern_sampler_t sampler) {
  quern_result_t result = interop_sampler_check(sampler);
  if (result == quern_success) interop_sampler_drop(sampler);
  return result;
}
