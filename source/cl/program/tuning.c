/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What was measured of the versions of kernels, from process to process. */
#include "cl/program/tuning.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/text.h"
#include "cl/cache/store.h"
#include "cl/program/specializer.h"

/* What was true of an earlier process's data need not be true of this one's: it is measured anew each day. */
enum { seconds_of_day = 24 * 60 * 60 };

typedef struct kept_tuning_t {
  /** time() when it was kept. */
  uint64_t seconds;
  uint64_t measured;
} kept_tuning_t;

/* False without memory. */
static bool make_key(mux_device_info_t device, const char *name, hash128_t code_hash, hash128_t *out_key) {
  text_t text = {0};
  char code[hash128_text_size];
  hash128_write(code_hash, code);
  text_appendf(&text, "kind 6 tuning code %s device %zu %s units %u kernel %s", code, strlen(device->device_name),
               device->device_name, device->compute_units, name);
  const bool is_made = !text.failed;
  if (is_made) *out_key = hash_bytes_128(text.data, text.length);
  text_free(&text);
  return is_made;
}

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
  if (!kernel->has_versions || !store_is_enabled()) return;
  if (!make_key(kernel->device->info, name, code_hash, &tuning->key)) return;
  tuning->executable = executable;
  const uint64_t remembered = find(tuning->key);
  if (remembered) log_write(log_cache, "found what was measured of kernel '%s'", name);
  (void)!muxTuneKernel(kernel, remembered, note_measured, tuning);
}

void tuning_keep(const tuning_t *tuning, uint64_t measured) {
  const kept_tuning_t kept = {.seconds = (uint64_t)time(NULL), .measured = measured};
  store_put(tuning->key, &kept, sizeof kept);
}
