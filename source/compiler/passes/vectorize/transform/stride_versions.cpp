/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Factors on the way to addresses. */
#include "compiler/passes/vectorize/transform/stride_versions.hpp"

#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace quern {

/* How many multipliers have versions. */
static constexpr unsigned multiplier_versions = 3;

/* Bits that number all lanes of a vector. */
static constexpr unsigned lane_bits = 8;

/* What `value` is when it was neither extended nor cut: the same bits as far as there are some, lanes' always. */
static Value *without_conversions(Value *value) {
  while (isa_and_nonnull<ZExtInst, SExtInst, TruncInst>(value) && value->getType()->isIntegerTy()) {
    Value *from = cast<CastInst>(value)->getOperand(0);
    if (std::min(value->getType()->getIntegerBitWidth(), from->getType()->getIntegerBitWidth()) < lane_bits) break;
    value = from;
  }
  return value;
}

/* The parameter that `value` is, extended or cut perhaps. */
static Argument *parameter_of(Value *value) { return dyn_cast<Argument>(without_conversions(value)); }

/* Not the same in all turns of the loops around the work-items. */
static bool changes(const Value *value, const ItemLoop &loop, const LoopInfo &loops) {
  auto *instruction = dyn_cast_or_null<Instruction>(value);
  const Loop *inside = instruction ? loops.getLoopFor(instruction->getParent()) : nullptr;
  return inside && inside != loop.loop && inside->contains(loop.loop) && !is_y_loop(*inside);
}

std::optional<VersionedStride> VersionedStride::find(const ItemBody &body, const ShapeAnalysis &analysis,
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
    auto *part = dyn_cast<Instruction>(stack.pop_back_val());
    if (!part || part->mayReadOrWriteMemory() || isa<PHINode>(part) || !seen.insert(part).second) continue;
    for (unsigned i : {1, 0}) {
      bool is_exponent = part->getOpcode() == Instruction::Shl && i == 1;
      if (part->getOpcode() != Instruction::Mul && !is_exponent) continue;
      Argument *factor = parameter_of(part->getOperand(i));
      bool differs = factor && !analysis.is_uniform(part->getOperand(1 - i));
      if (differs && changes(body.outside(factor), loop, loops)) {
        return VersionedStride{body.outside(factor), is_exponent ? exponent : multiplier};
      }
    }
    for (Value *operand : part->operands()) {
      if (!analysis.is_uniform(operand)) stack.push_back(operand);
    }
  }
  return std::nullopt;
}

/* What masks `number` in an operation, or null. */
static Value *mask_of_number(const Instruction &operation, const Value *number) {
  if (operation.getOpcode() != Instruction::And || !operation.getType()->isIntegerTy()) return nullptr;
  if (operation.getType()->getIntegerBitWidth() < lane_bits) return nullptr;
  for (unsigned i : {0, 1}) {
    if (without_conversions(operation.getOperand(i)) == number) return without_conversions(operation.getOperand(1 - i));
  }
  return nullptr;
}

std::optional<VersionedStride> VersionedStride::find_mask(const ItemLoop &loop, const LoopInfo &loops) {
  for (const BasicBlock *block : loop.loop->blocks()) {
    for (const Instruction &instruction : *block) {
      Value *value = mask_of_number(instruction, loop.counter);
      if (value && changes(value, loop, loops)) return VersionedStride{value, mask};
    }
  }
  return std::nullopt;
}

unsigned VersionedStride::versions() const { return kind == mask ? 1 : multiplier_versions; }

ConstantInt *VersionedStride::constant(unsigned version) const {
  if (kind == mask) return nullptr;
  return ConstantInt::get(cast<IntegerType>(value->getType()), kind == exponent ? version : uint64_t(1) << version);
}

Value *VersionedStride::test(unsigned version, unsigned width, IRBuilder<> &builder) const {
  if (kind != mask) return builder.CreateICmpEQ(value, constant(version));
  Value *lanes = ConstantInt::get(value->getType(), width - 1);
  return builder.CreateICmpEQ(builder.CreateAnd(value, lanes), lanes);
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

SmallPtrSet<const Instruction *, 4> masked_indices(const ItemBody &body, const Value *mask) {
  SmallPtrSet<const Instruction *, 4> places;
  for (const Instruction &instruction : instructions(body.function())) {
    auto *parameter = dyn_cast_or_null<Argument>(mask_of_number(instruction, body.counter()));
    if (parameter && without_conversions(body.outside(parameter)) == mask) places.insert(&instruction);
  }
  return places;
}

}  // namespace quern
