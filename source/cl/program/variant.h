/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Variants of kernels: compiled anew for the formats of a launch's images, its samplers and its local size, once such
 * launches have cost about as much as compiling does. The results are the same. */
#ifndef CL_PROGRAM_VARIANT_H
#define CL_PROGRAM_VARIANT_H

#include <stdatomic.h>

#include "cl/object/object.h"
#include "cl/program/local_size.h"
#include "compiler/compiler.h"
#include "compiler/program_info.h"
#include "mux/mux.h"

struct executable_t;

/** What a launch runs, and the sizes of work-groups for it. The executable must be held until it is complete. */
typedef struct variant_code_t {
  struct executable_t *executable;
  mux_kernel_t mux_kernel;
  local_size_limits_t limits;
} variant_code_t;

typedef enum variant_state_e {
  /** Too little was launched yet. */
  variant_state_counting,
  /** Being made: the specializer holds the general executable. */
  variant_state_queued,
  variant_state_ready,
  /** There will be none. */
  variant_state_failed,
} variant_state_e;

/** One combination of arguments and local size that a kernel was launched with. */
typedef struct variant_t {
  struct variant_t *next;
  /** variant_state_e; `code` is constant once it is variant_state_ready. */
  _Atomic uint32_t state;
  /** Launches, and their work-items, with the general code. */
  _Atomic uint32_t launches;
  _Atomic uint64_t items;
  /** Its executable is held. */
  variant_code_t code;
  /** The root device, the general executable and the kernel that this is one of. */
  cl_device_id device;
  struct executable_t *of;
  const program_kernel_info_t *info;
  /** As in variant_launch_t. */
  uint32_t local_size[3];
  /** The arguments that are known, then the local size if it is. */
  size_t known_count;
  compiler_known_argument_t known[];
} variant_t;

/** Those of one kernel of one executable: a list that only grows, up to a bound, so that it is read without a lock. */
typedef struct variants_t {
  _Atomic(variant_t *) first;
  _Atomic uint32_t count;
} variants_t;

/** A launch of the general kernel. */
typedef struct variant_launch_t {
  cl_device_id device;
  struct executable_t *executable;
  const program_kernel_info_t *info;
  /** One per argument of the kernel. */
  const mux_descriptor_info_t *descriptors;
  /** Of all work-groups; zeros where they differ, or where the kernel has nothing from it. */
  uint32_t local_size[3];
  uint64_t items;
} variant_launch_t;

/** Counts the launch, and puts the variant for its arguments into `code` if there is one by now; else `code` stays. The
 * variant may be made by this, mostly on another thread (program/specializer.h). Thread safe; no lock is taken but when
 * it is handed over. */
void variants_choose(variants_t *variants, const variant_launch_t *launch, variant_code_t *code);

/** Makes the variant, or finds it in the cache of compiled programs: from variant_state_queued to ready or failed. */
void variant_make(variant_t *variant);

/** When the executable goes. */
void variants_clear(variants_t *variants);

#endif
