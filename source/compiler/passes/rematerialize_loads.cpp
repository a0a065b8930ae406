/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Moving of broadcast loads into loops. */
#include "compiler/passes/rematerialize_loads.hpp"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace quern {

namespace {

/* The most instructions between a load and its loop, and the most writes in the loops around it, that are compared. */
constexpr unsigned max_distance = 512, max_writes = 256;

/* A broadcast from outside of a loop that it is used in. */
struct Broadcast {
  ShuffleVectorInst *splat;
  InsertElementInst *insert;
  LoadInst *load;
};

/* The parts of `value` if it is the broadcast of a loaded scalar for one instruction, which can load it itself. */
std::optional<Broadcast> match_broadcast(Value *value) {
  auto *splat = dyn_cast<ShuffleVectorInst>(value);
  if (!splat || !splat->isZeroEltSplat()) return std::nullopt;
  auto *insert = dyn_cast<InsertElementInst>(splat->getOperand(0));
  auto *load = insert ? dyn_cast<LoadInst>(insert->getOperand(1)) : nullptr;
  auto *index = insert ? dyn_cast<ConstantInt>(insert->getOperand(2)) : nullptr;
  if (!load || !load->isSimple() || !index || !index->isZero()) return std::nullopt;
  if (!splat->hasOneUse() || !insert->hasOneUse() || !load->hasOneUse()) return std::nullopt;
  if (isa<PHINode>(splat->user_back())) return std::nullopt;
  return Broadcast{splat, insert, load};
}

/* The outermost loop around `loop` that `load` is not in. */
Loop *outermost_without(Loop &loop, const LoadInst &load) {
  Loop *outermost = &loop;
  while (Loop *parent = outermost->getParentLoop()) {
    if (parent->contains(&load)) break;
    outermost = parent;
  }
  return outermost;
}

class LoopLoads {
 public:
  LoopLoads(Loop &loop, AAResults &aliases) : loop_(loop), aliases_(aliases) {}

  /** Vectors from outside that live through the loop. */
  SmallSetVector<Instruction *, 32> live_in_vectors() const;
  bool can_move(const LoadInst &load);
  void move(const Broadcast &broadcast) const;

 private:
  bool is_written_after(const LoadInst &load, const Loop &outermost);
  ArrayRef<Instruction *> writes(const Loop &outermost);

  Loop &loop_;
  AAResults &aliases_;
  DenseMap<const Loop *, SmallVector<Instruction *, 32>> writes_;
};

SmallSetVector<Instruction *, 32> LoopLoads::live_in_vectors() const {
  SmallSetVector<Instruction *, 32> live;
  for (const BasicBlock *block : loop_.blocks()) {
    for (const Instruction &instruction : *block) {
      for (Value *operand : instruction.operands()) {
        auto *value = dyn_cast<Instruction>(operand);
        const bool is_wide = value && value->getType()->isVectorTy() && value->getType()->getScalarSizeInBits() > 1;
        if (is_wide && !loop_.contains(value)) live.insert(value);
      }
    }
  }
  return live;
}

ArrayRef<Instruction *> LoopLoads::writes(const Loop &outermost) {
  auto [entry, is_new] = writes_.try_emplace(&outermost);
  if (!is_new) return entry->second;
  for (BasicBlock *block : outermost.blocks()) {
    for (Instruction &instruction : *block) {
      if (instruction.mayWriteToMemory()) entry->second.push_back(&instruction);
    }
  }
  return entry->second;
}

/* Whether anything between the load and the loop may write what it loads. Only straight code is understood. */
bool LoopLoads::is_written_after(const LoadInst &load, const Loop &outermost) {
  const MemoryLocation location = MemoryLocation::get(&load);
  const BasicBlock *block = outermost.getLoopPreheader();
  for (unsigned distance = 0; block; block = block->getSinglePredecessor()) {
    for (const Instruction &instruction : reverse(*block)) {
      if (&instruction == &load) return false;
      if (++distance > max_distance) return true;
      if (instruction.mayWriteToMemory() && isModSet(aliases_.getModRefInfo(&instruction, location))) return true;
    }
  }
  return true;
}

bool LoopLoads::can_move(const LoadInst &load) {
  const Loop *outermost = outermost_without(loop_, load);
  const ArrayRef<Instruction *> writes = this->writes(*outermost);
  if (writes.size() > max_writes || is_written_after(load, *outermost)) return false;
  const MemoryLocation location = MemoryLocation::get(&load);
  return none_of(writes, [&](Instruction *write) { return isModSet(aliases_.getModRefInfo(write, location)); });
}

void LoopLoads::move(const Broadcast &broadcast) const {
  const auto user = cast<Instruction>(broadcast.splat->user_back())->getIterator();
  broadcast.load->moveBefore(user);
  broadcast.insert->moveBefore(user);
  broadcast.splat->moveBefore(user);
}

/* Half of the registers are left to what is computed in the loop. */
bool rematerialize(Loop &loop, AAResults &aliases, const TargetTransformInfo &costs) {
  LoopLoads loads(loop, aliases);
  const SmallSetVector<Instruction *, 32> live = loads.live_in_vectors();
  if (live.empty()) return false;
  const unsigned registers = costs.getNumberOfRegisters(costs.getRegisterClassForType(true, live[0]->getType()));
  if (live.size() <= registers) return false;
  size_t surplus = live.size() - registers / 2;
  bool has_changed = false;
  for (Instruction *value : live) {
    const std::optional<Broadcast> broadcast = match_broadcast(value);
    if (!surplus || !broadcast || !loads.can_move(*broadcast->load)) continue;
    loads.move(*broadcast);
    surplus--;
    has_changed = true;
  }
  return has_changed;
}

}  // namespace

PreservedAnalyses RematerializeLoadsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &aliases = analyses.getResult<AAManager>(function);
  const auto &costs = analyses.getResult<TargetIRAnalysis>(function);
  bool has_changed = false;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (loop->isInnermost()) has_changed |= rematerialize(*loop, aliases, costs);
  }
  if (!has_changed) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

}  // namespace quern
