/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What was measured of the versions of kernels, from process to process. */
#include "cl/program/tuning.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "cl/cache/store.h"
#include "cl/program/program_cache.h"
#include "cl/program/specializer.h"

/* What was true of an earlier process's data need not be true of this one's: it is measured anew each day. */
enum { seconds_of_day = 24 * 60 * 60 };

typedef struct kept_tuning_t {
  /** time() when it was kept. */
  uint64_t seconds;
  uint64_t measured;
} kept_tuning_t;

/* 0: nothing, or too old. */
static uint64_t find(hash128_t key) {
  store_bytes_t bytes;
  kept_tuning_t kept = {0};
  if (!store_find(key, &bytes)) return 0;
  if (bytes.size == sizeof kept) memcpy(&kept, bytes.data, sizeof kept);
  free(bytes.data);
  const uint64_t now = (uint64_t)time(NULL);
  return kept.seconds <= now && now - kept.seconds < seconds_of_day ? kept.measured : 0;
}

/* Where kernels execute: files are for another thread. */
static void note_measured(void *data, uint64_t measured) { specializer_keep(data, measured); }

void tuning_begin(tuning_t *tuning, struct executable_t *executable, mux_kernel_t kernel, const char *name,
                  hash128_t code_hash) {
  if (!kernel->has_versions) return;
  const program_key_t key = program_key_for_tuning(kernel->device->info, name, code_hash);
  if (!key.is_usable) return;
  tuning->executable = executable;
  tuning->key = key.hash;
  const uint64_t remembered = find(tuning->key);
  if (remembered) log_write(log_cache, "found what was measured of kernel '%s'", name);
  (void)!muxTuneKernel(kernel, remembered, note_measured, tuning);
}

void tuning_keep(const tuning_t *tuning, uint64_t measured) {
  const kept_tuning_t kept = {.seconds = (uint64_t)time(NULL), .measured = measured};
  store_put(tuning->key, &kept, sizeof kept);
}
