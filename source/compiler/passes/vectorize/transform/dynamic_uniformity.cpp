/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Finds loops with clamped bounds, and versions them behind a ballot of the lanes. */
#include "compiler/passes/vectorize/transform/dynamic_uniformity.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/vectorize/analysis/operands.hpp"
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
static Value *next_value(const PHINode &phi) {
  if (phi.getNumIncomingValues() != 2 || (!phi.getType()->isIntegerTy(32) && !phi.getType()->isIntegerTy(64)))
    return nullptr;
  for (Value *value : phi.incoming_values()) {
    if (match(value, m_Add(m_Specific(&phi), m_ConstantInt()))) return value;
  }
  return nullptr;
}

static bool ends_loop(const ICmpInst &compare, const Loop &loop) {
  return loop.contains(&compare) && any_of(compare.users(), [&](const User *user) {
           auto *branch = dyn_cast<BranchInst>(user);
           return branch && loop.contains(branch) && loop.isLoopExiting(branch->getParent());
         });
}

/* The counter and its next value, both also truncated: IndVarSimplify widens counters, and not always their bounds. */
static SmallVector<Value *, 4> counted_values(PHINode &counter, Value &next) {
  SmallVector<Value *, 4> values = {&counter, &next};
  for (Value *wide : {static_cast<Value *>(&counter), &next}) {
    for (User *user : wide->users()) {
      if (isa<TruncInst>(user)) values.push_back(user);
    }
  }
  return values;
}

/* The loop-invariant value with which the counter is compared where the loop ends, if that is one place; or null. */
static Value *find_end(const Loop &loop, PHINode &counter, Value &next) {
  Value *found = nullptr;
  for (Value *counted : counted_values(counter, next)) {
    for (User *user : counted->users()) {
      auto *compare = dyn_cast<ICmpInst>(user);
      if (!compare || !ends_loop(*compare, loop)) continue;
      Value *other = compare->getOperand(compare->getOperand(0) == counted ? 1 : 0);
      if (!loop.isLoopInvariant(other)) continue;
      if (found) return nullptr;
      found = other;
    }
  }
  return found;
}

static std::optional<CountedLoop> match_counted_loop(const Loop &loop, PHINode &counter) {
  Value *next = next_value(counter);
  if (!next || !loop.getLoopPreheader()) return std::nullopt;
  Value *end = find_end(loop, counter, *next);
  if (!end || (!end->getType()->isIntegerTy(32) && !end->getType()->isIntegerTy(64))) return std::nullopt;
  return CountedLoop{&counter, counter.getIncomingValueForBlock(loop.getLoopPreheader()), end};
}

static bool may_clamp(const Instruction &instruction) {
  return isa<SelectInst, MinMaxIntrinsic, SaturatingInst>(instruction);
}

SmallVector<CountedLoop, 4> find_counted_loops(Function &body) {
  SmallVector<CountedLoop, 4> found;
  if (none_of(instructions(body), may_clamp) || !canonicalize_control_flow(body)) return found;
  const DominatorTree dominators(body);
  const LoopInfo loops(dominators);
  for (const Loop *loop : loops.getLoopsInPreorder()) {
    for (PHINode &phi : loop->getHeader()->phis()) {
      if (const auto counted = match_counted_loop(*loop, phi)) found.push_back(*counted);
    }
  }
  return found;
}

/* Whether the value is a clamp with a uniform operand, or made of such clamps and of uniform values. Subtractions that
 * saturate have the limit for such an operand: InstCombine makes one of `x < r ? r - x : 0`. */
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
  if (isa<SaturatingInst>(instruction)) return true;
  if (!isa<BinaryOperator, CastInst>(instruction)) return false;
  return all_of(instruction->operands(),
                [&](const Value *operand) { return is_uniform(operand) || is_clamp(operand, shapes, depth + 1); });
}

/* Whether a clamp moves with the work-items but at the border, as the first of their neighbours, `max(0, x - r)`. */
static bool moves_with_items(Value *clamp, const Value &counter, const ShapeAnalysis &shapes) {
  auto is_uniform = [&](const Value *value) { return shapes.is_uniform(value); };
  auto is_id = [&](Value *value) { return is_item_id(*strip_integer_casts(value), counter, is_uniform); };
  clamp = strip_integer_casts(clamp);
  Value *id, *distance;
  if (match(clamp, m_Intrinsic<Intrinsic::usub_sat>(m_Value(id), m_Value(distance))))
    return is_id(id) && is_uniform(distance);
  Value *values[2];
  if (!match(clamp, m_MaxOrMin(m_Value(values[0]), m_Value(values[1]))) &&
      !match(clamp, m_Select(m_Value(), m_Value(values[0]), m_Value(values[1]))))
    return false;
  const APInt *constant;
  return any_of(values, [&](Value *one) {
    one = strip_integer_casts(one);
    if (match(one, m_Add(m_Value(id), m_APInt(constant)))) return constant->isNegative() && is_id(id);
    return match(one, m_Sub(m_Value(id), m_Value(distance))) && is_id(id) && is_uniform(distance);
  });
}

SharedBounds find_clamped_bounds(const CountedLoop &loop, const ShapeAnalysis &shapes) {
  if (!loop.counter || !loop.start || !loop.end) return SharedBounds::none;
  /* The body's first parameter is the counter of the item loop. */
  const Value &items = *cast<PHINode>(loop.counter)->getFunction()->getArg(0);
  const bool is_shared = !shapes.is_uniform(loop.start) && is_clamp(loop.start, shapes);
  if (!is_shared || moves_with_items(loop.start, items, shapes)) return SharedBounds::none;
  if (shapes.is_uniform(loop.end)) return SharedBounds::start;
  return is_clamp(loop.end, shapes) ? SharedBounds::both : SharedBounds::none;
}

namespace {

/* Asks the lanes that run a block, in the operations of sub-groups. Linearization guards the block, as it leads to the
 * header of a loop: some lane is active. */
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

/* Loops with live-out values of the body are refused: such a value is one instruction, and not that of a copy. */
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
static void version_loop(Loop &loop, const CountedLoop &counted, SharedBounds tested, LoopInfo &loops,
                         DominatorTree &dominators) {
  LaneQueries lanes(loop.getLoopPreheader()->getTerminator());
  SmallVector<std::pair<Value *, Value *>, 2> bounds = {{counted.start, nullptr}}; /* with what all lanes share */
  if (tested == SharedBounds::both) bounds.emplace_back(counted.end, nullptr);
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

bool version_uniform_loops(Function &body, ArrayRef<std::pair<CountedLoop, SharedBounds>> chosen) {
  SmallPtrSet<const BasicBlock *, 4> versioned;
  for (const auto &[counted, tested] : chosen) {
    DominatorTree dominators(body);
    LoopInfo loops(dominators);
    Loop *loop = loops.getLoopFor(cast<PHINode>(counted.counter)->getParent());
    bool is_inside = false;
    for (const Loop *one = loop; one; one = one->getParentLoop()) is_inside |= versioned.contains(one->getHeader());
    if (is_inside || !can_version(*loop)) continue;
    versioned.insert(loop->getHeader());
    version_loop(*loop, counted, tested, loops, dominators);
  }
  return !versioned.empty();
}

bool is_uniformity_test(const Instruction &branch) { return branch.hasMetadata(uniformity_test_mark); }

}  // namespace quern
