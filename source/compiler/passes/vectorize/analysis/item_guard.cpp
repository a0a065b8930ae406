/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The guard of an item loop: the conditions under which its whole body stands. */
#include "compiler/passes/vectorize/analysis/item_guard.hpp"

#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

bool has_live_out(const Loop &loop) {
  return any_of(loop.blocks(), [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &instruction) {
      return any_of(instruction.users(), [&](const User *user) { return !loop.contains(cast<Instruction>(user)); });
    });
  });
}

bool may_leave_items_out(const ItemLoop &loop) {
  bool latch_is_empty = none_of(*loop.latch, [](const Instruction &instruction) {
    return instruction.mayHaveSideEffects() || isa<PHINode>(instruction);
  });
  return latch_is_empty && loop.header != loop.latch && !has_live_out(*loop.loop);
}

static void collect(const GuardCondition &whole, SmallVectorImpl<GuardCondition> &out) {
  auto [value, is_true, is_after_test] = whole;
  Value *first, *second;
  if (match(value, m_Not(m_Value(first)))) {
    collect({first, !is_true, is_after_test}, out);
    return;
  }
  const bool is_conjunction = is_true ? match(value, m_LogicalAnd(m_Value(first), m_Value(second)))
                                      : match(value, m_LogicalOr(m_Value(first), m_Value(second)));
  if (!is_conjunction) {
    out.push_back(whole);
    return;
  }
  collect({first, is_true, is_after_test}, out);
  collect({second, is_true, is_after_test || isa<SelectInst>(value)}, out);
}

SmallVector<GuardCondition, 8> find_guard(const ItemLoop &loop) {
  SmallVector<GuardCondition, 8> conditions;
  auto *branch = dyn_cast<BranchInst>(loop.header->getTerminator());
  if (!branch || !branch->isConditional() || !may_leave_items_out(loop)) return conditions;
  const bool true_skips = branch->getSuccessor(0) == loop.latch, false_skips = branch->getSuccessor(1) == loop.latch;
  if (true_skips != false_skips) collect({branch->getCondition(), false_skips, false}, conditions);
  return conditions;
}

std::optional<GuardCompare> match_guard_compare(const GuardCondition &condition, const ItemLoop &loop) {
  auto *compare = dyn_cast<ICmpInst>(condition.value);
  if (!compare || !loop.loop->contains(compare)) return std::nullopt;
  GuardCompare result = {condition.is_true_inside ? compare->getPredicate() : compare->getInversePredicate(),
                         compare->getOperand(0), compare->getOperand(1)};
  if (loop.loop->isLoopInvariant(result.index)) {
    std::swap(result.index, result.bound);
    result.predicate = ICmpInst::getSwappedPredicate(result.predicate);
  }
  if (result.predicate == ICmpInst::ICMP_NE && match(result.bound, m_Zero())) result.predicate = ICmpInst::ICMP_UGT;
  return loop.loop->isLoopInvariant(result.bound) ? std::optional(result) : std::nullopt;
}

}  // namespace quern
