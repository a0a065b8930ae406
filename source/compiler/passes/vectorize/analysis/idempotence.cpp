/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which atomics take, and which count. */
#include "compiler/passes/vectorize/analysis/idempotence.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

static Idempotence kind_of_atomic(const AtomicRMWInst &atomic) {
  const Value *operand = atomic.getValOperand();
  const bool is_zero = match(operand, m_Zero());
  switch (atomic.getOperation()) {
    case AtomicRMWInst::Or: return is_zero ? Idempotence::reads : Idempotence::takes;
    case AtomicRMWInst::And: return match(operand, m_AllOnes()) ? Idempotence::reads : Idempotence::takes;
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
    case AtomicRMWInst::Xor: return is_zero ? Idempotence::reads : Idempotence::counts;
    case AtomicRMWInst::Xchg:
    case AtomicRMWInst::Max:
    case AtomicRMWInst::Min:
    case AtomicRMWInst::UMax:
    case AtomicRMWInst::UMin:
    case AtomicRMWInst::FMax:
    case AtomicRMWInst::FMin: return Idempotence::takes;
    default: return Idempotence::counts;
  }
}

static std::optional<Idempotence> kind_of_access(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    if (!load->isSimple()) return Idempotence::reads;
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    return exchange->getCompareOperand() == exchange->getNewValOperand() ? Idempotence::reads : Idempotence::takes;
  } else if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction)) {
    return kind_of_atomic(*atomic);
  }
  return std::nullopt;
}

SmallSetVector<const Function *, 8> find_called(const Function &function) {
  SmallSetVector<const Function *, 8> called;
  auto add_called = [&](const Function &caller) {
    for (const Instruction &instruction : instructions(caller)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      if (callee && !callee->isDeclaration()) called.insert(callee);
    }
  };
  add_called(function);
  for (size_t i = 0; i < called.size(); i++) add_called(*called[i]);
  return called;
}

static std::optional<Idempotence> kind_of_function(const Function &function) {
  SmallSetVector<const Function *, 8> functions = find_called(function);
  functions.insert(&function);
  std::optional<Idempotence> kind;
  for (const Function *each : functions) {
    for (const Instruction &instruction : instructions(*each)) kind = std::max(kind, kind_of_access(instruction));
  }
  return kind;
}

/* Null where there are several, or none. */
static const Instruction *find_only_access(const Function &function) {
  const Instruction *only = nullptr;
  for (const Instruction &instruction : instructions(function)) {
    if (!kind_of_access(instruction)) continue;
    if (only) return nullptr;
    only = &instruction;
  }
  return only;
}

static std::optional<CountedUpdate> counted_by(const Instruction *access) {
  auto *atomic = dyn_cast_or_null<AtomicRMWInst>(access);
  auto *amount = atomic ? dyn_cast<ConstantInt>(atomic->getValOperand()) : nullptr;
  const bool is_less = atomic && atomic->getOperation() == AtomicRMWInst::Sub;
  if (!amount || (!is_less && atomic->getOperation() != AtomicRMWInst::Add)) return std::nullopt;
  return CountedUpdate{atomic->getPointerOperand(), is_less ? -amount->getValue() : amount->getValue()};
}

bool is_access(const Instruction &instruction) { return kind_of_access(instruction).has_value(); }

/* What a function does is found out once, however often it is called. */
LoopAccesses::LoopAccesses(const Loop &loop) {
  struct Callee {
    std::optional<Idempotence> kind;
    std::optional<CountedUpdate> counted;
  };
  SmallDenseMap<const Function *, Callee> callees;
  for (const BasicBlock *block : loop.blocks()) {
    for (const Instruction &instruction : *block) {
      std::optional<Idempotence> kind = kind_of_access(instruction);
      std::optional<CountedUpdate> counted = counted_by(&instruction);
      auto *call = dyn_cast<CallBase>(&instruction);
      const Function *function = call ? call->getCalledFunction() : nullptr;
      if (function && !function->isDeclaration()) {
        auto [callee, is_new] = callees.try_emplace(function);
        if (is_new) callee->second = {kind_of_function(*function), counted_by(find_only_access(*function))};
        kind = callee->second.kind;
        counted = callee->second.counted;
        auto *parameter = counted ? dyn_cast<Argument>(counted->place) : nullptr;
        if (parameter) counted->place = call->getArgOperand(parameter->getArgNo());
      }
      if (kind) kinds_.insert({&instruction, *kind});
      if (counted) counted_.insert({&instruction, *counted});
    }
  }
}

std::optional<Idempotence> LoopAccesses::kind(const Instruction &instruction) const {
  auto found = kinds_.find(&instruction);
  return found == kinds_.end() ? std::nullopt : std::optional(found->second);
}

const CountedUpdate *LoopAccesses::counted(const Instruction &instruction) const {
  auto found = counted_.find(&instruction);
  return found == counted_.end() ? nullptr : &found->second;
}

}  // namespace quern
