/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Control flow of the vector code: blocks, masks and phis. */
#include "compiler/passes/vectorize/widen/widener.hpp"

#include <llvm/IR/Constants.h>

using namespace llvm;

namespace quern {

Widener::Widener(const WidenInput &input, Function &function)
    : input_(input),
      analysis_(*input.analysis),
      width_(input.width),
      function_(function),
      context_(function.getContext()),
      data_layout_(function.getDataLayout()),
      builder_(context_) {
  assert((!input.groups || input.is_lane_zero_active) && "groups are found with lane 0 active");
}

Value *Widener::all_lanes() const { return ConstantInt::getTrue(widen(Type::getInt1Ty(context_))); }

Value *Widener::any_lane(Value *mask) {
  Value *bits = builder_.CreateBitCast(mask, builder_.getIntNTy(width_));
  return builder_.CreateICmpNE(bits, ConstantInt::get(bits->getType(), 0), "any");
}

/* The condition may be poison on inactive lanes: a logical `and` (a select) does not propagate it. */
Value *Widener::mask_and(Value *mask, Value *condition) {
  return mask ? builder_.CreateLogicalAnd(mask, condition) : condition;
}

AllocaInst *Widener::make_slot(Type *type, const Twine &name) {
  BasicBlock &entry = function_.getEntryBlock();
  return IRBuilder<>(&entry, entry.begin()).CreateAlloca(type, nullptr, name);
}

const SmallVector<AllocaInst *, 4> &Widener::phi_slots(PHINode &phi) {
  auto &slots = phi_slots_[&phi];
  if (!slots.empty()) return slots;
  if (analysis_.shape(&phi).kind != Shape::varying) {
    bool is_offset = input_.memory->interleaved(&phi);
    slots.push_back(make_slot(is_offset ? builder_.getInt64Ty() : phi.getType(), phi.getName()));
    return slots;
  }
  if (is_aos(&phi)) {
    slots.push_back(make_slot(aos_type(*phi.getType()), phi.getName()));
    return slots;
  }
  SmallVector<Type *, 4> types;
  append_component_types(phi.getType(), types);
  for (Type *type : types) slots.push_back(make_slot(widen(type), phi.getName()));
  return slots;
}

/* Masks and phis of join blocks are accumulated in slots over all incoming edges. The slots are reset when the
 * immediate dominator is entered: an edge that is not executed this time must not contribute an old value. */
void Widener::reset_slots_below(BasicBlock &block) {
  for (DomTreeNode *child : analysis_.dominators().getNode(&block)->children()) {
    BasicBlock *below = child->getBlock();
    if (AllocaInst *mask = mask_slots_.lookup(below)) {
      builder_.CreateStore(Constant::getNullValue(mask->getAllocatedType()), mask);
    }
    const Loop *loop = analysis_.loops().getLoopFor(below);
    if (loop && loop->getHeader() == below) continue;
    for (PHINode &phi : below->phis()) {
      if (analysis_.is_live_out_phi(&phi) || analysis_.blended_phi(&phi)) continue;
      /* For an undefined scalar, write_edge stores nothing: the slot keeps another edge's value, or undef. */
      bool is_undefined = any_of(phi.incoming_values(), [](Value *value) { return isa<UndefValue>(value); });
      for (AllocaInst *slot : phi_slots(phi)) {
        Type *type = slot->getAllocatedType();
        builder_.CreateStore(is_undefined ? UndefValue::get(type) : PoisonValue::get(type), slot);
      }
    }
  }
}

void Widener::make_blocks() {
  for (BasicBlock *block : analysis_.order()) {
    bodies_[block] = BasicBlock::Create(context_, block->getName() + ".wide", &function_, after_);
    entries_[block] = bodies_[block];
    if (input_.linearization->route(block).skip_to) {
      entries_[block] = BasicBlock::Create(context_, block->getName() + ".any", &function_, bodies_[block]);
    }
    const BlockInfo &info = analysis_.block(block);
    bool has_own_mask = info.root == block && block != analysis_.order().front();
    if (has_own_mask) mask_slots_[block] = make_slot(widen(builder_.getInt1Ty()), block->getName() + ".mask");
  }
}

void Widener::write(BasicBlock *before, BasicBlock *after, Value *induction, Value *mask) {
  before_ = before;
  after_ = after;
  induction_ = induction;
  entry_mask_ = mask;
  make_blocks();
  builder_.SetInsertPoint(before);
  builder_.CreateBr(entry_of(analysis_.order().front()));
  for (BasicBlock *block : analysis_.order()) write_block(*block);
}

/* A blended phi of a divergent latch: inactive lanes keep the value of the header's phi. */
void Widener::blend_phi(PHINode &phi, PHINode &header_phi) {
  Value *mask = masks_[analysis_.block(header_phi.getParent()).root];
  Components values = phi_vectors(phi, phi.getIncomingValue(0));
  const Components old = phi_vectors(phi, &header_phi);
  mask = phi_mask(phi, mask);
  for (auto [value, blended] : zip(values, old)) value = mask ? builder_.CreateSelect(mask, value, blended) : value;
  set_phi(phi, std::move(values));
}

/* The vectors of a value for a phi, in the layout of the phi. */
Components Widener::phi_vectors(const PHINode &phi, Value *value) {
  return is_aos(&phi) ? Components{aos_vector(value)} : vectors(value);
}

/* A mask, or null, for the vectors of a phi. */
Value *Widener::phi_mask(const PHINode &phi, Value *mask) {
  if (!mask || !is_aos(&phi)) return mask;
  const unsigned stride = aos_stride(*phi.getType());
  return replicate_mask(mask, stride, (1U << stride) - 1, 0, stride * width_);
}

void Widener::set_phi(const PHINode &phi, Components values) {
  if (is_aos(&phi)) {
    aos_vectors_[&phi] = values[0];
  } else {
    set_vectors(&phi, std::move(values));
  }
}

void Widener::begin_phi(PHINode &phi) {
  if (PHINode *header_phi = analysis_.blended_phi(&phi)) {
    blend_phi(phi, *header_phi);
    return;
  }
  Components values;
  for (AllocaInst *slot : phi_slots(phi)) {
    values.push_back(builder_.CreateLoad(slot->getAllocatedType(), slot, phi.getName()));
  }
  if (analysis_.shape(&phi).kind != Shape::varying) {
    set_scalar(&phi, values[0]);
  } else {
    set_phi(phi, std::move(values));
    if (input_.layout && input_.layout->is_used_as_aos(&phi)) make_aos(&phi);
  }
}

/* When no lane takes an exit edge, all active lanes take the other edge. A separate block then stores the unchanged
 * mask of the branch for the other successor. It breaks the dependence of that mask on the exit condition. */
BasicBlock *Widener::make_skipped_exit(BasicBlock &block, BasicBlock *to) {
  BasicBlock *before = block.getSinglePredecessor();
  auto *branch = dyn_cast<BranchInst>(before->getTerminator());
  if (!branch || !branch->isConditional() || !analysis_.has_divergent_branch(before)) return to;
  BasicBlock *other = branch->getSuccessor(branch->getSuccessor(0) == &block ? 1 : 0);
  AllocaInst *slot = mask_slots_.lookup(other);
  if (!slot || other->getSinglePredecessor() != before) return to;
  BasicBlock *skip = BasicBlock::Create(context_, "no.exit", &function_, bodies_[&block]);
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
    masks_[root] = slot ? builder_.CreateLoad(slot->getAllocatedType(), slot) : entry_mask_;
    if (BasicBlock *skip = input_.linearization->route(&block).skip_to) {
      BasicBlock *to = analysis_.exit_of_block(&block) ? make_skipped_exit(block, entry_of(skip)) : entry_of(skip);
      builder_.CreateCondBr(any_lane(masks_[root]), bodies_[&block], to);
    }
  }
  mask_ = masks_[root];
  builder_.SetInsertPoint(bodies_[&block]);
}

void Widener::write_block(BasicBlock &block) {
  begin_block(block);
  for (PHINode &phi : block.phis()) begin_phi(phi);
  reset_slots_below(block);
  /* Live-out values of a divergent loop are accumulated over all its iterations; reset them in the preheader. */
  for (BasicBlock *next : successors(&block)) {
    const Loop *loop = analysis_.loops().getLoopFor(next);
    const LatchExit *latch = loop && loop->getHeader() == next && loop->getLoopPreheader() == &block
                                 ? analysis_.divergent_latch(loop->getLoopLatch())
                                 : nullptr;
    if (!latch) continue;
    for (PHINode *phi : latch->live_outs) {
      for (AllocaInst *slot : phi_slots(*phi)) builder_.CreateStore(PoisonValue::get(slot->getAllocatedType()), slot);
    }
  }
  for (Instruction &instruction : block) {
    if (isa<PHINode>(instruction) || instruction.isTerminator()) continue;
    if (function_.getSubprogram()) builder_.SetCurrentDebugLocation(instruction.getDebugLoc());
    write_instruction(instruction);
  }
  end_block(block);
}

/* Updates the slots of the mask and the phis of `to` for the edge from `from`. `is_only_edge`: all active lanes of `to`
 * come over this edge. A null `edge_mask` means all lanes. */
void Widener::write_edge(BasicBlock &from, BasicBlock &to, Value *edge_mask, bool is_only_edge) {
  if (AllocaInst *slot = mask_slots_.lookup(&to)) {
    Value *previous = builder_.CreateLoad(slot->getAllocatedType(), slot);
    Value *mask = edge_mask ? edge_mask : all_lanes();
    bool is_header = analysis_.is_divergent_header(&to);
    builder_.CreateStore(is_header ? mask : builder_.CreateOr(previous, mask), slot);
  }
  /* Phis are parallel copies: all values are read before the first slot is stored. */
  SmallVector<std::pair<AllocaInst *, Value *>, 8> stores;
  for (PHINode &phi : to.phis()) {
    if (analysis_.blended_phi(&phi)) continue;
    Value *value = phi.getIncomingValueForBlock(&from);
    bool is_varying = analysis_.shape(&phi).kind == Shape::varying;
    if (isa<PoisonValue>(value) || (!is_varying && isa<UndefValue>(value))) continue;
    if (!is_varying) {
      stores.emplace_back(phi_slots(phi)[0], scalar(value));
      continue;
    }
    /* A lane that has left the loop keeps its live-out value while other lanes iterate. */
    bool replaces_all_lanes = !edge_mask || (is_only_edge && !analysis_.is_live_out_phi(&phi));
    const Components components = phi_vectors(phi, value);
    Value *mask = replaces_all_lanes ? nullptr : phi_mask(phi, edge_mask);
    for (auto [slot, component] : zip(phi_slots(phi), components)) {
      Value *blended = component;
      if (mask) {
        blended = builder_.CreateSelect(mask, component, builder_.CreateLoad(slot->getAllocatedType(), slot));
      }
      stores.emplace_back(slot, blended);
    }
  }
  for (auto [slot, value] : stores) builder_.CreateStore(value, slot);
}

void Widener::write_divergent_latch(BasicBlock &block, const LatchExit &latch) {
  auto *branch = cast<BranchInst>(block.getTerminator());
  BasicBlock *header = branch->getSuccessor(0), *exit = branch->getSuccessor(1);
  const BlockRoute &route = input_.linearization->route(&block);
  Value *live_mask = mask_and(mask_, only_vector(latch.live_mask));
  write_edge(block, *header, live_mask, true);
  write_edge(block, *exit, nullptr, true);
  builder_.CreateCondBr(any_lane(live_mask), entry_of(header), entry_of(route.next[1]));
}

void Widener::write_uniform_branch(BasicBlock &block) {
  Instruction *end = block.getTerminator();
  const BlockRoute &route = input_.linearization->route(&block);
  BasicBlock *root = analysis_.block(&block).root;
  unsigned count = end->getNumSuccessors(), begin = 0;
  SmallVector<BasicBlock *, 4> edges;
  BasicBlock *source = builder_.GetInsertBlock();
  if (input_.known_branch == &block) {
    begin = input_.known_successor;
    count = begin + 1;
  }
  for (unsigned i = begin; i < count; i++) {
    BasicBlock *to = end->getSuccessor(i);
    BasicBlock *edge = source;
    if (count - begin > 1) edge = BasicBlock::Create(context_, "edge", &function_, after_);
    builder_.SetInsertPoint(edge);
    bool is_only_edge = analysis_.block(to).root == root || analysis_.is_divergent_header(to);
    write_edge(block, *to, mask_, is_only_edge);
    builder_.CreateBr(entry_of(route.next[i]));
    edges.push_back(edge);
  }
  if (count - begin < 2) return;
  builder_.SetInsertPoint(source);
  Value *condition = scalar(end->getOperand(0));
  /* The block may run with an empty mask; the condition may then be poison, and a branch on poison is undefined. */
  bool may_have_empty_mask = mask_ && root != analysis_.order().front() && !analysis_.is_divergent_header(root) &&
                             !input_.linearization->route(root).skip_to;
  if (may_have_empty_mask && !isa<Constant>(condition)) condition = builder_.CreateFreeze(condition);
  if (isa<BranchInst>(end)) {
    builder_.CreateCondBr(condition, edges[0], edges[1]);
    return;
  }
  auto *switch_inst = cast<SwitchInst>(end);
  SwitchInst *copy = builder_.CreateSwitch(condition, edges[0], switch_inst->getNumCases());
  for (auto &switch_case : switch_inst->cases())
    copy->addCase(switch_case.getCaseValue(), edges[switch_case.getSuccessorIndex()]);
}

void Widener::write_divergent_branch(BasicBlock &block) {
  auto *branch = cast<BranchInst>(block.getTerminator());
  Value *condition = only_vector(branch->getCondition());
  Value *true_mask = mask_and(mask_, condition);
  Value *false_mask = mask_and(mask_, builder_.CreateNot(condition));
  write_edge(block, *branch->getSuccessor(0), true_mask, false);
  write_edge(block, *branch->getSuccessor(1), false_mask, false);
  builder_.CreateBr(entry_of(input_.linearization->route(&block).next[0]));
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
