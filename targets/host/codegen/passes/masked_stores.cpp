/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Other code for masked stores, for CPUs on which these are slow. */
#include "host/codegen/passes/masked_stores.hpp"

#include <numeric>

#include <llvm/ADT/bit.h>
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
  return (bits == 32 || bits == 64) && !is_tail_mask(call->getArgOperand(mask_operand));
}

/* Active lanes that follow each other. */
struct Run {
  unsigned first, length;
};

/* The runs of a constant mask, each of a power of two of lanes. Empty where a lane may be either. */
static SmallVector<Run, 8> runs_of(const Constant &mask) {
  SmallVector<Run, 8> runs;
  const unsigned lanes = cast<FixedVectorType>(mask.getType())->getNumElements();
  for (unsigned i = 0; i < lanes; i++) {
    auto *lane = dyn_cast_or_null<ConstantInt>(mask.getAggregateElement(i));
    if (!lane) return {};
    if (lane->isZero()) continue;
    const bool follows = !runs.empty() && runs.back().first + runs.back().length == i;
    if (follows) runs.back().length++;
    if (!follows) runs.push_back({i, 1});
  }
  SmallVector<Run, 8> parts;
  for (Run run : runs) {
    for (unsigned length; run.length; run = {run.first + length, run.length - length}) {
      length = unsigned(bit_floor(run.length));
      parts.push_back({run.first, length});
    }
  }
  return parts;
}

/* Stores each run by itself. There are at most two for 128 bits, of which a masked store takes as long as four. */
static void divide(IntrinsicInst &masked) {
  Value *value = masked.getArgOperand(value_operand), *address = masked.getArgOperand(address_operand);
  const auto runs = runs_of(*cast<Constant>(masked.getArgOperand(mask_operand)));
  const unsigned bits = value->getType()->getScalarSizeInBits();
  if (runs.empty()) return;
  IRBuilder<> builder(&masked);
  for (const Run &run : runs) {
    SmallVector<int, 8> elements(run.length);
    std::iota(elements.begin(), elements.end(), int(run.first));
    Value *part = run.length == 1 ? builder.CreateExtractElement(value, uint64_t(run.first))
                                  : builder.CreateShuffleVector(value, elements);
    const uint64_t offset = uint64_t(run.first) * bits / 8;
    const Align alignment = commonAlignment(masked.getParamAlign(address_operand).valueOrOne(), offset);
    Value *place = offset ? builder.CreateConstGEP1_64(builder.getInt8Ty(), address, offset) : address;
    StoreInst *store = builder.CreateAlignedStore(part, place, alignment);
    store->copyMetadata(masked, {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
  }
  masked.eraseFromParent();
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
  for (IntrinsicInst *store : stores) {
    if (isa<Constant>(store->getArgOperand(mask_operand))) {
      divide(*store);
    } else {
      add_test(*store);
    }
  }
  return stores.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

}  // namespace quern
