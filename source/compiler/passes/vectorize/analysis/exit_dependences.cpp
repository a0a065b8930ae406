/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Dependences of branch conditions on a cyclic path. */
#include "compiler/passes/vectorize/analysis/exit_dependences.hpp"

#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/address_spaces.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

/* The underlying object of a pointer, through phis as well. Null if there may be several. */
static const Value *find_object(const Value *pointer) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(pointer, objects);
  return objects.size() == 1 ? objects.front() : nullptr;
}

static const Value *find_object(const Instruction &access) {
  const std::optional<MemoryLocation> location = MemoryLocation::getOrNone(&access);
  return location ? find_object(location->Ptr) : nullptr;
}

bool is_private_access(const Instruction &access) {
  const Value *object = find_object(access);
  return object && object->getType()->getPointerAddressSpace() == private_space;
}

static bool is_atomic_or_volatile_store(const Instruction &instruction) {
  auto *store = dyn_cast<StoreInst>(&instruction);
  return store && !store->isSimple();
}

PathWrites::PathWrites(const CyclicPath &path, const LoopAccesses &accesses) : accesses_(accesses) {
  for (const BasicBlock *block : path.blocks()) {
    for (const Instruction &instruction : *block) {
      if (!instruction.mayWriteToMemory() || isa<FenceInst>(instruction) || !path.consume_budget()) continue;
      const std::optional<AccessKind> kind = accesses.kind(instruction);
      has_plain_write_ |= !kind && !is_atomic_or_volatile_store(instruction);
      if (kind == AccessKind::read_only) continue;
      if (const AtomicIncrement *increment = accesses.increment(instruction)) add_increment(*increment);
      const Value *object = find_object(instruction);
      if (object) objects_.insert(object);
      has_unknown_object_ |= !object;
    }
  }
}

void PathWrites::add_increment(const AtomicIncrement &increment) {
  auto [sum, is_new] = increment_sums_.try_emplace(increment.pointer, increment.amount);
  if (!is_new && sum->second.getBitWidth() == increment.amount.getBitWidth()) sum->second += increment.amount;
}

bool PathWrites::may_clobber(const Instruction &access) const {
  const Value *object = find_object(access);
  return has_unknown_object_ || (object ? objects_.contains(object) : !objects_.empty());
}

bool PathWrites::increments_cancel_out(const Instruction &access) const {
  const AtomicIncrement *increment = accesses_.increment(access);
  auto sum = increment ? increment_sums_.find(increment->pointer) : increment_sums_.end();
  return sum != increment_sums_.end() && sum->second.isZero();
}

/* A dependence on a resolved value is one on the conditions that decided it too: the visits add these to
 * conditions_. */
ExitDependences::ExitDependences(const CyclicPath &path, const LoopAccesses &accesses, const PathWrites &writes,
                                 const Value *condition)
    : path_(path), accesses_(accesses), writes_(writes) {
  conditions_.insert(condition);
  for (size_t i = 0; i < conditions_.size(); i++) visit(conditions_[i]);
}

/* True for operations that lose a part of their operand: bits set or cleared, or a clamp. The result no longer
 * identifies the value that was read. */
static bool is_lossy(const Instruction &instruction) {
  if (match(&instruction, m_And(m_Value(), m_Value())) || match(&instruction, m_Or(m_Value(), m_Constant())))
    return true;
  auto *clamp = dyn_cast<MinMaxIntrinsic>(&instruction);
  return clamp && (isa<Constant>(clamp->getLHS()) || isa<Constant>(clamp->getRHS()));
}

/* True if `value` is computed from a value that an iteration read from `object`. If `object` is null, memory of any
 * object counts, but only if an atomic or volatile access reads it. `through_lossy`: follow lossy operations too. */
bool ExitDependences::depends_on_read(const Value *value, const Value *object, bool through_lossy) const {
  SmallSetVector<const Value *, 8> worklist;
  worklist.insert(path_.resolve(value));
  for (size_t i = 0; i < worklist.size() && path_.consume_budget(); i++) {
    auto *instruction = dyn_cast<Instruction>(worklist[i]);
    if (!instruction || !path_.loop().contains(instruction)) continue;
    const Value *accessed = find_object(*instruction);
    if (accesses_.kind(*instruction)) {
      if (!is_private_access(*instruction) && (!object || !accessed || accessed == object)) return true;
    } else if (isa<LoadInst>(instruction)) {
      if (object && accessed == object) return true;
    } else if (auto *phi = dyn_cast<PHINode>(instruction)) {
      if (phi->getParent() == path_.loop().getHeader()) worklist.insert(path_.next_value(*phi));
      continue;
    } else if (!through_lossy && is_lossy(*instruction)) {
      continue;
    }
    for (const Value *operand : instruction->operand_values()) worklist.insert(path_.resolve(operand));
  }
  return false;
}

/* True if `value`, which `compared` is equal to, was read from the location at `pointer`. The read must be of the same
 * address if `compared` is loop-invariant. Else any address in the same object will do, for example that of an array
 * element with the index `compared`. A header phi is assumed to hold the value at the address of this iteration, read
 * in the iteration before. */
bool ExitDependences::is_read_from(const Value *value, const Value *pointer, const Value *compared) const {
  auto *load = dyn_cast<Instruction>(path_.resolve(value));
  if (!load || !depends_on_read(value, find_object(pointer), /*through_lossy=*/false)) return false;
  auto *variant = dyn_cast<Instruction>(path_.resolve(compared));
  if (isa<PHINode>(load) || (variant && path_.loop().contains(variant))) return true;
  while (isa<CastInst>(load) || isa<ExtractValueInst>(load) || isa<BinaryOperator>(load)) {
    load = dyn_cast<Instruction>(path_.resolve(load->getOperand(0)));
    if (!load) return false;
  }
  const std::optional<MemoryLocation> location = MemoryLocation::getOrNone(load);
  return isa<PHINode>(load) || (location && path_.are_equivalent(location->Ptr, pointer));
}

/* True if a comparison on the path has found `value` equal to a value read from the location at `pointer`. */
bool ExitDependences::is_known_content(const Value *value, const Value *pointer) const {
  value = path_.resolve(value);
  if (auto *clamp = dyn_cast<MinMaxIntrinsic>(value)) {
    return is_known_content(clamp->getLHS(), pointer) && is_known_content(clamp->getRHS(), pointer);
  }
  return path_.has_known_equality([&](const Value *left, const Value *right) {
    return path_.are_equivalent(left, value) && is_read_from(right, pointer, value);
  });
}

/* A compare-exchange that expects the value read before fails only if another lane made progress. The next iteration
 * then expects another value. The same is not true of an expected value with single bits set or cleared: there the loop
 * may wait for a bit to change. */
void ExitDependences::visit_expected_value(const AtomicCmpXchgInst &exchange) {
  const Value *expected = exchange.getCompareOperand(), *pointer = exchange.getPointerOperand();
  const Value *object = find_object(pointer);
  has_progress_ |= depends_on_read(expected, object, /*through_lossy=*/false) || is_known_content(expected, pointer);
  if (!has_progress_ && !depends_on_read(expected, object, /*through_lossy=*/true)) visit(expected);
}

/* True if the atomic is known to return a value on this path that shows a write of another lane. That value is neither
 * the one which the atomic stores, nor the one which the iteration read before. */
bool ExitDependences::shows_other_write(const AtomicRMWInst &atomic) const {
  return any_of(atomic.users(), [&](const User *user) {
    auto *compare = dyn_cast<ICmpInst>(user);
    const std::optional<bool> known = compare ? path_.outcome(compare) : std::nullopt;
    if (!known) return false;
    const bool is_left = compare->getOperand(0) == &atomic;
    CmpInst::Predicate predicate = *known ? compare->getPredicate() : compare->getInversePredicate();
    if (!is_left) predicate = CmpInst::getSwappedPredicate(predicate);
    const Value *stored = atomic.getValOperand(), *other = compare->getOperand(is_left);
    const bool is_stored = other == stored;
    if (predicate == CmpInst::ICMP_NE && is_known_content(other, atomic.getPointerOperand())) return true;
    switch (atomic.getOperation()) {
      case AtomicRMWInst::Xchg:
        if (predicate == CmpInst::ICMP_EQ) return isa<Constant>(stored) && isa<Constant>(other) && !is_stored;
        return is_stored && !CmpInst::isTrueWhenEqual(predicate);
      case AtomicRMWInst::Min: return is_stored && predicate == CmpInst::ICMP_SGT;
      case AtomicRMWInst::UMin: return is_stored && predicate == CmpInst::ICMP_UGT;
      case AtomicRMWInst::Max: return is_stored && predicate == CmpInst::ICMP_SLT;
      case AtomicRMWInst::UMax: return is_stored && predicate == CmpInst::ICMP_ULT;
      default: return false;
    }
  });
}

void ExitDependences::visit_access(const Instruction &access, AccessKind kind) {
  if (is_private_access(access)) {
    has_progress_ |= writes_.may_clobber(access);
    return;
  }
  auto *atomic = dyn_cast<AtomicRMWInst>(&access);
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&access)) {
    visit(exchange->getPointerOperand());
    if (kind == AccessKind::idempotent) visit_expected_value(*exchange);
  } else {
    const Value *address = atomic ? atomic->getPointerOperand() : getLoadStorePointerOperand(&access);
    for (const Value *operand : access.operand_values()) {
      /* An atomic that stores a value computed from the old content is not idempotent. */
      const bool is_stored = kind == AccessKind::idempotent && operand != address && !isa<Function>(operand);
      has_progress_ |= is_stored && depends_on_read(operand, find_object(access), /*through_lossy=*/true);
      visit(operand);
    }
  }
  if (kind == AccessKind::accumulating && writes_.increments_cancel_out(access)) kind = AccessKind::idempotent;
  has_progress_ |= kind == AccessKind::accumulating || (atomic && shows_other_write(*atomic));
  has_idempotent_atomic_ |= kind == AccessKind::idempotent;
  has_read_ |= kind == AccessKind::read_only && !writes_.may_clobber(access);
}

/* No other work-item writes the location of a plain load meanwhile: that would be a data race. */
void ExitDependences::visit_instruction(const Instruction &instruction) {
  auto *phi = dyn_cast<PHINode>(&instruction);
  if (auto kind = accesses_.kind(instruction)) {
    visit_access(instruction, *kind);
  } else if (phi && phi->getParent() == path_.loop().getHeader()) {
    const Value *next = path_.next_value(*phi, &conditions_);
    if (next == phi) return;
    iterations_++;
    visit(next);
    iterations_--;
  } else {
    const bool is_load = isa<LoadInst>(instruction);
    has_progress_ |= is_load ? writes_.has_plain_write() : instruction.mayReadOrWriteMemory();
    for (const Value *operand : instruction.operand_values()) visit(operand);
  }
}

/* A value that depends on itself across a back edge is a recurrence, with another value in the next iteration. Values
 * beyond the budget or the depth limit are assumed to change as well. */
void ExitDependences::visit(const Value *value) {
  value = path_.resolve(value, &conditions_);
  auto *instruction = dyn_cast<Instruction>(value);
  if (has_progress_ || !instruction || !path_.loop().contains(instruction)) return;
  if (!path_.consume_budget() || depth_ == max_depth) {
    has_progress_ = true;
    return;
  }
  auto [visited, is_new] = visited_.try_emplace(value, iterations_);
  if (is_new) {
    depth_++;
    visit_instruction(*instruction);
    depth_--;
    visited_[value] = finished;
  } else {
    has_progress_ |= visited->second != finished && visited->second < iterations_;
  }
}

}  // namespace quern
