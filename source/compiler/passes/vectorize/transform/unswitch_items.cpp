/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Finds the conditions, clones the loops, and folds what is known in each copy. */
#include "compiler/passes/vectorize/transform/unswitch_items.hpp"

#include <cassert>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/vectorize/item_loop.hpp"
#include "compiler/passes/vectorize/transform/clone_loop.hpp"
#include "compiler/passes/vectorize/vectorize.hpp"

using namespace llvm;

namespace quern {

/* Instructions of the loops that are cloned, and how often a function's loops are: an axis has three values. */
static constexpr size_t max_cloned_instructions = 300;
static constexpr unsigned max_unswitches = 3;

namespace {

/* A condition that is invariant in the loops. Of a switch it is that its value is `case_value`. */
struct InvariantCondition {
  Value *value;
  ConstantInt *case_value;
};

/* The loops over work-items of one barrier region. */
class ItemNest {
 public:
  ItemNest(Loop &item_loop, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution);

  /** One that chooses between addresses with different strides. Empty where there is none, or where the loops are too
   * large to be cloned. */
  std::optional<InvariantCondition> find_condition() const;
  /** Clones the loops, for the value of the condition to be true. The analyses are not valid afterwards. */
  void unswitch(const InvariantCondition &condition);

 private:
  bool can_clone() const;
  std::optional<InvariantCondition> match_condition(Instruction &instruction) const;
  bool depends_on_item(const SCEV *value) const;
  const SCEV *stride_of(Value *value) const;
  bool have_different_strides(ArrayRef<Value *> values) const;
  bool chooses_address(const Instruction &choice, ArrayRef<Value *> values) const;
  bool chooses_address(Instruction &choice) const;

  Loop &item_loop_;
  Loop *outermost_;
  LoopInfo &loops_;
  DominatorTree &dominators_;
  ScalarEvolution &evolution_;
};

}  // namespace

/* Whether the loop does nothing beside the inner loop but to compute values. LICM moves loads into it. */
static bool is_perfect_nest(const Loop &outer, const Loop &inner) {
  return all_of(outer.blocks(), [&](const BasicBlock *block) {
    return inner.contains(block) || none_of(*block, [](const Instruction &one) { return one.mayHaveSideEffects(); });
  });
}

ItemNest::ItemNest(Loop &item_loop, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution)
    : item_loop_(item_loop), outermost_(&item_loop), loops_(loops), dominators_(dominators), evolution_(evolution) {
  while (Loop *outer = outermost_->getParentLoop()) {
    if (!is_perfect_nest(*outer, *outermost_)) break;
    outermost_ = outer;
  }
}

bool ItemNest::can_clone() const {
  size_t count = 0;
  for (const BasicBlock *block : outermost_->blocks()) count += block->size();
  return count <= max_cloned_instructions && outermost_->isLoopSimplifyForm() && outermost_->getUniqueExitBlock() &&
         outermost_->isSafeToClone();
}

/* Whether the value may differ between work-items: it has their counter in it, or something that is not known. */
bool ItemNest::depends_on_item(const SCEV *value) const {
  return SCEVExprContains(value, [&](const SCEV *part) {
    if (auto *recurrence = dyn_cast<SCEVAddRecExpr>(part)) return recurrence->getLoop() == &item_loop_;
    return isa<SCEVUnknown>(part) && !evolution_.isLoopInvariant(part, &item_loop_);
  });
}

/* How far the value, or what it extends or truncates, moves from one work-item to the next; null where that is not
 * known. In an inner loop it is what its start moves. */
const SCEV *ItemNest::stride_of(Value *value) const {
  const SCEV *part = evolution_.getSCEV(value);
  while (depends_on_item(part)) {
    auto *recurrence = dyn_cast<SCEVAddRecExpr>(part);
    if (auto *cast = dyn_cast<SCEVIntegralCastExpr>(part)) {
      part = cast->getOperand();
    } else if (!recurrence) {
      return nullptr;
    } else if (const SCEV *step = recurrence->getStepRecurrence(evolution_); recurrence->getLoop() == &item_loop_) {
      return step;
    } else if (depends_on_item(step)) {
      return nullptr;
    } else {
      part = recurrence->getStart();
    }
  }
  return evolution_.getZero(Type::getInt64Ty(value->getContext()));
}

/* Of vectors nothing is known: they are coordinates, of which one component or the other is chosen. */
bool ItemNest::have_different_strides(ArrayRef<Value *> values) const {
  if (!evolution_.isSCEVable(values[0]->getType())) {
    return values[0]->getType()->isIntOrIntVectorTy() &&
           any_of(values, [&](const Value *value) { return !item_loop_.isLoopInvariant(value); });
  }
  SmallPtrSet<const SCEV *, 4> strides;
  for (Value *value : values) strides.insert(stride_of(value));
  return strides.size() > 1 && !strides.contains(nullptr);
}

/* Whether an address is made of the value, in any number of steps of integer arithmetic. */
static bool is_part_of_address(const Instruction &value) {
  SmallVector<const Value *, 8> stack = {&value};
  SmallPtrSet<const Value *, 16> seen;
  while (!stack.empty()) {
    const Value *one = stack.pop_back_val();
    if (!seen.insert(one).second) continue;
    for (const User *user : one->users()) {
      if (isa<GetElementPtrInst, IntToPtrInst>(user)) return true;
      if (isa<BinaryOperator, CastInst, SelectInst, PHINode, FreezeInst, MinMaxIntrinsic, ExtractElementInst,
              InsertElementInst, ShuffleVectorInst>(user))
        stack.push_back(user);
    }
  }
  return false;
}

bool ItemNest::chooses_address(const Instruction &choice, ArrayRef<Value *> values) const {
  Type *type = choice.getType();
  return (type->isIntOrIntVectorTy() || type->isPointerTy()) && have_different_strides(values) &&
         is_part_of_address(choice);
}

/* Whether a select chooses between addresses, or the phis where the paths from a branch or switch meet. */
bool ItemNest::chooses_address(Instruction &choice) const {
  if (auto *select = dyn_cast<SelectInst>(&choice)) {
    Value *const values[] = {select->getTrueValue(), select->getFalseValue()};
    return chooses_address(choice, values);
  }
  const DomTreeNode *node = dominators_.getNode(choice.getParent());
  return any_of(node->children(), [&](const DomTreeNode *child) {
    BasicBlock *block = child->getBlock();
    if (!item_loop_.contains(block) || loops_.isLoopHeader(block)) return false;
    return any_of(block->phis(), [&](const PHINode &phi) {
      return chooses_address(phi, SmallVector<Value *, 4>(phi.incoming_values()));
    });
  });
}

std::optional<InvariantCondition> ItemNest::match_condition(Instruction &instruction) const {
  std::optional<InvariantCondition> found;
  if (auto *select = dyn_cast<SelectInst>(&instruction)) {
    found = InvariantCondition{select->getCondition(), nullptr};
  } else if (auto *branch = dyn_cast<BranchInst>(&instruction); branch && branch->isConditional()) {
    found = InvariantCondition{branch->getCondition(), nullptr};
  } else if (auto *switch_inst = dyn_cast<SwitchInst>(&instruction); switch_inst && switch_inst->getNumCases()) {
    found = InvariantCondition{switch_inst->getCondition(), switch_inst->case_begin()->getCaseValue()};
  }
  if (!found || isa<Constant>(found->value) || found->value->getType()->isVectorTy()) return std::nullopt;
  auto *computed = dyn_cast<Instruction>(found->value);
  const bool is_invariant = outermost_->isLoopInvariant(found->value) ||
                            (outermost_->hasLoopInvariantOperands(computed) && !computed->mayReadFromMemory() &&
                             isSafeToSpeculativelyExecute(computed));
  return is_invariant ? found : std::nullopt;
}

std::optional<InvariantCondition> ItemNest::find_condition() const {
  if (!can_clone()) return std::nullopt;
  for (BasicBlock *block : item_loop_.blocks()) {
    for (Instruction &instruction : *block) {
      const auto condition = match_condition(instruction);
      if (condition && chooses_address(instruction)) return condition;
    }
  }
  return std::nullopt;
}

/* Lets all that depends on the condition in these blocks know its value. */
static void assume_condition(ArrayRef<BasicBlock *> blocks, const InvariantCondition &condition, bool is_true) {
  LLVMContext &context = condition.value->getContext();
  for (BasicBlock *block : blocks) {
    auto *switch_inst = dyn_cast<SwitchInst>(block->getTerminator());
    if (condition.case_value && switch_inst && switch_inst->getCondition() == condition.value) {
      const auto chosen = switch_inst->findCaseValue(condition.case_value);
      if (is_true) {
        switch_inst->setCondition(condition.case_value);
      } else if (chosen != switch_inst->case_default()) {
        chosen->getCaseSuccessor()->removePredecessor(block, /*KeepOneInputPHIs=*/true);
        SwitchInstProfUpdateWrapper(*switch_inst).removeCase(chosen);
      }
    }
    if (condition.case_value) continue;
    for (Instruction &instruction : *block)
      instruction.replaceUsesOfWith(condition.value, ConstantInt::getBool(context, is_true));
  }
  for (BasicBlock *block : blocks) ConstantFoldTerminator(block);
}

/* The value of the condition decides before the loops, where it may be poison that no work-item branches on. */
void ItemNest::unswitch(const InvariantCondition &condition) {
  bool is_hoisted = false;
  outermost_->makeLoopInvariant(condition.value, is_hoisted);
  assert(outermost_->isLoopInvariant(condition.value) && "the condition can be computed before the loops");
  formLCSSARecursively(*outermost_, dominators_, &loops_, &evolution_);
  IRBuilder<> builder(outermost_->getLoopPreheader()->getTerminator());
  Value *decided = builder.CreateFreeze(condition.value);
  if (condition.case_value) decided = builder.CreateICmpEQ(decided, condition.case_value);
  SmallVector<BasicBlock *, 16> blocks(outermost_->blocks()), clones;
  ValueToValueMapTy copies;
  clone_loop(*outermost_, decided, ".unswitched", loops_, dominators_, copies, clones);
  mark_unswitched_loop(cast<BasicBlock>(copies.lookup(item_loop_.getLoopLatch()))->getTerminator());
  assume_condition(clones, condition, true);
  assume_condition(blocks, condition, false);
}

/* The copies have one exit block. */
static bool unswitch_one(Function &function, FunctionAnalysisManager &analyses, bool has_copies) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  if (has_copies) {
    for (Loop *loop : loops) simplifyLoop(loop, &dominators, &loops, &evolution, nullptr, nullptr, false);
  }
  for (Loop *loop : loops.getLoopsInPreorder()) {
    const char *why;
    if (!ItemLoop::match(*loop, why)) continue;
    ItemNest nest(*loop, loops, dominators, evolution);
    const auto condition = nest.find_condition();
    if (!condition) continue;
    nest.unswitch(*condition);
    return true;
  }
  return false;
}

/* What is known in the copies is folded by the passes that follow. */
PreservedAnalyses UnswitchItemsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  /* Which work-items form a sub-group does not depend on their control flow. An undecided function was unswitched
   * before it was left undecided. */
  if (function.hasFnAttribute(sub_groups_attribute) || function.hasFnAttribute(VectorizeItemsPass::undecided))
    return PreservedAnalyses::all();
  unsigned count = 0;
  while (count < max_unswitches && unswitch_one(function, analyses, count)) {
    removeUnreachableBlocks(function);
    analyses.invalidate(function, PreservedAnalyses::none());
    count++;
  }
  return count ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace quern
