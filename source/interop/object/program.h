/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Programs and kernels. */
#ifndef INTEROP_OBJECT_PROGRAM_H
#define INTEROP_OBJECT_PROGRAM_H

#include "interop/object/memory.h"
#include "quern/program.h"

struct quern_program_s {
  interop_object_t object;
  quern_context_t context;
  void *native;
};

enum { interop_kept_arguments = 16 };

/** An argument as it was set last; size 0: not known. */
typedef struct interop_kept_argument_t {
  size_t size;
  unsigned char bytes[16];
} interop_kept_argument_t;

/** Memory that a kernel reaches by addresses that are no arguments; malloc'ed, of held memory objects. */
typedef struct interop_indirect_t {
  quern_memory_t *items;
  size_t count;
} interop_indirect_t;

struct quern_kernel_s {
  interop_object_t object;
  quern_context_t context;
  void *native;
  /** From the first argument to the launch; only the backend is called under it. */
  pthread_mutex_t lock;
  /** Somebody else has the native kernel, too, and may set arguments. */
  atomic_bool is_shared;
  /** Guarded by the lock: how many arguments the kernel has, once asked for; and those that were set last. */
  bool is_counted;
  uint32_t argument_count;
  interop_kept_argument_t kept[interop_kept_arguments];
  /** What the native kernel was told of last, which it may look at whenever it is enqueued. */
  interop_indirect_t indirect;
};

QUERN_MUST_CHECK quern_result_t interop_program_check(quern_program_t program);
QUERN_MUST_CHECK quern_result_t interop_kernel_check(quern_kernel_t kernel);
void interop_program_drop(quern_program_t program);
void interop_kernel_drop(quern_kernel_t kernel);

#endif
