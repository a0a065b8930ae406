/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recognition of loops with a step that all work-items agree on. */
#include "compiler/passes/group_stride_loop.hpp"

#include <optional>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/work_items.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

static constexpr size_t most_prepared = 64;

static constexpr unsigned deepest_start = 6;

/* What numbers are computed in: so many bits, as wide ones are taken for i64. */
static bool is_number(const Type &type, unsigned fewest_bits) {
  return type.isIntegerTy() && type.getIntegerBitWidth() >= fewest_bits && type.getIntegerBitWidth() <= 64;
}

/* The branch as one to `block` where number < bound. */
static std::optional<CmpInst::Predicate> match_bound(const BranchInst &branch, const BasicBlock *block, Value *&number,
                                                     Value *&bound) {
  auto *compare = branch.isConditional() ? dyn_cast<ICmpInst>(branch.getCondition()) : nullptr;
  if (!compare || branch.getSuccessor(0) == branch.getSuccessor(1)) return std::nullopt;
  ICmpInst::Predicate predicate = compare->getPredicate();
  if (branch.getSuccessor(0) != block) predicate = ICmpInst::getInversePredicate(predicate);
  number = compare->getOperand(0);
  bound = compare->getOperand(1);
  if (predicate == ICmpInst::ICMP_UGT || predicate == ICmpInst::ICMP_SGT) {
    std::swap(number, bound);
    predicate = ICmpInst::getSwappedPredicate(predicate);
  }
  const bool is_below = predicate == ICmpInst::ICMP_ULT || predicate == ICmpInst::ICMP_SLT;
  return is_below ? std::optional(predicate) : std::nullopt;
}

bool match_extension(const Value *value, Value *&inner, unsigned &bits) {
  const APInt *mask;
  uint64_t left, right;
  if (match(value, m_And(m_Value(inner), m_APInt(mask)))) {
    bits = mask->countr_one();
    return mask->isMask();
  }
  if (!match(value, m_AShr(m_Shl(m_Value(inner), m_ConstantInt(left)), m_ConstantInt(right)))) return false;
  const unsigned all = value->getType()->getIntegerBitWidth();
  bits = left < all ? all - unsigned(left) : 0;
  return left == right;
}

/* Whether the value is a uniform one and the work-item's number along x. */
static bool has_item(const Value *value, const Divergence &divergence, unsigned depth = deepest_start) {
  const WorkItem which = work_item_call(value);
  if (which == WorkItem::local_id || which == WorkItem::global_id) {
    return constant_dimension(*cast<CallBase>(value)) == 0;
  }
  if (!depth || !is_number(*value->getType(), 32)) return false;
  Value *inner, *other;
  unsigned kept;
  if (match(value, m_ZExtOrSExt(m_Value(inner))) || match(value, m_Trunc(m_Value(inner)))) {
    return has_item(inner, divergence, depth - 1);
  }
  if (match_extension(value, inner, kept)) return kept >= 32 && has_item(inner, divergence, depth - 1);
  if (!match(value, m_Add(m_Value(inner), m_Value(other)))) return false;
  if (divergence.is_uniform(inner)) std::swap(inner, other);
  return divergence.is_uniform(other) && has_item(inner, divergence, depth - 1);
}

bool GroupStrideLoop::find_test() {
  latch = loop.getLoopLatch();
  if (!loop.isInnermost() || !latch || loop.getExitingBlock() != latch) return false;
  auto *branch = dyn_cast<BranchInst>(latch->getTerminator());
  auto predicate = branch ? match_bound(*branch, loop.getHeader(), tested, bound) : std::nullopt;
  if (!predicate || (!tested->getType()->isIntegerTy(32) && !tested->getType()->isIntegerTy(64))) return false;
  may_wrap = tested->getType()->isIntegerTy(32) && *predicate == CmpInst::ICMP_ULT;
  next = tested;
  if (auto *narrow = dyn_cast<TruncInst>(next)) next = narrow->getOperand(0);
  return is_number(*next->getType(), 32);
}

bool GroupStrideLoop::is_index(const Value *value, unsigned depth) const {
  if (value == index || twins_.contains(value)) return true;
  const unsigned bits = tested->getType()->getIntegerBitWidth();
  if (!depth || !is_number(*value->getType(), bits)) return false;
  Value *inner;
  unsigned kept;
  if (match(value, m_ZExtOrSExt(m_Value(inner))) || match(value, m_Trunc(m_Value(inner)))) {
    return is_index(inner, depth - 1);
  }
  return match_extension(value, inner, kept) && kept >= bits && is_index(inner, depth - 1);
}

void GroupStrideLoop::find_twins(const BasicBlock *before) {
  for (PHINode &phi : loop.getHeader()->phis()) {
    auto *later = dyn_cast<TruncInst>(phi.getIncomingValueForBlock(latch));
    auto *first = dyn_cast<TruncInst>(phi.getIncomingValueForBlock(before));
    if (!later || !first || later->getOperand(0) != next || first->getOperand(0) != start) continue;
    if (is_number(*phi.getType(), tested->getType()->getIntegerBitWidth())) twins_.insert(&phi);
  }
}

/* A phi, the index, to which `step` is added. */
bool GroupStrideLoop::find_index() {
  auto *sum = dyn_cast<BinaryOperator>(next);
  BasicBlock *before = loop.getLoopPredecessor();
  if (!sum || sum->getOpcode() != Instruction::Add || !before) return false;
  for (PHINode &phi : loop.getHeader()->phis()) {
    if (phi.getIncomingValueForBlock(latch) == next) index = &phi;
  }
  if (!index) return false;
  start = index->getIncomingValueForBlock(before);
  find_twins(before);
  const unsigned of = is_index(sum->getOperand(0)) ? 0 : 1;
  step = sum->getOperand(1 - of);
  auto *constant = dyn_cast<ConstantInt>(step);
  return is_index(sum->getOperand(of)) && !(constant && constant->getValue().ult(shortest_step));
}

/* All work-items come to the branch that decides whether there is a first turn. That it compares the same numbers as
 * the loop, maybe in another type, is found out when it runs. */
bool GroupStrideLoop::find_guard() {
  BasicBlock *entered = loop.getHeader(), *from = loop.getLoopPredecessor();
  if (from && isa<BranchInst>(from->getTerminator()) && from->getSingleSuccessor()) {
    entered = from;
    from = from->getSinglePredecessor();
  }
  if (!from || !divergence->is_run_by_all(from)) return false;
  guard = dyn_cast<BranchInst>(from->getTerminator());
  return guard && match_bound(*guard, entered, first_tested, first_bound) && is_number(*first_tested->getType(), 32) &&
         has_item(first_tested, *divergence) && divergence->is_uniform(first_bound);
}

/* Whether turns of work-items may run in another order: nothing in them is ordered between work-items. */
static bool can_reorder(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction)) return load->isSimple();
  if (auto *store = dyn_cast<StoreInst>(&instruction)) return store->isSimple();
  if (auto *call = dyn_cast<CallBase>(&instruction)) {
    return call->doesNotAccessMemory() && !call->mayHaveSideEffects() && !call->isConvergent() &&
           !call->getType()->isVoidTy();
  }
  return !instruction.mayReadOrWriteMemory() && !isa<AllocaInst>(instruction);
}

bool GroupStrideLoop::can_interleave() const {
  return all_of(loop.blocks(), [](const BasicBlock *block) { return all_of(*block, can_reorder); });
}

void GroupStrideLoop::find_hoisted(const BasicBlock &before) {
  hoisted.clear();
  for (const Instruction &instruction : before) {
    bool is_ready = none_of(instruction.operands(), [&](const Value *operand) {
      auto *made = dyn_cast<Instruction>(operand);
      return made && made->getParent() == &before && !hoisted.contains(made);
    });
    bool is_movable = !isa<PHINode>(instruction) && !instruction.isTerminator();
    if (is_ready && is_movable && isSafeToSpeculativelyExecute(&instruction)) hoisted.insert(&instruction);
  }
}

/* Whether it can be done with the loop, by all work-items where one has turns: loads by one do for all. */
bool GroupStrideLoop::can_prepare(const Instruction &instruction) const {
  if (instruction.isTerminator() || hoisted.contains(&instruction)) return true;
  auto *load = dyn_cast<LoadInst>(&instruction);
  const bool is_shared_load = load && load->isSimple() && divergence->is_uniform(load->getPointerOperand());
  if (!is_shared_load && !isSafeToSpeculativelyExecute(&instruction)) return false;
  if (is_contained({start, step, bound}, &instruction)) return false;
  return all_of(instruction.users(), [&](const User *user) {
    const BasicBlock *block = cast<Instruction>(user)->getParent();
    return loop.contains(block) || block == instruction.getParent();
  });
}

/* What is done once between the guard and the loop can be done before the guard, or with the loop. */
bool GroupStrideLoop::can_prepare() {
  const BasicBlock *before = loop.getLoopPredecessor();
  if (before == guard->getParent()) return true;
  find_hoisted(*before);
  return before->size() <= most_prepared &&
         all_of(*before, [&](const Instruction &instruction) { return can_prepare(instruction); });
}

bool GroupStrideLoop::is_shared(const Value *value) const {
  return loop.isLoopInvariant(value) && divergence->is_uniform(value);
}

bool GroupStrideLoop::can_stride(const Divergence &of_function) {
  divergence = &of_function;
  return is_shared(bound) && is_shared(step) && has_item(start, *divergence) && find_guard() && can_prepare() &&
         can_interleave();
}

}  // namespace quern
