/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Classification of atomic operations as read-only, accumulating or idempotent. */
#include "compiler/passes/vectorize/analysis/idempotence.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

static AccessKind classify_atomic(const AtomicRMWInst &atomic) {
  const Value *operand = atomic.getValOperand();
  const bool is_zero = match(operand, m_Zero());
  switch (atomic.getOperation()) {
    case AtomicRMWInst::Or: return is_zero ? AccessKind::read_only : AccessKind::idempotent;
    case AtomicRMWInst::And: return match(operand, m_AllOnes()) ? AccessKind::read_only : AccessKind::idempotent;
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
    case AtomicRMWInst::Xor: return is_zero ? AccessKind::read_only : AccessKind::accumulating;
    case AtomicRMWInst::Xchg:
    case AtomicRMWInst::Max:
    case AtomicRMWInst::Min:
    case AtomicRMWInst::UMax:
    case AtomicRMWInst::UMin:
    case AtomicRMWInst::FMax:
    case AtomicRMWInst::FMin: return AccessKind::idempotent;
    default: return AccessKind::accumulating;
  }
}

/* No other work-item writes private memory. */
static bool is_private(const Instruction &access) {
  const Value *pointer = getLoadStorePointerOperand(&access);
  if (auto *atomic = dyn_cast<AtomicRMWInst>(&access)) pointer = atomic->getPointerOperand();
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&access)) pointer = exchange->getPointerOperand();
  return pointer && isa<AllocaInst>(getUnderlyingObject(pointer));
}

static std::optional<AccessKind> classify_access(const Instruction &instruction) {
  if (is_private(instruction)) return std::nullopt;
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    if (!load->isSimple()) return AccessKind::read_only;
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    const bool keeps_value = exchange->getCompareOperand() == exchange->getNewValOperand();
    return keeps_value ? AccessKind::read_only : AccessKind::idempotent;
  } else if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction)) {
    return classify_atomic(*atomic);
  }
  return std::nullopt;
}

SmallSetVector<const Function *, 8> find_callees(const Function &function) {
  SmallSetVector<const Function *, 8> callees;
  auto add_callees = [&](const Function &caller) {
    for (const Instruction &instruction : instructions(caller)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      if (callee && !callee->isDeclaration()) callees.insert(callee);
    }
  };
  add_callees(function);
  for (size_t i = 0; i < callees.size(); i++) add_callees(*callees[i]);
  return callees;
}

static std::optional<AccessKind> classify_function(const Function &function) {
  SmallSetVector<const Function *, 8> functions = find_callees(function);
  functions.insert(&function);
  std::optional<AccessKind> kind;
  for (const Function *each : functions) {
    for (const Instruction &instruction : instructions(*each)) kind = std::max(kind, classify_access(instruction));
  }
  return kind;
}

static bool has_access(const Function &function) {
  return any_of(instructions(function), [](const Instruction &each) { return classify_access(each).has_value(); });
}

/* The only atomic or volatile read of a function. Null if there are several, or none, or some in its callees. */
static const Instruction *find_only_access(const Function &function) {
  const Instruction *only = nullptr;
  if (any_of(find_callees(function), [](const Function *callee) { return has_access(*callee); })) return nullptr;
  for (const Instruction &instruction : instructions(function)) {
    if (!classify_access(instruction)) continue;
    if (only) return nullptr;
    only = &instruction;
  }
  return only;
}

static std::optional<AtomicIncrement> match_increment(const Instruction *access) {
  auto *atomic = dyn_cast_or_null<AtomicRMWInst>(access);
  auto *amount = atomic ? dyn_cast<ConstantInt>(atomic->getValOperand()) : nullptr;
  const bool is_sub = atomic && atomic->getOperation() == AtomicRMWInst::Sub;
  if (!amount || (!is_sub && atomic->getOperation() != AtomicRMWInst::Add)) return std::nullopt;
  return AtomicIncrement{atomic->getPointerOperand(), is_sub ? -amount->getValue() : amount->getValue()};
}

bool is_atomic_or_volatile_read(const Instruction &instruction) { return classify_access(instruction).has_value(); }

/* Each callee is classified once, however many calls of it the loop has. */
LoopAccesses::LoopAccesses(const Loop &loop) {
  struct Callee {
    std::optional<AccessKind> kind;
    std::optional<AtomicIncrement> increment;
  };
  SmallDenseMap<const Function *, Callee> callees;
  for (const BasicBlock *block : loop.blocks()) {
    for (const Instruction &instruction : *block) {
      std::optional<AccessKind> kind = classify_access(instruction);
      std::optional<AtomicIncrement> increment = match_increment(&instruction);
      auto *call = dyn_cast<CallBase>(&instruction);
      const Function *function = call ? call->getCalledFunction() : nullptr;
      if (function && !function->isDeclaration()) {
        auto [callee, is_new] = callees.try_emplace(function);
        if (is_new) callee->second = {classify_function(*function), match_increment(find_only_access(*function))};
        kind = callee->second.kind;
        increment = callee->second.increment;
        auto *parameter = increment ? dyn_cast<Argument>(increment->pointer) : nullptr;
        if (parameter) increment->pointer = call->getArgOperand(parameter->getArgNo());
      }
      if (kind) kinds_.insert({&instruction, *kind});
      if (increment) increments_.insert({&instruction, *increment});
    }
  }
}

std::optional<AccessKind> LoopAccesses::kind(const Instruction &instruction) const {
  auto found = kinds_.find(&instruction);
  return found == kinds_.end() ? std::nullopt : std::optional(found->second);
}

const AtomicIncrement *LoopAccesses::increment(const Instruction &instruction) const {
  auto found = increments_.find(&instruction);
  return found == increments_.end() ? nullptr : &found->second;
}

}  // namespace quern
