/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels written by hand against targets/host/abi.h: what the compiler would generate, compiled to an object file. */
#include "kernels.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "host/abi.h"

/* Named through assembler labels, as identifiers of that shape are reserved in C. */
#define KERNEL(name)                                                                                             \
  extern void name(const void *block, const host_ndrange_t *ndrange, const host_group_memory_t *memory,          \
                   uint64_t first, uint64_t count) __asm__(HOST_ENTRY_PREFIX #name);                             \
  void name(const void *block, const host_ndrange_t *ndrange, const host_group_memory_t *memory, uint64_t first, \
            uint64_t count)
#define UNUSED_PARAMETERS (void)block, (void)ndrange, (void)memory, (void)first, (void)count

extern void print_record(void *printf_buffer, const void *record, uint64_t size) __asm__("__quern_printf");

KERNEL(empty) { UNUSED_PARAMETERS; }

/* counts[group] += 1 */
KERNEL(mark) {
  const kernels_mark_t *args = block;
  (void)ndrange, (void)memory;
  for (uint64_t group = first; group < first + count; ++group)
    __atomic_fetch_add(&args->counts[group], 1u, __ATOMIC_RELAXED);
}

/* c[i] = a[i] + b[i] */
KERNEL(add) {
  const kernels_add_t *args = block;
  uint64_t local = ndrange->local_size[0];
  (void)memory;
  for (uint64_t i = first * local; i < (first + count) * local && i < ndrange->global_size[0]; ++i)
    args->c[i] = args->a[i] + args->b[i];
}

/* Work-group g burns about (g % period) * work steps, and counts itself. */
KERNEL(uneven) {
  const kernels_uneven_t *args = block;
  (void)ndrange, (void)memory;
  for (uint64_t group = first; group < first + count; ++group) {
    volatile float sink = 1.0f;
    for (uint64_t i = 0; i < (group % args->period) * args->work; ++i) sink = sink * 1.0001f;
    __atomic_fetch_add(&args->counts[group], 1u, __ATOMIC_RELAXED);
  }
}

/* Tells what it was given. */
KERNEL(inspect) {
  const kernels_inspect_t *args = block;
  kernels_inspected_t *out = args->out;
  (void)count;
  if (first) return;
  out->block = (uint64_t)block;
  out->local = (uint64_t)memory->local;
  out->scratch = (uint64_t)memory->scratch;
  out->first_local = args->first_local;
  out->second_local = args->second_local;
  out->byte = args->byte;
  memcpy(out->wide, args->wide, sizeof out->wide);
  out->ndrange = *ndrange;
}

/* Fills all of its local memory and barrier context for every group, and checks that nobody else wrote to it. */
KERNEL(memory) {
  const kernels_memory_t *args = block;
  uint64_t items = ndrange->local_size[0] * ndrange->local_size[1] * ndrange->local_size[2];
  uint64_t scratch = KERNELS_SCRATCH_FIXED + KERNELS_SCRATCH_PER_ITEM * items;
  for (uint64_t group = first; group < first + count; ++group) {
    memset(memory->local, (int)(group & 0xff), KERNELS_LOCAL_SIZE);
    memset(memory->scratch, (int)(~group & 0xff), scratch);
    for (uint64_t i = 0; i < KERNELS_LOCAL_SIZE; ++i)
      if (((unsigned char *)memory->local)[i] != (group & 0xff)) args->bad[0] = 1;
    for (uint64_t i = 0; i < scratch; ++i)
      if (((unsigned char *)memory->scratch)[i] != (~group & 0xff)) args->bad[0] = 1;
  }
}

static const float table[] = {1.5f, 2.5f, 3.5f, 4.5f};
static float (*const functions[])(float) = {nearbyintf, floorf, ceilf, truncf};
/* So that the compiler cannot resolve the calls, nor fold the values. */
static float (*const *volatile chosen)(float) = functions;
uint64_t launches;
static uint64_t calls[2];

/* All kinds of symbols: tables, zeroed data, the C library, 128-bit division. */
KERNEL(symbols) {
  const kernels_symbols_t *args = block;
  (void)ndrange, (void)memory, (void)first, (void)count;
  for (int i = 0; i < 4; ++i) args->out[i] = chosen[i](table[i]);
  args->out[4] = fmodf(args->out[0] * 1000.0f, table[2]);
  args->out[5] = (float)(double)((unsigned __int128)args->dividend * args->dividend / args->divisor);
  args->out[6] = (float)++launches;
  args->out[7] = (float)(calls[1] += 2);
}

/* Needs more barrier context than there is. */
KERNEL(huge) { UNUSED_PARAMETERS; }

/* One printf record per group. */
KERNEL(print) {
  const kernels_print_t *args = block;
  (void)ndrange, (void)memory;
  for (uint64_t group = first; group < first + count; ++group) {
    uint64_t record[3] = {24, group, 0};
    print_record(args->buffer, record, sizeof record);
  }
}

extern void first_group(const host_ndrange_t *ndrange, uint64_t first, uint64_t count,
                        host_group_t *group) __asm__("__quern_first_group");
extern uint32_t next_group(const host_ndrange_t *ndrange, host_group_t *group) __asm__("__quern_next_group");

static volatile uint32_t zero, seven = 7;
static uint32_t *volatile nowhere = (uint32_t *)64;

/* Deeper than any stack. */
static uint64_t dig(uint64_t depth) {
  volatile char hole[1024];
  hole[depth % sizeof hole] = 1;
  return depth == UINT64_MAX ? 0 : dig(depth + 1) + (uint64_t)hole[0];
}

static void breakpoint(void) {
#if defined(__x86_64__)
  __asm__ volatile("int3");
#elif defined(__aarch64__)
  __asm__ volatile("brk #0");
#else
  __builtin_trap();
#endif
}

static void crash_now(const kernels_crash_t *args) {
  switch (args->how) {
    case kernels_crash_write: *nowhere = 1; break;
    case kernels_crash_read: zero += *nowhere; break;
    case kernels_crash_divide: zero = seven / zero; break;
    case kernels_crash_illegal: __builtin_trap();
    case kernels_crash_stack: zero += (uint32_t)dig(0); break;
    case kernels_crash_print: print_record(args->buffer, nowhere, 24); break;
    case kernels_crash_break: breakpoint(); break;
    default: break;
  }
}

/* counts[group] += 1, or a fault. */
KERNEL(crash) {
  const kernels_crash_t *args = block;
  host_group_t group;
  (void)memory;
  first_group(ndrange, first, count, &group);
  do {
    uint64_t id = group.id[0] + ndrange->num_groups[0] * group.id[1];
    if (id == args->where || args->where == KERNELS_CRASH_ALL) crash_now(args);
    __atomic_fetch_add(&args->counts[id], 1u, __ATOMIC_RELAXED);
  } while (next_group(ndrange, &group));
}

/* The image's description and the sampler's bits. */
KERNEL(picture) {
  const kernels_picture_t *args = block;
  (void)ndrange, (void)memory, (void)first, (void)count;
  args->out->image = *args->image;
  args->out->sampler = args->sampler;
}

/* ---------------------------------------------------------------- table */

#define RECORD_TYPE(arguments)         \
  struct {                             \
    host_kernel_record_t record;       \
    host_arg_record_t args[arguments]; \
    char name[16];                     \
  }
/* Names follow the argument records without a gap. */
typedef struct empty_record_t {
  host_kernel_record_t record;
  char name[16];
} empty_record_t;

#define BUFFER(type, member) {host_arg_buffer, offsetof(type, member), 8, 8}
#define VALUE(type, member, align) {host_arg_value, offsetof(type, member), sizeof(((type *)0)->member), align}

typedef struct contents_t {
  host_kernel_table_t head;
  empty_record_t empty;
  RECORD_TYPE(1) mark;
  RECORD_TYPE(3) add;
  RECORD_TYPE(3) uneven;
  RECORD_TYPE(5) inspect;
  RECORD_TYPE(1) memory;
  RECORD_TYPE(3) symbols;
  RECORD_TYPE(1) print;
  RECORD_TYPE(4) crash;
  RECORD_TYPE(3) picture;
  empty_record_t required;
  empty_record_t huge;
} contents_t;

KERNEL(required) { UNUSED_PARAMETERS; }

#define HEAD(member, kernel, arguments, size)                                                                 \
  .record_size = sizeof(((contents_t *)0)->member), .name_length = sizeof kernel - 1, .arg_count = arguments, \
  .args_size = ((size) + 15) / 16 * 16, .work_width = 1, .sub_group_size = 1, .memory_alignment = HOST_LOCAL_ALIGNMENT

__attribute__((section(HOST_KERNEL_SECTION), used)) static const contents_t contents = {
    .head = {.magic = HOST_KERNEL_TABLE_MAGIC, .abi_version = HOST_ABI_VERSION, .kernel_count = 12},
    .empty = {{HEAD(empty, "empty", 0, 0)}, "empty"},
    .mark = {{HEAD(mark, "mark", 1, sizeof(kernels_mark_t))}, {BUFFER(kernels_mark_t, counts)}, "mark"},
    .add = {{HEAD(add, "add", 3, sizeof(kernels_add_t))},
            {BUFFER(kernels_add_t, a), BUFFER(kernels_add_t, b), BUFFER(kernels_add_t, c)},
            "add"},
    .uneven = {{HEAD(uneven, "uneven", 3, sizeof(kernels_uneven_t))},
               {BUFFER(kernels_uneven_t, counts), VALUE(kernels_uneven_t, period, 8), VALUE(kernels_uneven_t, work, 8)},
               "uneven"},
    .inspect = {{HEAD(inspect, "inspect", 5, sizeof(kernels_inspect_t)), .local_size = KERNELS_INSPECT_LOCAL_SIZE},
                {BUFFER(kernels_inspect_t, out),
                 {host_arg_local, offsetof(kernels_inspect_t, first_local), 8, 64},
                 VALUE(kernels_inspect_t, byte, 1),
                 VALUE(kernels_inspect_t, wide, 32),
                 {host_arg_local, offsetof(kernels_inspect_t, second_local), 8, 16}},
                "inspect"},
    .memory = {{HEAD(memory, "memory", 1, sizeof(kernels_memory_t)), .local_size = KERNELS_LOCAL_SIZE,
                .scratch_fixed = KERNELS_SCRATCH_FIXED, .scratch_per_item = KERNELS_SCRATCH_PER_ITEM},
               {BUFFER(kernels_memory_t, bad)},
               "memory"},
    .symbols = {{HEAD(symbols, "symbols", 3, sizeof(kernels_symbols_t))},
                {BUFFER(kernels_symbols_t, out), VALUE(kernels_symbols_t, dividend, 8),
                 VALUE(kernels_symbols_t, divisor, 8)},
                "symbols"},
    .print = {{HEAD(print, "print", 1, sizeof(kernels_print_t))}, {BUFFER(kernels_print_t, buffer)}, "print"},
    .crash = {{HEAD(crash, "crash", 4, sizeof(kernels_crash_t))},
              {BUFFER(kernels_crash_t, counts), VALUE(kernels_crash_t, how, 8), VALUE(kernels_crash_t, where, 8),
               BUFFER(kernels_crash_t, buffer)},
              "crash"},
    .picture = {{HEAD(picture, "picture", 3, sizeof(kernels_picture_t))},
                {BUFFER(kernels_picture_t, out),
                 {host_arg_image, offsetof(kernels_picture_t, image), 8, 8},
                 {host_arg_sampler, offsetof(kernels_picture_t, sampler), 8, 8}},
                "picture"},
    .huge = {{HEAD(huge, "huge", 0, 0), .scratch_fixed = UINT64_MAX - 64}, "huge"},
    .required = {{HEAD(required, "required", 0, 0), .reqd_local_size = {4, 2, 1}}, "required"},
};
