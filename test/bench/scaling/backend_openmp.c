/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The work in C with OpenMP: a parallel loop over work-groups for each kernel. */
#include <stdlib.h>
#include <string.h>

#include "scaling.h"

#ifdef BENCH_HAS_OPENMP

#include <omp.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { LOCAL = SCALING_LOCAL, PIECE = 4096 };
/** From here on stores past the caches are faster. */
#define STREAM_FROM ((size_t)8 << 20)

static uint32_t *items, *from, *to, *third;

static void *block_get(size_t bytes) {
  char *block = aligned_alloc(4096, bytes);
  if (block == NULL) abort();
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < bytes; i += PIECE) memset(block + i, 1, bytes - i < PIECE ? bytes - i : PIECE);
  return block;
}

static bool open_c(size_t bytes) {
  items = block_get((size_t)SCALING_GROUPS * LOCAL * sizeof(uint32_t));
  from = block_get(bytes);
  to = block_get(bytes);
  third = block_get(bytes);
  return true;
}

static void group_run(uint32_t *data, uint32_t steps) {
  for (int item = 0; item < LOCAL; item += 16) {
    uint32_t x[16];
    memcpy(x, data + item, sizeof(x));
    for (uint32_t i = 0; i < steps; i++)
      for (int lane = 0; lane < 16; lane++) {
        x[lane] ^= x[lane] << 13;
        x[lane] ^= x[lane] >> 17;
        x[lane] ^= x[lane] << 5;
      }
    memcpy(data + item, x, sizeof(x));
  }
}

static void chain(uint32_t steps, size_t launches) {
  for (size_t i = 0; i < launches; i++) {
#pragma omp parallel for schedule(static)
    for (int group = 0; group < SCALING_GROUPS; group++) group_run(items + (size_t)group * LOCAL, steps);
  }
}

static void many_groups(uint32_t steps) {
#pragma omp parallel for schedule(dynamic)
  for (size_t group = 0; group < SCALING_MANY_GROUPS; group++) group_run(to + group * LOCAL, steps);
}

static void empty(size_t groups) {
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < groups; i++) __asm__ volatile("");
}

static void piece_copy(char *target, const char *start, size_t bytes, bool streams) {
#if defined(__x86_64__)
  if (streams) {
    for (size_t i = 0; i < bytes; i += 16)
      _mm_stream_si128((__m128i *)(void *)(target + i), _mm_load_si128((const __m128i *)(const void *)(start + i)));
    _mm_sfence();
    return;
  }
#endif
  (void)streams;
  memcpy(target, start, bytes);
}

static void transfer(scaling_transfer_e kind, size_t bytes) {
  const bool streams = bytes >= STREAM_FROM;
  char *target = (char *)(kind == TRANSFER_READ ? third : to);
  const char *start = (const char *)(kind == TRANSFER_WRITE ? third : from);
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < bytes; i += PIECE) piece_copy(target + i, start + i, PIECE, streams);
}

static void uneven(uint32_t steps) {
#pragma omp parallel for schedule(dynamic)
  for (size_t group = 0; group < SCALING_UNEVEN_GROUPS; group++)
    group_run(to + group * LOCAL, scaling_uneven_steps(group, steps));
}

static void stream(size_t bytes) {
  float *a = (float *)to;
  const float *b = (const float *)from, *c = (const float *)third;
#pragma omp parallel for simd schedule(static)
  for (size_t i = 0; i < bytes / sizeof(float); i++) a[i] = b[i] + 3.0f * c[i];
}

static void independent(uint32_t steps) {
#pragma omp parallel
#pragma omp single
  for (int group = 0; group < SCALING_GROUPS; group++) {
#pragma omp task
    group_run(items + (size_t)group * LOCAL, steps);
  }
}

const scaling_backend_t scaling_backend_openmp = {open_c, chain,  many_groups, empty,      transfer,
                                                  uneven, stream, NULL,        independent};

#else

const scaling_backend_t scaling_backend_openmp;

#endif
