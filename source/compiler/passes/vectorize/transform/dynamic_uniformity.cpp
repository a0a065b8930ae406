/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Finds loops with clamped bounds, and versions them behind a ballot of the lanes. */
#include "compiler/passes/vectorize/transform/dynamic_uniformity.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"
#include "compiler/passes/vectorize/transform/clone_loop.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

/* The most instructions of a loop that gets a version, and the most operations between a clamp and a bound. */
static constexpr size_t max_versioned_instructions = 300;
static constexpr unsigned max_depth = 4;

static constexpr char uniformity_test_mark[] = "quern.uniformity-test";

/* The addition of a constant to the phi in each iteration, or null. */
static BinaryOperator *next_value(const PHINode &phi) {
  if (phi.getNumIncomingValues() != 2 || !phi.getType()->isIntegerTy()) return nullptr;
  if (!phi.getType()->isIntegerTy(32) && !phi.getType()->isIntegerTy(64)) return nullptr;
  for (Value *value : phi.incoming_values()) {
    if (match(value, m_Add(m_Specific(&phi), m_ConstantInt()))) return cast<BinaryOperator>(value);
  }
  return nullptr;
}

/* The only comparison of the counter, or of its next value, with an invariant one on which the loop ends; or null. */
static ICmpInst *find_exit(const Loop &loop, PHINode &counter, Value &next) {
  ICmpInst *found = nullptr;
  for (Value *counted : {static_cast<Value *>(&counter), &next}) {
    for (User *user : counted->users()) {
      auto *compare = dyn_cast<ICmpInst>(user);
      if (!compare || !loop.contains(compare)) continue;
      const Value *other = compare->getOperand(compare->getOperand(0) == counted ? 1 : 0);
      const bool ends_loop = any_of(compare->users(), [&](const User *branch) {
        auto *block = isa<BranchInst>(branch) ? cast<BranchInst>(branch)->getParent() : nullptr;
        return block && loop.contains(block) && loop.isLoopExiting(block);
      });
      if (!loop.isLoopInvariant(other) || !ends_loop) continue;
      if (found && found != compare) return nullptr;
      found = compare;
    }
  }
  return found;
}

static std::optional<CountedLoop> match_counted_loop(const Loop &loop, PHINode &counter) {
  Value *next = next_value(counter);
  if (!next || !loop.getLoopPreheader() || counter.getParent() != loop.getHeader()) return std::nullopt;
  ICmpInst *exit = find_exit(loop, counter, *next);
  if (!exit) return std::nullopt;
  const bool is_first = loop.isLoopInvariant(exit->getOperand(0));
  return CountedLoop{&counter, exit, counter.getIncomingValueForBlock(loop.getLoopPreheader()),
                     exit->getOperand(is_first ? 0 : 1)};
}

SmallVector<CountedLoop, 4> find_counted_loops(Function &body) {
  SmallVector<CountedLoop, 4> found;
  auto has_counter = [](BasicBlock &block) { return any_of(block.phis(), next_value); };
  if (none_of(body, has_counter) || !canonicalize_control_flow(body)) return found;
  const DominatorTree dominators(body);
  const LoopInfo loops(dominators);
  for (const Loop *loop : loops.getLoopsInPreorder()) {
    for (PHINode &phi : loop->getHeader()->phis()) {
      if (const auto counted = match_counted_loop(*loop, phi)) found.push_back(*counted);
    }
  }
  return found;
}

/* Whether the value is a clamp with a uniform operand, or made of one and of uniform values. */
static bool is_clamp(const Value *value, const ShapeAnalysis &shapes, unsigned depth = 0) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || depth > max_depth) return false;
  auto is_uniform = [&](const Value *operand) { return shapes.is_uniform(operand); };
  if (auto *select = dyn_cast<SelectInst>(instruction)) {
    const Value *values[] = {select->getTrueValue(), select->getFalseValue()};
    return any_of(values, is_uniform) ||
           any_of(values, [&](const Value *one) { return is_clamp(one, shapes, depth + 1); });
  }
  if (auto *minmax = dyn_cast<MinMaxIntrinsic>(instruction)) {
    return is_uniform(minmax->getLHS()) || is_uniform(minmax->getRHS()) ||
           is_clamp(minmax->getLHS(), shapes, depth + 1) || is_clamp(minmax->getRHS(), shapes, depth + 1);
  }
  if (!isa<BinaryOperator, CastInst>(instruction)) return false;
  return all_of(instruction->operands(),
                [&](const Value *operand) { return is_uniform(operand) || is_clamp(operand, shapes, depth + 1); });
}

VaryingBounds find_clamped_bounds(const CountedLoop &loop, const ShapeAnalysis &shapes) {
  const VaryingBounds none = {false, false};
  if (!loop.counter || !loop.start || !loop.end) return none;
  if (shapes.is_uniform(loop.start) || !is_clamp(loop.start, shapes)) return none;
  const bool end_varies = !shapes.is_uniform(loop.end);
  return end_varies && !is_clamp(loop.end, shapes) ? none : VaryingBounds{true, end_varies};
}

namespace {

/* Asks the lanes that run a block, in the operations of sub-groups. */
class LaneQueries {
 public:
  explicit LaneQueries(Instruction *before) : builder_(before), module_(*before->getModule()) {
    Type *wide = builder_.getInt64Ty();
    Value *active = ballot(builder_.getInt32(1));
    Value *first = builder_.CreateIntrinsic(Intrinsic::cttz, {wide}, {active, builder_.getFalse()});
    first_lane_ = builder_.CreateTrunc(first, builder_.getInt32Ty());
  }

  /** An i1: all active lanes have the same value, which `shared` then is. */
  Value *all_share(Value *value, Value *&shared) {
    value = builder_.CreateFreeze(value);
    const bool is_wide = value->getType()->isIntegerTy(64);
    const FunctionCallee broadcast =
        module_.getOrInsertFunction(is_wide ? "_Z27__quern_sub_group_broadcastmj" : "_Z27__quern_sub_group_broadcastjj",
                                    value->getType(), value->getType(), builder_.getInt32Ty());
    shared = call(broadcast, {value, first_lane_});
    Value *differs = builder_.CreateZExt(builder_.CreateICmpNE(value, shared), builder_.getInt32Ty());
    return builder_.CreateICmpEQ(ballot(differs), builder_.getInt64(0));
  }

  IRBuilder<> &builder() { return builder_; }

 private:
  Value *call(FunctionCallee callee, ArrayRef<Value *> arguments) {
    mark_sub_group_function(*cast<Function>(callee.getCallee()));
    return builder_.CreateCall(callee, arguments);
  }

  Value *ballot(Value *condition) {
    return call(
        module_.getOrInsertFunction("_Z24__quern_sub_group_balloti", builder_.getInt64Ty(), builder_.getInt32Ty()),
        {condition});
  }

  IRBuilder<> builder_;
  Module &module_;
  Value *first_lane_;
};

}  // namespace

/* A live-out value of the body is one of its instructions, and not that of a copy. */
static bool can_version(const Loop &loop) {
  size_t count = 0;
  for (const BasicBlock *block : loop.blocks()) {
    count += block->size();
    if (any_of(*block, [](const Instruction &one) { return one.hasMetadata(live_out_mark); })) return false;
  }
  return count <= max_versioned_instructions && loop.isLoopSimplifyForm() && loop.getUniqueExitBlock() &&
         loop.isSafeToClone();
}

/* Bounds may be poison where the loop ends before it compares them: they are frozen. */
static void version_loop(Loop &loop, const CountedLoop &counted, VaryingBounds varying, LoopInfo &loops,
                         DominatorTree &dominators) {
  LaneQueries lanes(loop.getLoopPreheader()->getTerminator());
  SmallVector<std::pair<Value *, Value *>, 2> bounds; /* with the value that all lanes share */
  if (varying.start) bounds.emplace_back(counted.start, nullptr);
  if (varying.end) bounds.emplace_back(counted.end, nullptr);
  Value *are_uniform = nullptr;
  for (auto &[bound, shared] : bounds) {
    Value *is_uniform = lanes.all_share(bound, shared);
    are_uniform = are_uniform ? lanes.builder().CreateAnd(are_uniform, is_uniform) : is_uniform;
  }
  ValueToValueMapTy copies;
  SmallVector<BasicBlock *, 16> clones;
  BranchInst *branch = clone_loop(loop, are_uniform, ".uniform", loops, dominators, copies, clones);
  branch->setMetadata(uniformity_test_mark, MDNode::get(branch->getContext(), {}));
  for (BasicBlock *block : clones) {
    for (Instruction &instruction : *block) {
      for (auto [bound, shared] : bounds) instruction.replaceUsesOfWith(bound, shared);
    }
  }
}

bool version_uniform_loops(Function &body, ArrayRef<std::pair<CountedLoop, VaryingBounds>> chosen) {
  SmallPtrSet<const BasicBlock *, 4> versioned;
  for (const auto &[counted, varying] : chosen) {
    DominatorTree dominators(body);
    LoopInfo loops(dominators);
    Loop *loop = loops.getLoopFor(cast<PHINode>(counted.counter)->getParent());
    bool is_inside = false;
    for (const Loop *one = loop; one; one = one->getParentLoop()) is_inside |= versioned.contains(one->getHeader());
    if (is_inside || !can_version(*loop)) continue;
    versioned.insert(loop->getHeader());
    version_loop(*loop, counted, varying, loops, dominators);
  }
  return !versioned.empty();
}

bool is_uniformity_test(const Instruction &branch) { return branch.hasMetadata(uniformity_test_mark); }

}  // namespace quern
