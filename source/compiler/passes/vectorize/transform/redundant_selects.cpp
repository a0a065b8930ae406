/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * select(mask, value, kept) is `value` where that is `kept` in every lane outside of the mask: shown by induction over
 * the loops that the value comes from. */
#include "compiler/passes/vectorize/transform/redundant_selects.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/preserved.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {
namespace {

/* Questions asked about one blend, at most. */
constexpr unsigned most_questions = 64;

class Blend {
 public:
  Blend(SelectInst &select, const DominatorTree &dominators)
      : mask_(select.getCondition()), blended_(select.getFalseValue()), dominators_(dominators) {}

  bool is_kept_outside(Value *value);
  /** Where nothing stood for what is kept, that is put: once all is shown. */
  void complete();

 private:
  bool is_within(const Value *mask);
  bool is_within_or_forget(const Value *mask);
  bool begin(SmallPtrSetImpl<const Value *> &asked, const Value *value, bool &answer);
  bool is_fixed_at(const PHINode &phi) const;

  const Value *mask_;
  Value *blended_;
  const DominatorTree &dominators_;
  unsigned questions_ = 0;
  /* What is being shown, and may be taken for shown in an earlier turn; nothing in it was refused. */
  SmallPtrSet<const Value *, 16> values_, masks_;
  /* What phis merge that is no value yet. */
  SmallVector<Use *, 4> open_;
};

/* In all that a phi merges the mask and what is kept must be the same values: not those of another turn. */
bool Blend::is_fixed_at(const PHINode &phi) const {
  auto is_fixed = [&](const Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    return !instruction || dominators_.properlyDominates(instruction->getParent(), phi.getParent());
  };
  return is_fixed(mask_) && is_fixed(blended_);
}

/* False when there is nothing to look into any more: `answer` has it. */
bool Blend::begin(SmallPtrSetImpl<const Value *> &asked, const Value *value, bool &answer) {
  answer = !asked.insert(value).second;
  return !answer && ++questions_ <= most_questions;
}

/* Whether the lanes of the other mask are lanes of this one. */
bool Blend::is_within(const Value *mask) {
  bool answer;
  const Value *left, *right;
  if (mask == mask_ || match(mask, m_Zero())) return true;
  if (!begin(masks_, mask, answer)) return answer;
  if (auto *phi = dyn_cast<PHINode>(mask)) {
    return is_fixed_at(*phi) && all_of(phi->incoming_values(), [&](const Use &from) { return is_within(from); });
  }
  /* The other side may be poison outside of the mask, unless LLVM knew better and made an `and` of it. */
  if (match(mask, m_Select(m_Value(left), m_Value(), m_Zero()))) return is_within(left);
  if (!match(mask, m_And(m_Value(left), m_Value(right)))) return false;
  return is_within_or_forget(left) || is_within(right);
}

/* What was taken for shown on the way may hang on what could not be. */
bool Blend::is_within_or_forget(const Value *mask) {
  const auto before = masks_;
  if (is_within(mask)) return true;
  masks_ = before;
  return false;
}

bool Blend::is_kept_outside(Value *value) {
  bool answer;
  if (value == blended_) return true;
  if (!begin(values_, value, answer)) return answer;
  if (auto *phi = dyn_cast<PHINode>(value)) {
    return is_fixed_at(*phi) && all_of(phi->incoming_values(), [&](Use &from) {
             if (!isa<UndefValue>(from)) return is_kept_outside(from);
             open_.push_back(&from);
             return true;
           });
  }
  auto *select = dyn_cast<SelectInst>(value);
  if (!select || !select->getCondition()->getType()->isVectorTy() || !is_kept_outside(select->getFalseValue())) {
    return false;
  }
  return is_within_or_forget(select->getCondition()) || is_kept_outside(select->getTrueValue());
}

void Blend::complete() {
  for (Use *use : open_) use->set(blended_);
}

}  // namespace

PreservedAnalyses RemoveRedundantSelectsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *select = dyn_cast<SelectInst>(&instruction);
    if (!select || !select->getCondition()->getType()->isVectorTy()) continue;
    Blend blend(*select, dominators);
    if (!blend.is_kept_outside(select->getTrueValue())) continue;
    blend.complete();
    select->replaceAllUsesWith(select->getTrueValue());
    select->eraseFromParent();
    changed = true;
  }
  return preserve_blocks(changed);
}

}  // namespace quern
