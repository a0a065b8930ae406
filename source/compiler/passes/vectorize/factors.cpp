/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Factors on the way to addresses. */
#include "compiler/passes/vectorize/factors.hpp"

#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace quern {

/* The parameter that `value` is, extended or cut perhaps. */
static Argument *parameter_of(Value *value) {
  while (auto *conversion = dyn_cast<CastInst>(value)) value = conversion->getOperand(0);
  return value->getType()->isIntegerTy() ? dyn_cast<Argument>(value) : nullptr;
}

/* Not the same in all turns of the loops around the work-items. */
static bool changes(const Value *value, const ItemLoop &loop, const LoopInfo &loops) {
  auto *instruction = dyn_cast_or_null<Instruction>(value);
  const Loop *inside = instruction ? loops.getLoopFor(instruction->getParent()) : nullptr;
  return inside && inside != loop.loop && inside->contains(loop.loop) && !is_row_loop(*inside);
}

std::optional<Factor> Factor::find(const ItemBody &body, const LaneAnalysis &analysis, const ItemLoop &loop,
                                   const LoopInfo &loops) {
  SmallVector<Value *, 16> stack;
  for (BasicBlock *block : analysis.order()) {
    for (Instruction &instruction : *block) {
      Value *address = getLoadStorePointerOperand(&instruction);
      if (address && analysis.shape(address).kind == Shape::varying) stack.push_back(address);
    }
  }
  SmallPtrSet<const Value *, 16> seen;
  while (!stack.empty()) {
    auto *part = dyn_cast<Instruction>(stack.pop_back_val());
    if (!part || part->mayReadOrWriteMemory() || isa<PHINode>(part) || !seen.insert(part).second) continue;
    for (unsigned i : {1, 0}) {
      bool is_exponent = part->getOpcode() == Instruction::Shl && i == 1;
      if (part->getOpcode() != Instruction::Mul && !is_exponent) continue;
      Argument *factor = parameter_of(part->getOperand(i));
      bool differs = factor && !analysis.is_uniform(part->getOperand(1 - i));
      if (differs && changes(body.outside(factor), loop, loops)) return Factor{body.outside(factor), is_exponent};
    }
    for (Value *operand : part->operands()) {
      if (!analysis.is_uniform(operand)) stack.push_back(operand);
    }
  }
  return std::nullopt;
}

ConstantInt *Factor::constant(unsigned index) const {
  return ConstantInt::get(cast<IntegerType>(value->getType()), is_exponent ? index : uint64_t(1) << index);
}

/* Constants go to the right, where they are looked for. Nothing is taken away: it may be what leaves the loop. */
void assume_value(const ItemBody &body, const Value *value, Constant *constant) {
  Function &function = body.function();
  for (Argument &argument : function.args()) {
    if (body.outside(&argument) == value) argument.replaceAllUsesWith(constant);
  }
  for (Instruction &instruction : instructions(function)) {
    if (Value *known = simplifyInstruction(&instruction, function.getDataLayout())) {
      instruction.replaceAllUsesWith(known);
    } else if (isa<BinaryOperator>(instruction) && isa<Constant>(instruction.getOperand(0))) {
      cast<BinaryOperator>(instruction).swapOperands();
    }
  }
}

}  // namespace quern
