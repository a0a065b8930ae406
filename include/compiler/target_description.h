/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What a target's code generator tells the passes of its processor and of its runtime's structures. */
#ifndef COMPILER_TARGET_DESCRIPTION_H
#define COMPILER_TARGET_DESCRIPTION_H

#include <stdbool.h>
#include <stdint.h>

/** Sizes and offsets, in bytes, of the structures to which work_group_ndrange and work_group_memory point. */
typedef struct work_group_layout_t {
  struct {
    /** Of the whole structure: so much can be read. */
    unsigned size;
    /** Three 64-bit numbers each. */
    unsigned global_size, global_offset, local_size, num_groups;
    /** 32-bit fields. `streaming_mib`: the size of a launch's results, in MiB, from which on it uses non-temporal
     * stores. */
    unsigned work_dim, streaming_mib;
  } ndrange;
  /** Two 64-bit numbers. */
  struct {
    unsigned local_size, scratch_size;
  } memory;
} work_group_layout_t;

/** Costs of one lane of a vector's memory access, in simple instructions. */
typedef struct lane_costs_t {
  /** Of a gather instruction for elements of four or eight bytes, and for smaller ones; of a scatter instruction. */
  double gather, narrow_gather, scatter;
  /** Without the instruction: the address is extracted, and the element inserted or extracted. */
  double emulated_gather, emulated_scatter;
  /** Of an access to contiguous memory under a mask, without the instruction: a branch for each lane. */
  double emulated_mask;
  /** Of the instruction that stores contiguous words under a mask; zero where it costs no more than without. */
  double masked_store;
} lane_costs_t;

/** A vector operation: cycles until its result is available, and how many simple operations could start instead. */
typedef struct operation_cost_t {
  double latency, operations;
} operation_cost_t;

/** How long vector operations take, for loops that are bound by the latency of their recurrences. */
typedef struct operation_costs_t {
  /** Vector operations that start in a cycle. */
  double issue_width;
  /** Operations that wait for their operands, at most: those after them do not start. */
  double scheduler_entries;
  /** Of a load that is contiguous, and of a gather; cycles for each element of a gather or scatter. */
  double load_latency, gather_latency, cycles_per_gathered, cycles_per_scattered;
  /** Operations on integers; products of 32 bits and of more. */
  operation_cost_t simple, rotation, multiplication, wide_multiplication, integer_division;
  /** Operations on floating-point numbers. `arithmetic`: sums, products and conversions. `function`: an intrinsic. */
  operation_cost_t arithmetic, division, square_root, function;
  /** Comparisons, whose results are masks. */
  operation_cost_t comparison;
} operation_costs_t;

/** What LLVM's TargetTransformInfo does not know of a processor. All zeros are valid: a group whose first number is
 * zero is derived from TargetTransformInfo (passes/target_costs.hpp). */
typedef struct target_costs_t {
  lane_costs_t lanes;
  operation_costs_t operations;
  /** Comparisons of vectors write registers of their own, with one bit for each lane. */
  bool has_mask_registers;
  /** Non-temporal stores save time where the runtime says so (streaming_mib), and it orders them. */
  bool has_nontemporal_stores;
  /** Registers have parts of 128 bits, and shuffles within the parts cost less than all others, as on x86. Not of
   * processors that load and store interleaved vectors by instructions of their own, as AArch64. */
  bool has_128_bit_parts;
} target_costs_t;

typedef struct target_description_t {
  work_group_layout_t layout;
  /** Work-items of the largest work-group, in each dimension; 0 when that is not known. */
  uint32_t max_work_group_size;
  target_costs_t costs;
} target_description_t;

#endif
