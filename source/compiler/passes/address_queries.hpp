/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * to_global, to_local and to_private (OpenCL C section 6.15.11). */
#ifndef COMPILER_PASSES_ADDRESS_QUERIES_HPP
#define COMPILER_PASSES_ADDRESS_QUERIES_HPP

#include <llvm/IR/Function.h>

#include "compiler/passes/passes.h"

namespace quern {

/** True for the three functions, as the front end names them. */
bool is_address_query(const llvm::Function *function);

/** Replaces their calls in a work-group function by comparisons with the memory that the executing thread lent. */
void lower_address_queries(llvm::Function &function, const work_group_layout_t &layout);

}  // namespace quern

#endif
