/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Redundant phis, and induction variables with a uniform step. */
#include "compiler/passes/phis_across_barriers.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace quern {

/* The operation that all incoming values are, or null. Its operands dominate all predecessors of the phi's block, and
 * so the block too, unless they are defined in it. */
static Instruction *find_common_operation(const PHINode &phi) {
  auto *first = dyn_cast<Instruction>(phi.getIncomingValue(0));
  if (!first || isa<PHINode>(first) || first->mayReadOrWriteMemory() || first->mayHaveSideEffects()) return nullptr;
  if (isa<FreezeInst, CallBase, AllocaInst>(first) || first->isIntDivRem()) return nullptr;
  for (const Value *incoming : phi.incoming_values()) {
    auto *other = dyn_cast<Instruction>(incoming);
    if (!other || !other->isIdenticalToWhenDefined(first)) return nullptr;
  }
  const bool is_defined_here = any_of(first->operands(), [&](const Use &operand) {
    auto *instruction = dyn_cast<Instruction>(operand);
    return instruction && instruction->getParent() == phi.getParent();
  });
  return is_defined_here ? nullptr : first;
}

static bool replace_phi(PHINode &phi) {
  Instruction *operation = find_common_operation(phi);
  if (!operation) return false;
  Instruction *copy = operation->clone();
  for (Value *incoming : phi.incoming_values()) copy->andIRFlags(incoming);
  copy->dropUnknownNonDebugMetadata();
  copy->insertBefore(phi.getParent()->getFirstInsertionPt());
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

/* phi = phi [start, preheader], [phi + step, latch], of a loop with a cut point. The start is not here: it may be made
 * of the induction variable of the loop around, which is replaced before. */
struct Induction {
  PHINode *phi;
  Value *step;
  Instruction *next;
  unsigned latch_index;

  Value *start() const { return phi->getIncomingValue(1 - latch_index); }
};

}  // namespace

/* The step by which `next` differs from `phi`: an integer, or elements of an address. Null when there is none. */
static Value *find_step(const PHINode &phi, Instruction &next) {
  if (auto *address = dyn_cast<GetElementPtrInst>(&next)) {
    const bool has_one_index = address->getNumIndices() == 1 && address->getPointerOperand() == &phi &&
                               address->getOperand(1)->getType()->isIntegerTy(64);
    return has_one_index ? address->getOperand(1) : nullptr;
  }
  if (next.getOpcode() != Instruction::Add || !phi.getType()->isIntegerTy()) return nullptr;
  if (next.getOperand(0) == &phi) return next.getOperand(1);
  return next.getOperand(1) == &phi ? next.getOperand(0) : nullptr;
}

/* The induction variable of the loop that a phi of its header is, if it differs between work-items by its start only.
 * All work-items must take the same iterations, each with one step: nothing in the loop around may be divergent. */
static std::optional<Induction> match_induction(const Loop &loop, PHINode &phi, const Divergence &divergence,
                                                const DominatorTree &dominators) {
  const BasicBlock *latch = loop.getLoopLatch();
  if (!latch || phi.getNumIncomingValues() != 2 || divergence.is_uniform(&phi)) return std::nullopt;
  if (!divergence.is_executed_uniformly(loop.getHeader()) || !divergence.is_executed_uniformly(latch))
    return std::nullopt;
  const unsigned latch_index = unsigned(phi.getBasicBlockIndex(latch));
  auto *next = dyn_cast<Instruction>(phi.getIncomingValue(latch_index));
  Value *step = next && loop.contains(next) ? find_step(phi, *next) : nullptr;
  if (!step || divergence.is_divergent(step) || !dominators.dominates(next->getParent(), latch)) return std::nullopt;
  return Induction{&phi, step, next, latch_index};
}

/* The value of the induction variable after steps of `sum` in all. Flags of the original addition do not hold for
 * these. */
static Value *create_value(const Induction &induction, Value *sum, IRBuilder<> &builder) {
  auto *address = dyn_cast<GetElementPtrInst>(induction.next);
  return address ? builder.CreateGEP(address->getSourceElementType(), induction.start(), sum)
                 : builder.CreateAdd(induction.start(), sum);
}

static void divide(const Induction &induction) {
  PHINode &phi = *induction.phi;
  BasicBlock *header = phi.getParent();
  Type *type = induction.step->getType();
  PHINode *sum = PHINode::Create(type, 2, phi.getName() + ".step", header->begin());
  IRBuilder<> builder(induction.next);
  Value *next_sum = builder.CreateAdd(sum, induction.step);
  Value *next = create_value(induction, next_sum, builder);
  builder.SetInsertPoint(header, header->getFirstInsertionPt());
  Value *value = create_value(induction, sum, builder);
  const unsigned latch_index = induction.latch_index;
  sum->addIncoming(Constant::getNullValue(type), phi.getIncomingBlock(1 - latch_index));
  sum->addIncoming(next_sum, phi.getIncomingBlock(latch_index));
  induction.next->replaceAllUsesWith(next);
  induction.next->eraseFromParent();
  phi.replaceAllUsesWith(value);
  phi.eraseFromParent();
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
