/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Argument blocks of the kernels in kernels.c, shared with the tests. */
#ifndef TEST_HOST_KERNELS_H
#define TEST_HOST_KERNELS_H

#include <stdint.h>

#include "compiler/image.h"
#include "host/abi.h"

#define KERNELS_INSPECT_LOCAL_SIZE 100u
#define KERNELS_LOCAL_SIZE 1000u
#define KERNELS_SCRATCH_FIXED 256u
#define KERNELS_SCRATCH_PER_ITEM 48u

typedef struct kernels_mark_t {
  uint32_t *counts;
} kernels_mark_t;

typedef struct kernels_add_t {
  const int32_t *a, *b;
  int32_t *c;
} kernels_add_t;

typedef struct kernels_uneven_t {
  uint32_t *counts;
  uint64_t period, work;
} kernels_uneven_t;

typedef struct kernels_inspected_t {
  uint64_t block, local, scratch, first_local, second_local;
  unsigned char wide[32];
  host_ndrange_t ndrange;
  unsigned char byte;
} kernels_inspected_t;

typedef struct kernels_inspect_t {
  kernels_inspected_t *out;
  uint64_t first_local;
  unsigned char byte;
  _Alignas(32) unsigned char wide[32];
  uint64_t second_local;
} kernels_inspect_t;

typedef struct kernels_memory_t {
  uint32_t *bad;
} kernels_memory_t;

typedef struct kernels_symbols_t {
  float *out;
  uint64_t dividend, divisor;
} kernels_symbols_t;

typedef enum kernels_crash_e {
  kernels_crash_never,
  kernels_crash_write,
  kernels_crash_read,
  kernels_crash_divide,
  kernels_crash_illegal,
  kernels_crash_stack,
  kernels_crash_print,
  kernels_crash_break,
} kernels_crash_e;

typedef struct kernels_crash_t {
  uint32_t *counts;
  /** kernels_crash_e. */
  uint64_t how;
  /** The work-group to crash in; KERNELS_CRASH_ALL: in every one. */
  uint64_t where;
  /** For kernels_crash_print. */
  void *buffer;
} kernels_crash_t;

#define KERNELS_CRASH_ALL UINT64_MAX

typedef struct kernels_print_t {
  void *buffer;
} kernels_print_t;

/** What `picture` copies of its image argument. */
typedef struct kernels_pictured_t {
  image_description_t image;
  uint64_t sampler;
} kernels_pictured_t;

typedef struct kernels_picture_t {
  kernels_pictured_t *out;
  const image_description_t *image;
  uint64_t sampler;
} kernels_picture_t;

#endif
