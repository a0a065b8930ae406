/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Loops in which a work-group strides through memory. */
#ifndef COMPILER_PASSES_GROUP_STRIDE_LOOPS_HPP
#define COMPILER_PASSES_GROUP_STRIDE_LOOPS_HPP

#include <llvm/IR/Function.h>

namespace quern {

/** Work-items of a group that run through memory side by side,
 *
 *   for (i = get_local_id(0); i < count; i += get_local_size(0)) sum += in[i];
 *
 * would each run to the end before the next ones begin, and read at a stride that is the group's size, or the whole
 * range's. Gives such loops a barrier in each turn, so that all work-items take a turn before the next one and memory
 * is read in order. Which of the two forms runs is found out by the group: the first one is better for few work-items
 * and few turns, and right for indices that wrap.
 *
 * `group` is the number of work-items along x where that is known, else 0. */
void interchange_group_stride_loops(llvm::Function &function, uint64_t group);

}  // namespace quern

#endif
