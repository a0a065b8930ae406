/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Samplers: how kernels read images. Include quern/interop.h. */
#ifndef QUERN_SAMPLER_H
#define QUERN_SAMPLER_H

#include "quern/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A sampler of a context. Counted. */
typedef struct quern_sampler_s *quern_sampler_t;

/** What is read beyond an image's edge. */
typedef enum quern_addressing_e {
  /** Undefined: the kernel never reads there. */
  quern_addressing_none,
  /** The border's colour. */
  quern_addressing_clamp,
  quern_addressing_clamp_to_edge,
  quern_addressing_repeat,
  quern_addressing_mirrored_repeat,
  quern_addressing_total
} quern_addressing_t;

typedef struct quern_sampler_description_t {
  /** Coordinates go from 0 to 1, whatever the size. */
  bool is_normalized;
  quern_addressing_t addressing;
  /** Between pixels: a weighted mean, and not the nearest one. */
  bool is_linear;
} quern_sampler_description_t;

/** Errors: quern_error_invalid_object; quern_error_invalid_argument: null, unlisted addressing;
 * quern_error_feature_not_supported: the host backend; quern_error_backend_failure: a combination that the backend
 * refuses; quern_error_invalid_operation: called in an interop task. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_sampler_create(quern_context_t context,
                                                               const quern_sampler_description_t *description,
                                                               quern_sampler_t *out_sampler);
QUERN_API QUERN_MUST_CHECK quern_result_t quern_sampler_retain(quern_sampler_t sampler);
QUERN_API quern_result_t quern_sampler_release(quern_sampler_t sampler);

#ifdef __cplusplus
}
#endif

#endif
