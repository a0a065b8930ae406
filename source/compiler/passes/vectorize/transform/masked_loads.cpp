/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * select(mask, load(mask, poison), other) is load(mask, other) where the load is, if there is such a value there. No
 * other select is to see a load. */
#include "compiler/passes/vectorize/transform/masked_loads.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/preserved.hpp"

using namespace llvm;

namespace quern {

static constexpr unsigned mask_operand = 1, other_operand = 2;

/* A select that the load can do as well, or null. */
static SelectInst *find_blend(IntrinsicInst &load, const DominatorTree &dominators) {
  const bool is_open = isa<UndefValue>(load.getArgOperand(other_operand));
  if (!is_open && !load.hasOneUse()) return nullptr;
  for (User *user : load.users()) {
    auto *select = dyn_cast<SelectInst>(user);
    bool is_blend = select && select->getTrueValue() == &load && select->getFalseValue() != &load &&
                    select->getCondition() == load.getArgOperand(mask_operand);
    if (is_blend && dominators.dominates(select->getFalseValue(), &load)) return select;
  }
  return nullptr;
}

static void take_blends(IntrinsicInst &load, const DominatorTree &dominators) {
  while (SelectInst *blend = find_blend(load, dominators)) {
    load.setArgOperand(other_operand, blend->getFalseValue());
    blend->replaceAllUsesWith(&load);
    blend->eraseFromParent();
  }
}

/* Selects and what merges values may become the select that is asked about. */
static bool may_be_moved(const IntrinsicInst &load) {
  return any_of(load.users(), [](const User *user) { return isa<SelectInst>(user) || isa<PHINode>(user); });
}

static void keep(IntrinsicInst &load) {
  auto *frozen = cast<FreezeInst>(IRBuilder<>(load.getNextNode()).CreateFreeze(&load));
  load.replaceUsesWithIf(frozen, [&](const Use &use) { return use.getUser() != frozen; });
}

PreservedAnalyses KeepMaskedLoadsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  SmallVector<IntrinsicInst *, 16> loads;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (call && call->getIntrinsicID() == Intrinsic::masked_load) loads.push_back(call);
  }
  if (loads.empty()) return PreservedAnalyses::all();
  const auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  for (IntrinsicInst *load : loads) {
    take_blends(*load, dominators);
    if (may_be_moved(*load)) keep(*load);
  }
  return preserve_blocks(true);
}

}  // namespace quern
