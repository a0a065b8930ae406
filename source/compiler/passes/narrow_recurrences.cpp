/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Narrowing of recurrences to the width of their indices. */
#include "compiler/passes/narrow_recurrences.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/passes/preserved.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

static constexpr unsigned wide_bits = 64, narrow_bits = 32;
static constexpr uint64_t narrow_mask = maskTrailingOnes<uint64_t>(narrow_bits);

/* Nested operations that are computed in the narrow type. */
static constexpr unsigned max_depth = 4;

/* True for a use of nothing but the low bits, which can be made of the narrow value without another operation. */
static bool uses_low_bits(const User *user) {
  const APInt *constant;
  if (match(user, m_And(m_Value(), m_SpecificInt(narrow_mask)))) return true;
  if (isa<TruncInst>(user)) return user->getType()->getScalarSizeInBits() <= narrow_bits;
  if (!match(user, m_Shl(m_Value(), m_SpecificInt(narrow_bits)))) return false;
  return all_of(user->users(), [&](const User *shifted) {
    return match(shifted, m_AShr(m_Specific(user), m_APInt(constant))) && constant->ule(narrow_bits);
  });
}

static bool is_masked_recurrence(const PHINode &phi) {
  return phi.getType()->isIntegerTy(wide_bits) && !phi.use_empty() && all_of(phi.users(), uses_low_bits);
}

namespace {

/* A phi of 32 bits for a masked recurrence. */
class NarrowPhi {
 public:
  explicit NarrowPhi(PHINode &phi)
      : phi_(phi),
        type_(Type::getIntNTy(phi.getContext(), narrow_bits)),
        narrow_(PHINode::Create(type_, phi.getNumIncomingValues(), phi.getName(), phi.getIterator())) {}

  void write(SmallVectorImpl<WeakTrackingVH> &dead);

 private:
  Value *truncate(Value *value, IRBuilder<> &builder, unsigned depth = max_depth) const;
  void replace_use(Instruction &user, SmallVectorImpl<WeakTrackingVH> &dead) const;

  PHINode &phi_;
  Type *type_;
  PHINode *narrow_;
};

}  // namespace

/* The value of which `value` is an extension of the low bits, or null. */
static Value *find_extended(Value *value) {
  Value *source;
  const bool is_extension =
      match(value, m_And(m_Value(source), m_SpecificInt(narrow_mask))) ||
      match(value, m_AShr(m_Shl(m_Value(source), m_SpecificInt(narrow_bits)), m_SpecificInt(narrow_bits)));
  return is_extension ? source : nullptr;
}

/* The low bits of a value, computed from the low bits of operands. */
Value *NarrowPhi::truncate(Value *value, IRBuilder<> &builder, unsigned depth) const {
  Value *left, *right;
  if (value == &phi_) return narrow_;
  if (match(value, m_ZExtOrSExt(m_Value(left))) && left->getType() == type_) return left;
  if (!depth) return builder.CreateTrunc(value, type_);
  if (Value *source = find_extended(value)) return truncate(source, builder, depth - 1);
  const bool is_sum = match(value, m_Add(m_Value(left), m_Value(right)));
  if (!is_sum && !match(value, m_Sub(m_Value(left), m_Value(right)))) return builder.CreateTrunc(value, type_);
  left = truncate(left, builder, depth - 1), right = truncate(right, builder, depth - 1);
  return is_sum ? builder.CreateAdd(left, right) : builder.CreateSub(left, right);
}

void NarrowPhi::replace_use(Instruction &user, SmallVectorImpl<WeakTrackingVH> &dead) const {
  IRBuilder<> builder(&user);
  if (isa<TruncInst>(user)) {
    user.replaceAllUsesWith(builder.CreateTrunc(narrow_, user.getType()));
  } else if (user.getOpcode() == Instruction::And) {
    user.replaceAllUsesWith(builder.CreateZExt(narrow_, user.getType()));
  } else {
    for (User *shifted : make_early_inc_range(user.users())) {
      auto &shift = cast<Instruction>(*shifted);
      builder.SetInsertPoint(&shift);
      const uint64_t scale_log2 = narrow_bits - cast<ConstantInt>(shift.getOperand(1))->getZExtValue();
      Value *extended = builder.CreateSExt(narrow_, shift.getType());
      if (scale_log2) extended = builder.CreateShl(extended, scale_log2, "", /*HasNUW=*/false, /*HasNSW=*/true);
      shift.replaceAllUsesWith(extended);
      dead.push_back(&shift);
    }
  }
  dead.push_back(&user);
}

void NarrowPhi::write(SmallVectorImpl<WeakTrackingVH> &dead) {
  for (auto [value, block] : zip(phi_.incoming_values(), phi_.blocks())) {
    IRBuilder<> builder(block->getTerminator());
    /* Several cases of a switch have one value. */
    const int same = narrow_->getBasicBlockIndex(block);
    narrow_->addIncoming(same < 0 ? truncate(value, builder) : narrow_->getIncomingValue(unsigned(same)), block);
  }
  SmallVector<User *, 8> users(phi_.users());
  for (User *user : users) replace_use(*cast<Instruction>(user), dead);
  dead.push_back(&phi_);
}

PreservedAnalyses NarrowRecurrencesPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<PHINode *, 8> found;
  for (Instruction &instruction : instructions(function)) {
    if (auto *phi = dyn_cast<PHINode>(&instruction); phi && is_masked_recurrence(*phi)) found.push_back(phi);
  }
  SmallVector<WeakTrackingVH, 16> dead;
  for (PHINode *phi : found) NarrowPhi(*phi).write(dead);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
  return preserve_blocks(!found.empty());
}

}  // namespace quern
