/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A loop of a work-item becomes a loop of its group: the index of the first work-item is counted, which is the same for
 * all, and those have a turn whose own index is below the bound. What goes from turn to turn does so in variables,
 * written only by those that have a turn. */
#include "compiler/passes/group_stride_interchange.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/passes/work_items.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {
namespace {

constexpr uint64_t fewest_iterations = 4;

/* One of the values that go from turn to turn, or out of the loop. */
struct Variable {
  /** Before the first turn, and behind each; poison when nobody asks. */
  Value *first, *next;
  /** What is the variable within the loop, and behind it; either may be null. */
  PHINode *carried, *joined;
  AllocaInst *slot;
  /** Set where the turns begin, by those that have any. */
  bool first_at_loop;
};

/* A work-item function along x. */
Value *ask(const char *name, IRBuilder<> &builder) {
  Module *module = builder.GetInsertBlock()->getModule();
  FunctionCallee callee = module->getOrInsertFunction(name, builder.getInt64Ty(), builder.getInt32Ty());
  return builder.CreateCall(callee, {builder.getInt32(0)});
}

Value *widen(Value *value, IRBuilder<> &builder) { return builder.CreateZExt(value, builder.getInt64Ty()); }

/* What the loop computes for its turns alone may be poison where there are none. */
Value *defined(Value *value, IRBuilder<> &builder) {
  const bool is_defined = work_item_call(value) != WorkItem::none || isGuaranteedNotToBeUndefOrPoison(value);
  return is_defined ? value : builder.CreateFreeze(value);
}

/* Decides which form of the loop runs. */
class Choice {
 public:
  Choice(const GroupStrideLoop &stride, IRBuilder<> &builder) : stride_(stride), builder_(builder) {}

  /** Whether all take turns together: with the first index, the bound and the step below a quarter of what there are
   * numbers, neither the work-items' indices nor the next ones wrap, whatever the sign, and extending changes nothing.
   */
  Value *make(const GroupStrideProfit &gain);

  /** Of the first work-item, the step and the bound, as i64. */
  Value *base = nullptr, *step = nullptr, *bound = nullptr;

 private:
  Value *uniform_part(Value *value);
  void require_small(Value *value, unsigned bits);
  void require(Value *condition) { chosen_ = chosen_ ? builder_.CreateAnd(chosen_, condition) : condition; }
  void require_same_guard();
  void require_gain(const GroupStrideProfit &gain);

  const GroupStrideLoop &stride_;
  IRBuilder<> &builder_;
  Value *chosen_ = nullptr;
};

/* Value must be a number far from the end of what so many bits can tell. */
void Choice::require_small(Value *value, unsigned bits) {
  require(builder_.CreateICmpULT(widen(value, builder_), builder_.getInt64(uint64_t(1) << (bits - 2))));
}

/* `value`, which is the work-item's number and what is uniform, without that number. Where it is extended, the number
 * and this must not have wrapped before. */
Value *Choice::uniform_part(Value *value) {
  Value *inner, *other;
  unsigned kept;
  const WorkItem which = work_item_call(value);
  if (which == WorkItem::local_id) return builder_.getInt64(0);
  if (which == WorkItem::global_id) {
    Value *first =
        builder_.CreateMul(ask("_Z12get_group_idj", builder_), ask("_Z23get_enqueued_local_sizej", builder_));
    return builder_.CreateAdd(first, ask("_Z17get_global_offsetj", builder_));
  }
  if (match(value, m_Trunc(m_Value(inner)))) return builder_.CreateTrunc(uniform_part(inner), value->getType());
  if (match(value, m_ZExtOrSExt(m_Value(inner)))) {
    Value *part = uniform_part(inner);
    require_small(part, part->getType()->getIntegerBitWidth());
    return builder_.CreateZExt(part, value->getType());
  }
  if (match_extension(value, inner, kept)) {
    Value *part = uniform_part(inner);
    require_small(part, kept);
    return part;
  }
  inner = cast<BinaryOperator>(value)->getOperand(0);
  other = cast<BinaryOperator>(value)->getOperand(1);
  if (stride_.divergence->is_uniform(inner)) std::swap(inner, other);
  return builder_.CreateAdd(uniform_part(inner), defined(other, builder_));
}

/* The guard must compare what the loop does. Then the first work-item has a turn, and what is poison where there are
 * none decides nothing. */
void Choice::require_same_guard() {
  Value *first = uniform_part(stride_.first_tested), *first_bound = stride_.first_bound;
  base = widen(stride_.start == stride_.first_tested ? first : uniform_part(stride_.start), builder_);
  bound = widen(stride_.bound == first_bound ? first_bound : defined(stride_.bound, builder_), builder_);
  for (Value *value : {first, first_bound}) require_small(value, value->getType()->getIntegerBitWidth());
  require(builder_.CreateICmpEQ(widen(first, builder_), base));
  require(builder_.CreateICmpEQ(widen(first_bound, builder_), bound));
}

/* All numbers are below 2^62, so that the fourth turn's does not wrap. */
void Choice::require_gain(const GroupStrideProfit &gain) {
  require(builder_.CreateICmpUGE(step, builder_.getInt64(GroupStrideLoop::shortest_step)));
  Value *last = builder_.CreateAdd(base, builder_.CreateMul(step, builder_.getInt64(fewest_iterations - 1)));
  require(builder_.CreateICmpULT(last, bound));
  Value *items = ask("_Z14get_local_sizej", builder_);
  Value *fewest = builder_.getInt64(gain.fewest_items);
  if (gain.fewest_items_far < gain.fewest_items) {
    Value *is_far = builder_.CreateICmpUGE(builder_.CreateSub(bound, base), builder_.getInt64(gain.far_elements));
    fewest = builder_.CreateSelect(is_far, builder_.getInt64(gain.fewest_items_far), fewest);
  }
  require(builder_.CreateICmpUGE(items, fewest));
}

Value *Choice::make(const GroupStrideProfit &gain) {
  require_same_guard();
  step = widen(defined(stride_.step, builder_), builder_);
  const unsigned bits = stride_.tested->getType()->getIntegerBitWidth();
  for (Value *value : {base, step, bound}) require_small(value, bits);
  require_gain(gain);
  return chosen_;
}

class GroupStrideInterchange {
 public:
  explicit GroupStrideInterchange(const GroupStrideLoop &stride) : stride_(stride), loop_(stride.loop) {}

  void run(const GroupStrideProfit &gain);

 private:
  BasicBlock *guard_block() const { return stride_.guard->getParent(); }
  void hoist();
  void separate();
  void separate_remainder(BasicBlock *exit);
  void find_variables(BasicBlock *guard);
  void add_variable(Value *first, Value *next, PHINode *carried, PHINode *joined);
  void make_slots(IRBuilder<> &builder);
  void prepare(BasicBlock *block, ValueToValueMapTy &map);
  void make_iterations(BasicBlock *block, const Choice &choice, ValueToValueMapTy &map);
  void copy_body(BasicBlock *body, BasicBlock *next, Value *number, ValueToValueMapTy &map);
  void join();

  const GroupStrideLoop &stride_;
  Loop &loop_;
  /** Where all come together behind the loop. */
  BasicBlock *join_ = nullptr;
  SmallVector<Variable, 8> variables_;
};

/* What can be is computed before the branch, for all work-items; what is left, by those that have turns. */
void GroupStrideInterchange::hoist() {
  BasicBlock *before = loop_.getLoopPreheader();
  for (Instruction &instruction : make_early_inc_range(*before)) {
    if (!stride_.hoisted.contains(&instruction)) continue;
    instruction.dropUBImplyingAttrsAndMetadata();
    instruction.moveBefore(stride_.guard->getIterator());
  }
}

/* What only those do that had turns is put behind the place where all come together, and another branch. */
void GroupStrideInterchange::separate_remainder(BasicBlock *exit) {
  BasicBlock *guard = guard_block();
  BasicBlock *rest = SplitBlock(exit, exit->getFirstNonPHIIt());
  BasicBlock *middle = BasicBlock::Create(guard->getContext(), "joined", guard->getParent(), rest);
  for (PHINode &phi : exit->phis()) {
    PHINode *joined = PHINode::Create(phi.getType(), 2, "", middle);
    phi.replaceAllUsesWith(joined);
    joined->addIncoming(&phi, exit);
    joined->addIncoming(PoisonValue::get(phi.getType()), guard);
  }
  auto *branch = cast<BranchInst>(stride_.guard->clone());
  branch->insertInto(middle, middle->end());
  branch->replaceSuccessorWith(loop_.getLoopPreheader(), rest);
  exit->getTerminator()->replaceSuccessorWith(rest, middle);
  join_->replacePhiUsesWith(guard, middle);
  stride_.guard->replaceSuccessorWith(join_, middle);
  join_ = middle;
}

/* Finds or makes the block where all work-items come together, from the guard and from the loop alone. */
void GroupStrideInterchange::separate() {
  BasicBlock *exit = loop_.getExitBlock();
  join_ = stride_.guard->getSuccessor(stride_.guard->getSuccessor(0) == loop_.getLoopPreheader() ? 1 : 0);
  const bool is_empty = exit->getFirstNonPHIIt() == exit->getTerminator()->getIterator();
  if (!is_empty || exit->getSingleSuccessor() != join_) {
    separate_remainder(exit);
  } else if (!join_->hasNPredecessors(2)) {
    join_ = SplitBlockPredecessors(join_, {guard_block(), exit}, ".joined");
  }
}

void GroupStrideInterchange::add_variable(Value *first, Value *next, PHINode *carried, PHINode *joined) {
  for (Variable &variable : variables_) {
    const bool is_any = isa<UndefValue>(variable.first);
    if (!carried || variable.carried || variable.next != next || (!is_any && variable.first != first)) continue;
    variable.first_at_loop = is_any;
    variable.first = first;
    variable.carried = carried;
    return;
  }
  variables_.push_back({first, next, carried, joined, nullptr, !joined || isa<UndefValue>(first)});
}

void GroupStrideInterchange::find_variables(BasicBlock *guard) {
  BasicBlock *exit = loop_.getExitBlock();
  for (PHINode &phi : join_->phis()) {
    Value *next = phi.getIncomingValueForBlock(exit);
    if (auto *leaving = dyn_cast<PHINode>(next); leaving && leaving->getParent() == exit) {
      next = leaving->getIncomingValueForBlock(stride_.latch);
    }
    add_variable(phi.getIncomingValueForBlock(guard), next, nullptr, &phi);
  }
  for (PHINode &phi : loop_.getHeader()->phis()) {
    if (stride_.is_index(&phi)) continue;
    add_variable(phi.getIncomingValueForBlock(loop_.getLoopPreheader()), phi.getIncomingValueForBlock(stride_.latch),
                 &phi, nullptr);
  }
}

/* Variables are set by the loop as it was, too. */
void GroupStrideInterchange::make_slots(IRBuilder<> &builder) {
  BasicBlock &entry = stride_.latch->getParent()->getEntryBlock();
  BasicBlock *exit = loop_.getExitBlock();
  for (Variable &variable : variables_) {
    variable.slot = IRBuilder<>(&entry, entry.begin()).CreateAlloca(variable.next->getType(), nullptr, "stride.kept");
    if (!variable.first_at_loop) builder.CreateStore(variable.first, variable.slot);
    if (!variable.joined) continue;
    IRBuilder<>(exit->getTerminator()).CreateStore(variable.joined->getIncomingValueForBlock(exit), variable.slot);
  }
}

Value *mapped(Value *value, const ValueToValueMapTy &map) {
  Value *found = map.lookup(value);
  return found ? found : value;
}

/* What was computed by those that have turns. */
void GroupStrideInterchange::prepare(BasicBlock *block, ValueToValueMapTy &map) {
  IRBuilder<> builder(block);
  for (Instruction &instruction : *loop_.getLoopPreheader()) {
    if (instruction.isTerminator()) break;
    Instruction *copy = builder.Insert(instruction.clone());
    RemapInstruction(copy, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    map[&instruction] = copy;
  }
  for (const Variable &variable : variables_) {
    if (variable.first_at_loop && !isa<UndefValue>(variable.first)) {
      builder.CreateStore(mapped(variable.first, map), variable.slot);
    }
  }
}

/* One work-item's turn. The index is the number, whatever was done to make it one that cannot be too large. */
void GroupStrideInterchange::copy_body(BasicBlock *body, BasicBlock *next, Value *number, ValueToValueMapTy &map) {
  IRBuilder<> builder(body);
  SmallMapVector<Instruction *, Value *, 8> known;
  for (const Variable &variable : variables_) {
    if (variable.carried) known[variable.carried] = builder.CreateLoad(variable.next->getType(), variable.slot);
  }
  SmallVector<BasicBlock *, 4> copies;
  for (BasicBlock *block : loop_.blocks()) {
    for (Instruction &instruction : *block) {
      if (stride_.is_index(&instruction)) known[&instruction] = builder.CreateTrunc(number, instruction.getType());
    }
    copies.push_back(CloneBasicBlock(block, map, "", body->getParent()));
    map[block] = copies.back();
  }
  for (auto &[instruction, value] : known) {
    cast<Instruction>(map.lookup(instruction))->eraseFromParent();
    map[instruction] = value;
  }
  remapInstructionsInBlocks(copies, map);
  for (BasicBlock *block : copies) {
    for (Instruction &instruction : *block) {
      if (getLoadStorePointerOperand(&instruction)) {
        instruction.setMetadata(group_stride_mark, MDNode::get(block->getContext(), {}));
      }
    }
  }
  builder.CreateBr(cast<BasicBlock>(map.lookup(loop_.getHeader())));
  Instruction *end = cast<BasicBlock>(map.lookup(stride_.latch))->getTerminator();
  builder.SetInsertPoint(end);
  for (const Variable &variable : variables_) builder.CreateStore(mapped(variable.next, map), variable.slot);
  builder.CreateBr(next);
  end->eraseFromParent();
}

void call_barrier(Instruction *before) {
  IRBuilder<> builder(before);
  FunctionCallee barrier =
      before->getModule()->getOrInsertFunction("_Z7barrierj", builder.getVoidTy(), builder.getInt32Ty());
  builder.CreateCall(barrier, {builder.getInt32(0)});
}

/* The loop of the group, from `block` to where all come together. */
void GroupStrideInterchange::make_iterations(BasicBlock *block, const Choice &choice, ValueToValueMapTy &map) {
  Function *function = block->getParent();
  LLVMContext &context = function->getContext();
  BasicBlock *turn = BasicBlock::Create(context, "stride.turn", function, join_);
  BasicBlock *body = BasicBlock::Create(context, "stride.body", function, join_);
  BasicBlock *next = BasicBlock::Create(context, "stride.next", function, join_);
  IRBuilder<>(block).CreateBr(turn);
  IRBuilder<> builder(turn);
  PHINode *base = builder.CreatePHI(builder.getInt64Ty(), 2, "stride.base");
  base->addIncoming(choice.base, block);
  Value *number = builder.CreateAdd(base, ask("_Z12get_local_idj", builder), "", true, true);
  builder.CreateCondBr(builder.CreateICmpULT(number, choice.bound), body, next);
  call_barrier(base->getNextNode());
  builder.SetInsertPoint(next);
  Value *following = builder.CreateAdd(base, choice.step, "", true, true);
  base->addIncoming(following, next);
  builder.CreateCondBr(builder.CreateICmpULT(following, choice.bound), turn, join_);
  copy_body(body, next, number, map);
}

/* Behind the loop all are together again, and what it made is in variables. */
void GroupStrideInterchange::join() {
  Instruction *first = &*join_->getFirstNonPHIIt();
  if (variables_.empty() && isa<ReturnInst>(first)) return;
  call_barrier(first);
  IRBuilder<> builder(first);
  for (const Variable &variable : variables_) {
    if (!variable.joined) continue;
    variable.joined->replaceAllUsesWith(builder.CreateLoad(variable.next->getType(), variable.slot));
    variable.joined->eraseFromParent();
  }
}

void GroupStrideInterchange::run(const GroupStrideProfit &gain) {
  hoist();
  separate();
  BasicBlock *start = guard_block();
  find_variables(start);
  BasicBlock *alone = SplitBlock(start, stride_.guard->getIterator());
  IRBuilder<> builder(start->getTerminator());
  Choice choice(stride_, builder);
  Value *chosen = choice.make(gain);
  make_slots(builder);
  BasicBlock *together = BasicBlock::Create(start->getContext(), "stride", start->getParent(), join_);
  builder.CreateCondBr(chosen, together, alone);
  start->getTerminator()->eraseFromParent();
  ValueToValueMapTy map;
  prepare(together, map);
  make_iterations(together, choice, map);
  join();
}

}  // namespace

void interchange_group_stride(const GroupStrideLoop &stride, const GroupStrideProfit &gain) {
  GroupStrideInterchange(stride).run(gain);
}

}  // namespace quern
