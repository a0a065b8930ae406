/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Programs and kernels. */
#include "interop/program.h"

#include <stdlib.h>

#include "interop/make.h"
#include "interop/runtime.h"
#include "interop/task.h"

quern_result_t interop_program_check(quern_program_t program) {
  return interop_object_check(program, interop_tag_program, "program");
}

quern_result_t interop_kernel_check(quern_kernel_t kernel) {
  return interop_object_check(kernel, interop_tag_kernel, "kernel");
}

quern_program_t interop_program_create(quern_context_t context, void *native) {
  quern_program_t program = calloc(1, sizeof(*program));
  if (!program) return NULL;
  program->object.tag = interop_tag_program;
  atomic_init(&program->object.references, 1);
  program->context = context;
  program->native = native;
  interop_context_hold(context);
  return program;
}

quern_kernel_t interop_kernel_create(quern_context_t context, void *native) {
  quern_kernel_t kernel = calloc(1, sizeof(*kernel));
  if (!kernel) return NULL;
  kernel->object.tag = interop_tag_kernel;
  atomic_init(&kernel->object.references, 1);
  kernel->context = context;
  kernel->native = native;
  pthread_mutex_init(&kernel->lock, NULL);
  interop_context_hold(context);
  return kernel;
}

static void release_native(quern_context_t context, quern_object_t object, void *native) {
  interop_runtime_of(context)->release(context->state, object, native);
}

void interop_kernel_drop(quern_kernel_t kernel) {
  if (!interop_object_drop(&kernel->object)) return;
  release_native(kernel->context, quern_object_kernel, kernel->native);
  for (size_t i = 0; i < kernel->indirect.count; i++) interop_memory_drop(kernel->indirect.items[i]);
  free((void *)kernel->indirect.items);
  interop_context_drop(kernel->context);
  pthread_mutex_destroy(&kernel->lock);
  kernel->object.tag = interop_tag_none;
  free(kernel);
}

static void program_drop(quern_program_t program) {
  if (!interop_object_drop(&program->object)) return;
  release_native(program->context, quern_object_program, program->native);
  interop_context_drop(program->context);
  program->object.tag = interop_tag_none;
  free(program);
}

/* ------------------------------------------------------------ public */

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
    release_native(context, quern_object_program, native);
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
  if (result == quern_success) program_drop(program);
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
    release_native(program->context, quern_object_kernel, native);
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
