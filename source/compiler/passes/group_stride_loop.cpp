/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recognition of group-stride loops. */
#include "compiler/passes/group_stride_loop.hpp"

#include <optional>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/work_items.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

/* Most instructions between guard and loop. */
static constexpr size_t max_preheader_size = 64;

/* Depth of the expression that is searched for a work-item id. */
static constexpr unsigned max_start_depth = 6;

/* Types of indices. Wider integers than i64 do not match: the runtime check computes in i64. */
static bool is_integer_type(const Type &type, unsigned min_bits) {
  return type.isIntegerTy() && type.getIntegerBitWidth() >= min_bits && type.getIntegerBitWidth() <= 64;
}

/* Matches a branch that goes to `block` when value < bound, and returns the predicate, signed or unsigned. */
static std::optional<CmpInst::Predicate> match_less_than(const BranchInst &branch, const BasicBlock *block,
                                                         Value *&value, Value *&bound) {
  auto *compare = branch.isConditional() ? dyn_cast<ICmpInst>(branch.getCondition()) : nullptr;
  if (!compare || branch.getSuccessor(0) == branch.getSuccessor(1)) return std::nullopt;
  ICmpInst::Predicate predicate = compare->getPredicate();
  if (branch.getSuccessor(0) != block) predicate = ICmpInst::getInversePredicate(predicate);
  value = compare->getOperand(0);
  bound = compare->getOperand(1);
  if (predicate == ICmpInst::ICMP_UGT || predicate == ICmpInst::ICMP_SGT) {
    std::swap(value, bound);
    predicate = ICmpInst::getSwappedPredicate(predicate);
  }
  const bool is_below = predicate == ICmpInst::ICMP_ULT || predicate == ICmpInst::ICMP_SLT;
  return is_below ? std::optional(predicate) : std::nullopt;
}

bool match_in_register_extension(const Value *value, Value *&inner, unsigned &bits) {
  const APInt *mask;
  uint64_t left, right;
  if (match(value, m_And(m_Value(inner), m_APInt(mask)))) {
    bits = mask->countr_one();
    return mask->isMask();
  }
  if (!match(value, m_AShr(m_Shl(m_Value(inner), m_ConstantInt(left)), m_ConstantInt(right)))) return false;
  const unsigned width = value->getType()->getIntegerBitWidth();
  bits = left < width ? width - unsigned(left) : 0;
  return left == right;
}

/* Whether the value is the sum of the work-item's local or global id along x and a uniform value. */
static bool is_item_id_plus_uniform(const Value *value, const Divergence &divergence,
                                    unsigned depth = max_start_depth) {
  const WorkItem function = work_item_call(value);
  if (function == WorkItem::local_id || function == WorkItem::global_id) {
    return constant_dimension(*cast<CallBase>(value)) == 0;
  }
  if (!depth || !is_integer_type(*value->getType(), 32)) return false;
  Value *inner, *other;
  unsigned bits_kept;
  if (match(value, m_ZExtOrSExt(m_Value(inner))) || match(value, m_Trunc(m_Value(inner)))) {
    return is_item_id_plus_uniform(inner, divergence, depth - 1);
  }
  if (match_in_register_extension(value, inner, bits_kept))
    return bits_kept >= 32 && is_item_id_plus_uniform(inner, divergence, depth - 1);
  if (!match(value, m_Add(m_Value(inner), m_Value(other)))) return false;
  if (divergence.is_uniform(inner)) std::swap(inner, other);
  return divergence.is_uniform(other) && is_item_id_plus_uniform(inner, divergence, depth - 1);
}

bool GroupStrideLoop::find_latch_test() {
  latch = loop.getLoopLatch();
  if (!loop.isInnermost() || !latch || loop.getExitingBlock() != latch) return false;
  auto *branch = dyn_cast<BranchInst>(latch->getTerminator());
  auto predicate = branch ? match_less_than(*branch, loop.getHeader(), tested, bound) : std::nullopt;
  if (!predicate || (!tested->getType()->isIntegerTy(32) && !tested->getType()->isIntegerTy(64))) return false;
  may_wrap = tested->getType()->isIntegerTy(32) && *predicate == CmpInst::ICMP_ULT;
  next = tested;
  if (auto *truncation = dyn_cast<TruncInst>(next)) next = truncation->getOperand(0);
  return is_integer_type(*next->getType(), 32);
}

bool GroupStrideLoop::is_index(const Value *value, unsigned depth) const {
  if (value == index || truncated_indices_.contains(value)) return true;
  const unsigned bits = tested->getType()->getIntegerBitWidth();
  if (!depth || !is_integer_type(*value->getType(), bits)) return false;
  Value *inner;
  unsigned bits_kept;
  if (match(value, m_ZExtOrSExt(m_Value(inner))) || match(value, m_Trunc(m_Value(inner)))) {
    return is_index(inner, depth - 1);
  }
  return match_in_register_extension(value, inner, bits_kept) && bits_kept >= bits && is_index(inner, depth - 1);
}

void GroupStrideLoop::find_truncated_indices(const BasicBlock *before) {
  for (PHINode &phi : loop.getHeader()->phis()) {
    auto *next_value = dyn_cast<TruncInst>(phi.getIncomingValueForBlock(latch));
    auto *start_value = dyn_cast<TruncInst>(phi.getIncomingValueForBlock(before));
    if (!next_value || !start_value || next_value->getOperand(0) != next || start_value->getOperand(0) != start)
      continue;
    if (is_integer_type(*phi.getType(), tested->getType()->getIntegerBitWidth())) truncated_indices_.insert(&phi);
  }
}

/* Finds the header phi whose latch value is `next` = phi + step. A constant step below min_step does not match. */
bool GroupStrideLoop::find_index() {
  auto *sum = dyn_cast<BinaryOperator>(next);
  BasicBlock *before = loop.getLoopPredecessor();
  if (!sum || sum->getOpcode() != Instruction::Add || !before) return false;
  for (PHINode &phi : loop.getHeader()->phis()) {
    if (phi.getIncomingValueForBlock(latch) == next) index = &phi;
  }
  if (!index) return false;
  start = index->getIncomingValueForBlock(before);
  find_truncated_indices(before);
  const unsigned index_operand = is_index(sum->getOperand(0)) ? 0 : 1;
  step = sum->getOperand(1 - index_operand);
  auto *constant = dyn_cast<ConstantInt>(step);
  return is_index(sum->getOperand(index_operand)) && !(constant && constant->getValue().ult(min_step));
}

/* Finds the branch that decides whether the loop has a first iteration. All work-items must execute it. The runtime
 * check verifies that it compares the same values as the latch, maybe in another type. */
bool GroupStrideLoop::find_guard() {
  BasicBlock *entered = loop.getHeader(), *from = loop.getLoopPredecessor();
  if (from && isa<BranchInst>(from->getTerminator()) && from->getSingleSuccessor()) {
    entered = from;
    from = from->getSinglePredecessor();
  }
  if (!from || !divergence->is_executed_uniformly(from)) return false;
  guard = dyn_cast<BranchInst>(from->getTerminator());
  return guard && match_less_than(*guard, entered, guard_tested, guard_bound) &&
         is_integer_type(*guard_tested->getType(), 32) && is_item_id_plus_uniform(guard_tested, *divergence) &&
         divergence->is_uniform(guard_bound);
}

/* Whether the instruction allows iterations of different work-items to be reordered: volatile and atomic accesses,
 * synchronization and side effects do not. Work-items are not ordered with respect to each other otherwise. */
static bool can_reorder(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction)) return load->isSimple();
  if (auto *store = dyn_cast<StoreInst>(&instruction)) return store->isSimple();
  if (auto *call = dyn_cast<CallBase>(&instruction)) {
    return call->doesNotAccessMemory() && !call->mayHaveSideEffects() && !call->isConvergent() &&
           !call->getType()->isVoidTy();
  }
  return !instruction.mayReadOrWriteMemory() && !isa<AllocaInst>(instruction);
}

bool GroupStrideLoop::has_reorderable_body() const {
  return all_of(loop.blocks(), [](const BasicBlock *block) { return all_of(*block, can_reorder); });
}

void GroupStrideLoop::find_hoisted(const BasicBlock &before) {
  hoisted.clear();
  for (const Instruction &instruction : before) {
    bool is_ready = none_of(instruction.operands(), [&](const Value *operand) {
      auto *definition = dyn_cast<Instruction>(operand);
      return definition && definition->getParent() == &before && !hoisted.contains(definition);
    });
    bool is_movable = !isa<PHINode>(instruction) && !instruction.isTerminator();
    if (is_ready && is_movable && isSafeToSpeculativelyExecute(&instruction)) hoisted.insert(&instruction);
  }
}

/* Whether the instruction may be cloned into the preheader of the group's loop. There all work-items execute it if one
 * of them has iterations, so it must be speculatable, or a load from a uniform address, which is valid for all. */
bool GroupStrideLoop::can_clone_preheader(const Instruction &instruction) const {
  if (instruction.isTerminator() || hoisted.contains(&instruction)) return true;
  auto *load = dyn_cast<LoadInst>(&instruction);
  const bool is_uniform_load = load && load->isSimple() && divergence->is_uniform(load->getPointerOperand());
  if (!is_uniform_load && !isSafeToSpeculativelyExecute(&instruction)) return false;
  if (is_contained({start, step, bound}, &instruction)) return false;
  return all_of(instruction.users(), [&](const User *user) {
    const BasicBlock *block = cast<Instruction>(user)->getParent();
    return loop.contains(block) || block == instruction.getParent();
  });
}

/* Whether each instruction between guard and loop can be hoisted above the guard or cloned into the group's
 * preheader. */
bool GroupStrideLoop::can_clone_preheader() {
  const BasicBlock *before = loop.getLoopPredecessor();
  if (before == guard->getParent()) return true;
  find_hoisted(*before);
  return before->size() <= max_preheader_size &&
         all_of(*before, [&](const Instruction &instruction) { return can_clone_preheader(instruction); });
}

bool GroupStrideLoop::is_uniform_invariant(const Value *value) const {
  return loop.isLoopInvariant(value) && divergence->is_uniform(value);
}

bool GroupStrideLoop::can_interchange(const Divergence &of_function) {
  divergence = &of_function;
  return is_uniform_invariant(bound) && is_uniform_invariant(step) && is_item_id_plus_uniform(start, *divergence) &&
         find_guard() && can_clone_preheader() && has_reorderable_body();
}

}  // namespace quern
