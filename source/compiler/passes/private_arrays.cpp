/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Full unrolling of loops over private arrays. */
#include "compiler/passes/private_arrays.hpp"

#include <algorithm>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/passes/private_variables.hpp"
#include "compiler/passes/unrolled_trip_counts.hpp"

using namespace llvm;

namespace quern {

namespace {

/* Instructions of an unrolled loop, before any simplification, after which there are half as many or fewer. AMDGPU's
 * amdgpu-unroll-threshold-private is 2700. */
constexpr uint64_t largest_unrolled = 6 * 1024;

/* The same of all loops of a function. */
constexpr uint64_t largest_sum = 16 * 1024;

/* What a branch that stays counts for. The budgets allow some 340 in a function: a body with 1,024 blocks gets no
 * vectors. */
constexpr uint64_t branch_size = 48;

using Loops = SmallPtrSet<const Loop *, 8>;

/* What each loop of a function becomes if it is unrolled. */
class UnrolledSizes {
 public:
  UnrolledSizes(const LoopInfo &loops, ScalarEvolution &SE) : loops_(loops), SE_(SE) {
    for (const Loop *loop : loops.getTopLevelLoops()) find(*loop);
  }
  /** Whether `loop` can be unrolled, together with the loops around it that its trip count depends on. Adds all of them
   * to `loops`. */
  bool can_unroll(const Loop &loop, Loops &loops) const;
  const LoopInfo &loops() const { return loops_; }
  /** Instructions of all these loops, which can be unrolled. */
  uint64_t sum(const Loops &loops) const;

 private:
  uint64_t find(const Loop &loop);
  bool is_folded(const Value &condition) const;
  uint64_t branch_sizes(const BasicBlock &block) const;

  const LoopInfo &loops_;
  ScalarEvolution &SE_;
  /** Of loops that can be unrolled: instructions of all iterations. */
  DenseMap<const Loop *, uint64_t> sizes_;
  /** Of loops without a constant trip count: the loops with whose iterations it changes. */
  DenseMap<const Loop *, LoopSet> outer_;
};

/* Collects the accesses of an array. */
class ArrayAccesses {
 public:
  ArrayAccesses(AllocaInst &array, ScalarEvolution &SE, const UnrolledSizes &sizes)
      : array_(array), SE_(SE), sizes_(sizes) {}
  /** Whether all have constant addresses once `loops`, which this adds to, are unrolled. */
  bool find(Loops &loops);

 private:
  void add_pointer(const Value &pointer);
  bool add_user(const Use &use);
  bool add_address(Value *address);

  AllocaInst &array_;
  ScalarEvolution &SE_;
  const UnrolledSizes &sizes_;
  Loops loops_;
  SmallPtrSet<const Value *, 16> seen_;
  SmallVector<const Value *, 16> pointers_;
};

}  // namespace

/* Whether a loop has a hint to unroll it in part, or not at all. */
static bool has_contrary_hint(const Loop &loop) {
  MDNode *id = loop.getLoopID();
  return id && any_of(drop_begin(id->operands()), [](const MDOperand &operand) {
           auto *hint = dyn_cast<MDNode>(operand);
           auto *name = hint && hint->getNumOperands() ? dyn_cast<MDString>(hint->getOperand(0)) : nullptr;
           return name && name->getString().starts_with("llvm.loop.unroll.") &&
                  !is_contained({"llvm.loop.unroll.enable", "llvm.loop.unroll.full"}, name->getString());
         });
}

static bool may_be_copied(const BasicBlock &block) {
  return none_of(block, [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    return call && (call->isConvergent() || call->cannotDuplicate());
  });
}

/* Not what is free, or is folded away once induction variables are constants. */
static bool has_cost(const Instruction &instruction) {
  return !isa<PHINode, GetElementPtrInst, CastInst>(instruction) && !instruction.isTerminator();
}

/* True for a comparison of numbers that are constants in each iteration. */
bool UnrolledSizes::is_folded(const Value &condition) const {
  auto *comparison = dyn_cast<ICmpInst>(&condition);
  return comparison && all_of(comparison->operands(), [&](Value *operand) {
           LoopSet loops;
           return SE_.isSCEVable(operand->getType()) && find_dependent_loops(SE_.getSCEV(operand), SE_, loops_, loops);
         });
}

/* The size of the branches at the end of a block, but for those that exit a loop. */
uint64_t UnrolledSizes::branch_sizes(const BasicBlock &block) const {
  const Instruction *end = block.getTerminator();
  const unsigned targets = end->getNumSuccessors();
  if (targets < 2 || loops_.getLoopFor(&block)->isLoopExiting(&block)) return 0;
  auto *branch = dyn_cast<BranchInst>(end);
  return branch && is_folded(*branch->getCondition()) ? 0 : (targets - 1) * branch_size;
}

/* The instructions of a loop where those inside of it that can be unrolled are. */
uint64_t UnrolledSizes::find(const Loop &loop) {
  uint64_t size = 0;
  for (const Loop *inner : loop) size += find(*inner);
  for (const BasicBlock *block : loop.blocks())
    if (loops_.getLoopFor(block) == &loop) size += uint64_t(count_if(*block, has_cost)) + branch_sizes(*block);
  const uint64_t count = find_mean_trip_count(loop, SE_, loops_, outer_[&loop]);
  if (count == 0 || count > largest_unrolled / std::max(size, uint64_t(1)) || has_contrary_hint(loop)) return size;
  if (!all_of(loop.blocks(), [](const BasicBlock *block) { return may_be_copied(*block); })) return size;
  return sizes_[&loop] = size * count;
}

bool UnrolledSizes::can_unroll(const Loop &loop, Loops &loops) const {
  if (!sizes_.contains(&loop)) return false;
  loops.insert(&loop);
  const auto outer = outer_.find(&loop);
  return outer == outer_.end() || all_of(outer->second, [&](const Loop *one) { return can_unroll(*one, loops); });
}

uint64_t UnrolledSizes::sum(const Loops &loops) const {
  uint64_t sum = 0;
  for (const Loop *loop : loops)
    if (!loop->getParentLoop() || !loops.contains(loop->getParentLoop())) sum += sizes_.lookup(loop);
  return sum;
}

bool ArrayAccesses::add_address(Value *address) {
  const SCEV *distance = SE_.getMinusSCEV(SE_.getSCEV(address), SE_.getSCEV(&array_));
  LoopSet loops;
  return find_dependent_loops(distance, SE_, sizes_.loops(), loops) &&
         all_of(loops, [&](const Loop *loop) { return sizes_.can_unroll(*loop, loops_); });
}

void ArrayAccesses::add_pointer(const Value &pointer) {
  if (seen_.insert(&pointer).second) pointers_.push_back(&pointer);
}

bool ArrayAccesses::add_user(const Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  if (isa<GetElementPtrInst, PHINode>(user)) {
    add_pointer(*user);
    return true;
  }
  if (user->isLifetimeStartOrEnd()) return true;
  if (auto *access = dyn_cast<MemIntrinsic>(user))
    return !access->isVolatile() && isa<ConstantInt>(access->getLength()) && add_address(use.get());
  if (auto *load = dyn_cast<LoadInst>(user)) return load->isSimple() && add_address(use.get());
  auto *store = dyn_cast<StoreInst>(user);
  return store && store->isSimple() && use.getOperandNo() == StoreInst::getPointerOperandIndex() &&
         add_address(use.get());
}

bool ArrayAccesses::find(Loops &loops) {
  add_pointer(array_);
  while (!pointers_.empty()) {
    const Value *pointer = pointers_.pop_back_val();
    if (!all_of(pointer->uses(), [&](const Use &use) { return add_user(use); })) return false;
  }
  loops.insert(loops_.begin(), loops_.end());
  return true;
}

static bool is_small_array(const Instruction &instruction) {
  auto *variable = dyn_cast<AllocaInst>(&instruction);
  return variable && is_promotable_size(*variable);
}

PreservedAnalyses FavorPrivateArraysPass::run(Function &function, FunctionAnalysisManager &analyses) {
  BasicBlock &entry = function.getEntryBlock();
  const LoopInfo &loop_info = analyses.getResult<LoopAnalysis>(function);
  if (loop_info.empty() || none_of(entry, is_small_array)) return PreservedAnalyses::all();
  ScalarEvolution &SE = analyses.getResult<ScalarEvolutionAnalysis>(function);
  const UnrolledSizes sizes(loop_info, SE);
  Loops unrolled;
  for (Instruction &instruction : make_filter_range(entry, is_small_array))
    ArrayAccesses(cast<AllocaInst>(instruction), SE, sizes).find(unrolled);
  if (sizes.sum(unrolled) > largest_sum) return PreservedAnalyses::all();
  for (Loop *loop : loop_info.getLoopsInPreorder())
    if (unrolled.contains(loop)) addStringMetadataToLoop(loop, "llvm.loop.unroll.full");
  return PreservedAnalyses::all();
}

}  // namespace quern
