/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Interchange of group-stride loops with the work-item loop: entry point. */
#ifndef COMPILER_PASSES_GROUP_STRIDE_LOOPS_HPP
#define COMPILER_PASSES_GROUP_STRIDE_LOOPS_HPP

#include <llvm/IR/Function.h>

namespace quern {

/** Interchanges group-stride loops of a kernel with the work-item loop. A group-stride loop, as CUDA's grid-stride
 * loop, is
 *
 *   for (i = get_local_id(0); i < count; i += get_local_size(0)) sum += in[i];
 *
 * Without interchange each work-item runs its loop to the end before the next work-item begins. Its accesses then have
 * a stride of the group's size, or of the global size. The pass puts a barrier in each iteration: all work-items run
 * one iteration before the next one starts, and memory is read in order.
 *
 * The function must not yet be split at barriers. A runtime check, evaluated once per group, selects between the
 * interchanged and the original version. The original is faster for few work-items and few iterations, and is the
 * correct one for indices that wrap.
 *
 * `group` is the number of work-items along x where that is known, else 0. */
void interchange_group_stride_loops(llvm::Function &function, uint64_t group);

}  // namespace quern

#endif
