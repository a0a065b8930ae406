/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Programs and kernels of backends that have them: not of the host. Include quern/interop.h. */
#ifndef QUERN_PROGRAM_H
#define QUERN_PROGRAM_H

#include "quern/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Both are counted. */
typedef struct quern_program_s *quern_program_t;
typedef struct quern_kernel_s *quern_kernel_t;

/** Builds OpenCL C for the devices of the context; `options` as clBuildProgram takes them, or null. Other ways to a
 * program: quern_program_make_from_native.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: null; quern_error_build_failed: the message begins
 * with the build log; quern_error_feature_not_supported: the backend has no programs; quern_error_backend_failure;
 * quern_error_invalid_operation: called in an interop task. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_program_create_from_source(quern_context_t context, const char *source,
                                                                           const char *options,
                                                                           quern_program_t *out_program);
QUERN_API QUERN_MUST_CHECK quern_result_t quern_program_retain(quern_program_t program);
QUERN_API quern_result_t quern_program_release(quern_program_t program);

/** The kernel `name`. Groups may use one kernel with different arguments at once: each has its own.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: null; quern_error_backend_failure: no such kernel;
 * quern_error_invalid_operation: called in an interop task. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_kernel_create(quern_program_t program, const char *name,
                                                              quern_kernel_t *out_kernel);
QUERN_API QUERN_MUST_CHECK quern_result_t quern_kernel_retain(quern_kernel_t kernel);
QUERN_API quern_result_t quern_kernel_release(quern_kernel_t kernel);

#ifdef __cplusplus
}
#endif

#endif
