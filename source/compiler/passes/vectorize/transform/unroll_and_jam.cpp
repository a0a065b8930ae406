/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Merging rows. Work-items of different rows are as independent as those of one: what they do may be done in any order,
 * and what they load from one address is the same. */
#include "compiler/passes/vectorize/transform/unroll_and_jam.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/vectorize/analysis/access_groups.hpp"

using namespace llvm;

namespace quern {

/* Instructions that differ between rows, at most: all are written `jam_factor` times. */
static constexpr unsigned most_jammed_instructions = 100;

/* Values loaded before the rows that are still kept in registers. */
static constexpr unsigned few_loaded = 4;

bool YLoop::find_counter() {
  const Loop *around = items_.loop->getParentLoop();
  BasicBlock *latch = around ? around->getLoopLatch() : nullptr;
  if (!latch || !is_y_loop(*around) || around->getHeader() != items_.preheader || items_.exit != latch) return false;
  header_ = items_.preheader;
  auto phis = header_->phis();
  if (phis.empty() || std::next(phis.begin()) != phis.end()) return false;
  counter_ = &*phis.begin();
  next_ = dyn_cast<BinaryOperator>(counter_->getIncomingValueForBlock(latch));
  auto *branch = dyn_cast<BranchInst>(latch->getTerminator());
  if (!next_ || !branch || !counter_->getType()->isIntegerTy(64)) return false;
  auto *step = dyn_cast<ConstantInt>(next_->getOperand(1));
  if (next_->getOpcode() != Instruction::Add || next_->getOperand(0) != counter_ || !step || !step->isOne()) {
    return false;
  }
  count_ = loop_bound(*branch, header_, next_);
  return count_ && around->isLoopInvariant(count_);
}

/* Conditions are those of branches, mostly, and are agreed on. */
bool YLoop::find_y_varying() {
  Values conditions;
  y_varying_.insert(counter_);
  for (Instruction &instruction : *header_) {
    if (isa<PHINode>(instruction) || instruction.isTerminator()) continue;
    auto *load = dyn_cast<LoadInst>(&instruction);
    auto *call = dyn_cast<CallBase>(&instruction);
    if (call && !(isa<IntrinsicInst>(call) && call->doesNotAccessMemory())) return false;
    if (instruction.mayHaveSideEffects() || (load && !load->isSimple())) return false;
    if (none_of(instruction.operands(), [&](const Use &operand) { return differs(operand); })) continue;
    y_varying_.insert(&instruction);
    if (!instruction.getType()->isIntegerTy(1)) continue;
    /* Asked for before it is known whether there is such a row. */
    for (const Value *value : y_varying_) {
      auto *made = dyn_cast<Instruction>(value);
      if (made && !isa<PHINode>(made) && !isSafeToSpeculativelyExecute(made)) return false;
    }
    branch_conditions_.push_back(&instruction);
    conditions.insert(&instruction);
  }
  for (const Value *condition : conditions) y_varying_.erase(condition);
  return true;
}

void YLoop::find_sunk_loads() {
  for (const Instruction &instruction : *header_) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (!load || !load->hasOneUse() || load->getType()->isVectorTy()) continue;
    auto *user = cast<Instruction>(*load->user_begin());
    if (items_.loop->contains(user) && !isa<PHINode>(user)) sunk_loads_.insert(load);
  }
  if (sunk_loads_.size() <= few_loaded) sunk_loads_.clear();
}

std::optional<YLoop> YLoop::match(const ItemLoop &loop) {
  YLoop out(loop);
  if (!out.find_counter() || !out.find_y_varying()) return std::nullopt;
  out.find_sunk_loads();
  return out;
}

/* Adds what the body makes from values in the set; true when there was something to add. */
bool YLoop::add_users(Values &set) const {
  bool changed = false;
  for (const BasicBlock *block : items_.loop->blocks()) {
    for (const Instruction &instruction : *block) {
      if (instruction.isTerminator() || set.contains(&instruction)) continue;
      if (any_of(instruction.operands(), [&](const Use &operand) { return set.contains(operand); })) {
        changed |= set.insert(&instruction).second;
      }
    }
  }
  return changed;
}

static bool can_repeat(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction)) return load->isSimple();
  if (auto *store = dyn_cast<StoreInst>(&instruction)) return store->isSimple();
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
    return call->doesNotAccessMemory() || call->isAssumeLikeIntrinsic();
  }
  return !instruction.mayReadOrWriteMemory() && !isa<CallBase>(instruction);
}

namespace {

/* By how much what is made from a counter grows with it. */
class YStride {
 public:
  /* `moving`: all that is made from `counter`. */
  YStride(const Value *counter, const SmallPtrSetImpl<const Value *> &moving) : counter_(counter), moving_(moving) {}

  std::optional<int64_t> of(const Value *value, unsigned depth = 0) const;

 private:
  std::optional<int64_t> of_address(const GetElementPtrInst &address, unsigned depth) const;

  const Value *counter_;
  const SmallPtrSetImpl<const Value *> &moving_;
};

/* Operations between a value and the counter, at most. */
constexpr unsigned most_steps = 10;

std::optional<int64_t> YStride::of_address(const GetElementPtrInst &address, unsigned depth) const {
  std::optional<int64_t> all = of(address.getPointerOperand(), depth);
  const DataLayout &layout = address.getDataLayout();
  for (auto part = gep_type_begin(address); all && part != gep_type_end(address); ++part) {
    if (part.isStruct()) continue;
    std::optional<int64_t> index = of(part.getOperand(), depth);
    if (!index) return std::nullopt;
    *all = int64_t(uint64_t(*all) + uint64_t(*index) * part.getSequentialElementStride(layout));
  }
  return all;
}

std::optional<int64_t> YStride::of(const Value *value, unsigned depth) const {
  if (value == counter_) return 1;
  if (!moving_.contains(value)) return 0;
  if (depth == most_steps) return std::nullopt;
  if (auto *address = dyn_cast<GetElementPtrInst>(value)) return of_address(*address, depth + 1);
  auto *operation = dyn_cast<BinaryOperator>(value);
  if (!operation || !operation->getType()->isIntegerTy(64)) return std::nullopt;
  auto left = of(operation->getOperand(0), depth + 1), right = of(operation->getOperand(1), depth + 1);
  auto *constant = dyn_cast<ConstantInt>(operation->getOperand(1));
  if (!left || !right) return std::nullopt;
  switch (operation->getOpcode()) {
    case Instruction::Add: return int64_t(uint64_t(*left) + uint64_t(*right));
    case Instruction::Sub: return int64_t(uint64_t(*left) - uint64_t(*right));
    case Instruction::Mul:
      if (!constant) return std::nullopt;
      return int64_t(uint64_t(*left) * constant->getZExtValue());
    case Instruction::Shl:
      if (!constant || constant->getZExtValue() >= 64) return std::nullopt;
      return int64_t(uint64_t(*left) << constant->getZExtValue());
    default: return std::nullopt;
  }
}

}  // namespace

int64_t YLoop::stride_in_y(const Value *value) const {
  return is_transposed_ ? YStride(counter_, y_varying_).of(value).value_or(0) : 0;
}

/* Whose elements an access has side by side: those of the work-items of a row, or those of the rows. */
YLoop::Access YLoop::direction(const Instruction &access, const Values &differing, const Values &varying) const {
  const Value *address = getLoadStorePointerOperand(&access);
  Type *type = getLoadStoreType(const_cast<Instruction *>(&access));
  auto size = int64_t(access.getDataLayout().getTypeAllocSize(type));
  auto step = YStride(items_.counter, varying).of(address);
  if (!varying.contains(address) || (step && *step == size)) return Access::copy_index;
  const int64_t near = size * int64_t(widest_group_step);
  bool is_near = step && *step <= near && *step >= -near;
  auto in_y = YStride(counter_, differing).of(address);
  return is_per_lane_type(*type) && !is_near && in_y && *in_y == size ? Access::column : Access::other;
}

/* A body without loops whose accesses are all of rows or of columns, and some of columns. */
bool YLoop::finds_transposed(const Values &differing, const Values &varying) const {
  if (!items_.loop->isInnermost()) return false;
  bool has_columns = false;
  for (const BasicBlock *block : items_.loop->blocks()) {
    for (const Instruction &instruction : *block) {
      if (!isa<LoadInst>(instruction) && !isa<StoreInst>(instruction)) continue;
      Access access = direction(instruction, differing, varying);
      if (access == Access::other) return false;
      has_columns |= access == Access::column;
    }
  }
  return has_columns;
}

/* Where the time goes, in the innermost loops if there are some, rows must share as many loads of vectors as each has
 * of its own. Private variables would be one row's. */
bool YLoop::can_merge(const LoopInfo &loops) {
  Values differing = y_varying_, varying;
  varying.insert(items_.counter);
  while (add_users(differing)) continue;
  while (add_users(varying)) continue;
  unsigned deepest = 0, shared = 0, own = 0, count = 0;
  for (const BasicBlock *block : items_.loop->blocks()) deepest = std::max(deepest, loops.getLoopDepth(block));
  for (const BasicBlock *block : items_.loop->blocks()) {
    const Instruction *end = block->getTerminator();
    if (any_of(end->operands(), [&](const Use &operand) { return differing.contains(operand); })) return false;
    for (const Instruction &instruction : *block) {
      if (!can_repeat(instruction)) return false;
      if (any_of(instruction.operands(), [](const Use &operand) {
            return operand->getType()->isPointerTy() && isa<AllocaInst>(getUnderlyingObject(operand));
          })) {
        return false;
      }
      count += differing.contains(&instruction);
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (!load || loops.getLoopDepth(block) != deepest || !varying.contains(load->getPointerOperand())) continue;
      (differing.contains(load) ? own : shared)++;
    }
  }
  if (!count || count > most_jammed_instructions) return false;
  is_transposed_ = finds_transposed(differing, varying);
  return is_transposed_ || (shared && shared >= own);
}

Value *YLoop::copy(Value *value, unsigned copy_index, IRBuilder<> &builder) {
  auto *instruction = dyn_cast<Instruction>(value);
  bool is_other =
      instruction && instruction->getParent() == header_ && (differs(value) || is_contained(branch_conditions_, value));
  if (!is_other) return value;
  Value *&known = copies_[copy_index][value];
  if (known) return known;
  if (value == counter_) return known = builder.CreateAdd(counter_, builder.getInt64(copy_index));
  Instruction *made = instruction->clone();
  for (Use &operand : made->operands()) operand.set(copy(operand, copy_index, builder));
  made->dropPoisonGeneratingAnnotations();
  builder.Insert(made);
  return copies_[copy_index][value] = made;
}

Value *YLoop::value_in_copy(Value *value, unsigned copy_index, BasicBlock *block) {
  IRBuilder<> builder(block->getTerminator());
  return copy(value, copy_index, builder);
}

BasicBlock *YLoop::divide(ItemLoop &loop) {
  LLVMContext &context = header_->getContext();
  Function *function = header_->getParent();
  BasicBlock *several = BasicBlock::Create(context, "rows", function, loop.header);
  BasicBlock *one = BasicBlock::Create(context, "row", function, loop.header);
  Instruction *end = header_->getTerminator();
  IRBuilder<> builder(end);
  Value *left = builder.CreateSub(count_, counter_);
  Value *full = builder.CreateICmpUGE(left, builder.getInt64(jam_factor));
  for (Value *condition : branch_conditions_) {
    for (unsigned copy_index = 1; copy_index < jam_factor; copy_index++) {
      full = builder.CreateAnd(full, builder.CreateICmpEQ(condition, copy(condition, copy_index, builder)));
    }
  }
  next_->setOperand(1, builder.CreateSelect(full, builder.getInt64(jam_factor), builder.getInt64(1)));
  builder.CreateCondBr(full, several, one);
  end->eraseFromParent();
  for (BasicBlock *block : {several, one}) IRBuilder<>(block).CreateBr(loop.header);
  loop.header->replacePhiUsesWith(header_, one);
  loop.counter->addIncoming(loop.counter->getIncomingValueForBlock(one), several);
  loop.preheader = one;
  return several;
}

void unroll_and_jam(Function &body, JammedCopies others) {
  SmallVector<Instruction *, 64> originals;
  SmallPtrSet<const Value *, 32> differing, made;
  for (auto &entry : others) {
    differing.insert(entry.first);
    made.insert(entry.second.begin(), entry.second.end());
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (Instruction &instruction : instructions(body)) {
      if (instruction.isTerminator() || differing.contains(&instruction) || made.contains(&instruction)) continue;
      if (none_of(instruction.operands(), [&](const Use &operand) { return differing.contains(operand); })) continue;
      differing.insert(&instruction);
      originals.push_back(&instruction);
      changed = true;
    }
  }
  for (Instruction *original : originals) {
    Instruction *last = original;
    for (unsigned copy_index = 1; copy_index < jam_factor; copy_index++) {
      Instruction *copy = original->clone();
      copy->insertAfter(last->getIterator());
      others[original].push_back(copy);
      last = copy;
    }
  }
  for (Instruction *original : originals) {
    const SmallVector<Value *, 4> copies = others.lookup(original);
    for (auto [copy_index, copy] : enumerate(copies)) {
      for (Use &operand : cast<Instruction>(copy)->operands()) {
        auto found = others.find(operand.get());
        if (found != others.end()) operand.set(found->second[copy_index]);
      }
    }
  }
}

}  // namespace quern
