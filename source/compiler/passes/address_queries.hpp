/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lowering of to_global, to_local and to_private (OpenCL C section 6.15.11). */
#ifndef COMPILER_PASSES_ADDRESS_QUERIES_HPP
#define COMPILER_PASSES_ADDRESS_QUERIES_HPP

#include <llvm/IR/Function.h>

#include "compiler/passes/passes.h"

namespace quern {

/** Whether `function` is one of the three, under the name that the front end gives it. */
bool is_address_query(const llvm::Function *function);

/** Replaces their calls in a work-group function by comparisons of the address with the bounds of the executing
 * thread's local memory, barrier context and stack frame. `layout` gives the offsets of the bounds. */
void lower_address_queries(llvm::Function &function, const work_group_layout_t &layout);

}  // namespace quern

#endif
