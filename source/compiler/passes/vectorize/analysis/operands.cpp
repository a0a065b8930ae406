/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Walks over operands. */
#include "compiler/passes/vectorize/analysis/operands.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instruction.h>

using namespace llvm;

namespace quern {

bool holds_of_all(const Value *value, function_ref<std::optional<bool>(const Value *)> holds) {
  SmallPtrSet<const Value *, 16> seen = {value};
  SmallVector<const Value *, 16> left = {value};
  while (!left.empty()) {
    const Value *next = left.pop_back_val();
    std::optional<bool> answer = holds(next);
    if (answer && !*answer) return false;
    if (answer) continue;
    for (const Use &operand : cast<Instruction>(next)->operands()) {
      if (seen.insert(operand).second) left.push_back(operand);
    }
  }
  return true;
}

}  // namespace quern
