/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Indices of gathers, in as few bits as they have. */
#include "compiler/passes/gather_indices.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/preserved.hpp"

using namespace llvm;

namespace quern {

/* The address of a gather that the machine has an instruction for, one of many. */
static GetElementPtrInst *gathered_address(Instruction &instruction, const TargetTransformInfo &machine) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call || call->getIntrinsicID() != Intrinsic::masked_gather) return nullptr;
  auto *address = dyn_cast<GetElementPtrInst>(call->getArgOperand(0));
  if (!address || address->getNumIndices() != 1 || address->getParent() != call->getParent()) return nullptr;
  return machine.isLegalMaskedGather(call->getType(), Align(1)) ? address : nullptr;
}

/* The 32 bits that `index` is made of where an address, which extends signs, may take them as they are; or null. */
static Value *narrow_index(Value *index) {
  auto *wide = dyn_cast<CastInst>(index);
  if (!wide || !wide->getSrcTy()->getScalarType()->isIntegerTy(32)) return nullptr;
  bool keeps_sign = isa<SExtInst>(wide) || (isa<ZExtInst>(wide) && wide->hasNonNeg());
  return keeps_sign ? wide->getOperand(0) : nullptr;
}

/* One lane of a vector that was extended is the extended lane. */
static void extend_lanes(CastInst &wide) {
  for (User *user : make_early_inc_range(wide.users())) {
    auto *lane = dyn_cast<ExtractElementInst>(user);
    if (!lane || lane->getVectorOperand() != &wide) continue;
    IRBuilder<> builder(lane);
    Value *narrow = builder.CreateExtractElement(wide.getOperand(0), lane->getIndexOperand());
    lane->replaceAllUsesWith(builder.CreateCast(wide.getOpcode(), narrow, lane->getType()));
    lane->eraseFromParent();
  }
}

PreservedAnalyses NarrowGatherIndicesPass::run(Function &function, FunctionAnalysisManager &analyses) {
  auto &machine = analyses.getResult<TargetIRAnalysis>(function);
  bool changed = false;
  SmallSetVector<CastInst *, 8> extended;
  for (Instruction &instruction : instructions(function)) {
    GetElementPtrInst *address = gathered_address(instruction, machine);
    Value *narrow = address ? narrow_index(address->getOperand(1)) : nullptr;
    if (!narrow) continue;
    extended.insert(cast<CastInst>(address->getOperand(1)));
    address->setOperand(1, narrow);
    changed = true;
  }
  for (CastInst *wide : extended) {
    extend_lanes(*wide);
    if (wide->use_empty()) wide->eraseFromParent();
  }
  return preserve_blocks(changed);
}

}  // namespace quern
