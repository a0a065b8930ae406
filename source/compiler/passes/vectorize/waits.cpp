/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Loops that others end: what decides whether a turn is the last is the same in each turn, as far as the loop goes. */
#include "compiler/passes/vectorize/waits.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

namespace {

/* What an access of memory that others see is, when it is made again and again with the same operands. Of several the
 * last of these counts. */
enum class Repeated : uint8_t {
  /* It finds what it found before. */
  reads,
  /* It finds something else each time. */
  counts,
  /* It finds what it found before when it has changed something, which others may change back. */
  takes,
};

/* Everything that decides whether the loop is left. */
class ExitConditions {
 public:
  ExitConditions(const Loop &loop, const LoopInfo &loops, function_ref<bool(const Value &)> is_uniform)
      : loop_(loop), loops_(loops), is_uniform_(is_uniform) {}

  bool wait();

 private:
  void look_at(const Value &value);
  void look_at_access(const Instruction &access, Repeated kind);
  bool stays_the_same(const Value &value, bool may_be_loaded) const;
  bool may_be_written(const Instruction &access) const;
  void find_accesses();

  const Loop &loop_;
  const LoopInfo &loops_;
  function_ref<bool(const Value &)> is_uniform_;
  SmallPtrSet<const Value *, 16> seen_;
  bool has_accesses_ = false, writes_plainly_ = false, writes_anywhere_ = false;
  SmallPtrSet<const Value *, 4> written_;
  /* Turns change it; others do: what is taken, or read; it is not the same for all lanes. */
  bool goes_on_ = false, takes_ = false, reads_ = false, varies_ = false;
};

}  // namespace

static Repeated kind_of(const AtomicRMWInst &atomic) {
  const Value *operand = atomic.getValOperand();
  const bool is_zero = match(operand, m_Zero());
  switch (atomic.getOperation()) {
    case AtomicRMWInst::Or: return is_zero ? Repeated::reads : Repeated::takes;
    case AtomicRMWInst::And: return match(operand, m_AllOnes()) ? Repeated::reads : Repeated::takes;
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
    case AtomicRMWInst::Xor: return is_zero ? Repeated::reads : Repeated::counts;
    case AtomicRMWInst::Xchg:
    case AtomicRMWInst::Max:
    case AtomicRMWInst::Min:
    case AtomicRMWInst::UMax:
    case AtomicRMWInst::UMin:
    case AtomicRMWInst::FMax:
    case AtomicRMWInst::FMin: return Repeated::takes;
    default: return Repeated::counts;
  }
}

/* The program's functions that `function` calls, and that these call. */
static SmallSetVector<const Function *, 8> find_called(const Function &function) {
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

static std::optional<Repeated> kind_of_access(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    if (!load->isSimple()) return Repeated::reads;
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    return exchange->getCompareOperand() == exchange->getNewValOperand() ? Repeated::reads : Repeated::takes;
  } else if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction)) {
    return kind_of(*atomic);
  }
  return std::nullopt;
}

/* A function that tries to take a lock does so each time it is called. */
static std::optional<Repeated> kind_of(const Function &function) {
  SmallSetVector<const Function *, 8> functions = find_called(function);
  functions.insert(&function);
  std::optional<Repeated> kind;
  for (const Function *each : functions) {
    for (const Instruction &instruction : instructions(*each)) kind = std::max(kind, kind_of_access(instruction));
  }
  return kind;
}

static std::optional<Repeated> kind_of(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  if (!call) return kind_of_access(instruction);
  const Function *callee = call->getCalledFunction();
  return callee && !callee->isDeclaration() ? kind_of(*callee) : std::nullopt;
}

static bool is_plain_load(const Instruction &instruction) {
  auto *load = dyn_cast<LoadInst>(&instruction);
  return load && load->isSimple();
}

/* In all turns, as far as the loop goes; what is loaded plainly is nothing that others write meanwhile. */
bool ExitConditions::stays_the_same(const Value &value, bool may_be_loaded) const {
  SmallSetVector<const Value *, 8> made_of;
  made_of.insert(&value);
  for (size_t i = 0; i < made_of.size(); i++) {
    auto *instruction = dyn_cast<Instruction>(made_of[i]);
    if (!instruction || !loop_.contains(instruction)) continue;
    if (isa<PHINode>(instruction)) return false;
    const bool is_loaded = may_be_loaded && !writes_plainly_ && is_plain_load(*instruction);
    if (instruction->mayReadOrWriteMemory() && !is_loaded) return false;
    made_of.insert(instruction->op_begin(), instruction->op_end());
  }
  return true;
}

/* By the loop itself. A function may read from anywhere. */
bool ExitConditions::may_be_written(const Instruction &access) const {
  const std::optional<MemoryLocation> place = MemoryLocation::getOrNone(&access);
  return writes_anywhere_ || (place ? written_.contains(getUnderlyingObject(place->Ptr)) : !written_.empty());
}

/* Who exchanges what it has loaded tries with something else in the next turn. */
void ExitConditions::look_at_access(const Instruction &access, Repeated kind) {
  auto *exchange = dyn_cast<AtomicCmpXchgInst>(&access);
  for (const Value *operand : access.operand_values()) {
    const bool is_compared = exchange && operand == exchange->getCompareOperand();
    goes_on_ |= !stays_the_same(*operand, !is_compared);
    varies_ |= !is_uniform_(*operand);
  }
  goes_on_ |= kind == Repeated::counts;
  takes_ |= kind == Repeated::takes;
  reads_ |= kind == Repeated::reads && !may_be_written(access);
}

/* A phi of a header is what earlier turns made of it. What comes out of a call may be. */
void ExitConditions::look_at(const Value &value) {
  if (goes_on_ || !seen_.insert(&value).second) return;
  auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction || !loop_.contains(instruction)) {
    varies_ |= !is_uniform_(value);
  } else if (auto kind = kind_of(*instruction)) {
    look_at_access(*instruction, *kind);
  } else if (instruction->mayReadOrWriteMemory()) {
    goes_on_ |= !stays_the_same(value, /*may_be_loaded=*/true);
    varies_ |= !is_uniform_(value);
  } else if (isa<PHINode>(instruction) && loops_.isLoopHeader(instruction->getParent())) {
    goes_on_ = true;
  } else {
    for (const Value *operand : instruction->operand_values()) look_at(*operand);
  }
}

/* What turns write they may be about to read. */
void ExitConditions::find_accesses() {
  for (const BasicBlock *block : loop_.blocks()) {
    for (const Instruction &instruction : *block) {
      const std::optional<Repeated> kind = kind_of(instruction);
      has_accesses_ |= kind.has_value();
      if (!instruction.mayWriteToMemory() || isa<FenceInst>(instruction)) continue;
      writes_plainly_ |= !kind;
      if (kind == Repeated::reads) continue;
      if (const std::optional<MemoryLocation> place = MemoryLocation::getOrNone(&instruction)) {
        written_.insert(getUnderlyingObject(place->Ptr));
      } else {
        writes_anywhere_ = true;
      }
    }
  }
}

bool ExitConditions::wait() {
  find_accesses();
  if (!has_accesses_) return false;
  SmallVector<BasicBlock *, 4> exiting;
  loop_.getExitingBlocks(exiting);
  for (const BasicBlock *block : exiting) {
    const Instruction *end = block->getTerminator();
    if (auto *branch = dyn_cast<BranchInst>(end)) {
      look_at(*branch->getCondition());
    } else if (auto *choice = dyn_cast<SwitchInst>(end)) {
      look_at(*choice->getCondition());
    } else {
      return false;
    }
  }
  return !goes_on_ && (takes_ || (reads_ && varies_));
}

bool waits_for_lanes(const Loop &loop, const LoopInfo &loops, function_ref<bool(const Value &)> is_uniform) {
  return ExitConditions(loop, loops, is_uniform).wait();
}

static bool waits(const Function &function) {
  /* The analyses do not change it. */
  DominatorTree dominators(const_cast<Function &>(function));
  LoopInfo loops(dominators);
  auto is_uniform = [](const Value &value) { return isa<Constant>(value); };
  return any_of(loops.getLoopsInPreorder(),
                [&](const Loop *loop) { return waits_for_lanes(*loop, loops, is_uniform); });
}

/* What waits must make an access somewhere: mostly none does, and nobody's loops have to be found. */
bool calls_what_waits(const Function &function) {
  const SmallSetVector<const Function *, 8> called = find_called(function);
  const bool have_accesses = any_of(called, [](const Function *each) {
    return any_of(instructions(*each),
                  [](const Instruction &instruction) { return kind_of_access(instruction).has_value(); });
  });
  return have_accesses && any_of(called, [](const Function *each) { return waits(*each); });
}

}  // namespace quern
