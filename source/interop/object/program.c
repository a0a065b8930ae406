/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Programs and kernels. */
#include "interop/object/program.h"

#include <stdlib.h>

#include "interop/object/make.h"
#include "interop/object/runtime.h"

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

void interop_program_drop(quern_program_t program) {
  if (!interop_object_drop(&program->object)) return;
  release_native(program->context, quern_object_program, program->native);
  interop_context_drop(program->context);
  program->object.tag = interop_tag_none;
  free(program);
}
