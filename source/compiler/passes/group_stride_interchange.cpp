/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Interchange of a group-stride loop with the work-item loop.
 *
 * The new loop counts the index of the group's first work-item, which is uniform. Each work-item executes the body
 * under the condition that its own index is below the bound. Loop-carried values are kept in allocas, which are written
 * only by work-items that execute the body. The work-group pass later gives each work-item its own copy. */
#include "compiler/passes/group_stride_interchange.hpp"

#include <cassert>

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

/* The original version runs for shorter trip counts. */
constexpr uint64_t min_iterations = 4;

/* A loop-carried or live-out value and the alloca that holds it in the group's loop. */
struct CarriedValue {
  /** The value before the first iteration and after each; the former is poison or undef when it is unused. */
  Value *initial, *updated;
  /** Header phi of a loop-carried value and merge-block phi of a live-out one; either may be null. */
  PHINode *header_phi, *merge_phi;
  AllocaInst *slot;
  /** The initial value is stored in the preheader of the group's loop, not above the version branch. */
  bool stored_in_preheader;
};

/* Calls a work-item function for dimension x. */
Value *call_work_item_function(const char *name, IRBuilder<> &builder) {
  Module *module = builder.GetInsertBlock()->getModule();
  FunctionCallee callee = module->getOrInsertFunction(name, builder.getInt64Ty(), builder.getInt32Ty());
  return builder.CreateCall(callee, {builder.getInt32(0)});
}

Value *extend_to_i64(Value *value, IRBuilder<> &builder) { return builder.CreateZExt(value, builder.getInt64Ty()); }

/* Values that the original computes for its iterations only may be poison when the loop has none. */
Value *freeze_if_needed(Value *value, IRBuilder<> &builder) {
  const bool is_defined = work_item_call(value) != WorkItem::none || isGuaranteedNotToBeUndefOrPoison(value);
  return is_defined ? value : builder.CreateFreeze(value);
}

/* Builds the condition that selects the version of the loop, as the checks of LLVM's LoopVersioning. */
class RuntimeCheck {
 public:
  RuntimeCheck(const GroupStrideLoop &stride, IRBuilder<> &builder) : stride_(stride), builder_(builder) {}

  /** Creates the condition of the interchanged version. It requires first index, bound and step to be below a quarter
   * of the range of their type. Then neither the work-items' indices nor the next ones wrap, signed or unsigned, and
   * sign and zero extension give the same value. */
  Value *create(const GroupStrideProfit &profit);

  /** Start of the index in the group's first work-item, step and bound, as i64. Set by create(). */
  Value *base = nullptr, *step = nullptr, *bound = nullptr;

 private:
  Value *value_in_first_item(Value *value);
  void require_no_wrap(Value *value, unsigned bits);
  void require(Value *condition) { condition_ = condition_ ? builder_.CreateAnd(condition_, condition) : condition; }
  void require_guard_matches_loop();
  void require_profit(const GroupStrideProfit &profit);

  const GroupStrideLoop &stride_;
  IRBuilder<> &builder_;
  Value *condition_ = nullptr;
};

/* Requires value < 2^(bits - 2), unsigned. */
void RuntimeCheck::require_no_wrap(Value *value, unsigned bits) {
  assert(bits >= 32 && bits <= 64 && "the match accepts 32 to 64 bits only");
  require(builder_.CreateICmpULT(extend_to_i64(value, builder_), builder_.getInt64(uint64_t(1) << (bits - 2))));
}

/* Given the work-item's id plus a uniform value, returns the value in the group's first work-item: the sum without the
 * local id. Where the sum is extended, requires that it did not wrap before the extension. */
Value *RuntimeCheck::value_in_first_item(Value *value) {
  Value *inner, *other;
  unsigned bits_kept;
  const WorkItem function = work_item_call(value);
  if (function == WorkItem::local_id) return builder_.getInt64(0);
  if (function == WorkItem::global_id) {
    Value *group = call_work_item_function("_Z12get_group_idj", builder_);
    Value *size = call_work_item_function("_Z23get_enqueued_local_sizej", builder_);
    Value *first = builder_.CreateMul(group, size);
    return builder_.CreateAdd(first, call_work_item_function("_Z17get_global_offsetj", builder_));
  }
  if (match(value, m_Trunc(m_Value(inner)))) return builder_.CreateTrunc(value_in_first_item(inner), value->getType());
  if (match(value, m_ZExtOrSExt(m_Value(inner)))) {
    Value *inner_value = value_in_first_item(inner);
    require_no_wrap(inner_value, inner_value->getType()->getIntegerBitWidth());
    return builder_.CreateZExt(inner_value, value->getType());
  }
  if (match_in_register_extension(value, inner, bits_kept)) {
    Value *inner_value = value_in_first_item(inner);
    require_no_wrap(inner_value, bits_kept);
    return inner_value;
  }
  inner = cast<BinaryOperator>(value)->getOperand(0);
  other = cast<BinaryOperator>(value)->getOperand(1);
  if (stride_.divergence->is_uniform(inner)) std::swap(inner, other);
  return builder_.CreateAdd(value_in_first_item(inner), freeze_if_needed(other, builder_));
}

/* Requires the guard to compare the same values as the latch. Together with the check for a least trip count it implies
 * that the first work-item has an iteration. The result then does not depend on values that are poison without one. */
void RuntimeCheck::require_guard_matches_loop() {
  Value *first = value_in_first_item(stride_.guard_tested), *guard_bound = stride_.guard_bound;
  base = extend_to_i64(stride_.start == stride_.guard_tested ? first : value_in_first_item(stride_.start), builder_);
  bound =
      extend_to_i64(stride_.bound == guard_bound ? guard_bound : freeze_if_needed(stride_.bound, builder_), builder_);
  for (Value *value : {first, guard_bound}) require_no_wrap(value, value->getType()->getIntegerBitWidth());
  require(builder_.CreateICmpEQ(extend_to_i64(first, builder_), base));
  require(builder_.CreateICmpEQ(extend_to_i64(guard_bound, builder_), bound));
}

/* All values are below 2^62, so that the index of the fourth iteration does not wrap in i64. */
void RuntimeCheck::require_profit(const GroupStrideProfit &profit) {
  require(builder_.CreateICmpUGE(step, builder_.getInt64(GroupStrideLoop::min_step)));
  Value *last = builder_.CreateAdd(base, builder_.CreateMul(step, builder_.getInt64(min_iterations - 1)));
  require(builder_.CreateICmpULT(last, bound));
  Value *items = call_work_item_function("_Z14get_local_sizej", builder_);
  Value *least = builder_.getInt64(profit.min_items);
  if (profit.min_items_uncached < profit.min_items) {
    Value *exceeds_cache =
        builder_.CreateICmpUGE(builder_.CreateSub(bound, base), builder_.getInt64(profit.min_elements_uncached));
    least = builder_.CreateSelect(exceeds_cache, builder_.getInt64(profit.min_items_uncached), least);
  }
  require(builder_.CreateICmpUGE(items, least));
}

Value *RuntimeCheck::create(const GroupStrideProfit &profit) {
  require_guard_matches_loop();
  step = extend_to_i64(freeze_if_needed(stride_.step, builder_), builder_);
  const unsigned bits = stride_.tested->getType()->getIntegerBitWidth();
  for (Value *value : {base, step, bound}) require_no_wrap(value, bits);
  require_profit(profit);
  return condition_;
}

class GroupStrideInterchange {
 public:
  explicit GroupStrideInterchange(const GroupStrideLoop &stride) : stride_(stride), loop_(stride.loop) {}

  void run(const GroupStrideProfit &profit);

 private:
  BasicBlock *guard_block() const { return stride_.guard->getParent(); }
  void hoist_to_guard();
  void create_merge_block();
  void sink_exit_code(BasicBlock *exit);
  void find_carried_values(BasicBlock *guard);
  void add_carried_value(Value *initial, Value *updated, PHINode *header_phi, PHINode *merge_phi);
  void create_slots(IRBuilder<> &builder);
  void clone_preheader(BasicBlock *block, ValueToValueMapTy &map);
  void create_loop(BasicBlock *block, const RuntimeCheck &check, ValueToValueMapTy &map);
  void clone_body(BasicBlock *body, BasicBlock *latch, Value *index, ValueToValueMapTy &map);
  void reload_after_merge();

  const GroupStrideLoop &stride_;
  Loop &loop_;
  /** Successor of guard and loop exit where all work-items meet after the loop. */
  BasicBlock *merge_ = nullptr;
  SmallVector<CarriedValue, 8> carried_values_;
};

/* Hoists speculatable instructions above the guard. The others stay in the preheader, to be cloned later. */
void GroupStrideInterchange::hoist_to_guard() {
  BasicBlock *preheader = loop_.getLoopPreheader();
  for (Instruction &instruction : make_early_inc_range(*preheader)) {
    if (!stride_.hoisted.contains(&instruction)) continue;
    instruction.dropUBImplyingAttrsAndMetadata();
    instruction.moveBefore(stride_.guard->getIterator());
  }
}

/* The exit block holds code that runs only for work-items with iterations. Moves it after a new merge block, under a
 * second copy of the guard. */
void GroupStrideInterchange::sink_exit_code(BasicBlock *exit) {
  BasicBlock *guard = guard_block();
  BasicBlock *exit_code = SplitBlock(exit, exit->getFirstNonPHIIt());
  BasicBlock *merge = BasicBlock::Create(guard->getContext(), "merge", guard->getParent(), exit_code);
  for (PHINode &phi : exit->phis()) {
    PHINode *merge_phi = PHINode::Create(phi.getType(), 2, "", merge);
    phi.replaceAllUsesWith(merge_phi);
    merge_phi->addIncoming(&phi, exit);
    merge_phi->addIncoming(PoisonValue::get(phi.getType()), guard);
  }
  auto *branch = cast<BranchInst>(stride_.guard->clone());
  branch->insertInto(merge, merge->end());
  branch->replaceSuccessorWith(loop_.getLoopPreheader(), exit_code);
  exit->getTerminator()->replaceSuccessorWith(exit_code, merge);
  merge_->replacePhiUsesWith(guard, merge);
  stride_.guard->replaceSuccessorWith(merge_, merge);
  merge_ = merge;
}

/* Finds or creates the merge block: its predecessors are the guard block and the loop's exit block only. */
void GroupStrideInterchange::create_merge_block() {
  BasicBlock *exit = loop_.getExitBlock();
  merge_ = stride_.guard->getSuccessor(stride_.guard->getSuccessor(0) == loop_.getLoopPreheader() ? 1 : 0);
  const bool is_empty = exit->getFirstNonPHIIt() == exit->getTerminator()->getIterator();
  if (!is_empty || exit->getSingleSuccessor() != merge_) {
    sink_exit_code(exit);
  } else if (!merge_->hasNPredecessors(2)) {
    merge_ = SplitBlockPredecessors(merge_, {guard_block(), exit}, ".merge");
  }
}

/* A live-out value and a header phi with the same latch value share one slot when the initial values allow it. */
void GroupStrideInterchange::add_carried_value(Value *initial, Value *updated, PHINode *header_phi,
                                               PHINode *merge_phi) {
  for (CarriedValue &carried : carried_values_) {
    const bool is_undefined = isa<UndefValue>(carried.initial);
    if (!header_phi || carried.header_phi || carried.updated != updated ||
        (!is_undefined && carried.initial != initial))
      continue;
    carried.stored_in_preheader = is_undefined;
    carried.initial = initial;
    carried.header_phi = header_phi;
    return;
  }
  carried_values_.push_back({initial, updated, header_phi, merge_phi, nullptr, !merge_phi || isa<UndefValue>(initial)});
}

void GroupStrideInterchange::find_carried_values(BasicBlock *guard) {
  BasicBlock *exit = loop_.getExitBlock();
  for (PHINode &phi : merge_->phis()) {
    Value *updated = phi.getIncomingValueForBlock(exit);
    if (auto *exit_phi = dyn_cast<PHINode>(updated); exit_phi && exit_phi->getParent() == exit) {
      updated = exit_phi->getIncomingValueForBlock(stride_.latch);
    }
    add_carried_value(phi.getIncomingValueForBlock(guard), updated, nullptr, &phi);
  }
  for (PHINode &phi : loop_.getHeader()->phis()) {
    if (stride_.is_index(&phi)) continue;
    add_carried_value(phi.getIncomingValueForBlock(loop_.getLoopPreheader()),
                      phi.getIncomingValueForBlock(stride_.latch), &phi, nullptr);
  }
}

/* The original version stores live-out values too, since the merge block loads them from the slots. */
void GroupStrideInterchange::create_slots(IRBuilder<> &builder) {
  BasicBlock &entry = stride_.latch->getParent()->getEntryBlock();
  BasicBlock *exit = loop_.getExitBlock();
  for (CarriedValue &carried : carried_values_) {
    carried.slot = IRBuilder<>(&entry, entry.begin()).CreateAlloca(carried.updated->getType(), nullptr, "stride.slot");
    if (!carried.stored_in_preheader) builder.CreateStore(carried.initial, carried.slot);
    if (!carried.merge_phi) continue;
    IRBuilder<>(exit->getTerminator()).CreateStore(carried.merge_phi->getIncomingValueForBlock(exit), carried.slot);
  }
}

Value *mapped(Value *value, const ValueToValueMapTy &map) {
  Value *found = map.lookup(value);
  return found ? found : value;
}

/* Clones the instructions left in the original preheader into `block` and stores the remaining initial values. */
void GroupStrideInterchange::clone_preheader(BasicBlock *block, ValueToValueMapTy &map) {
  IRBuilder<> builder(block);
  for (Instruction &instruction : *loop_.getLoopPreheader()) {
    if (instruction.isTerminator()) break;
    Instruction *copy = builder.Insert(instruction.clone());
    RemapInstruction(copy, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    map[&instruction] = copy;
  }
  for (const CarriedValue &carried : carried_values_) {
    if (carried.stored_in_preheader && !isa<UndefValue>(carried.initial)) {
      builder.CreateStore(mapped(carried.initial, map), carried.slot);
    }
  }
}

/* Clones the body for one iteration of one work-item. The index and its extensions and truncations become truncations
 * of the i64 `index`: the runtime check has shown that they do not change its value. */
void GroupStrideInterchange::clone_body(BasicBlock *body, BasicBlock *latch, Value *index, ValueToValueMapTy &map) {
  IRBuilder<> builder(body);
  SmallMapVector<Instruction *, Value *, 8> replacements;
  for (const CarriedValue &carried : carried_values_) {
    if (carried.header_phi)
      replacements[carried.header_phi] = builder.CreateLoad(carried.updated->getType(), carried.slot);
  }
  SmallVector<BasicBlock *, 4> copies;
  for (BasicBlock *block : loop_.blocks()) {
    for (Instruction &instruction : *block) {
      if (stride_.is_index(&instruction))
        replacements[&instruction] = builder.CreateTrunc(index, instruction.getType());
    }
    copies.push_back(CloneBasicBlock(block, map, "", body->getParent()));
    map[block] = copies.back();
  }
  for (auto &[instruction, value] : replacements) {
    cast<Instruction>(map.lookup(instruction))->eraseFromParent();
    map[instruction] = value;
  }
  remapInstructionsInBlocks(copies, map);
  for (BasicBlock *block : copies) {
    for (Instruction &instruction : *block) {
      if (getLoadStorePointerOperand(&instruction)) {
        instruction.setMetadata(group_stride_metadata, MDNode::get(block->getContext(), {}));
      }
    }
  }
  builder.CreateBr(cast<BasicBlock>(map.lookup(loop_.getHeader())));
  Instruction *branch = cast<BasicBlock>(map.lookup(stride_.latch))->getTerminator();
  builder.SetInsertPoint(branch);
  for (const CarriedValue &carried : carried_values_) builder.CreateStore(mapped(carried.updated, map), carried.slot);
  builder.CreateBr(latch);
  branch->eraseFromParent();
}

/* Calls barrier(0) before the instruction. */
void call_barrier(Instruction *before) {
  IRBuilder<> builder(before);
  FunctionCallee barrier =
      before->getModule()->getOrInsertFunction("_Z7barrierj", builder.getVoidTy(), builder.getInt32Ty());
  builder.CreateCall(barrier, {builder.getInt32(0)});
}

/* Creates the group's loop between its preheader `block` and the merge block. */
void GroupStrideInterchange::create_loop(BasicBlock *block, const RuntimeCheck &check, ValueToValueMapTy &map) {
  Function *function = block->getParent();
  LLVMContext &context = function->getContext();
  BasicBlock *header = BasicBlock::Create(context, "stride.header", function, merge_);
  BasicBlock *body = BasicBlock::Create(context, "stride.body", function, merge_);
  BasicBlock *latch = BasicBlock::Create(context, "stride.latch", function, merge_);
  IRBuilder<>(block).CreateBr(header);
  IRBuilder<> builder(header);
  PHINode *base = builder.CreatePHI(builder.getInt64Ty(), 2, "stride.base");
  base->addIncoming(check.base, block);
  Value *index = builder.CreateAdd(base, call_work_item_function("_Z12get_local_idj", builder), "", true, true);
  builder.CreateCondBr(builder.CreateICmpULT(index, check.bound), body, latch);
  call_barrier(base->getNextNode());
  builder.SetInsertPoint(latch);
  Value *next_base = builder.CreateAdd(base, check.step, "", true, true);
  base->addIncoming(next_base, latch);
  builder.CreateCondBr(builder.CreateICmpULT(next_base, check.bound), header, merge_);
  clone_body(body, latch, index, map);
}

/* Puts a barrier at the merge block, after which live-out values are loaded from their slots. */
void GroupStrideInterchange::reload_after_merge() {
  Instruction *first = &*merge_->getFirstNonPHIIt();
  if (carried_values_.empty() && isa<ReturnInst>(first)) return;
  call_barrier(first);
  IRBuilder<> builder(first);
  for (const CarriedValue &carried : carried_values_) {
    if (!carried.merge_phi) continue;
    carried.merge_phi->replaceAllUsesWith(builder.CreateLoad(carried.updated->getType(), carried.slot));
    carried.merge_phi->eraseFromParent();
  }
}

void GroupStrideInterchange::run(const GroupStrideProfit &profit) {
  hoist_to_guard();
  create_merge_block();
  BasicBlock *check_block = guard_block();
  find_carried_values(check_block);
  BasicBlock *original = SplitBlock(check_block, stride_.guard->getIterator());
  IRBuilder<> builder(check_block->getTerminator());
  RuntimeCheck check(stride_, builder);
  Value *condition = check.create(profit);
  create_slots(builder);
  BasicBlock *preheader =
      BasicBlock::Create(check_block->getContext(), "stride.preheader", check_block->getParent(), merge_);
  builder.CreateCondBr(condition, preheader, original);
  check_block->getTerminator()->eraseFromParent();
  ValueToValueMapTy map;
  clone_preheader(preheader, map);
  create_loop(preheader, check, map);
  reload_after_merge();
}

}  // namespace

void interchange_group_stride(const GroupStrideLoop &stride, const GroupStrideProfit &profit) {
  GroupStrideInterchange(stride).run(profit);
}

}  // namespace quern
