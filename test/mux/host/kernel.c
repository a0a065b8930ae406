/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * An executable of the host target by hand: the kernels of the Mux tests. */
#include "host/abi.h"

typedef struct copy_id_args_t {
  uint64_t *out;
  uint64_t first;
} copy_id_args_t;

#define KERNEL(name)                                                                                             \
  void __quern_kernel_##name(const void *args, const host_ndrange_t *ndrange, const host_group_memory_t *memory, \
                             uint64_t first, uint64_t count)
KERNEL(copy_id);
KERNEL(fail);
KERNEL(strict);

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Writes the work-items of one work-group; x is fastest, as for the null target's kernel of this name. */
static void run_group(const copy_id_args_t *args, const host_ndrange_t *range, const uint64_t group[3]) {
  uint64_t begin[3], end[3];
  for (int i = 0; i < 3; i++) {
    begin[i] = group[i] * range->local_size[i];
    end[i] = smaller(begin[i] + range->local_size[i], range->global_size[i]);
  }
  for (uint64_t z = begin[2]; z < end[2]; z++) {
    for (uint64_t y = begin[1]; y < end[1]; y++) {
      for (uint64_t x = begin[0]; x < end[0]; x++) {
        const uint64_t i = x + range->global_size[0] * (y + range->global_size[1] * z);
        args->out[i] = args->first + i;
      }
    }
  }
}

/* copy_id(global ulong *out, ulong first) */
KERNEL(copy_id) {
  (void)memory;
  for (uint64_t i = first; i < first + count; i++) {
    const uint64_t x = ndrange->num_groups[0], y = ndrange->num_groups[1];
    const uint64_t group[3] = {i % x, i / x % y, i / x / y};
    run_group(args, ndrange, group);
  }
}

/* Needs more memory than there can be, and is never entered. Vectors of eight, which are sub-groups. */
KERNEL(fail) { (void)args, (void)ndrange, (void)memory, (void)first, (void)count; }

/* strict(local uchar *unused), with a required local size of (4, 1, 1) */
KERNEL(strict) { (void)args, (void)ndrange, (void)memory, (void)first, (void)count; }

/* A variable that the host may look for, and one whose name alone is like that. */
uint64_t __quern_variable_number[2] = {5, 6};
extern const uint64_t __quern_variable_constant;
const uint64_t __quern_variable_constant = 7;

typedef struct test_table_t {
  host_kernel_table_t table;
  struct {
    host_kernel_record_t record;
    host_arg_record_t args[2];
    char name[8];
  } copy_id;
  struct {
    host_kernel_record_t record;
    char name[8];
  } fail;
  struct {
    host_kernel_record_t record;
    host_arg_record_t args[1];
    char name[8];
  } strict;
} test_table_t;

__attribute__((section(HOST_KERNEL_SECTION), used)) static const test_table_t table = {
    .table = {.magic = HOST_KERNEL_TABLE_MAGIC, .abi_version = HOST_ABI_VERSION, .kernel_count = 3},
    .copy_id = {.record = {.record_size = sizeof(table.copy_id),
                           .name_length = 7,
                           .arg_count = 2,
                           .args_size = sizeof(copy_id_args_t),
                           .work_width = 1,
                           .sub_group_size = 1,
                           .memory_alignment = HOST_LOCAL_ALIGNMENT},
                .args = {{.kind = host_arg_buffer, .offset = 0, .size = 8, .alignment = 8},
                         {.kind = host_arg_value, .offset = 8, .size = 8, .alignment = 8}},
                .name = "copy_id"},
    .fail = {.record = {.record_size = sizeof(table.fail),
                        .name_length = 4,
                        .scratch_fixed = UINT64_MAX - 128,
                        .work_width = 8,
                        .sub_group_size = 8,
                        .memory_alignment = HOST_LOCAL_ALIGNMENT},
             .name = "fail"},
    .strict = {.record = {.record_size = sizeof(table.strict),
                          .name_length = 6,
                          .arg_count = 1,
                          .args_size = 16,
                          .reqd_local_size = {4, 1, 1},
                          .work_width = 4,
                          .sub_group_size = 4,
                          .memory_alignment = HOST_LOCAL_ALIGNMENT},
               .args = {{.kind = host_arg_local, .offset = 0, .size = 8, .alignment = 8}},
               .name = "strict"},
};
