/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Unroll-and-jam of the y loop. Work-items are independent: their instructions may be interleaved in any order, and
 * loads of one address have one result. */
#include "compiler/passes/vectorize/transform/unroll_and_jam.hpp"

#include <cassert>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/vectorize/analysis/access_groups.hpp"

using namespace llvm;

namespace quern {

/* Most instructions that depend on y: each is written `jam_factor` times. */
static constexpr unsigned max_jammed_instructions = 100;

/* Most values loaded in the header that stay in registers throughout the item loop. */
static constexpr unsigned max_hoisted_loads = 4;

/* Matches the canonical induction variable and the trip count. The header must be the preheader of the item loop, and
 * the latch its exit. */
bool YLoop::find_counter() {
  const Loop *y_loop = items_.loop->getParentLoop();
  BasicBlock *latch = y_loop ? y_loop->getLoopLatch() : nullptr;
  if (!latch || !is_y_loop(*y_loop) || y_loop->getHeader() != items_.preheader || items_.exit != latch) return false;
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
  trip_count_ = loop_bound(*branch, header_, next_);
  return trip_count_ && y_loop->isLoopInvariant(trip_count_);
}

/* Collects the header's values that depend on y. Conditions (i1) are kept separately: most are those of branches, and
 * jammed iterations must agree on them. */
bool YLoop::find_y_varying() {
  Values conditions;
  y_varying_.insert(counter_);
  for (Instruction &instruction : *header_) {
    if (isa<PHINode>(instruction) || instruction.isTerminator()) continue;
    auto *load = dyn_cast<LoadInst>(&instruction);
    auto *call = dyn_cast<CallBase>(&instruction);
    if (call && !(isa<IntrinsicInst>(call) && call->doesNotAccessMemory())) return false;
    if (instruction.mayHaveSideEffects() || (load && !load->isSimple())) return false;
    if (none_of(instruction.operands(), [&](const Use &operand) { return varies_in_y(operand); })) continue;
    y_varying_.insert(&instruction);
    if (!instruction.getType()->isIntegerTy(1)) continue;
    /* The condition of a jammed copy is computed before it is known that this iteration exists. */
    for (const Value *value : y_varying_) {
      auto *operation = dyn_cast<Instruction>(value);
      if (operation && !isa<PHINode>(operation) && !isSafeToSpeculativelyExecute(operation)) return false;
    }
    branch_conditions_.push_back(&instruction);
    conditions.insert(&instruction);
  }
  for (const Value *condition : conditions) y_varying_.erase(condition);
  return true;
}

/* Collects loads whose single user is in the body. Few of them stay in the header. */
void YLoop::find_sunk_loads() {
  for (const Instruction &instruction : *header_) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (!load || !load->hasOneUse() || load->getType()->isVectorTy()) continue;
    auto *user = cast<Instruction>(*load->user_begin());
    if (items_.loop->contains(user) && !isa<PHINode>(user)) sunk_loads_.insert(load);
  }
  if (sunk_loads_.size() <= max_hoisted_loads) sunk_loads_.clear();
}

std::optional<YLoop> YLoop::match(const ItemLoop &loop) {
  YLoop out(loop);
  if (!out.find_counter() || !out.find_y_varying()) return std::nullopt;
  out.find_sunk_loads();
  return out;
}

/* Adds the body's instructions that use a value in the set; true when the set grew. */
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

/* True when an instruction may be cloned and interleaved with those of other work-items: simple accesses, and
 * operations without side effects. */
bool can_jam(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction)) return load->isSimple();
  if (auto *store = dyn_cast<StoreInst>(&instruction)) return store->isSimple();
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
    return call->doesNotAccessMemory() || call->isAssumeLikeIntrinsic();
  }
  return !instruction.mayReadOrWriteMemory() && !isa<CallBase>(instruction);
}

namespace {

/* The constant by which a value grows per increment of an induction variable. */
class InductionStride {
 public:
  /* `varying`: all values that depend on `counter`. */
  InductionStride(const Value *counter, const SmallPtrSetImpl<const Value *> &varying)
      : counter_(counter), varying_(varying) {}

  /* Empty when the value is not known to be affine in the counter. */
  std::optional<int64_t> of(const Value *value, unsigned depth = 0) const;

 private:
  std::optional<int64_t> of_address(const GetElementPtrInst &address, unsigned depth) const;

  const Value *counter_;
  const SmallPtrSetImpl<const Value *> &varying_;
};

/* Most operations between a value and the counter. */
constexpr unsigned max_depth = 10;

std::optional<int64_t> InductionStride::of_address(const GetElementPtrInst &address, unsigned depth) const {
  std::optional<int64_t> stride = of(address.getPointerOperand(), depth);
  const DataLayout &layout = address.getDataLayout();
  for (auto index = gep_type_begin(address); stride && index != gep_type_end(address); ++index) {
    if (index.isStruct()) continue;
    std::optional<int64_t> index_stride = of(index.getOperand(), depth);
    if (!index_stride) return std::nullopt;
    *stride = int64_t(uint64_t(*stride) + uint64_t(*index_stride) * index.getSequentialElementStride(layout));
  }
  return stride;
}

std::optional<int64_t> InductionStride::of(const Value *value, unsigned depth) const {
  if (value == counter_) return 1;
  if (!varying_.contains(value)) return 0;
  if (depth == max_depth) return std::nullopt;
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
  return is_transposed_ ? InductionStride(counter_, y_varying_).of(value).value_or(0) : 0;
}

/* The dimension in which an access is contiguous. An access whose address is the same for all x counts as along x. An
 * access along y must be strided in x by more than an access group spans, or have no known stride in x. */
YLoop::Direction YLoop::direction(const Instruction &access, const Values &y_varying, const Values &x_varying) const {
  const Value *address = getLoadStorePointerOperand(&access);
  Type *type = getLoadStoreType(const_cast<Instruction *>(&access));
  auto size = int64_t(access.getDataLayout().getTypeAllocSize(type));
  auto in_x = InductionStride(items_.counter, x_varying).of(address);
  if (!x_varying.contains(address) || (in_x && *in_x == size)) return Direction::along_x;
  const int64_t near = size * int64_t(widest_group_step);
  bool is_near = in_x && *in_x <= near && *in_x >= -near;
  auto in_y = InductionStride(counter_, y_varying).of(address);
  return is_per_lane_type(*type) && !is_near && in_y && *in_y == size ? Direction::along_y : Direction::other;
}

/* True for a body without loops whose accesses are all along x or y, and some along y. */
bool YLoop::has_transposed_accesses(const Values &y_varying, const Values &x_varying) const {
  if (!items_.loop->isInnermost()) return false;
  bool has_along_y = false;
  for (const BasicBlock *block : items_.loop->blocks()) {
    for (const Instruction &instruction : *block) {
      if (!isa<LoadInst>(instruction) && !isa<StoreInst>(instruction)) continue;
      Direction access_direction = direction(instruction, y_varying, x_varying);
      if (access_direction == Direction::other) return false;
      has_along_y |= access_direction == Direction::along_y;
    }
  }
  return has_along_y;
}

/* Jamming is profitable when, in the innermost loops, iterations share at least as many loads of vectors as each has of
 * its own. Accesses to private variables prevent it: all jammed copies would use the variables of one iteration. */
bool YLoop::can_unroll_and_jam(const LoopInfo &loops) {
  Values y_varying = y_varying_, x_varying;
  x_varying.insert(items_.counter);
  while (add_users(y_varying)) continue;
  while (add_users(x_varying)) continue;
  unsigned deepest = 0, shared = 0, own = 0, jammed = 0;
  for (const BasicBlock *block : items_.loop->blocks()) deepest = std::max(deepest, loops.getLoopDepth(block));
  for (const BasicBlock *block : items_.loop->blocks()) {
    const Instruction *terminator = block->getTerminator();
    if (any_of(terminator->operands(), [&](const Use &operand) { return y_varying.contains(operand); })) return false;
    for (const Instruction &instruction : *block) {
      if (!can_jam(instruction)) return false;
      if (any_of(instruction.operands(), [](const Use &operand) {
            return operand->getType()->isPointerTy() && isa<AllocaInst>(getUnderlyingObject(operand));
          })) {
        return false;
      }
      jammed += y_varying.contains(&instruction);
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (!load || loops.getLoopDepth(block) != deepest || !x_varying.contains(load->getPointerOperand())) continue;
      (y_varying.contains(load) ? own : shared)++;
    }
  }
  if (!jammed || jammed > max_jammed_instructions) return false;
  is_transposed_ = has_transposed_accesses(y_varying, x_varying);
  return is_transposed_ || (shared && shared >= own);
}

/* Clones a header value, with all that it depends on, for a jammed copy. Other values are the same in all copies. The
 * clone may run speculatively, so it loses the flags and metadata that could make it poison. */
Value *YLoop::copy(Value *value, unsigned copy_index, IRBuilder<> &builder) {
  auto *instruction = dyn_cast<Instruction>(value);
  bool depends_on_y = instruction && instruction->getParent() == header_ &&
                      (varies_in_y(value) || is_contained(branch_conditions_, value));
  if (!depends_on_y) return value;
  Value *&known = copies_[copy_index][value];
  if (known) return known;
  if (value == counter_) return known = builder.CreateAdd(counter_, builder.getInt64(copy_index));
  Instruction *clone = instruction->clone();
  for (Use &operand : clone->operands()) operand.set(copy(operand, copy_index, builder));
  clone->dropPoisonGeneratingAnnotations();
  builder.Insert(clone);
  return copies_[copy_index][value] = clone; /* not `known`: the recursion may have moved it */
}

Value *YLoop::value_in_copy(Value *value, unsigned copy_index, BasicBlock *block) {
  assert(copy_index < jam_factor && "no jammed copy has this index");
  IRBuilder<> builder(block->getTerminator());
  return copy(value, copy_index, builder);
}

/* The header branches to one of two preheaders of the item loop, and the latch adds `jam_factor` or 1:
 *   if (trip count - counter >= jam_factor && branch conditions agree) goto jammed; else goto single */
BasicBlock *YLoop::split_for_jam(ItemLoop &loop) {
  LLVMContext &context = header_->getContext();
  Function *function = header_->getParent();
  BasicBlock *jammed = BasicBlock::Create(context, "y.jammed", function, loop.header);
  BasicBlock *single = BasicBlock::Create(context, "y.single", function, loop.header);
  Instruction *terminator = header_->getTerminator();
  IRBuilder<> builder(terminator);
  Value *remaining = builder.CreateSub(trip_count_, counter_);
  Value *is_jammed = builder.CreateICmpUGE(remaining, builder.getInt64(jam_factor));
  for (Value *condition : branch_conditions_) {
    for (unsigned copy_index = 1; copy_index < jam_factor; copy_index++) {
      is_jammed = builder.CreateAnd(is_jammed, builder.CreateICmpEQ(condition, copy(condition, copy_index, builder)));
    }
  }
  next_->setOperand(1, builder.CreateSelect(is_jammed, builder.getInt64(jam_factor), builder.getInt64(1)));
  builder.CreateCondBr(is_jammed, jammed, single);
  terminator->eraseFromParent();
  for (BasicBlock *block : {jammed, single}) IRBuilder<>(block).CreateBr(loop.header);
  loop.header->replacePhiUsesWith(header_, single);
  loop.counter->addIncoming(loop.counter->getIncomingValueForBlock(single), jammed);
  loop.preheader = single;
  return jammed;
}

void unroll_and_jam(Function &body, JammedCopies others) {
  SmallVector<Instruction *, 64> originals;
  SmallPtrSet<const Value *, 32> varying, copied;
  assert(!others.empty() && "there is something to make copies for");
  const size_t copies = others.front().second.size();
  for (auto &entry : others) {
    assert(entry.second.size() == copies && "each varying parameter has one value for each further copy");
    varying.insert(entry.first);
    copied.insert(entry.second.begin(), entry.second.end());
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (Instruction &instruction : instructions(body)) {
      if (instruction.isTerminator() || varying.contains(&instruction) || copied.contains(&instruction)) continue;
      if (none_of(instruction.operands(), [&](const Use &operand) { return varying.contains(operand); })) continue;
      varying.insert(&instruction);
      originals.push_back(&instruction);
      changed = true;
    }
  }
  for (Instruction *original : originals) {
    Instruction *last = original;
    for (unsigned copy_index = 0; copy_index < copies; copy_index++) {
      Instruction *copy = original->clone();
      copy->insertAfter(last->getIterator());
      others[original].push_back(copy);
      last = copy;
    }
  }
  for (Instruction *original : originals) {
    const SmallVector<Value *, 4> made = others.lookup(original);
    for (auto [copy_index, copy] : enumerate(made)) {
      for (Use &operand : cast<Instruction>(copy)->operands()) {
        auto found = others.find(operand.get());
        if (found != others.end()) operand.set(found->second[copy_index]);
      }
    }
  }
}

}  // namespace quern
