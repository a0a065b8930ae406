/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Folding of selects into masked loads: select(mask, load(mask, poison), other) becomes load(mask, other). */
#include "compiler/passes/vectorize/transform/masked_loads.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/preserved.hpp"

using namespace llvm;

namespace quern {

/* Operands of llvm.masked.load. */
static constexpr unsigned mask_operand = 1, passthru_operand = 2;

/* A select that can be folded into the passthru operand of the load, or null. Its mask is that of the load. The load
 * stays in place, so the value for inactive lanes must dominate it. */
static SelectInst *find_foldable_select(IntrinsicInst &load, const DominatorTree &dominators) {
  const bool has_undefined_passthru = isa<UndefValue>(load.getArgOperand(passthru_operand));
  if (!has_undefined_passthru && !load.hasOneUse()) return nullptr;
  for (User *user : load.users()) {
    auto *select = dyn_cast<SelectInst>(user);
    bool is_foldable = select && select->getTrueValue() == &load && select->getFalseValue() != &load &&
                       select->getCondition() == load.getArgOperand(mask_operand);
    if (is_foldable && dominators.dominates(select->getFalseValue(), &load)) return select;
  }
  return nullptr;
}

static void fold_selects(IntrinsicInst &load, const DominatorTree &dominators) {
  while (SelectInst *select = find_foldable_select(load, dominators)) {
    load.setArgOperand(passthru_operand, select->getFalseValue());
    select->replaceAllUsesWith(&load);
    select->eraseFromParent();
  }
}

/* True if InstCombine may find a select to fold into the load: a use may be one already, and a phi may become one. */
static bool may_fold_later(const IntrinsicInst &load) {
  return any_of(load.users(), [](const User *user) { return isa<SelectInst>(user) || isa<PHINode>(user); });
}

/* Hides the load from InstCombine: its users use a freeze of it instead. */
static void hide(IntrinsicInst &load) {
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
    fold_selects(*load, dominators);
    if (may_fold_later(*load)) hide(*load);
  }
  return preserve_blocks(true);
}

}  // namespace quern
