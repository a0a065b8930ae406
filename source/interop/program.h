/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Programs and kernels. */
#ifndef INTEROP_PROGRAM_H
#define INTEROP_PROGRAM_H

#include "interop/context.h"
#include "quern/program.h"

struct quern_program_s {
  interop_object_t object;
  quern_context_t context;
  void *native;
};

struct quern_kernel_s {
  interop_object_t object;
  quern_context_t context;
  void *native;
  /** From the first argument to the launch; only the backend is called under it. */
  pthread_mutex_t lock;
};

QUERN_MUST_CHECK quern_result_t interop_program_check(quern_program_t program);
QUERN_MUST_CHECK quern_result_t interop_kernel_check(quern_kernel_t kernel);
void interop_kernel_drop(quern_kernel_t kernel);

#endif
