/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recovery of sign extensions from what InstCombine makes of them. */
#include "compiler/passes/sign_extensions.hpp"

#include <cassert>

#include <llvm/Analysis/DomConditionCache.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/SimplifyQuery.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/passes/preserved.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

/* Width of an index before its extension to 64 bits. */
static constexpr unsigned index_bits = 32;

/* Nested sums that are searched. */
static constexpr unsigned max_sum_depth = 4;

namespace {

/* Divides values that are multiples of 2^32 by it. The quotients are exact modulo 2^32, as are those that a sign
 * extension from 32 bits reads. */
class ShiftFactors {
 public:
  explicit ShiftFactors(Instruction &before) : builder_(&before) {}

  /** True when the quotient of `value` can be written. */
  bool can_divide(const Value *value, unsigned depth = max_sum_depth) const;
  Value *divide(Value *value);

 private:
  IRBuilder<> builder_;
};

}  // namespace

bool ShiftFactors::can_divide(const Value *value, unsigned depth) const {
  const APInt *constant;
  const Value *left, *right;
  if (match(value, m_APInt(constant))) return constant->countr_zero() >= index_bits;
  if (match(value, m_Shl(m_Value(), m_APInt(constant)))) return constant->uge(index_bits);
  if (match(value, m_Mul(m_Value(), m_APInt(constant)))) return constant->countr_zero() >= index_bits;
  const bool is_sum =
      match(value, m_AddLike(m_Value(left), m_Value(right))) || match(value, m_Sub(m_Value(left), m_Value(right)));
  return depth && is_sum && can_divide(left, depth - 1) && can_divide(right, depth - 1);
}

Value *ShiftFactors::divide(Value *value) {
  const APInt *constant;
  Value *left = nullptr, *right = nullptr;
  if (match(value, m_APInt(constant))) return builder_.getInt(constant->ashr(index_bits));
  if (match(value, m_Shl(m_Value(left), m_APInt(constant))))
    return *constant == index_bits ? left : builder_.CreateShl(left, builder_.getInt(*constant - index_bits));
  if (match(value, m_Mul(m_Value(left), m_APInt(constant))))
    return builder_.CreateMul(left, builder_.getInt(constant->ashr(index_bits)));
  if (match(value, m_Sub(m_Value(left), m_Value(right)))) return builder_.CreateSub(divide(left), divide(right));
  [[maybe_unused]] const bool is_sum = match(value, m_AddLike(m_Value(left), m_Value(right)));
  assert(is_sum && "can_divide() knows no other operation");
  return builder_.CreateAdd(divide(left), divide(right));
}

/* ashr (sum of shifted values), n to ashr (shl (sum), 32), n. */
static bool factor_shift(Instruction &instruction, SmallVectorImpl<WeakTrackingVH> &replaced) {
  const APInt *amount;
  Value *sum;
  if (!instruction.getType()->isIntegerTy(64)) return false;
  if (!match(&instruction, m_AShr(m_Value(sum), m_APInt(amount))) || amount->ugt(index_bits)) return false;
  if (isa<Constant>(sum) || match(sum, m_Shl(m_Value(), m_Value()))) return false;
  ShiftFactors factors(instruction);
  if (!factors.can_divide(sum)) return false;
  Value *quotient = factors.divide(sum);
  instruction.setOperand(0, IRBuilder<>(&instruction).CreateShl(quotient, index_bits));
  replaced.push_back(sum);
  return true;
}

/* add %y, (xor %x, -1) to add %y, (sub -1, %x). */
static bool negate(Instruction &instruction) {
  Value *value;
  if (!instruction.getType()->isIntegerTy() || !match(&instruction, m_Not(m_Value(value)))) return false;
  auto is_sum = [](const User *user) { return match(user, m_Add(m_Value(), m_Value())); };
  if (none_of(instruction.users(), is_sum)) return false;
  Value *difference = IRBuilder<>(&instruction).CreateSub(Constant::getAllOnesValue(instruction.getType()), value);
  instruction.replaceUsesWithIf(difference, [&](const Use &use) { return is_sum(use.getUser()); });
  return true;
}

/* The conditions of branches, for what they say about values behind them. */
static DomConditionCache find_conditions(Function &function) {
  DomConditionCache conditions;
  for (BasicBlock &block : function) {
    if (auto *branch = dyn_cast<BranchInst>(block.getTerminator()); branch && branch->isConditional())
      conditions.registerBranch(branch);
  }
  return conditions;
}

/* and %x, 2^32-1 or and %x, 2^31-1 to ashr (shl %x, 32), 32 where bit 31 is clear, as behind a test that an index is
 * not negative. */
static bool extend_sign(Instruction &instruction, const SimplifyQuery &query,
                        SmallVectorImpl<WeakTrackingVH> &replaced) {
  Value *value;
  const APInt *mask;
  if (!instruction.getType()->isIntegerTy(64) || !match(&instruction, m_And(m_Value(value), m_APInt(mask))) ||
      !(mask->isMask(index_bits) || mask->isMask(index_bits - 1)))
    return false;
  const KnownBits bits = computeKnownBits(value, query.getWithInstruction(&instruction));
  if (!bits.Zero[index_bits - 1]) return false;
  IRBuilder<> builder(&instruction);
  Value *extended = builder.CreateAShr(builder.CreateShl(value, index_bits), index_bits);
  extended->takeName(&instruction);
  instruction.replaceAllUsesWith(extended);
  replaced.push_back(&instruction);
  return true;
}

/* The bits of an index in 64 bits. */
static constexpr uint64_t index_mask = maskTrailingOnes<uint64_t>(index_bits);

/* The minuend and the subtrahend of `value`, a difference modulo 2^32. Null for another operation. */
static std::pair<Value *, Value *> find_difference(Value *value) {
  Value *left, *right;
  const APInt *constant;
  if (match(value, m_Sub(m_Value(left), m_Value(right)))) return {left, right};
  if (!match(value, m_Add(m_Value(left), m_APInt(constant)))) return {};
  const APInt subtrahend = -constant->trunc(index_bits);
  if (!subtrahend.isStrictlyPositive()) return {};
  return {left, ConstantInt::get(value->getType(), subtrahend.zext(constant->getBitWidth()))};
}

/* and (sub %x, %y), 2^32-1 to sub (and %x, 2^32-1), (and %y, 2^32-1), and the same for zext, where %x is not less than
 * %y, as behind `if (x > 0)` for x - 1. Over work-items the difference has unit stride where %x has. */
static bool extend_difference(Instruction &instruction, ScalarEvolution &evolution,
                              SmallVectorImpl<WeakTrackingVH> &replaced) {
  Value *value = nullptr;
  Type *narrow = Type::getIntNTy(instruction.getContext(), index_bits), *type = instruction.getType();
  const bool is_extension = match(&instruction, m_ZExt(m_Value(value))) && value->getType() == narrow;
  if (!type->isIntegerTy(64) ||
      (!is_extension && !match(&instruction, m_And(m_Value(value), m_SpecificInt(index_mask)))))
    return false;
  auto [minuend, subtrahend] = find_difference(value);
  if (!minuend) return false;
  const SCEV *left = evolution.getTruncateOrNoop(evolution.getSCEV(minuend), narrow),
             *right = evolution.getTruncateOrNoop(evolution.getSCEV(subtrahend), narrow);
  if (!evolution.isBasicBlockEntryGuardedByCond(instruction.getParent(), ICmpInst::ICMP_UGE, left, right)) return false;
  IRBuilder<> builder(&instruction);
  auto extend = [&](Value *operand) {
    return is_extension ? builder.CreateZExt(operand, type) : builder.CreateAnd(operand, index_mask);
  };
  minuend = extend(minuend), subtrahend = extend(subtrahend);
  Value *difference = builder.CreateSub(minuend, subtrahend, "", true, true);
  difference->takeName(&instruction);
  instruction.replaceAllUsesWith(difference);
  replaced.push_back(&instruction);
  return true;
}

PreservedAnalyses RecoverSignExtensionsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  bool changed = false;
  DomConditionCache conditions = find_conditions(function);
  SimplifyQuery query(function.getDataLayout(), &analyses.getResult<DominatorTreeAnalysis>(function));
  query.DC = &conditions;
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  SmallVector<WeakTrackingVH, 16> replaced;
  for (Instruction &instruction : instructions(function)) {
    changed |= negate(instruction) || factor_shift(instruction, replaced) ||
               extend_sign(instruction, query, replaced) || extend_difference(instruction, evolution, replaced);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  return preserve_blocks(changed);
}

}  // namespace quern
