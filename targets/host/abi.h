/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Contract between generated kernels and the host runtime. Everything is little-endian and 64-bit. */
#ifndef HOST_ABI_H
#define HOST_ABI_H

#include <stdint.h>

/** Raised with any change to this file; an executable of another version is refused. */
#define HOST_ABI_VERSION 16u

/** Work-items of a work-group, in each dimension and together: kernels rely on it. */
#define HOST_MAX_WORK_GROUP_SIZE 4096u

/** Work-items of the largest sub-group. */
#define HOST_MAX_SUB_GROUP_SIZE 64u

/** Constant over one ND-range command. Unused dimensions have size 1 and offset 0. */
typedef struct host_ndrange_t {
  uint64_t global_size[3];
  uint64_t global_offset[3];
  /** Enqueued local size; the last work-group of a dimension may be smaller. */
  uint64_t local_size[3];
  /** Rounded up. */
  uint64_t num_groups[3];
  uint32_t work_dim;
  /** Launches whose results are of at least so many MiB write them past the caches; UINT32_MAX for none. */
  uint32_t streaming_mib;
  /** The dimension in which consecutive work-groups are neighbours. */
  uint32_t group_dimension;
  uint32_t reserved;
} host_ndrange_t;

/** What the executing thread lends to a run of work-groups; reused from one work-group to the next. */
typedef struct host_group_memory_t {
  /** Work-group local memory: the kernel's own variables first, then local arguments. */
  void *local;
  /** Barrier context. Both are aligned to HOST_LOCAL_ALIGNMENT, or to more if the kernel's record says so. */
  void *scratch;
  /** Bytes of both, at least what the kernel and its arguments ask for. */
  uint64_t local_size;
  uint64_t scratch_size;
} host_group_memory_t;

#define HOST_LOCAL_ALIGNMENT 128u

/** Entry of a kernel: runs work-groups `first` to `first + count - 1`, numbered linearly (host_group_first).
 * `args` is the packed argument block described by host_arg_record_t. */
typedef void (*host_kernel_entry_t)(const void *args, const host_ndrange_t *ndrange, const host_group_memory_t *memory,
                                    uint64_t first, uint64_t count);

/** An executable is one object, or this head, `object_count` of host_object_entry_t, then the objects. Kernels that
 * were compiled apart from each other are in different objects, which do not refer to each other. */
#define HOST_EXECUTABLE_MAGIC 0x45584551u /* "QEXE" */
#define HOST_OBJECT_ALIGNMENT 16u

typedef struct host_executable_head_t {
  uint32_t magic;
  uint32_t abi_version;
  uint32_t object_count;
  uint32_t reserved;
} host_executable_head_t;

typedef struct host_object_entry_t {
  /** From the start of the executable, a multiple of HOST_OBJECT_ALIGNMENT. */
  uint64_t offset;
  uint64_t size;
} host_object_entry_t;

/** Objects are ELF64 relocatable files with a section of this name, which holds a host_kernel_table_t followed by
 * `kernel_count` records, and for each kernel NAME a global function symbol HOST_ENTRY_PREFIX NAME. */
#define HOST_KERNEL_SECTION ".quern.kernels"
#define HOST_ENTRY_PREFIX "__quern_kernel_"
/** A kernel of which nobody knows whether it is faster with vectors or without has its entry twice: a function symbol
 * HOST_SINGLE_PREFIX HOST_ENTRY_PREFIX NAME runs work-items one by one, with the same results. */
#define HOST_SINGLE_PREFIX "__quern_single_"
/** Entries for launches whose buffers do not overlap, where these are faster: HOST_DISTINCT_PREFIX HOST_ENTRY_PREFIX
 * NAME, and again HOST_SINGLE_PREFIX before that. */
#define HOST_DISTINCT_PREFIX "__quern_distinct_"
/** Each variable NAME that the host may look for is a global symbol HOST_VARIABLE_PREFIX NAME with its size. */
#define HOST_VARIABLE_PREFIX "__quern_variable_"
#define HOST_KERNEL_TABLE_MAGIC 0x4c544b51u /* "QKTL" */

typedef struct host_kernel_table_t {
  uint32_t magic;
  uint32_t abi_version;
  uint32_t kernel_count;
  uint32_t reserved;
} host_kernel_table_t;

/** Denormal numbers are zero while it runs. */
#define HOST_KERNEL_FLUSHES_DENORMALS 1u
/** It computes the same however the ND-range is divided into work-groups. */
#define HOST_KERNEL_IGNORES_GROUPS 2u
/** Consecutive work-groups shall be neighbours in the dimension of the lanes. */
#define HOST_KERNEL_GROUPS_FOLLOW_LANES 4u
/** Of its two entries (HOST_SINGLE_PREFIX) the one for single work-items is expected to be faster; the same for
 * distinct buffers. */
#define HOST_KERNEL_EXPECTS_SCALAR 8u
#define HOST_KERNEL_DISTINCT_EXPECTS_SCALAR 16u
/** It calls sub-group functions. */
#define HOST_KERNEL_USES_SUB_GROUPS 32u
/** It requires no sub-group size: lines of work-items along x that are shorter than a sub-group, and powers of two,
 * are sub-groups where there are 32 at most. */
#define HOST_KERNEL_HAS_SUB_GROUP_LINES 64u

/** Followed by arg_count host_arg_record_t, then the name, then zeros up to record_size. */
typedef struct host_kernel_record_t {
  /** A multiple of 8. */
  uint32_t record_size;
  uint32_t name_length;
  uint32_t arg_count;
  /** Bytes of the packed argument block, a multiple of 16 (the block itself is 128-byte aligned). */
  uint32_t args_size;
  /** Bytes of the kernel's own local variables; the first local argument starts at the next multiple of its
   * alignment. */
  uint64_t local_size;
  /** Bytes of barrier context: scratch_fixed + scratch_per_item * (work-items of the enqueued local size). */
  uint64_t scratch_fixed;
  uint64_t scratch_per_item;
  /** Zeros when the kernel has none. */
  uint32_t reqd_local_size[3];
  /** Work-items that one vector instruction handles; 1 when scalar. */
  uint32_t work_width;
  /** The dimension, 0 to 2, in which these work-items are neighbours, where the work-group has at least `min_lanes` of
   * them in it; dimension 0 in other work-groups. */
  uint32_t vector_dimension, min_lanes;
  /** Work-items of its sub-groups but the last: a power of two. */
  uint32_t sub_group_size;
  /** HOST_KERNEL_*. */
  uint32_t flags;
  /** What local memory and barrier context must be aligned to, a power of two; HOST_LOCAL_ALIGNMENT where that is more.
   */
  uint64_t memory_alignment;
  /** Bytes of its variables on the stack. */
  uint64_t stack_size;
} host_kernel_record_t;

typedef enum host_arg_kind_e {
  /** 8 bytes: address of the buffer's bytes (buffer + offset), 0 for null_buffer; for custom_buffer the value. */
  host_arg_buffer,
  /** 8 bytes: offset of the argument in the work-group's local memory. */
  host_arg_local,
  /** `size` bytes copied. */
  host_arg_value,
  /** 8 bytes: address of the image_description_t (compiler/image.h). */
  host_arg_image,
  /** 8 bytes: sampler bits (compiler/image.h). */
  host_arg_sampler,
} host_arg_kind_e;

typedef struct host_arg_record_t {
  uint32_t kind;
  /** Offset in the packed argument block, aligned to `alignment`. */
  uint32_t offset;
  uint32_t size;
  /** Of a value in the block; of the memory behind a local argument. A power of two, at most 128. */
  uint32_t alignment;
} host_arg_record_t;

/** Where a run of work-groups is. */
typedef struct host_group_t {
  uint64_t id[3];
  /** Actual size: the last work-group of a dimension may be smaller than the enqueued one. */
  uint64_t size[3];
  /** Work-groups of the run that are left, this one included. */
  uint64_t left;
} host_group_t;

/** Starts a run; called by generated code as `__quern_first_group`. `count` is at least 1. Work-groups are numbered
 * with x fastest, then y and z; where `group_dimension` is 1 in the order y, x, z, and where it is 2 in the order
 * z, y, x. */
void host_group_first(const host_ndrange_t *ndrange, uint64_t first, uint64_t count, host_group_t *group);

/** Goes on to the next work-group of the run, and returns 1; 0 when there is none. `__quern_next_group`. */
uint32_t host_group_next(const host_ndrange_t *ndrange, host_group_t *group);

/** Time on a clock that never goes back, in nanoseconds; called by generated code as `__quern_clock`. */
uint64_t host_clock(void);

/** Appends a record to the printf buffer (compiler/printf.h); called by generated code as `__quern_printf`. */
void host_printf(void *printf_buffer, const void *record, uint64_t size);

/** An assertion of the kernel has failed: ends the command, and does not return. `__quern_assert_fail`. */
void host_assert_fail(const char *expression, const char *file, int32_t line, const char *function, uint64_t global_x,
                      uint64_t global_y, uint64_t global_z, uint64_t local_x, uint64_t local_y, uint64_t local_z);

#endif
