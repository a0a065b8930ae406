/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Removal of selects whose true value already equals the false value in all inactive lanes. */
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

/* Limit of the values visited in the proof for one select. */
constexpr unsigned max_visits = 64;

/* Proves that select(mask, value, inactive) equals `value`: in each lane outside of the mask `value` is `inactive`. The
 * proof is by induction over the loops that compute the value. */
class SelectProof {
 public:
  SelectProof(SelectInst &select, const DominatorTree &dominators)
      : mask_(select.getCondition()), inactive_(select.getFalseValue()), dominators_(dominators) {}

  /** Whether `value` equals the select's false value in each lane outside of the mask. Undefined operands of phis are
   * assumed to. */
  bool is_unchanged_outside_mask(Value *value);
  /** Replaces the undefined operands of phis that the proof relied on by the false value. To be called after the proof
   * has succeeded. */
  void define_operands();

 private:
  bool is_subset(const Value *mask);
  bool is_subset_or_roll_back(const Value *mask);
  bool begin_visit(SmallPtrSetImpl<const Value *> &visited, const Value *value, bool &answer);
  bool is_fixed_at(const PHINode &phi) const;

  const Value *mask_;
  Value *inactive_;
  const DominatorTree &dominators_;
  unsigned visits_ = 0;
  /* Visited values and masks: proved, or under proof and assumed to hold in the previous iteration. None has been
   * refuted. */
  SmallPtrSet<const Value *, 16> values_, masks_;
  /* Undefined operands of phis. */
  SmallVector<Use *, 4> undefined_operands_;
};

/* True if the mask and the false value are defined before the phi's block: for all operands of the phi they are the
 * same values, not those of different iterations. */
bool SelectProof::is_fixed_at(const PHINode &phi) const {
  auto is_fixed = [&](const Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    return !instruction || dominators_.properlyDominates(instruction->getParent(), phi.getParent());
  };
  return is_fixed(mask_) && is_fixed(inactive_);
}

/* False if `value` need not be examined: then `answer` is the result, true for a visited value and false beyond the
 * limit. */
bool SelectProof::begin_visit(SmallPtrSetImpl<const Value *> &visited, const Value *value, bool &answer) {
  answer = !visited.insert(value).second;
  return !answer && ++visits_ <= max_visits;
}

/* Whether all lanes of `mask` are lanes of the select's mask. */
bool SelectProof::is_subset(const Value *mask) {
  bool answer;
  const Value *left, *right;
  if (mask == mask_ || match(mask, m_Zero())) return true;
  if (!begin_visit(masks_, mask, answer)) return answer;
  if (auto *phi = dyn_cast<PHINode>(mask)) {
    return is_fixed_at(*phi) && all_of(phi->incoming_values(), [&](const Use &from) { return is_subset(from); });
  }
  /* select(left, right, false): `right` may be poison where `left` is false, so only `left` counts. If it cannot be
   * poison, LLVM has made an `and` of the select. */
  if (match(mask, m_Select(m_Value(left), m_Value(), m_Zero()))) return is_subset(left);
  if (!match(mask, m_And(m_Value(left), m_Value(right)))) return false;
  return is_subset_or_roll_back(left) || is_subset(right);
}

/* After a failure, drops the masks visited on the path: their proofs may depend on an assumption that was refuted. */
bool SelectProof::is_subset_or_roll_back(const Value *mask) {
  const auto before = masks_;
  if (is_subset(mask)) return true;
  masks_ = before;
  return false;
}

bool SelectProof::is_unchanged_outside_mask(Value *value) {
  bool answer;
  if (value == inactive_) return true;
  if (!begin_visit(values_, value, answer)) return answer;
  if (auto *phi = dyn_cast<PHINode>(value)) {
    return is_fixed_at(*phi) && all_of(phi->incoming_values(), [&](Use &from) {
             if (!isa<UndefValue>(from)) return is_unchanged_outside_mask(from);
             undefined_operands_.push_back(&from);
             return true;
           });
  }
  auto *select = dyn_cast<SelectInst>(value);
  if (!select || !select->getCondition()->getType()->isVectorTy() ||
      !is_unchanged_outside_mask(select->getFalseValue())) {
    return false;
  }
  return is_subset_or_roll_back(select->getCondition()) || is_unchanged_outside_mask(select->getTrueValue());
}

void SelectProof::define_operands() {
  for (Use *use : undefined_operands_) use->set(inactive_);
}

}  // namespace

PreservedAnalyses RemoveRedundantSelectsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *select = dyn_cast<SelectInst>(&instruction);
    if (!select || !select->getCondition()->getType()->isVectorTy()) continue;
    SelectProof proof(*select, dominators);
    if (!proof.is_unchanged_outside_mask(select->getTrueValue())) continue;
    proof.define_operands();
    select->replaceAllUsesWith(select->getTrueValue());
    select->eraseFromParent();
    changed = true;
  }
  return preserve_blocks(changed);
}

}  // namespace quern
