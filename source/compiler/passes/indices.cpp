/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What loop-invariant code motion took too far. */
#include "compiler/passes/indices.hpp"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

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

PreservedAnalyses SinkIndicesPass::run(Function &function, FunctionAnalysisManager &analyses) {
  auto &machine = analyses.getResult<TargetIRAnalysis>(function);
  bool changed = false;
  for (Instruction &instruction : instructions(function)) {
    GetElementPtrInst *address = gathered_address(instruction, machine);
    auto *wide = address ? dyn_cast<SExtInst>(address->getOperand(1)) : nullptr;
    if (!wide || wide->getParent() == address->getParent()) continue;
    if (!wide->getSrcTy()->getScalarType()->isIntegerTy(32)) continue;
    Instruction *copy = wide->clone();
    copy->insertBefore(address->getIterator());
    address->setOperand(1, copy);
    if (wide->use_empty()) wide->eraseFromParent();
    changed = true;
  }
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

}  // namespace quern
