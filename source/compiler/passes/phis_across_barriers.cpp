/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Redundant phis, results of loops, and induction variables with a uniform step. */
#include "compiler/passes/phis_across_barriers.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

using namespace llvm;

namespace quern {

/* Most operations above each other in an expression that is compared. */
constexpr unsigned max_expression_depth = 4;

static bool is_movable(const Instruction &operation) {
  if (isa<PHINode, FreezeInst, CallBase, AllocaInst>(operation) || operation.isIntDivRem()) return false;
  return !operation.mayReadOrWriteMemory() && !operation.mayHaveSideEffects();
}

/* Whether two values are the same, or the same operations on the same values, where those dominate `block`: they
 * dominate all its predecessors, and so the block too, unless they are defined in it. */
static bool is_same_expression(const Value *one, const Value *other, const BasicBlock *block, unsigned depth) {
  auto *first = dyn_cast<Instruction>(one);
  if (one == other) return !first || first->getParent() != block;
  auto *second = dyn_cast<Instruction>(other);
  if (!first || !second || depth == 0 || !is_movable(*first) || !first->isSameOperationAs(second)) return false;
  return all_of(zip(first->operands(), second->operands()), [&](auto operands) {
    return is_same_expression(std::get<0>(operands), std::get<1>(operands), block, depth - 1);
  });
}

/* The operation that all incoming values are, or null. */
static Instruction *find_common_operation(const PHINode &phi) {
  auto *first = dyn_cast<Instruction>(phi.getIncomingValue(0));
  if (!first || !is_movable(*first)) return nullptr;
  const bool is_common = all_of(phi.incoming_values(), [&](const Value *incoming) {
    return is_same_expression(first, incoming, phi.getParent(), max_expression_depth);
  });
  return is_common ? first : nullptr;
}

/* Copies an expression that others are the same as in front of `before`, with the flags that all of them have. */
static Instruction *copy_expression(Instruction &expression, ArrayRef<Value *> others, Instruction *before) {
  Instruction *copy = expression.clone();
  for (Value *other : others) copy->andIRFlags(other);
  copy->dropUnknownNonDebugMetadata();
  for (unsigned i = 0; i < copy->getNumOperands(); i++) {
    SmallVector<Value *, 4> operands;
    for (Value *other : others) operands.push_back(cast<Instruction>(other)->getOperand(i));
    Value *operand = expression.getOperand(i);
    if (all_of(operands, [&](const Value *other) { return other == operand; })) continue;
    copy->setOperand(i, copy_expression(*cast<Instruction>(operand), operands, before));
  }
  copy->insertBefore(before->getIterator());
  return copy;
}

static bool replace_phi(PHINode &phi) {
  Instruction *operation = find_common_operation(phi);
  if (!operation) return false;
  const SmallVector<Value *, 4> incoming(phi.incoming_values());
  Instruction *copy = copy_expression(*operation, incoming, &*phi.getParent()->getFirstInsertionPt());
  copy->takeName(&phi);
  phi.replaceAllUsesWith(copy);
  phi.eraseFromParent();
  return true;
}

/* In program order: one that is replaced may be the operand of another one. */
void replace_redundant_phis(Function &function) {
  for (BasicBlock &block : function) {
    for (PHINode &phi : make_early_inc_range(block.phis())) replace_phi(phi);
  }
}

namespace {

/* phi = phi [start, preheader], [phi + steps, latch], of a loop with a cut point. The start is not here: it may be made
 * of the induction variable of the loop around, which is replaced before. */
struct Induction {
  /** An addition of a uniform value to an address or an integer, which is the operand `augend`. */
  struct Addition {
    Instruction *instruction;
    unsigned augend;
    Value *step() const { return instruction->getOperand(1 - augend); }
  };

  PHINode *phi;
  Instruction *next;
  unsigned latch_index;
  /** The additions that lead from the phi to the next value, which is the first one. */
  SmallVector<Addition, 4> additions;

  Value *start() const { return phi->getIncomingValue(1 - latch_index); }
};

}  // namespace

/* Most additions in an iteration. */
constexpr unsigned max_additions = 16;

/* The number of the operand to which an addition of a uniform value adds it. Empty for other operations. */
static std::optional<unsigned> find_augend(const Instruction &addition, const Divergence &divergence) {
  if (auto *address = dyn_cast<GetElementPtrInst>(&addition)) {
    const bool has_one_index = address->getNumIndices() == 1 && address->getOperand(1)->getType()->isIntegerTy(64);
    return has_one_index && divergence.is_uniform(address->getOperand(1)) ? std::optional(0u) : std::nullopt;
  }
  if (addition.getOpcode() != Instruction::Add || !addition.getType()->isIntegerTy()) return std::nullopt;
  if (divergence.is_uniform(addition.getOperand(1))) return 0;
  return divergence.is_uniform(addition.getOperand(0)) ? std::optional(1u) : std::nullopt;
}

/* Collects the additions of uniform values that lead from the phi to `next`; none when there are other operations. */
static SmallVector<Induction::Addition, 4> find_additions(const PHINode &phi, Value *next, const Loop &loop,
                                                          const Divergence &divergence) {
  SmallVector<Induction::Addition, 4> additions;
  while (next != &phi) {
    auto *addition = dyn_cast<Instruction>(next);
    if (!addition || !loop.contains(addition) || additions.size() == max_additions) return {};
    const auto augend = find_augend(*addition, divergence);
    if (!augend) return {};
    additions.push_back({addition, *augend});
    next = addition->getOperand(*augend);
  }
  return additions;
}

/* The induction variable of the loop that a phi of its header is, if it differs between work-items by its start only.
 * All work-items must take the same iterations, each with the same steps: nothing in the loop around may be
 * divergent. */
static std::optional<Induction> match_induction(const Loop &loop, PHINode &phi, const Divergence &divergence,
                                                const DominatorTree &dominators) {
  const BasicBlock *latch = loop.getLoopLatch();
  if (!latch || phi.getNumIncomingValues() != 2 || divergence.is_uniform(&phi)) return std::nullopt;
  if (!divergence.is_executed_uniformly(loop.getHeader()) || !divergence.is_executed_uniformly(latch))
    return std::nullopt;
  const unsigned latch_index = unsigned(phi.getBasicBlockIndex(latch));
  auto *next = dyn_cast<Instruction>(phi.getIncomingValue(latch_index));
  if (!next || !dominators.dominates(next->getParent(), latch)) return std::nullopt;
  const auto additions = find_additions(phi, next, loop, divergence);
  if (additions.empty()) return std::nullopt;
  return Induction{&phi, next, latch_index, additions};
}

/* The element of which all steps of an address are numbers: bytes, if these differ. */
static Type *find_element_type(const Induction &induction) {
  Type *type = cast<GetElementPtrInst>(induction.next)->getSourceElementType();
  const bool is_common = all_of(induction.additions, [&](const Induction::Addition &addition) {
    return cast<GetElementPtrInst>(addition.instruction)->getSourceElementType() == type;
  });
  return is_common ? type : Type::getInt8Ty(type->getContext());
}

/* By how much the variable grows in an iteration, and in `element` the type of what an address grows by. */
static Value *create_step(const Induction &induction, Type *&element, IRBuilder<> &builder) {
  element = isa<GetElementPtrInst>(induction.next) ? find_element_type(induction) : nullptr;
  const DataLayout &layout = induction.next->getDataLayout();
  Value *sum = nullptr;
  for (const Induction::Addition &addition : induction.additions) {
    Value *step = addition.step();
    auto *address = dyn_cast<GetElementPtrInst>(addition.instruction);
    if (address && address->getSourceElementType() != element) {
      const uint64_t size = layout.getTypeAllocSize(address->getSourceElementType()).getFixedValue();
      step = builder.CreateMul(step, builder.getInt64(size));
    }
    sum = sum ? builder.CreateAdd(sum, step) : step;
  }
  return sum;
}

/* The value of the induction variable after steps of `sum` in all. Flags of the original addition do not hold for
 * these. */
static Value *create_value(const Induction &induction, Type *element, Value *sum, IRBuilder<> &builder) {
  return element ? builder.CreateGEP(element, induction.start(), sum) : builder.CreateAdd(induction.start(), sum);
}

static void divide(const Induction &induction) {
  PHINode &phi = *induction.phi;
  BasicBlock *header = phi.getParent();
  IRBuilder<> builder(induction.next);
  Type *element;
  Value *step = create_step(induction, element, builder);
  PHINode *sum = PHINode::Create(step->getType(), 2, phi.getName() + ".step", header->begin());
  Value *next_sum = builder.CreateAdd(sum, step);
  Value *next = create_value(induction, element, next_sum, builder);
  builder.SetInsertPoint(header, header->getFirstInsertionPt());
  Value *value = create_value(induction, element, sum, builder);
  const unsigned latch_index = induction.latch_index;
  sum->addIncoming(Constant::getNullValue(step->getType()), phi.getIncomingBlock(1 - latch_index));
  sum->addIncoming(next_sum, phi.getIncomingBlock(latch_index));
  induction.next->replaceAllUsesWith(next);
  induction.next->eraseFromParent();
  phi.replaceAllUsesWith(value);
  phi.eraseFromParent();
}

void form_lcssa_between_barriers(Function &function, const Regions &regions) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (Loop *loop : loops.getLoopsInPreorder()) {
    const bool has_cut_point = any_of(loop->blocks(), [&](BasicBlock *block) { return regions.is_cut_point(block); });
    if (!has_cut_point) formLCSSA(*loop, dominators, &loops, nullptr);
  }
}

bool divide_inductions(Function &function, const Regions &regions, const Divergence &divergence) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  SmallVector<Induction, 8> found;
  for (const Loop *loop : loops.getLoopsInPreorder()) {
    if (none_of(loop->blocks(), [&](BasicBlock *block) { return regions.is_cut_point(block); })) continue;
    for (PHINode &phi : loop->getHeader()->phis()) {
      if (auto induction = match_induction(*loop, phi, divergence, dominators)) found.push_back(*induction);
    }
  }
  for (const Induction &induction : found) divide(induction);
  return !found.empty();
}

}  // namespace quern
