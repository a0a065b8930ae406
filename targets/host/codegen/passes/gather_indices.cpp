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

/* The gather that `instruction` is, when it is legal on the target; else null. */
static IntrinsicInst *as_gather(Instruction &instruction, const TargetTransformInfo &tti) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  bool is_gather = call && call->getIntrinsicID() == Intrinsic::masked_gather;
  return is_gather && tti.isLegalMaskedGather(call->getType(), Align(1)) ? call : nullptr;
}

/* The address of a gather, when it is a GEP with one index in the same block; else null. */
static GetElementPtrInst *gathered_address(const IntrinsicInst &gather) {
  auto *address = dyn_cast<GetElementPtrInst>(gather.getArgOperand(0));
  return address && address->getNumIndices() == 1 && address->getParent() == gather.getParent() ? address : nullptr;
}

/* The 32-bit operand of an extended index, or null. A GEP sign-extends its index, so zero extensions must be nneg. */
static Value *narrow_index(Value *index) {
  auto *wide = dyn_cast<CastInst>(index);
  if (!wide || !wide->getSrcTy()->getScalarType()->isIntegerTy(32)) return nullptr;
  bool keeps_sign = isa<SExtInst>(wide) || (isa<ZExtInst>(wide) && wide->hasNonNeg());
  return keeps_sign ? wide->getOperand(0) : nullptr;
}

/* The GEP of a scalar base and an extended vector of 32-bit indices that `pointers` is, in elements of `type`; else
 * null. */
static GetElementPtrInst *indexed_base(Value *pointers, const Type *type) {
  auto *inner = dyn_cast<GetElementPtrInst>(pointers);
  bool is_indexed = inner && inner->getNumIndices() == 1 && inner->getSourceElementType() == type &&
                    !inner->getPointerOperandType()->isVectorTy() && inner->getOperand(1)->getType()->isVectorTy();
  return is_indexed && narrow_index(inner->getOperand(1)) ? inner : nullptr;
}

/* Replaces gep(gep(base, ext(v)), i), where `i` is a scalar, by gep(gep(base, i), ext(v)): a scalar base that grows and
 * indices that do not, where a loop would add to a vector of 64-bit pointers. */
static bool move_scalar_index_to_base(IntrinsicInst &gather) {
  auto *address = dyn_cast<GetElementPtrInst>(gather.getArgOperand(0));
  if (!address || address->getNumIndices() != 1 || address->getOperand(1)->getType()->isVectorTy()) return false;
  GetElementPtrInst *inner = indexed_base(address->getPointerOperand(), address->getSourceElementType());
  if (!inner) return false;
  IRBuilder<> builder(&gather);
  Value *base = builder.CreateGEP(address->getSourceElementType(), inner->getPointerOperand(), address->getOperand(1));
  gather.setArgOperand(0, builder.CreateGEP(address->getSourceElementType(), base, inner->getOperand(1)));
  return true;
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
    IntrinsicInst *gather = as_gather(instruction, tti);
    if (!gather) continue;
    changed |= move_scalar_index_to_base(*gather);
    GetElementPtrInst *address = gathered_address(*gather);
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
