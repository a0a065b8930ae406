/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Public functions on programs and kernels. */
#include "quern/program.h"

#include "interop/object/make.h"
#include "interop/object/runtime.h"
#include "interop/object/task.h"

quern_result_t quern_program_create_from_source(quern_context_t context, const char *source, const char *options,
                                                quern_program_t *out_program) {
  void *native;
  quern_result_t result = interop_task_check_make();
  if (result == quern_success) result = interop_context_check(context);
  if (result != quern_success) return result;
  if (!source || !out_program) return interop_fail(quern_error_invalid_argument, "null pointer");
  if (interop_context_is_host(context)) {
    return interop_fail(quern_error_feature_not_supported, "the host backend has no programs");
  }
  result = interop_runtime_of(context)->create_program(context, source, options, &native);
  if (result != quern_success) return result;
  quern_program_t program = interop_program_create(context, native);
  if (!program) {
    interop_runtime_of(context)->release(context->state, quern_object_program, native);
    return interop_fail_memory();
  }
  *out_program = program;
  return quern_success;
}

quern_result_t quern_program_retain(quern_program_t program) {
  quern_result_t result = interop_program_check(program);
  if (result == quern_success) interop_object_hold(&program->object);
  return result;
}

quern_result_t quern_program_release(quern_program_t program) {
  quern_result_t result = interop_program_check(program);
  if (result == quern_success) interop_program_drop(program);
  return result;
}

quern_result_t quern_kernel_create(quern_program_t program, const char *name, quern_kernel_t *out_kernel) {
  void *native;
  quern_result_t result = interop_task_check_make();
  if (result == quern_success) result = interop_program_check(program);
  if (result != quern_success) return result;
  if (!name || !out_kernel) return interop_fail(quern_error_invalid_argument, "null pointer");
  result = interop_runtime_of(program->context)->create_kernel(program, name, &native);
  if (result != quern_success) return result;
  quern_kernel_t kernel = interop_kernel_create(program->context, native);
  if (!kernel) {
    interop_runtime_of(program->context)->release(program->context->state, quern_object_kernel, native);
    return interop_fail_memory();
  }
  *out_kernel = kernel;
  return quern_success;
}

quern_result_t quern_kernel_retain(quern_kernel_t kernel) {
  quern_result_t result = interop_kernel_check(kernel);
  if (result == quern_success) interop_object_hold(&kernel->object);
  return result;
}

quern_result_t quern_kernel_release(quern_kernel_t kernel) {
  quern_result_t result = interop_kernel_check(kernel);
  if (result == quern_success) interop_kernel_drop(kernel);
  return result;
}
