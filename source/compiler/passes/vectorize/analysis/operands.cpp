/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Traversal of operands. */
#include "compiler/passes/vectorize/analysis/operands.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace quern {

bool all_of_operands(const Value *value, function_ref<std::optional<bool>(const Value *)> holds) {
  SmallPtrSet<const Value *, 16> visited = {value};
  SmallVector<const Value *, 16> worklist = {value};
  while (!worklist.empty()) {
    const Value *next = worklist.pop_back_val();
    std::optional<bool> answer = holds(next);
    if (answer && !*answer) return false;
    if (answer) continue;
    for (const Use &operand : cast<Instruction>(next)->operands()) {
      if (visited.insert(operand).second) worklist.push_back(operand);
    }
  }
  return true;
}

Value *strip_integer_casts(Value *value) {
  while (isa_and_nonnull<ZExtInst, SExtInst, TruncInst>(value) && value->getType()->isIntegerTy()) {
    Value *from = cast<CastInst>(value)->getOperand(0);
    if (std::min(value->getType()->getIntegerBitWidth(), from->getType()->getIntegerBitWidth()) < lane_index_bits)
      break;
    value = from;
  }
  return value;
}

}  // namespace quern
