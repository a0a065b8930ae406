/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Versions for strides: finds the strides and masks in addresses, and specializes the body. */
#include "compiler/passes/vectorize/transform/stride_versions.hpp"

#include <cassert>

#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

#include "compiler/passes/vectorize/analysis/operands.hpp"

using namespace llvm;

namespace quern {

/* Versions of a multiplier: for 1, 2 and 4. */
static constexpr unsigned multiplier_versions = 3;

/* The body's parameter that `value` is, possibly extended or truncated; else null. */
static Argument *strip_to_parameter(Value *value) { return dyn_cast<Argument>(strip_integer_casts(value)); }

/* True for a value computed in a loop around the item loop, but for the y loop: it differs between iterations of it. */
static bool varies_in_enclosing_loop(const Value *value, const ItemLoop &loop, const LoopInfo &loops) {
  auto *instruction = dyn_cast_or_null<Instruction>(value);
  const Loop *innermost = instruction ? loops.getLoopFor(instruction->getParent()) : nullptr;
  return innermost && innermost != loop.loop && innermost->contains(loop.loop) && !is_y_loop(*innermost);
}

/* Searches the divergent values that varying addresses are made from. */
std::optional<VersionedStride> VersionedStride::find_stride(const ItemBody &body, const ShapeAnalysis &analysis,
                                                            const ItemLoop &loop, const LoopInfo &loops) {
  SmallVector<Value *, 16> stack;
  for (BasicBlock *block : analysis.order()) {
    for (Instruction &instruction : *block) {
      Value *address = getLoadStorePointerOperand(&instruction);
      if (address && analysis.shape(address).kind == Shape::varying) stack.push_back(address);
    }
  }
  SmallPtrSet<const Value *, 16> seen;
  while (!stack.empty()) {
    auto *operation = dyn_cast<Instruction>(stack.pop_back_val());
    if (!operation || operation->mayReadOrWriteMemory() || isa<PHINode>(operation) || !seen.insert(operation).second)
      continue;
    for (unsigned i : {1, 0}) {
      bool is_exponent = operation->getOpcode() == Instruction::Shl && i == 1;
      if (operation->getOpcode() != Instruction::Mul && !is_exponent) continue;
      Argument *stride = strip_to_parameter(operation->getOperand(i));
      const bool is_stride =
          stride && stride->getType()->isIntegerTy() && !analysis.is_uniform(operation->getOperand(1 - i));
      if (is_stride && varies_in_enclosing_loop(body.outside(stride), loop, loops)) {
        return VersionedStride{body.outside(stride), is_exponent ? exponent : multiplier};
      }
    }
    for (Value *operand : operation->operands()) {
      if (!analysis.is_uniform(operand)) stack.push_back(operand);
    }
  }
  return std::nullopt;
}

/* The other operand of an `and` of `index`, both without casts; null for another operation. */
static Value *mask_of_index(const Instruction &operation, const Value *index) {
  if (operation.getOpcode() != Instruction::And || !operation.getType()->isIntegerTy()) return nullptr;
  if (operation.getType()->getIntegerBitWidth() < lane_index_bits) return nullptr;
  for (unsigned i : {0, 1}) {
    if (strip_integer_casts(operation.getOperand(i)) == index) return strip_integer_casts(operation.getOperand(1 - i));
  }
  return nullptr;
}

std::optional<VersionedStride> VersionedStride::find_mask(const ItemLoop &loop, const LoopInfo &loops) {
  for (const BasicBlock *block : loop.loop->blocks()) {
    for (const Instruction &instruction : *block) {
      Value *value = mask_of_index(instruction, loop.counter);
      if (value && varies_in_enclosing_loop(value, loop, loops)) return VersionedStride{value, mask};
    }
  }
  return std::nullopt;
}

unsigned VersionedStride::versions() const { return kind == mask ? 1 : multiplier_versions; }

ConstantInt *VersionedStride::constant(unsigned version) const {
  if (kind == mask) return nullptr;
  assert(version < versions() && "no version has this number");
  return ConstantInt::get(cast<IntegerType>(value->getType()), kind == exponent ? version : uint64_t(1) << version);
}

Value *VersionedStride::write_condition(unsigned version, unsigned width, IRBuilder<> &builder) const {
  if (kind != mask) return builder.CreateICmpEQ(value, constant(version));
  Value *lane_mask = ConstantInt::get(value->getType(), width - 1);
  return builder.CreateICmpEQ(builder.CreateAnd(value, lane_mask), lane_mask);
}

/* Folds what becomes constant. Constant operands move to the right-hand side, where the analyses expect them. No
 * instruction is erased: it may be a live-out value of the loop. */
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

SmallPtrSet<const Instruction *, 4> masked_indices(const ItemBody &body, const Value *mask) {
  SmallPtrSet<const Instruction *, 4> indices;
  for (const Instruction &instruction : instructions(body.function())) {
    auto *parameter = dyn_cast_or_null<Argument>(mask_of_index(instruction, body.counter()));
    if (parameter && strip_integer_casts(body.outside(parameter)) == mask) indices.insert(&instruction);
  }
  return indices;
}

}  // namespace quern
