/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Wider elements for masked loads and stores, for CPUs without masks for bytes and words. */
#include "host/codegen/passes/masked_elements.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

static unsigned count_elements(const Value &value) { return cast<FixedVectorType>(value.getType())->getNumElements(); }

/* The most operations between a mask and what tells that neighbours are the same. */
static constexpr unsigned most_steps = 6;

/* A vector of the first of each `factor` neighbours, if these are the same; otherwise null. What it makes before it
 * fails is dead. */
class NeighborFolder {
 public:
  NeighborFolder(Instruction &before, unsigned factor) : builder_(&before), factor_(factor) {}

  Value *fold(Value *value, unsigned steps = 0) {
    if (count_elements(*value) % factor_) return nullptr;
    if (auto *constant = dyn_cast<Constant>(value)) return fold_constant(*constant);
    if (auto *shuffle = dyn_cast<ShuffleVectorInst>(value)) return fold_shuffle(*shuffle);
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || steps == most_steps || !is_elementwise(*instruction)) return nullptr;
    SmallVector<Value *, 3> operands;
    for (Value *operand : instruction->operands()) {
      Value *folded = operand->getType()->isVectorTy() ? fold(operand, steps + 1) : operand;
      if (!folded) return nullptr;
      operands.push_back(folded);
    }
    return fold_operation(*instruction, operands);
  }

 private:
  static bool is_elementwise(const Instruction &instruction) {
    return isa<BinaryOperator, ICmpInst, ZExtInst, SExtInst, TruncInst, FreezeInst, SelectInst>(instruction);
  }

  Value *fold_constant(Constant &constant) {
    SmallVector<Constant *, 32> firsts;
    for (unsigned i = 0; i < count_elements(constant); i++) {
      Constant *element = constant.getAggregateElement(i);
      if (!element || (i % factor_ && element != firsts.back())) return nullptr;
      if (i % factor_ == 0) firsts.push_back(element);
    }
    return ConstantVector::get(firsts);
  }

  Value *fold_shuffle(ShuffleVectorInst &shuffle) {
    SmallVector<int, 32> firsts;
    for (unsigned i = 0; i < count_elements(shuffle); i++) {
      int element = shuffle.getMaskValue(i);
      if (element < 0 || (i % factor_ && element != firsts.back())) return nullptr;
      if (i % factor_ == 0) firsts.push_back(element);
    }
    Value *source = shuffle.getOperand(0);
    if (ShuffleVectorInst::isIdentityMask(firsts, int(count_elements(*source)))) return source;
    return builder_.CreateShuffleVector(source, shuffle.getOperand(1), firsts);
  }

  Value *fold_operation(Instruction &instruction, ArrayRef<Value *> operands) {
    if (isa<FreezeInst>(instruction)) return builder_.CreateFreeze(operands[0]);
    if (isa<SelectInst>(instruction)) return builder_.CreateSelect(operands[0], operands[1], operands[2]);
    if (auto *compare = dyn_cast<ICmpInst>(&instruction)) {
      return builder_.CreateICmp(compare->getPredicate(), operands[0], operands[1]);
    }
    if (auto *cast = dyn_cast<CastInst>(&instruction)) {
      auto *type = cast->getType()->getScalarType();
      return builder_.CreateCast(cast->getOpcode(), operands[0],
                                 FixedVectorType::get(type, count_elements(instruction) / factor_));
    }
    return builder_.CreateBinOp(cast<BinaryOperator>(instruction).getOpcode(), operands[0], operands[1]);
  }

  IRBuilder<> builder_;
  unsigned factor_;
};

static Value *value_of(IntrinsicInst &access) {
  bool is_store = access.getIntrinsicID() == Intrinsic::masked_store;
  return is_store ? access.getArgOperand(0) : &access;
}

static Value *mask_of(IntrinsicInst &access) {
  return access.getArgOperand(access.getIntrinsicID() == Intrinsic::masked_store ? 2 : 1);
}

static bool is_emulated(Instruction &instruction) {
  auto *access = dyn_cast<IntrinsicInst>(&instruction);
  if (!access) return false;
  const bool is_store = access->getIntrinsicID() == Intrinsic::masked_store;
  if (!is_store && access->getIntrinsicID() != Intrinsic::masked_load) return false;
  if (is_store && isa<Constant>(mask_of(*access))) return false;
  auto *type = dyn_cast<FixedVectorType>(value_of(*access)->getType());
  return type && !type->getElementType()->isPointerTy() && type->getScalarSizeInBits() >= 8 &&
         type->getScalarSizeInBits() < 32 && isPowerOf2_32(type->getScalarSizeInBits());
}

/* An element of `bits` that is poison or uninitialized makes its neighbours so, too: what is stored is frozen. */
static bool widen(IntrinsicInst &access, unsigned bits) {
  Value *value = value_of(access);
  auto *type = cast<FixedVectorType>(value->getType());
  const unsigned factor = bits / type->getScalarSizeInBits();
  Value *mask = NeighborFolder(access, factor).fold(mask_of(access));
  if (!mask) return false;
  IRBuilder<> builder(&access);
  auto *wide = FixedVectorType::get(builder.getIntNTy(bits), type->getNumElements() / factor);
  if (access.getIntrinsicID() == Intrinsic::masked_store) {
    Value *stored = builder.CreateBitCast(builder.CreateFreeze(value), wide);
    CallInst *store =
        builder.CreateMaskedStore(stored, access.getArgOperand(1), access.getParamAlign(1).valueOrOne(), mask);
    store->copyMetadata(access, {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
  } else {
    Value *rest = access.getArgOperand(2);
    Value *wide_rest =
        match(rest, m_Undef()) ? PoisonValue::get(wide) : builder.CreateBitCast(builder.CreateFreeze(rest), wide);
    CallInst *load =
        builder.CreateMaskedLoad(wide, access.getArgOperand(0), access.getParamAlign(0).valueOrOne(), mask, wide_rest);
    load->copyMetadata(access, {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
    access.replaceAllUsesWith(builder.CreateBitCast(load, type));
  }
  access.eraseFromParent();
  return true;
}

PreservedAnalyses WidenMaskedElementsPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<IntrinsicInst *, 8> accesses;
  for (Instruction &instruction : instructions(function)) {
    if (is_emulated(instruction)) accesses.push_back(cast<IntrinsicInst>(&instruction));
  }
  for (IntrinsicInst *access : accesses) {
    if (!widen(*access, 64)) widen(*access, 32);
  }
  return accesses.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

}  // namespace quern
