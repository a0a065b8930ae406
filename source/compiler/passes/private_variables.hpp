/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which private variables are worth promoting. */
#ifndef COMPILER_PASSES_PRIVATE_VARIABLES_HPP
#define COMPILER_PASSES_PRIVATE_VARIABLES_HPP

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

namespace quern {

/** Bytes. SROA divides a variable into elements that are accessed at constant offsets; a larger one is a table. */
inline constexpr uint64_t largest_promoted_variable = 1024;

/** Whether the variable's size is known, and SROA could make values of its elements. */
inline bool is_promotable_size(const llvm::AllocaInst &variable) {
  std::optional<llvm::TypeSize> size = variable.getAllocationSize(variable.getDataLayout());
  return size && !size->isScalable() && *size <= largest_promoted_variable;
}

}  // namespace quern

#endif
