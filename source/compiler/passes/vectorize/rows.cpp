/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Merging rows. Work-items of different rows are as independent as those of one: what they do may be done in any order,
 * and what they load from one address is the same. */
#include "compiler/passes/vectorize/rows.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/vectorize/access_groups.hpp"

using namespace llvm;

namespace quern {

/* Instructions that differ between rows, at most: all are written `merged_rows` times. */
static constexpr unsigned most_differing = 100;

/* Values loaded before the rows that are still kept in registers. */
static constexpr unsigned few_loaded = 4;

bool RowLoop::find_counter() {
  const Loop *around = items_.loop->getParentLoop();
  BasicBlock *latch = around ? around->getLoopLatch() : nullptr;
  if (!latch || !is_row_loop(*around) || around->getHeader() != items_.preheader || items_.exit != latch) return false;
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
bool RowLoop::find_differing() {
  Values conditions;
  differing_.insert(counter_);
  for (Instruction &instruction : *header_) {
    if (isa<PHINode>(instruction) || instruction.isTerminator()) continue;
    auto *load = dyn_cast<LoadInst>(&instruction);
    auto *call = dyn_cast<CallBase>(&instruction);
    if (call && !(isa<IntrinsicInst>(call) && call->doesNotAccessMemory())) return false;
    if (instruction.mayHaveSideEffects() || (load && !load->isSimple())) return false;
    if (none_of(instruction.operands(), [&](const Use &operand) { return differs(operand); })) continue;
    differing_.insert(&instruction);
    if (!instruction.getType()->isIntegerTy(1)) continue;
    /* Asked for before it is known whether there is such a row. */
    for (const Value *value : differing_) {
      auto *made = dyn_cast<Instruction>(value);
      if (made && !isa<PHINode>(made) && !isSafeToSpeculativelyExecute(made)) return false;
    }
    agreed_.push_back(&instruction);
    conditions.insert(&instruction);
  }
  for (const Value *condition : conditions) differing_.erase(condition);
  return true;
}

void RowLoop::find_late() {
  for (const Instruction &instruction : *header_) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (!load || !load->hasOneUse() || load->getType()->isVectorTy()) continue;
    auto *user = cast<Instruction>(*load->user_begin());
    if (items_.loop->contains(user) && !isa<PHINode>(user)) late_.insert(load);
  }
  if (late_.size() <= few_loaded) late_.clear();
}

std::optional<RowLoop> RowLoop::match(const ItemLoop &loop) {
  RowLoop out(loop);
  if (!out.find_counter() || !out.find_differing()) return std::nullopt;
  out.find_late();
  return out;
}

/* Adds what the body makes from values in the set; true when there was something to add. */
bool RowLoop::spread(Values &set) const {
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
class Growth {
 public:
  /* `moving`: all that is made from `counter`. */
  Growth(const Value *counter, const SmallPtrSetImpl<const Value *> &moving) : counter_(counter), moving_(moving) {}

  std::optional<int64_t> of(const Value *value, unsigned depth = 0) const;

 private:
  std::optional<int64_t> of_address(const GetElementPtrInst &address, unsigned depth) const;

  const Value *counter_;
  const SmallPtrSetImpl<const Value *> &moving_;
};

/* Operations between a value and the counter, at most. */
constexpr unsigned most_steps = 10;

std::optional<int64_t> Growth::of_address(const GetElementPtrInst &address, unsigned depth) const {
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

std::optional<int64_t> Growth::of(const Value *value, unsigned depth) const {
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

int64_t RowLoop::growth(const Value *value) const {
  return exchanges_columns_ ? Growth(counter_, differing_).of(value).value_or(0) : 0;
}

/* Whose elements an access has side by side: those of the work-items of a row, or those of the rows. */
RowLoop::Access RowLoop::direction(const Instruction &access, const Values &differing, const Values &varying) const {
  const Value *address = getLoadStorePointerOperand(&access);
  Type *type = getLoadStoreType(const_cast<Instruction *>(&access));
  auto size = int64_t(access.getDataLayout().getTypeAllocSize(type));
  auto step = Growth(items_.counter, varying).of(address);
  if (!varying.contains(address) || (step && *step == size)) return Access::row;
  const int64_t near = size * int64_t(widest_group_step);
  bool is_near = step && *step <= near && *step >= -near;
  auto by_row = Growth(counter_, differing).of(address);
  return is_apart_type(*type) && !is_near && by_row && *by_row == size ? Access::column : Access::other;
}

/* A body without loops whose accesses are all of rows or of columns, and some of columns. */
bool RowLoop::finds_columns(const Values &differing, const Values &varying) const {
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
bool RowLoop::can_merge(const LoopInfo &loops) {
  Values differing = differing_, varying;
  varying.insert(items_.counter);
  while (spread(differing)) continue;
  while (spread(varying)) continue;
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
  if (!count || count > most_differing) return false;
  exchanges_columns_ = finds_columns(differing, varying);
  return exchanges_columns_ || (shared && shared >= own);
}

Value *RowLoop::copy(Value *value, unsigned row, IRBuilder<> &builder) {
  auto *instruction = dyn_cast<Instruction>(value);
  bool is_other =
      instruction && instruction->getParent() == header_ && (differs(value) || is_contained(agreed_, value));
  if (!is_other) return value;
  Value *&known = copies_[row][value];
  if (known) return known;
  if (value == counter_) return known = builder.CreateAdd(counter_, builder.getInt64(row));
  Instruction *made = instruction->clone();
  for (Use &operand : made->operands()) operand.set(copy(operand, row, builder));
  made->dropPoisonGeneratingAnnotations();
  builder.Insert(made);
  return copies_[row][value] = made;
}

Value *RowLoop::value_in_row(Value *value, unsigned row, BasicBlock *block) {
  IRBuilder<> builder(block->getTerminator());
  return copy(value, row, builder);
}

BasicBlock *RowLoop::divide(ItemLoop &loop) {
  LLVMContext &context = header_->getContext();
  Function *function = header_->getParent();
  BasicBlock *several = BasicBlock::Create(context, "rows", function, loop.header);
  BasicBlock *one = BasicBlock::Create(context, "row", function, loop.header);
  Instruction *end = header_->getTerminator();
  IRBuilder<> builder(end);
  Value *left = builder.CreateSub(count_, counter_);
  Value *full = builder.CreateICmpUGE(left, builder.getInt64(merged_rows));
  for (Value *condition : agreed_) {
    for (unsigned row = 1; row < merged_rows; row++) {
      full = builder.CreateAnd(full, builder.CreateICmpEQ(condition, copy(condition, row, builder)));
    }
  }
  next_->setOperand(1, builder.CreateSelect(full, builder.getInt64(merged_rows), builder.getInt64(1)));
  builder.CreateCondBr(full, several, one);
  end->eraseFromParent();
  for (BasicBlock *block : {several, one}) IRBuilder<>(block).CreateBr(loop.header);
  loop.header->replacePhiUsesWith(header_, one);
  loop.counter->addIncoming(loop.counter->getIncomingValueForBlock(one), several);
  loop.preheader = one;
  return several;
}

void merge_rows(Function &body, OtherRows others) {
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
    for (unsigned row = 1; row < merged_rows; row++) {
      Instruction *copy = original->clone();
      copy->insertAfter(last->getIterator());
      others[original].push_back(copy);
      last = copy;
    }
  }
  for (Instruction *original : originals) {
    const SmallVector<Value *, 4> copies = others.lookup(original);
    for (auto [row, copy] : enumerate(copies)) {
      for (Use &operand : cast<Instruction>(copy)->operands()) {
        auto found = others.find(operand.get());
        if (found != others.end()) operand.set(found->second[row]);
      }
    }
  }
}

}  // namespace quern
