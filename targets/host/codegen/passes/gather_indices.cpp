/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Narrowing of 64-bit gather indices to 32 bits. */
#include "host/codegen/passes/gather_indices.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/preserved.hpp"

using namespace llvm;

namespace quern {

/* The address of a gather that is legal on the target, when it is a GEP with one index in the same block; else null. */
static GetElementPtrInst *gathered_address(Instruction &instruction, const TargetTransformInfo &tti) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call || call->getIntrinsicID() != Intrinsic::masked_gather) return nullptr;
  auto *address = dyn_cast<GetElementPtrInst>(call->getArgOperand(0));
  if (!address || address->getNumIndices() != 1 || address->getParent() != call->getParent()) return nullptr;
  return tti.isLegalMaskedGather(call->getType(), Align(1)) ? address : nullptr;
}

/* The 32-bit operand of an extended index, or null. A GEP sign-extends its index, so zero extensions must be nneg. */
static Value *narrow_index(Value *index) {
  auto *wide = dyn_cast<CastInst>(index);
  if (!wide || !wide->getSrcTy()->getScalarType()->isIntegerTy(32)) return nullptr;
  bool keeps_sign = isa<SExtInst>(wide) || (isa<ZExtInst>(wide) && wide->hasNonNeg());
  return keeps_sign ? wide->getOperand(0) : nullptr;
}

/* Replaces extract(ext(v), i) by ext(extract(v, i)), so that the vector extension may become dead. */
static void narrow_extracts(CastInst &wide) {
  for (User *user : make_early_inc_range(wide.users())) {
    auto *extract = dyn_cast<ExtractElementInst>(user);
    if (!extract || extract->getVectorOperand() != &wide) continue;
    IRBuilder<> builder(extract);
    Value *narrow = builder.CreateExtractElement(wide.getOperand(0), extract->getIndexOperand());
    extract->replaceAllUsesWith(builder.CreateCast(wide.getOpcode(), narrow, extract->getType()));
    extract->eraseFromParent();
  }
}

PreservedAnalyses NarrowGatherIndicesPass::run(Function &function, FunctionAnalysisManager &analyses) {
  auto &tti = analyses.getResult<TargetIRAnalysis>(function);
  bool changed = false;
  SmallSetVector<CastInst *, 8> extended;
  for (Instruction &instruction : instructions(function)) {
    GetElementPtrInst *address = gathered_address(instruction, tti);
    Value *narrow = address ? narrow_index(address->getOperand(1)) : nullptr;
    if (!narrow) continue;
    extended.insert(cast<CastInst>(address->getOperand(1)));
    address->setOperand(1, narrow);
    changed = true;
  }
  for (CastInst *wide : extended) {
    narrow_extracts(*wide);
    if (wide->use_empty()) wide->eraseFromParent();
  }
  return preserve_blocks(changed);
}

}  // namespace quern
