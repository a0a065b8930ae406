/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What goes on by itself, and what waits for others. */
#include "compiler/passes/vectorize/analysis/exit_dependences.hpp"

#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/address_spaces.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

/* Null where it may be several, through phis as well. */
static const Value *find_object(const Value *pointer) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(pointer, objects);
  return objects.size() == 1 ? objects.front() : nullptr;
}

static const Value *find_object(const Instruction &access) {
  const std::optional<MemoryLocation> place = MemoryLocation::getOrNone(&access);
  return place ? find_object(place->Ptr) : nullptr;
}

bool is_private(const Instruction &access) {
  const Value *object = find_object(access);
  return object && object->getType()->getPointerAddressSpace() == private_space;
}

static bool is_volatile_store(const Instruction &instruction) {
  auto *store = dyn_cast<StoreInst>(&instruction);
  return store && !store->isSimple();
}

Writes::Writes(const CyclicPath &path, const LoopAccesses &accesses) : accesses_(accesses) {
  for (const BasicBlock *block : path.blocks()) {
    for (const Instruction &instruction : *block) {
      if (!instruction.mayWriteToMemory() || isa<FenceInst>(instruction) || !path.spend()) continue;
      const std::optional<Idempotence> kind = accesses.kind(instruction);
      are_plain_ |= !kind && !is_volatile_store(instruction);
      if (kind == Idempotence::reads) continue;
      if (const CountedUpdate *counted = accesses.counted(instruction)) add_count(*counted);
      const Value *object = find_object(instruction);
      if (object) objects_.insert(object);
      are_anywhere_ |= !object;
    }
  }
}

void Writes::add_count(const CountedUpdate &counted) {
  auto [sum, is_new] = sums_.try_emplace(counted.place, counted.amount);
  if (!is_new && sum->second.getBitWidth() == counted.amount.getBitWidth()) sum->second += counted.amount;
}

bool Writes::may_change(const Instruction &access) const {
  const Value *object = find_object(access);
  return are_anywhere_ || (object ? objects_.contains(object) : !objects_.empty());
}

bool Writes::cancel_out(const Instruction &access) const {
  const CountedUpdate *counted = accesses_.counted(access);
  auto sum = counted ? sums_.find(counted->place) : sums_.end();
  return sum != sums_.end() && sum->second.isZero();
}

/* With what it takes for its values to be the same. */
ExitDependences::ExitDependences(const CyclicPath &path, const LoopAccesses &accesses, const Writes &writes,
                                 const Value *condition)
    : path_(path), accesses_(accesses), writes_(writes) {
  conditions_.insert(condition);
  for (size_t i = 0; i < conditions_.size(); i++) look_at(conditions_[i]);
}

/* With some bits set or cleared, or no less than something, it is not what was read. */
static bool is_mask(const Instruction &instruction) {
  if (match(&instruction, m_And(m_Value(), m_Value())) || match(&instruction, m_Or(m_Value(), m_Constant())))
    return true;
  auto *limit = dyn_cast<MinMaxIntrinsic>(&instruction);
  return limit && (isa<Constant>(limit->getLHS()) || isa<Constant>(limit->getRHS()));
}

/* True when a value is made from what a turn read from `object`; from anywhere, if that is null, but not plainly. */
bool ExitDependences::is_read(const Value *value, const Value *object, bool through_masks) const {
  SmallSetVector<const Value *, 8> made_of;
  made_of.insert(path_.follow(value));
  for (size_t i = 0; i < made_of.size() && path_.spend(); i++) {
    auto *instruction = dyn_cast<Instruction>(made_of[i]);
    if (!instruction || !path_.loop().contains(instruction)) continue;
    const Value *from = find_object(*instruction);
    if (accesses_.kind(*instruction)) {
      if (!is_private(*instruction) && (!object || !from || from == object)) return true;
    } else if (isa<LoadInst>(instruction)) {
      if (object && from == object) return true;
    } else if (auto *phi = dyn_cast<PHINode>(instruction)) {
      if (phi->getParent() == path_.loop().getHeader()) made_of.insert(path_.next(*phi));
      continue;
    } else if (!through_masks && is_mask(*instruction)) {
      continue;
    }
    for (const Value *operand : instruction->operand_values()) made_of.insert(path_.follow(operand));
  }
  return false;
}

/* Of what does not change with the loop the very place must have been read; else one in the same memory, like that
 * which it is the number of. What a turn has read for the next one is of the place where that will be. */
bool ExitDependences::is_read_from(const Value *value, const Value *place, const Value *compared) const {
  auto *load = dyn_cast<Instruction>(path_.follow(value));
  if (!load || !is_read(value, find_object(place), /*through_masks=*/false)) return false;
  auto *changing = dyn_cast<Instruction>(path_.follow(compared));
  if (isa<PHINode>(load) || (changing && path_.loop().contains(changing))) return true;
  while (isa<CastInst>(load) || isa<ExtractValueInst>(load) || isa<BinaryOperator>(load)) {
    load = dyn_cast<Instruction>(path_.follow(load->getOperand(0)));
    if (!load) return false;
  }
  const std::optional<MemoryLocation> from = MemoryLocation::getOrNone(load);
  return isa<PHINode>(load) || (from && path_.are_same(from->Ptr, place));
}

/* It has been compared with what is there. */
bool ExitDependences::is_known_read(const Value *value, const Value *place) const {
  value = path_.follow(value);
  if (auto *limit = dyn_cast<MinMaxIntrinsic>(value)) {
    return is_known_read(limit->getLHS(), place) && is_known_read(limit->getRHS(), place);
  }
  return path_.has_equal([&](const Value *left, const Value *right) {
    return path_.are_same(left, value) && is_read_from(right, place, value);
  });
}

/* Who exchanges what was read fails because another one has got on, and tries with something else in the next turn. Not
 * who waits for a bit in it. */
void ExitDependences::look_at_compared(const AtomicCmpXchgInst &exchange) {
  const Value *compared = exchange.getCompareOperand(), *place = exchange.getPointerOperand();
  const Value *object = find_object(place);
  goes_on_ |= is_read(compared, object, /*through_masks=*/false) || is_known_read(compared, place);
  if (!goes_on_ && !is_read(compared, object, /*through_masks=*/true)) look_at(compared);
}

/* What was found on this way is not what has been put there, or what was there in this turn. */
bool ExitDependences::has_changed(const AtomicRMWInst &atomic) const {
  return any_of(atomic.users(), [&](const User *user) {
    auto *compare = dyn_cast<ICmpInst>(user);
    const std::optional<bool> known = compare ? path_.outcome(compare) : std::nullopt;
    if (!known) return false;
    const bool is_left = compare->getOperand(0) == &atomic;
    CmpInst::Predicate predicate = *known ? compare->getPredicate() : compare->getInversePredicate();
    if (!is_left) predicate = CmpInst::getSwappedPredicate(predicate);
    const Value *put = atomic.getValOperand(), *other = compare->getOperand(is_left);
    const bool is_put = other == put;
    if (predicate == CmpInst::ICMP_NE && is_known_read(other, atomic.getPointerOperand())) return true;
    switch (atomic.getOperation()) {
      case AtomicRMWInst::Xchg:
        if (predicate == CmpInst::ICMP_EQ) return isa<Constant>(put) && isa<Constant>(other) && !is_put;
        return is_put && !CmpInst::isTrueWhenEqual(predicate);
      case AtomicRMWInst::Min: return is_put && predicate == CmpInst::ICMP_SGT;
      case AtomicRMWInst::UMin: return is_put && predicate == CmpInst::ICMP_UGT;
      case AtomicRMWInst::Max: return is_put && predicate == CmpInst::ICMP_SLT;
      case AtomicRMWInst::UMax: return is_put && predicate == CmpInst::ICMP_ULT;
      default: return false;
    }
  });
}

void ExitDependences::look_at_access(const Instruction &access, Idempotence kind) {
  if (is_private(access)) {
    goes_on_ |= writes_.may_change(access);
    return;
  }
  auto *atomic = dyn_cast<AtomicRMWInst>(&access);
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&access)) {
    look_at(exchange->getPointerOperand());
    if (kind == Idempotence::takes) look_at_compared(*exchange);
  } else {
    const Value *address = atomic ? atomic->getPointerOperand() : getLoadStorePointerOperand(&access);
    for (const Value *operand : access.operand_values()) {
      const bool is_put = kind == Idempotence::takes && operand != address && !isa<Function>(operand);
      goes_on_ |= is_put && is_read(operand, find_object(access), /*through_masks=*/true);
      look_at(operand);
    }
  }
  if (kind == Idempotence::counts && writes_.cancel_out(access)) kind = Idempotence::takes;
  goes_on_ |= kind == Idempotence::counts || (atomic && has_changed(*atomic));
  takes_ |= kind == Idempotence::takes;
  reads_ |= kind == Idempotence::reads && !writes_.may_change(access);
}

/* What is loaded plainly is nothing that others write meanwhile. */
void ExitDependences::look_into(const Instruction &instruction) {
  auto *phi = dyn_cast<PHINode>(&instruction);
  if (auto kind = accesses_.kind(instruction)) {
    look_at_access(instruction, *kind);
  } else if (phi && phi->getParent() == path_.loop().getHeader()) {
    const Value *next = path_.next(*phi, &conditions_);
    if (next == phi) return;
    induction_++;
    look_at(next);
    induction_--;
  } else {
    const bool is_load = isa<LoadInst>(instruction);
    goes_on_ |= is_load ? writes_.are_plain() : instruction.mayReadOrWriteMemory();
    for (const Value *operand : instruction.operand_values()) look_at(operand);
  }
}

/* What comes back to itself only in the next turn is another one there. So may be what there is no time to look at. */
void ExitDependences::look_at(const Value *value) {
  value = path_.follow(value, &conditions_);
  auto *instruction = dyn_cast<Instruction>(value);
  if (goes_on_ || !instruction || !path_.loop().contains(instruction)) return;
  if (!path_.spend() || depth_ == deepest) {
    goes_on_ = true;
    return;
  }
  auto [seen, is_new] = seen_.try_emplace(value, induction_);
  if (is_new) {
    depth_++;
    look_into(*instruction);
    depth_--;
    seen_[value] = done;
  } else {
    goes_on_ |= seen->second != done && seen->second < induction_;
  }
}

}  // namespace quern
