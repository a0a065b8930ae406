/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Predicates over the operands that a value is computed from. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_OPERANDS_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_OPERANDS_HPP

#include <optional>

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Value.h>

namespace quern {

/** True if `holds` returns true for `value`, or for all values that it is computed from. `holds` returns std::nullopt
 * to defer the answer to the operands of its argument, which must then be an instruction. Each value is visited once,
 * even if it has several uses. */
bool all_of_operands(const llvm::Value *value, llvm::function_ref<std::optional<bool>(const llvm::Value *)> holds);

/** The fewest bits that hold the index of every lane of a vector. */
inline constexpr unsigned lane_index_bits = 8;

/** Strips extensions and truncations of integers. The low bits stay the same, at least those of a lane index. Null is
 * returned as it is. */
llvm::Value *strip_integer_casts(llvm::Value *value);

}  // namespace quern

#endif
