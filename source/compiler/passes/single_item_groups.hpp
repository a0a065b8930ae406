/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels whose work-groups have one work-item: local memory becomes private memory, and barriers go. */
#ifndef COMPILER_PASSES_SINGLE_ITEM_GROUPS_HPP
#define COMPILER_PASSES_SINGLE_ITEM_GROUPS_HPP

#include <llvm/IR/Module.h>

namespace quern {

/** For kernels with reqd_work_group_size(1, 1, 1), once what needs the work-group is inlined into them: removes their
 * barriers, makes private variables of their local ones, and expresses the group's number by the global id. Work-items
 * of different groups can be vectorized together afterwards (ignores_groups()). Local pointer arguments must have a
 * known size (passes_know_local_memory). A kernel stays as it is if it has more local memory than lanes should have
 * copies of, calls sub-group functions, asks for an address space, or has a barrier beyond the work-group. */
void make_local_memory_private(llvm::Module &module);

}  // namespace quern

#endif
