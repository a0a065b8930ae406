/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Values along a cyclic path of a loop, and exits off the path. */
#include "compiler/passes/vectorize/analysis/cyclic_path.hpp"

#include <cassert>

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

void CyclicPath::push(const BasicBlock *block) {
  assert(!contains(block) && "a block is on a path at most once");
  positions_[block] = unsigned(blocks_.size());
  blocks_.push_back(block);
}

void CyclicPath::pop() {
  assert(!blocks_.empty() && "the path has no block");
  positions_.erase(blocks_.pop_back_val());
}

/* The resolved condition without negations. The flag is true if the condition is the negation of the result. */
std::pair<const Value *, bool> CyclicPath::strip_negations(const Value *condition, unsigned depth) const {
  bool is_negated = false;
  Value *negated;
  condition = resolve(condition, nullptr, depth);
  while (match(condition, m_Not(m_Value(negated)))) {
    condition = resolve(negated, nullptr, depth);
    is_negated = !is_negated;
  }
  return {condition, is_negated};
}

const Value *CyclicPath::assume(const Value *condition, bool outcome) {
  auto [assumed, is_negated] = strip_negations(condition, max_depth);
  assumptions_[assumed] = outcome != is_negated;
  return assumed;
}

void CyclicPath::drop_assumption(const Value *assumed) { assumptions_.erase(assumed); }

/* The outcome of a condition that follows from its operands. */
std::optional<bool> CyclicPath::evaluate(const Value *condition, unsigned depth) const {
  if (auto *constant = dyn_cast<ConstantInt>(condition)) return constant->isOne();
  if (!depth || !consume_budget()) return std::nullopt;
  if (auto *compare = dyn_cast<ICmpInst>(condition)) {
    const bool is_same = resolve(compare->getOperand(0)) == resolve(compare->getOperand(1));
    return is_same ? std::optional(compare->isTrueWhenEqual()) : std::nullopt;
  }
  const Value *left, *right;
  const bool is_or = match(condition, m_LogicalOr(m_Value(left), m_Value(right)));
  if (!is_or && !match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))) return std::nullopt;
  const std::optional<bool> one = outcome(left, depth - 1), other = outcome(right, depth - 1);
  if (one == is_or || other == is_or) return is_or;
  return one && other ? std::optional(!is_or) : std::nullopt;
}

std::optional<bool> CyclicPath::outcome(const Value *condition, unsigned depth) const {
  auto [stripped, is_negated] = strip_negations(condition, depth);
  auto assumption = assumptions_.find(stripped);
  const std::optional<bool> is_true =
      assumption == assumptions_.end() ? evaluate(stripped, depth) : std::optional(assumption->second);
  return is_true ? std::optional(*is_true != is_negated) : std::nullopt;
}

/* The constant that `value` is in the next iteration; null if it is not known to be constant. */
Constant *CyclicPath::fold_next_iteration(const Value *value, unsigned depth) const {
  value = resolve(value);
  if (auto *constant = dyn_cast<Constant>(value)) return const_cast<Constant *>(constant);
  auto *instruction = dyn_cast<Instruction>(value);
  if (!depth || !instruction || !loop_.contains(instruction) || instruction->mayReadOrWriteMemory()) return nullptr;
  if (auto *phi = dyn_cast<PHINode>(instruction)) {
    if (phi->getParent() != loop_.getHeader()) return nullptr;
    auto *constant = dyn_cast<Constant>(next_value(*phi));
    return const_cast<Constant *>(constant);
  }
  SmallVector<Constant *, 4> operands;
  for (const Value *operand : instruction->operand_values()) {
    operands.push_back(fold_next_iteration(operand, depth - 1));
    if (!operands.back()) return nullptr;
  }
  return ConstantFoldInstOperands(const_cast<Instruction *>(instruction), operands, instruction->getDataLayout());
}

/* The header's phis that a value is computed from, and whether an access of memory contributes that is no plain load:
 * other work-items may write that memory. */
CyclicPath::Sources CyclicPath::find_sources(const Value *value) const {
  Sources sources;
  SmallSetVector<const Value *, 8> worklist;
  worklist.insert(resolve(value));
  for (size_t i = 0; i < worklist.size() && consume_budget(); i++) {
    auto *instruction = dyn_cast<Instruction>(worklist[i]);
    if (!instruction || !loop_.contains(instruction)) continue;
    auto *phi = dyn_cast<PHINode>(instruction);
    auto *load = dyn_cast<LoadInst>(instruction);
    if (phi && phi->getParent() == loop_.getHeader()) {
      sources.phis.push_back(phi);
    } else if (instruction->mayReadOrWriteMemory() && !(load && load->isSimple())) {
      sources.has_shared_access = true;
    } else {
      for (const Value *operand : instruction->operand_values()) worklist.insert(resolve(operand));
    }
  }
  return sources;
}

/* True if the next iteration gives the header's phi another value, which then stays the same in each iteration. */
bool CyclicPath::becomes_invariant(const PHINode &phi) const {
  if (next_value(phi) == &phi) return false;
  const Sources sources = find_sources(next_value(phi));
  return !sources.has_shared_access &&
         all_of(sources.phis, [&](const PHINode *other) { return next_value(*other) == other; });
}

/* A value once memory no longer changes: the header's phis are then equal to their next values. */
const Value *CyclicPath::steady_value(const Value *value) const {
  value = resolve(value);
  auto *phi = dyn_cast<PHINode>(value);
  return phi && phi->getParent() == loop_.getHeader() ? next_value(*phi) : value;
}

/* True if a comparison cannot have this outcome once no other work-item writes. */
bool CyclicPath::contradicts_steady_state(const Value *condition, bool outcome) const {
  auto *compare = dyn_cast<CmpInst>(condition);
  if (!compare || steady_value(compare->getOperand(0)) != steady_value(compare->getOperand(1))) return false;
  const CmpInst::Predicate predicate = compare->getPredicate();
  return outcome ? CmpInst::isFalseWhenEqual(predicate) : CmpInst::isTrueWhenEqual(predicate);
}

/* Limit of the operations between a phi and a condition that is folded. */
static constexpr unsigned max_folded_depth = 8;

bool CyclicPath::may_repeat() const {
  return all_of(assumptions_, [&](const auto &assumption) {
    const bool contradicts =
        outcome(assumption.first) == !assumption.second || evaluate(assumption.first, max_depth) == !assumption.second;
    if (contradicts || contradicts_steady_state(assumption.first, assumption.second)) return false;
    if (none_of(find_sources(assumption.first).phis, [&](const PHINode *phi) { return becomes_invariant(*phi); })) {
      return true;
    }
    auto *outcome = dyn_cast_or_null<ConstantInt>(fold_next_iteration(assumption.first, max_folded_depth));
    return outcome && outcome->isOne() == assumption.second;
  });
}

bool CyclicPath::has_known_equality(function_ref<bool(const Value *, const Value *)> holds) const {
  return any_of(assumptions_, [&](const auto &assumption) {
    auto *compare = dyn_cast<ICmpInst>(assumption.first);
    if (!compare || !compare->isEquality()) return false;
    if ((compare->getPredicate() == CmpInst::ICMP_EQ) != assumption.second) return false;
    return holds(compare->getOperand(0), compare->getOperand(1)) ||
           holds(compare->getOperand(1), compare->getOperand(0));
  });
}

/* Matches an addition, subtraction, `or` or `xor` of an extended condition: a false condition keeps the other operand
 * unchanged. Returns the condition and that operand, or nulls. */
static std::pair<const Value *, const Value *> match_conditional_update(const Value *value) {
  Value *unchanged, *condition;
  auto extended = m_ZExtOrSExt(m_Value(condition));
  const bool is_update =
      match(value, m_c_Add(m_Value(unchanged), extended)) || match(value, m_Sub(m_Value(unchanged), extended)) ||
      match(value, m_c_Or(m_Value(unchanged), extended)) || match(value, m_c_Xor(m_Value(unchanged), extended));
  if (!is_update || !condition->getType()->isIntegerTy(1)) return {nullptr, nullptr};
  return {condition, unchanged};
}

/* The operand that `value` equals on this path; null if none is known. */
const Value *CyclicPath::resolve_once(const Value *value, Conditions *deciding, unsigned depth) const {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !loop_.contains(instruction) || !consume_budget()) return nullptr;
  if (auto *phi = dyn_cast<PHINode>(instruction)) {
    auto position = positions_.find(phi->getParent());
    return position == positions_.end() || !position->second
               ? nullptr
               : phi->getIncomingValueForBlock(blocks_[position->second - 1]);
  }
  if (!depth) return nullptr;
  const Value *condition = nullptr, *same = nullptr;
  if (auto *select = dyn_cast<SelectInst>(instruction)) {
    condition = select->getCondition();
    const std::optional<bool> known = outcome(condition, depth - 1);
    if (known) same = *known ? select->getTrueValue() : select->getFalseValue();
  } else {
    std::tie(condition, same) = match_conditional_update(value);
    if (condition && outcome(condition, depth - 1).value_or(true)) same = nullptr;
  }
  if (same && deciding) deciding->insert(condition);
  return same;
}

const Value *CyclicPath::resolve(const Value *value, Conditions *deciding, unsigned depth) const {
  while (const Value *same = resolve_once(value, deciding, depth)) value = same;
  return value;
}

const Value *CyclicPath::next_value(const PHINode &phi, Conditions *deciding) const {
  assert(phi.getParent() == loop_.getHeader() && "only the header's phis are loop-carried");
  return resolve(phi.getIncomingValueForBlock(blocks_.back()), deciding);
}

bool CyclicPath::are_equivalent(const Value *left, const Value *right, unsigned depth) const {
  left = resolve(left);
  right = resolve(right);
  if (left == right) return true;
  auto *one = dyn_cast<Instruction>(left), *other = dyn_cast<Instruction>(right);
  if (!depth || !one || !other || isa<PHINode>(one) || one->mayReadOrWriteMemory() || !one->isSameOperationAs(other)) {
    return false;
  }
  return all_of(zip(one->operands(), other->operands()),
                [&](auto pair) { return are_equivalent(std::get<0>(pair), std::get<1>(pair), depth - 1); });
}

bool CyclicPath::may_exit_at(const BasicBlock *block) const {
  assert(contains(block) && "the block must be on the path");
  const size_t position = positions_.lookup(block);
  const BasicBlock *next = blocks_[(position + 1) % blocks_.size()];
  SmallSetVector<const BasicBlock *, 8> off_path;
  auto add_successors = [&](const BasicBlock *from) {
    for (const BasicBlock *to : successors(from)) {
      if ((from != block || to != next) && !contains(to)) off_path.insert(to);
    }
  };
  add_successors(block);
  for (size_t i = 0; i < off_path.size(); i++) {
    if (!loop_.contains(off_path[i])) return true;
    add_successors(off_path[i]);
  }
  return false;
}

CyclicPath::Conditions CyclicPath::undecided_conditions() const {
  SmallSetVector<const Value *, 8> worklist;
  Conditions undecided;
  for (const PHINode &phi : loop_.getHeader()->phis()) worklist.insert(next_value(phi));
  for (const auto &assumption : assumptions_) {
    auto *compare = dyn_cast<CmpInst>(assumption.first);
    if (!compare) continue;
    worklist.insert(resolve(compare->getOperand(0)));
    worklist.insert(resolve(compare->getOperand(1)));
  }
  for (size_t i = 0; i < worklist.size() && consume_budget(); i++) {
    auto *instruction = dyn_cast<Instruction>(worklist[i]);
    if (!instruction || !loop_.contains(instruction)) continue;
    auto [condition, unchanged] = match_conditional_update(instruction);
    if (auto *select = dyn_cast<SelectInst>(instruction)) {
      condition = select->getCondition();
      worklist.insert(resolve(select->getTrueValue()));
      worklist.insert(resolve(select->getFalseValue()));
    } else if (condition) {
      worklist.insert(resolve(unchanged));
    }
    if (condition && condition->getType()->isIntegerTy(1) && !outcome(condition)) undecided.insert(condition);
  }
  return undecided;
}

}  // namespace quern
