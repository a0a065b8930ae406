/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What a target has measured of the versions of a kernel, remembered for later processes: in the cache of compiled
 * programs, for a day. */
#ifndef CL_PROGRAM_TUNING_H
#define CL_PROGRAM_TUNING_H

#include "base/hash.h"
#include "mux/mux.h"

struct executable_t;

/** Of one kernel of an executable. */
typedef struct tuning_t {
  /** Holds this. */
  struct executable_t *executable;
  hash128_t key;
} tuning_t;

/** Tells a kernel that has several versions (mux_kernel_s) what an earlier process has measured of it, and sees to it
 * that what this one will measure is kept. `code_hash` is that of the executable's code. Nothing happens without a
 * cache. To be called before the kernel is recorded; `tuning` must live as long as the kernel. */
void tuning_begin(tuning_t *tuning, struct executable_t *executable, mux_kernel_t kernel, const char *name,
                  hash128_t code_hash);

/** Keeps what was measured. On the specializer's thread: it writes a file. */
void tuning_keep(const tuning_t *tuning, uint64_t measured);

#endif
