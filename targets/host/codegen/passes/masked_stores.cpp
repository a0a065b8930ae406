/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Tests before masked stores, for CPUs on which these are slow. */
#include "host/codegen/passes/masked_stores.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace quern {

/* Operands of llvm.masked.store. */
static constexpr unsigned value_operand = 0, address_operand = 1, mask_operand = 2;

/* True for a comparison of lane numbers with the number of work-items that are left (tail folding). */
static bool is_tail_mask(const Value *mask) {
  auto *compare = dyn_cast<ICmpInst>(mask);
  return compare && any_of(compare->operands(), [](const Use &operand) {
           auto *lanes = dyn_cast<ConstantDataVector>(operand);
           return lanes && !lanes->isSplat();
         });
}

static bool is_slow(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call || call->getIntrinsicID() != Intrinsic::masked_store) return false;
  const unsigned bits = call->getArgOperand(value_operand)->getType()->getScalarSizeInBits();
  const Value *mask = call->getArgOperand(mask_operand);
  return (bits == 32 || bits == 64) && !isa<Constant>(mask) && !is_tail_mask(mask);
}

static void add_test(IntrinsicInst &masked) {
  Value *mask = masked.getArgOperand(mask_operand);
  IRBuilder<> builder(&masked);
  Type *bits = builder.getIntNTy(cast<FixedVectorType>(mask->getType())->getNumElements());
  Value *lanes = builder.CreateBitCast(mask, bits);
  Value *is_full = builder.CreateICmpEQ(lanes, Constant::getAllOnesValue(bits));
  Instruction *store_all, *store_some;
  SplitBlockAndInsertIfThenElse(is_full, masked.getIterator(), &store_all, &store_some,
                                MDBuilder(masked.getContext()).createLikelyBranchWeights());
  builder.SetInsertPoint(store_all);
  StoreInst *store =
      builder.CreateAlignedStore(masked.getArgOperand(value_operand), masked.getArgOperand(address_operand),
                                 masked.getParamAlign(address_operand).valueOrOne());
  store->copyMetadata(masked);
  builder.SetInsertPoint(store_some);
  Value *is_any = builder.CreateICmpNE(lanes, Constant::getNullValue(bits));
  masked.moveBefore(SplitBlockAndInsertIfThen(is_any, store_some->getIterator(), /*Unreachable=*/false)->getIterator());
}

PreservedAnalyses TestMaskedStoresPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<IntrinsicInst *, 8> stores;
  for (Instruction &instruction : instructions(function)) {
    if (is_slow(instruction)) stores.push_back(cast<IntrinsicInst>(&instruction));
  }
  for (IntrinsicInst *store : stores) add_test(*store);
  return stores.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

}  // namespace quern
