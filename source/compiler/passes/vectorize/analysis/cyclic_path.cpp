/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Values along a way, and what lies beside it. */
#include "compiler/passes/vectorize/analysis/cyclic_path.hpp"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

void CyclicPath::enter(const BasicBlock *block) {
  places_[block] = unsigned(blocks_.size());
  blocks_.push_back(block);
}

void CyclicPath::leave() { places_.erase(blocks_.pop_back_val()); }

/* What it all hangs on; true when the condition is the opposite. */
std::pair<const Value *, bool> CyclicPath::root(const Value *condition, unsigned depth) const {
  bool is_opposite = false;
  Value *opposite;
  condition = follow(condition, nullptr, depth);
  while (match(condition, m_Not(m_Value(opposite)))) {
    condition = follow(opposite, nullptr, depth);
    is_opposite = !is_opposite;
  }
  return {condition, is_opposite};
}

const Value *CyclicPath::suppose(const Value *condition, bool outcome) {
  auto [supposed, is_opposite] = root(condition, deepest);
  outcomes_[supposed] = outcome != is_opposite;
  return supposed;
}

void CyclicPath::forget(const Value *supposed) { outcomes_.erase(supposed); }

/* What a condition is because of those that it is made from. */
std::optional<bool> CyclicPath::combine(const Value *condition, unsigned depth) const {
  if (auto *constant = dyn_cast<ConstantInt>(condition)) return constant->isOne();
  if (!depth || !spend()) return std::nullopt;
  if (auto *compare = dyn_cast<ICmpInst>(condition)) {
    const bool is_same = follow(compare->getOperand(0)) == follow(compare->getOperand(1));
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
  auto [supposed, is_opposite] = root(condition, depth);
  auto known = outcomes_.find(supposed);
  const std::optional<bool> is_so = known == outcomes_.end() ? combine(supposed, depth) : std::optional(known->second);
  return is_so ? std::optional(*is_so != is_opposite) : std::nullopt;
}

/* What the value is in the next turn, as far as constants say so. */
Constant *CyclicPath::fold(const Value *value, unsigned depth) const {
  value = follow(value);
  if (auto *constant = dyn_cast<Constant>(value)) return const_cast<Constant *>(constant);
  auto *instruction = dyn_cast<Instruction>(value);
  if (!depth || !instruction || !loop_.contains(instruction) || instruction->mayReadOrWriteMemory()) return nullptr;
  if (auto *phi = dyn_cast<PHINode>(instruction)) {
    if (phi->getParent() != loop_.getHeader()) return nullptr;
    auto *constant = dyn_cast<Constant>(next(*phi));
    return const_cast<Constant *>(constant);
  }
  SmallVector<Constant *, 4> operands;
  for (const Value *operand : instruction->operand_values()) {
    operands.push_back(fold(operand, depth - 1));
    if (!operands.back()) return nullptr;
  }
  return ConstantFoldInstOperands(const_cast<Instruction *>(instruction), operands, instruction->getDataLayout());
}

/* The header's phis that a value is made from, and whether some of it is read from memory that others may write. */
CyclicPath::MadeOf CyclicPath::made_of(const Value *value) const {
  MadeOf found;
  SmallSetVector<const Value *, 8> parts;
  parts.insert(follow(value));
  for (size_t i = 0; i < parts.size() && spend(); i++) {
    auto *instruction = dyn_cast<Instruction>(parts[i]);
    if (!instruction || !loop_.contains(instruction)) continue;
    auto *phi = dyn_cast<PHINode>(instruction);
    auto *load = dyn_cast<LoadInst>(instruction);
    if (phi && phi->getParent() == loop_.getHeader()) {
      found.phis.push_back(phi);
    } else if (instruction->mayReadOrWriteMemory() && !(load && load->isSimple())) {
      found.is_read = true;
    } else {
      for (const Value *operand : instruction->operand_values()) parts.insert(follow(operand));
    }
  }
  return found;
}

/* It is given something else, and the same in each turn from then on. */
bool CyclicPath::has_settled(const PHINode &phi) const {
  if (next(phi) == &phi) return false;
  const MadeOf made = made_of(next(phi));
  return !made.is_read && all_of(made.phis, [&](const PHINode *other) { return next(*other) == other; });
}

/* What a value is once all that is read stays the same: the header's phis are what the turn before made of them. */
const Value *CyclicPath::settle(const Value *value) const {
  value = follow(value);
  auto *phi = dyn_cast<PHINode>(value);
  return phi && phi->getParent() == loop_.getHeader() ? next(*phi) : value;
}

/* True when a comparison comes out otherwise as soon as nobody writes. */
bool CyclicPath::ends_when_settled(const Value *condition, bool outcome) const {
  auto *compare = dyn_cast<CmpInst>(condition);
  if (!compare || settle(compare->getOperand(0)) != settle(compare->getOperand(1))) return false;
  const CmpInst::Predicate predicate = compare->getPredicate();
  return outcome ? CmpInst::isFalseWhenEqual(predicate) : CmpInst::isTrueWhenEqual(predicate);
}

/* Between a phi and a condition. */
static constexpr unsigned most_operations = 8;

bool CyclicPath::may_go_on() const {
  return all_of(outcomes_, [&](const auto &supposed) {
    const bool contradicts =
        outcome(supposed.first) == !supposed.second || combine(supposed.first, deepest) == !supposed.second;
    if (contradicts || ends_when_settled(supposed.first, supposed.second)) return false;
    if (none_of(made_of(supposed.first).phis, [&](const PHINode *phi) { return has_settled(*phi); })) return true;
    auto *outcome = dyn_cast_or_null<ConstantInt>(fold(supposed.first, most_operations));
    return outcome && outcome->isOne() == supposed.second;
  });
}

bool CyclicPath::has_equal(function_ref<bool(const Value *, const Value *)> holds) const {
  return any_of(outcomes_, [&](const auto &supposed) {
    auto *compare = dyn_cast<ICmpInst>(supposed.first);
    if (!compare || !compare->isEquality()) return false;
    if ((compare->getPredicate() == CmpInst::ICMP_EQ) != supposed.second) return false;
    return holds(compare->getOperand(0), compare->getOperand(1)) ||
           holds(compare->getOperand(1), compare->getOperand(0));
  });
}

/* The condition that is added as one, or taken away, and what it is added to. */
static std::pair<const Value *, const Value *> match_counted(const Value *value) {
  Value *same, *condition;
  auto extended = m_ZExtOrSExt(m_Value(condition));
  const bool is_sum = match(value, m_c_Add(m_Value(same), extended)) || match(value, m_Sub(m_Value(same), extended)) ||
                      match(value, m_c_Or(m_Value(same), extended)) || match(value, m_c_Xor(m_Value(same), extended));
  if (!is_sum || !condition->getType()->isIntegerTy(1)) return {nullptr, nullptr};
  return {condition, same};
}

/* Null where nothing is known. */
const Value *CyclicPath::step(const Value *value, Conditions *because, unsigned depth) const {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !loop_.contains(instruction) || !spend()) return nullptr;
  if (auto *phi = dyn_cast<PHINode>(instruction)) {
    auto place = places_.find(phi->getParent());
    return place == places_.end() || !place->second ? nullptr
                                                    : phi->getIncomingValueForBlock(blocks_[place->second - 1]);
  }
  if (!depth) return nullptr;
  const Value *condition = nullptr, *same = nullptr;
  if (auto *select = dyn_cast<SelectInst>(instruction)) {
    condition = select->getCondition();
    const std::optional<bool> known = outcome(condition, depth - 1);
    if (known) same = *known ? select->getTrueValue() : select->getFalseValue();
  } else {
    std::tie(condition, same) = match_counted(value);
    if (condition && outcome(condition, depth - 1).value_or(true)) same = nullptr;
  }
  if (same && because) because->insert(condition);
  return same;
}

const Value *CyclicPath::follow(const Value *value, Conditions *because, unsigned depth) const {
  while (const Value *same = step(value, because, depth)) value = same;
  return value;
}

const Value *CyclicPath::next(const PHINode &phi, Conditions *because) const {
  return follow(phi.getIncomingValueForBlock(blocks_.back()), because);
}

bool CyclicPath::are_same(const Value *left, const Value *right, unsigned depth) const {
  left = follow(left);
  right = follow(right);
  if (left == right) return true;
  auto *one = dyn_cast<Instruction>(left), *other = dyn_cast<Instruction>(right);
  if (!depth || !one || !other || isa<PHINode>(one) || one->mayReadOrWriteMemory() || !one->isSameOperationAs(other)) {
    return false;
  }
  return all_of(zip(one->operands(), other->operands()),
                [&](auto pair) { return are_same(std::get<0>(pair), std::get<1>(pair), depth - 1); });
}

bool CyclicPath::may_exit_at(const BasicBlock *block) const {
  const size_t place = places_.lookup(block);
  const BasicBlock *behind = blocks_[(place + 1) % blocks_.size()];
  SmallSetVector<const BasicBlock *, 8> beside;
  auto add_successors = [&](const BasicBlock *from) {
    for (const BasicBlock *to : successors(from)) {
      if ((from != block || to != behind) && !has(to)) beside.insert(to);
    }
  };
  add_successors(block);
  for (size_t i = 0; i < beside.size(); i++) {
    if (!loop_.contains(beside[i])) return true;
    add_successors(beside[i]);
  }
  return false;
}

CyclicPath::Conditions CyclicPath::open_choices() const {
  SmallSetVector<const Value *, 8> made_of;
  Conditions choices;
  for (const PHINode &phi : loop_.getHeader()->phis()) made_of.insert(next(phi));
  for (const auto &supposed : outcomes_) {
    auto *compare = dyn_cast<CmpInst>(supposed.first);
    if (!compare) continue;
    made_of.insert(follow(compare->getOperand(0)));
    made_of.insert(follow(compare->getOperand(1)));
  }
  for (size_t i = 0; i < made_of.size() && spend(); i++) {
    auto *instruction = dyn_cast<Instruction>(made_of[i]);
    if (!instruction || !loop_.contains(instruction)) continue;
    auto [condition, same] = match_counted(instruction);
    if (auto *select = dyn_cast<SelectInst>(instruction)) {
      condition = select->getCondition();
      made_of.insert(follow(select->getTrueValue()));
      made_of.insert(follow(select->getFalseValue()));
    } else if (condition) {
      made_of.insert(follow(same));
    }
    if (condition && condition->getType()->isIntegerTy(1) && !outcome(condition)) choices.insert(condition);
  }
  return choices;
}

}  // namespace quern
