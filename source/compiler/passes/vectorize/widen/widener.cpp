/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Control flow of the vector form: blocks, masks, phis. */
#include "compiler/passes/vectorize/widen/widener.hpp"

#include <llvm/IR/Constants.h>

using namespace llvm;

namespace quern {

Widener::Widener(const WidenInput &input, Function &target)
    : input_(input),
      analysis_(*input.analysis),
      width_(input.width),
      target_(target),
      context_(target.getContext()),
      data_(target.getDataLayout()),
      builder_(context_) {}

Value *Widener::all_lanes() const { return ConstantInt::getTrue(widen(Type::getInt1Ty(context_))); }

Value *Widener::any_lane(Value *mask) {
  Value *bits = builder_.CreateBitCast(mask, builder_.getIntNTy(width_));
  return builder_.CreateICmpNE(bits, ConstantInt::get(bits->getType(), 0), "any");
}

/* A condition means nothing, and may be poison, on a lane that is off. */
Value *Widener::mask_and(Value *mask, Value *condition) {
  return mask ? builder_.CreateLogicalAnd(mask, condition) : condition;
}

AllocaInst *Widener::slot(Type *type, const Twine &name) {
  BasicBlock &entry = target_.getEntryBlock();
  return IRBuilder<>(&entry, entry.begin()).CreateAlloca(type, nullptr, name);
}

const SmallVector<AllocaInst *, 4> &Widener::slots(PHINode &phi) {
  auto &slots = phi_slots_[&phi];
  if (!slots.empty()) return slots;
  if (analysis_.shape(&phi).kind != Shape::varying) {
    bool is_offset = input_.memory->interleaved(&phi);
    slots.push_back(slot(is_offset ? builder_.getInt64Ty() : phi.getType(), phi.getName()));
    return slots;
  }
  SmallVector<Type *, 4> types;
  append_component_types(phi.getType(), types);
  for (Type *type : types) slots.push_back(slot(widen(type), phi.getName()));
  return slots;
}

/* Masks and phis of blocks that lanes come to from several sides are collected in slots, empty when the block's
 * dominator is entered: what a way not taken would have left there must not be seen. */
void Widener::forget_below(BasicBlock &block) {
  for (DomTreeNode *child : analysis_.dominators().getNode(&block)->children()) {
    BasicBlock *below = child->getBlock();
    if (AllocaInst *mask = mask_slots_.lookup(below)) {
      builder_.CreateStore(Constant::getNullValue(mask->getAllocatedType()), mask);
    }
    const Loop *loop = analysis_.loops().getLoopFor(below);
    if (loop && loop->getHeader() == below) continue;
    for (PHINode &phi : below->phis()) {
      if (analysis_.is_exit_value(&phi) || analysis_.blended_phi(&phi)) continue;
      /* An undefined value from one side leaves what another has set. */
      bool is_undefined = any_of(phi.incoming_values(), [](Value *value) { return isa<UndefValue>(value); });
      for (AllocaInst *slot : slots(phi)) {
        Type *type = slot->getAllocatedType();
        builder_.CreateStore(is_undefined ? UndefValue::get(type) : PoisonValue::get(type), slot);
      }
    }
  }
}

void Widener::make_blocks() {
  for (BasicBlock *block : analysis_.order()) {
    bodies_[block] = BasicBlock::Create(context_, block->getName() + ".wide", &target_, after_);
    entries_[block] = bodies_[block];
    if (input_.layout->route(block).skip_to) {
      entries_[block] = BasicBlock::Create(context_, block->getName() + ".any", &target_, bodies_[block]);
    }
    const BlockInfo &info = analysis_.block(block);
    bool has_own_mask = info.root == block && block != analysis_.order().front();
    if (has_own_mask) mask_slots_[block] = slot(widen(builder_.getInt1Ty()), block->getName() + ".mask");
  }
}

void Widener::write(BasicBlock *before, BasicBlock *after, Value *first, Value *mask) {
  before_ = before;
  after_ = after;
  counter_ = first;
  top_mask_ = mask;
  make_blocks();
  builder_.SetInsertPoint(before);
  builder_.CreateBr(entry_of(analysis_.order().front()));
  for (BasicBlock *block : analysis_.order()) write_block(*block);
}

/* Lanes that are off go on with what they had. */
void Widener::keep_lanes(PHINode &phi, PHINode &before) {
  Value *mask = masks_[analysis_.block(before.getParent()).root];
  Components values = lanes(phi.getIncomingValue(0));
  const Components old = lanes(&before);
  for (auto [value, blended] : zip(values, old)) value = mask ? builder_.CreateSelect(mask, value, blended) : value;
  set_lanes(&phi, std::move(values));
}

void Widener::begin_phi(PHINode &phi) {
  if (PHINode *before = analysis_.blended_phi(&phi)) {
    keep_lanes(phi, *before);
    return;
  }
  Components values;
  for (AllocaInst *slot : slots(phi)) {
    values.push_back(builder_.CreateLoad(slot->getAllocatedType(), slot, phi.getName()));
  }
  if (analysis_.shape(&phi).kind != Shape::varying) {
    set_scalar(&phi, values[0]);
  } else {
    set_lanes(&phi, std::move(values));
  }
}

/* When no lane leaves a loop here, all of them go the other way: its mask is then known to be what it was, and need not
 * be waited for. */
BasicBlock *Widener::skip_exit_edge(BasicBlock &block, BasicBlock *to) {
  BasicBlock *before = block.getSinglePredecessor();
  auto *branch = dyn_cast<BranchInst>(before->getTerminator());
  if (!branch || !branch->isConditional() || !analysis_.has_divergent_branch(before)) return to;
  BasicBlock *other = branch->getSuccessor(branch->getSuccessor(0) == &block ? 1 : 0);
  AllocaInst *slot = mask_slots_.lookup(other);
  if (!slot || other->getSinglePredecessor() != before) return to;
  BasicBlock *skip = BasicBlock::Create(context_, "none.leaves", &target_, bodies_[&block]);
  Value *mask = masks_[analysis_.block(before).root];
  IRBuilder<> builder(skip);
  builder.CreateStore(mask ? mask : all_lanes(), slot);
  builder.CreateBr(to);
  return skip;
}

void Widener::begin_block(BasicBlock &block) {
  BasicBlock *root = analysis_.block(&block).root;
  BasicBlock *entry = entry_of(&block);
  if (root == &block) {
    builder_.SetInsertPoint(entry);
    AllocaInst *slot = mask_slots_.lookup(&block);
    masks_[root] = slot ? builder_.CreateLoad(slot->getAllocatedType(), slot) : top_mask_;
    if (BasicBlock *skip = input_.layout->route(&block).skip_to) {
      BasicBlock *to = analysis_.exit_edge(&block) ? skip_exit_edge(block, entry_of(skip)) : entry_of(skip);
      builder_.CreateCondBr(any_lane(masks_[root]), bodies_[&block], to);
    }
  }
  mask_ = masks_[root];
  builder_.SetInsertPoint(bodies_[&block]);
}

void Widener::write_block(BasicBlock &block) {
  begin_block(block);
  for (PHINode &phi : block.phis()) begin_phi(phi);
  forget_below(block);
  /* What a loop's lanes take with them is collected over all its turns. */
  for (BasicBlock *next : successors(&block)) {
    const Loop *loop = analysis_.loops().getLoopFor(next);
    const LatchExit *latch = loop && loop->getHeader() == next && loop->getLoopPreheader() == &block
                                 ? analysis_.divergent_latch(loop->getLoopLatch())
                                 : nullptr;
    if (!latch) continue;
    for (PHINode *phi : latch->live_out) {
      for (AllocaInst *slot : slots(*phi)) builder_.CreateStore(PoisonValue::get(slot->getAllocatedType()), slot);
    }
  }
  for (Instruction &instruction : block) {
    if (isa<PHINode>(instruction) || instruction.isTerminator()) continue;
    if (target_.getSubprogram()) builder_.SetCurrentDebugLocation(instruction.getDebugLoc());
    write_instruction(instruction);
  }
  end_block(block);
}

/* Components for `to` what its mask and its phis get from this side. `is_only`: all lanes of `to` come from here. */
void Widener::write_edge(BasicBlock &from, BasicBlock &to, Value *edge_mask, bool is_only) {
  if (AllocaInst *slot = mask_slots_.lookup(&to)) {
    Value *others = builder_.CreateLoad(slot->getAllocatedType(), slot);
    Value *mask = edge_mask ? edge_mask : all_lanes();
    bool is_header = analysis_.is_divergent_header(&to);
    builder_.CreateStore(is_header ? mask : builder_.CreateOr(others, mask), slot);
  }
  /* All values are read before any is set: one phi may be another's value. */
  SmallVector<std::pair<AllocaInst *, Value *>, 8> stores;
  for (PHINode &phi : to.phis()) {
    if (analysis_.blended_phi(&phi)) continue;
    Value *value = phi.getIncomingValueForBlock(&from);
    bool is_varying = analysis_.shape(&phi).kind == Shape::varying;
    if (isa<PoisonValue>(value) || (!is_varying && isa<UndefValue>(value))) continue;
    if (!is_varying) {
      stores.emplace_back(slots(phi)[0], scalar(value));
      continue;
    }
    /* A lane that has left a loop keeps what it took, whoever goes on. */
    bool is_whole = !edge_mask || (is_only && !analysis_.is_exit_value(&phi));
    const Components components = lanes(value);
    for (auto [slot, component] : zip(slots(phi), components)) {
      Value *blended = component;
      if (!is_whole) {
        blended = builder_.CreateSelect(edge_mask, component, builder_.CreateLoad(slot->getAllocatedType(), slot));
      }
      stores.emplace_back(slot, blended);
    }
  }
  for (auto [slot, value] : stores) builder_.CreateStore(value, slot);
}

void Widener::write_divergent_latch(BasicBlock &block, const LatchExit &latch) {
  auto *branch = cast<BranchInst>(block.getTerminator());
  BasicBlock *header = branch->getSuccessor(0), *behind = branch->getSuccessor(1);
  const BlockRoute &route = input_.layout->route(&block);
  Value *live_mask = mask_and(mask_, lane(latch.live_mask));
  write_edge(block, *header, live_mask, true);
  write_edge(block, *behind, nullptr, true);
  builder_.CreateCondBr(any_lane(live_mask), entry_of(header), entry_of(route.next[1]));
}

void Widener::write_uniform_branch(BasicBlock &block) {
  Instruction *end = block.getTerminator();
  const BlockRoute &route = input_.layout->route(&block);
  BasicBlock *root = analysis_.block(&block).root;
  unsigned count = end->getNumSuccessors(), begin = 0;
  SmallVector<BasicBlock *, 4> edges;
  BasicBlock *here = builder_.GetInsertBlock();
  if (input_.known_branch == &block) {
    begin = input_.known_successor;
    count = begin + 1;
  }
  for (unsigned i = begin; i < count; i++) {
    BasicBlock *to = end->getSuccessor(i);
    BasicBlock *edge = here;
    if (count - begin > 1) edge = BasicBlock::Create(context_, "edge", &target_, after_);
    builder_.SetInsertPoint(edge);
    bool is_only = analysis_.block(to).root == root || analysis_.is_divergent_header(to);
    write_edge(block, *to, mask_, is_only);
    builder_.CreateBr(entry_of(route.next[i]));
    edges.push_back(edge);
  }
  if (count - begin < 2) return;
  builder_.SetInsertPoint(here);
  Value *condition = scalar(end->getOperand(0));
  /* Without a lane it may be poison, and yet no lane came by. */
  bool may_lack_lanes = mask_ && root != analysis_.order().front() && !analysis_.is_divergent_header(root) &&
                        !input_.layout->route(root).skip_to;
  if (may_lack_lanes && !isa<Constant>(condition)) condition = builder_.CreateFreeze(condition);
  if (isa<BranchInst>(end)) {
    builder_.CreateCondBr(condition, edges[0], edges[1]);
    return;
  }
  auto *choice = cast<SwitchInst>(end);
  SwitchInst *copy = builder_.CreateSwitch(condition, edges[0], choice->getNumCases());
  for (auto &one : choice->cases()) copy->addCase(one.getCaseValue(), edges[one.getSuccessorIndex()]);
}

void Widener::write_divergent_branch(BasicBlock &block) {
  auto *branch = cast<BranchInst>(block.getTerminator());
  Value *condition = lane(branch->getCondition());
  Value *live_out = mask_and(mask_, condition);
  Value *other = mask_and(mask_, builder_.CreateNot(condition));
  write_edge(block, *branch->getSuccessor(0), live_out, false);
  write_edge(block, *branch->getSuccessor(1), other, false);
  builder_.CreateBr(entry_of(input_.layout->route(&block).next[0]));
}

void Widener::end_block(BasicBlock &block) {
  Instruction *end = block.getTerminator();
  if (isa<ReturnInst>(end)) {
    last_ = builder_.GetInsertBlock();
    builder_.CreateBr(after_);
  } else if (const LatchExit *latch = analysis_.divergent_latch(&block)) {
    write_divergent_latch(block, *latch);
  } else if (analysis_.has_divergent_branch(&block)) {
    write_divergent_branch(block);
  } else {
    write_uniform_branch(block);
  }
}

}  // namespace quern
