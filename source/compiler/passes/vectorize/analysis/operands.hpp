/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Questions about all that a value is made from. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_OPERANDS_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_OPERANDS_HPP

#include <optional>

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Value.h>

namespace quern {

/** True when `holds` is true of `value`, or of all that it is made from: where it has no answer, which must be an
 * instruction, its operands are asked about. Each value is asked about once, however often it is
 * used. */
bool holds_of_all(const llvm::Value *value, llvm::function_ref<std::optional<bool>(const llvm::Value *)> holds);

}  // namespace quern

#endif
