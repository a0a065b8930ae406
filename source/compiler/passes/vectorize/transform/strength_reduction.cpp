/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Strength reduction. An address is an invariant base plus a sum of scaled indices: each distinct sum becomes one
 * induction variable, however many bases it is added to. */
#include "compiler/passes/vectorize/transform/strength_reduction.hpp"

#include <cassert>
#include <cstdlib>
#include <map>

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/passes/address_spaces.hpp"
#include "compiler/passes/vectorize/transform/prefetch.hpp"

using namespace llvm;

namespace quern {

bool masks_low_32_bits(const Value *value) {
  auto *operation = dyn_cast<BinaryOperator>(value);
  auto *mask = operation && operation->getOpcode() == Instruction::And ? dyn_cast<ConstantInt>(operation->getOperand(1))
                                                                       : nullptr;
  return mask && mask->getValue().isMask(32);
}

/* Sums, differences, products and truncations whose result fits do not wrap. The mask of the low 32 bits has no effect
 * on an unsigned integer that fits. */
Value *NoWrapValues::mark(Instruction *copy, const Instruction &original) {
  auto found = signs_.find(&original);
  if (found == signs_.end()) return copy;
  bool is_signed = found->second;
  if (!is_signed && masks_low_32_bits(copy)) return copy->getOperand(0);
  if (isa<TruncInst>(copy) || isa<OverflowingBinaryOperator>(copy)) {
    if (is_signed) {
      copy->setHasNoSignedWrap(true);
    } else {
      copy->setHasNoUnsignedWrap(true);
    }
  }
  copies_[is_signed].insert(copy);
  return copy;
}

void NoWrapValues::add_clone(const Value *copy, const Value *clone) {
  for (auto &copies : copies_) {
    if (copies.contains(copy)) copies.insert(clone);
  }
}

void unroll_by_two(PHINode &y, unsigned distance, BasicBlock *latch, NoWrapValues &no_wrap_values) {
  SmallVector<Instruction *, 128> originals;
  for (BasicBlock *block = y.getParent(); block != latch; block = block->getSingleSuccessor()) {
    assert(block && "the body is a chain of blocks that ends at the latch");
    for (Instruction &instruction : *block) {
      if (!isa<PHINode>(instruction) && !instruction.isTerminator()) originals.push_back(&instruction);
    }
  }
  IRBuilder<> builder(y.getParent(), y.getParent()->getFirstInsertionPt());
  DenseMap<Value *, Value *> clones = {{&y, builder.CreateAdd(&y, builder.getInt64(distance), "", true, true)}};
  for (Instruction *original : originals) {
    if (none_of(original->operands(), [&](const Use &operand) { return clones.contains(operand); })) continue;
    Instruction *clone = original->clone();
    for (Use &operand : clone->operands()) {
      if (Value *known = clones.lookup(operand)) operand.set(known);
    }
    clone->insertAfter(original->getIterator());
    no_wrap_values.add_clone(original, clone);
    clones[original] = clone;
  }
}

namespace {

/* Most bytes of one lane's slice in a transposed access. */
constexpr uint64_t slice_bytes = 16;

class StrengthReduction {
 public:
  StrengthReduction(PHINode &y, unsigned step, BasicBlock *latch, const NoWrapValues &no_wrap_values,
                    EnclosingInduction *enclosing, bool prefetches_only)
      : y_(y),
        step_(step),
        latch_(latch),
        no_wrap_values_(no_wrap_values),
        enclosing_(enclosing),
        prefetches_only_(prefetches_only),
        data_(y.getDataLayout()) {}

  void run();

 private:
  /** Indices that are linear in y, each with its scale in bytes. */
  using Indices = std::vector<std::pair<Value *, uint64_t>>;
  /** The address `base` + sum of scaled indices + `offset`, in bytes. Base and offset are invariant. */
  struct Address {
    Value *base;
    Indices indices;
    int64_t offset;
  };
  struct Access {
    Instruction *instruction;
    Address address;
    enum { no, for_reading, for_writing } prefetch;
  };
  /** A sum of scaled indices: its induction variable, once there is one, and the bases that it is added to. */
  struct Sum {
    SmallSetVector<Value *, 2> bases;
    PHINode *induction = nullptr;
  };

  bool is_in_loop(const Value *value) const {
    auto *instruction = dyn_cast<Instruction>(value);
    return instruction && blocks_.contains(const_cast<BasicBlock *>(instruction->getParent()));
  }
  bool is_linear(const Value *value);
  bool is_linear_operation(const Instruction &operation);
  Value *strip_constant_offset(Value *pointer, int64_t &offset) const;
  bool decompose(Value *value, Address &out);
  Value *value_at(Value *value, Value *y, DenseMap<Value *, Value *> &known, IRBuilder<> &builder);
  Value *sum_at(const Indices &indices, Value *y, IRBuilder<> &builder);
  Value *expand(const Address &address, IRBuilder<> &builder);
  PHINode *make_induction(const Indices &indices, Value *base);
  bool needs_prefetch(const Instruction &access, const Address &address);
  bool has_enough_prefetches(const Instruction &access, const Address &address) const;
  Value *base_in_next_iteration(const Address &address);
  Access *find_prefetched(const Address &address);
  void choose_prefetch(Access &access);
  void write_prefetch(const Access &access);
  void collect();

  PHINode &y_;
  const unsigned step_;
  BasicBlock *latch_;
  const NoWrapValues &no_wrap_values_;
  EnclosingInduction *enclosing_;
  const bool prefetches_only_;
  const DataLayout &data_;
  /** The blocks of the loop but for the latch. */
  SmallSetVector<BasicBlock *, 8> blocks_;
  DenseMap<const Value *, bool> linear_;
  SmallVector<Access, 32> accesses_;
  std::map<Indices, Sum> sums_;
};

/* An extension is linear when its operand does not wrap, as an integer of the same signedness. */
bool StrengthReduction::is_linear_operation(const Instruction &operation) {
  const Value *first = operation.getOperand(0);
  switch (operation.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub: return is_linear(first) && is_linear(operation.getOperand(1));
    case Instruction::Mul: {
      const Value *second = operation.getOperand(1);
      return (is_linear(first) && !is_in_loop(second)) || (is_linear(second) && !is_in_loop(first));
    }
    case Instruction::Shl: return is_linear(first) && !is_in_loop(operation.getOperand(1));
    case Instruction::Trunc: return is_linear(first);
    case Instruction::ZExt: {
      bool is_signed = cast<ZExtInst>(operation).hasNonNeg();
      return is_linear(first) && (!is_in_loop(first) || no_wrap_values_.never_wraps(first, false) ||
                                  (is_signed && no_wrap_values_.never_wraps(first, true)));
    }
    case Instruction::SExt: return is_linear(first) && (!is_in_loop(first) || no_wrap_values_.never_wraps(first, true));
    default: return false;
  }
}

/* Linear in y modulo 2^bits: sums and products are linear at any width. */
bool StrengthReduction::is_linear(const Value *value) {
  if (value == &y_ || !is_in_loop(value)) return true;
  auto known = linear_.find(value);
  if (known != linear_.end()) return known->second;
  linear_[value] = false;
  bool result = is_linear_operation(*cast<Instruction>(value));
  linear_[value] = result;
  return result;
}

/* The pointer without constant offsets, whose sum is added to `offset`. */
Value *StrengthReduction::strip_constant_offset(Value *pointer, int64_t &offset) const {
  while (auto *address = dyn_cast<GEPOperator>(pointer)) {
    APInt bytes(64, 0);
    if (!address->accumulateConstantOffset(data_, bytes)) break;
    offset += bytes.getSExtValue();
    pointer = address->getPointerOperand();
  }
  return pointer;
}

/* Splits an address into base, linear indices and offset; false when that fails or no index changes in the loop. */
bool StrengthReduction::decompose(Value *value, Address &out) {
  out.offset = 0;
  while (is_in_loop(value)) {
    auto *address = dyn_cast<GEPOperator>(value);
    if (!address) return false;
    SmallMapVector<Value *, APInt, 4> scaled_indices;
    APInt constant(64, 0);
    if (!address->collectOffset(data_, 64, scaled_indices, constant)) return false;
    out.offset += constant.getSExtValue();
    for (auto [index, scale] : scaled_indices) {
      if (!is_linear(index) || !index->getType()->isIntegerTy(64)) return false;
      auto *sum = dyn_cast<BinaryOperator>(index);
      bool is_sum = sum && sum->getOpcode() == Instruction::Add;
      if (auto *addend = is_sum ? dyn_cast<ConstantInt>(sum->getOperand(1)) : nullptr) {
        out.offset += int64_t(addend->getZExtValue() * scale.getZExtValue());
        index = sum->getOperand(0);
      }
      out.indices.emplace_back(index, scale.getZExtValue());
    }
    value = address->getPointerOperand();
  }
  out.base = strip_constant_offset(value, out.offset);
  return any_of(out.indices, [&](auto &index) { return is_in_loop(index.first); });
}

/* Computes a linear value for a given y outside the loop. Clones lose poison-generating flags: they may run when the
 * original does not. */
Value *StrengthReduction::value_at(Value *value, Value *y, DenseMap<Value *, Value *> &known, IRBuilder<> &builder) {
  if (value == &y_) return y;
  if (!is_in_loop(value)) return value;
  if (Value *done = known.lookup(value)) return done;
  Instruction *copy = cast<Instruction>(value)->clone();
  for (Use &operand : copy->operands()) operand.set(value_at(operand, y, known, builder));
  copy->dropPoisonGeneratingAnnotations();
  builder.Insert(copy);
  return known[value] = copy;
}

Value *StrengthReduction::sum_at(const Indices &indices, Value *y, IRBuilder<> &builder) {
  DenseMap<Value *, Value *> known;
  Value *sum = nullptr;
  for (auto &[index, scale] : indices) {
    Value *bytes = builder.CreateMul(value_at(index, y, known, builder), builder.getInt64(scale));
    sum = sum ? builder.CreateAdd(sum, bytes) : bytes;
  }
  return sum;
}

/* The induction variable of a sum, or of the address `base` + sum where the sum has one base only. On many
 * CPUs an operation with a memory operand of base and index counts as two micro-operations, and one with a base alone
 * as one. */
PHINode *StrengthReduction::make_induction(const Indices &indices, Value *base) {
  BasicBlock *preheader = y_.getIncomingBlock(0);
  IRBuilder<> builder(preheader->getTerminator());
  Value *first = sum_at(indices, builder.getInt64(0), builder);
  Value *second = sum_at(indices, builder.getInt64(step_), builder);
  Value *growth = builder.CreateSub(second, first);
  if (base) first = builder.CreateGEP(builder.getInt8Ty(), base, first);
  builder.SetInsertPoint(y_.getParent(), y_.getIterator());
  PHINode *induction = builder.CreatePHI(first->getType(), 2, base ? "address" : "offset");
  builder.SetInsertPoint(latch_->getTerminator());
  Value *next = base ? builder.CreateGEP(builder.getInt8Ty(), induction, growth) : builder.CreateAdd(induction, growth);
  induction->addIncoming(first, preheader);
  induction->addIncoming(next, latch_);
  return induction;
}

/* The address in the current iteration, from the induction variable of its sum. */
Value *StrengthReduction::expand(const Address &address, IRBuilder<> &builder) {
  Sum &sum = sums_[address.indices];
  const bool has_one_base = sum.bases.size() == 1;
  if (!sum.induction) sum.induction = make_induction(address.indices, has_one_base ? sum.bases.front() : nullptr);
  Value *pointer = sum.induction;
  if (!has_one_base) pointer = builder.CreateGEP(builder.getInt8Ty(), address.base, pointer);
  if (!address.offset) return pointer;
  return builder.CreateGEP(builder.getInt8Ty(), pointer, builder.getInt64(uint64_t(address.offset)));
}

/* An access whose prefetch covers this one: the same base and sum, and offsets that differ by less than a cache
 * line. A line boundary between them is ignored. */
StrengthReduction::Access *StrengthReduction::find_prefetched(const Address &address) {
  auto *found = find_if(accesses_, [&](const Access &other) {
    return other.prefetch && other.address.base == address.base && other.address.indices == address.indices &&
           std::abs(other.address.offset - address.offset) < int64_t(cache_line_bytes);
  });
  return found == accesses_.end() ? nullptr : found;
}

/* Processors foresee a constant distance between iterations of a loop of the kernel. Between work-groups they do not,
 * as each y is in another page. Stores wait as well: they become visible in order, so that none looks for its cache
 * line while the one before it does. */
bool StrengthReduction::needs_prefetch(const Instruction &access, const Address &address) {
  const Value *pointer = getLoadStorePointerOperand(&access);
  if (!enclosing_ || pointer->getType()->getPointerAddressSpace() != global_space) return false;
  if (isa<StoreInst>(access) && !enclosing_->is_group_loop()) return false;
  if (prefetches_only_ && data_.getTypeStoreSize(getLoadStoreType(const_cast<Instruction *>(&access))) <= slice_bytes) {
    return false;
  }
  EnclosingInduction::Change change = enclosing_->change(address.base);
  for (auto &[index, scale] : address.indices) change = std::max(change, enclosing_->change(index));
  return enclosing_->is_group_loop() ? change != EnclosingInduction::Change::none
                                     : change == EnclosingInduction::Change::other;
}

/* True in the loop over work-groups when there is one prefetch for each y of an iteration, from the same base and of
 * the same kind. If more lines are read, iterations share lines, as those of stencils do. */
bool StrengthReduction::has_enough_prefetches(const Instruction &access, const Address &address) const {
  const auto alike = count_if(accesses_, [&](const Access &other) {
    return other.prefetch && other.address.base == address.base &&
           isa<LoadInst>(other.instruction) == isa<LoadInst>(access);
  });
  return enclosing_->is_group_loop() && alike >= step_;
}

void StrengthReduction::choose_prefetch(Access &access) {
  if (!needs_prefetch(*access.instruction, access.address)) return;
  const bool writes = isa<StoreInst>(access.instruction);
  if (Access *prefetched = find_prefetched(access.address)) {
    if (writes) prefetched->prefetch = Access::for_writing;
  } else if (!has_enough_prefetches(*access.instruction, access.address)) {
    access.prefetch = writes ? Access::for_writing : Access::for_reading;
  }
}

/* A base from which the same indices lead to the addresses of the next iteration of the enclosing loop. The distance is
 * computed for y = 0, in the preheader; it is the same for every y. */
Value *StrengthReduction::base_in_next_iteration(const Address &address) {
  IRBuilder<> builder(y_.getIncomingBlock(0)->getTerminator());
  DenseMap<Value *, Value *> known, known_next;
  Value *base = enclosing_->next(address.base, known_next, builder);
  for (auto &[index, scale] : address.indices) {
    Value *now = value_at(index, builder.getInt64(0), known, builder);
    Value *growth = builder.CreateSub(enclosing_->next(now, known_next, builder), now);
    Value *bytes = builder.CreateMul(growth, builder.getInt64(scale));
    base = builder.CreateGEP(builder.getInt8Ty(), base, bytes);
  }
  return base;
}

void StrengthReduction::write_prefetch(const Access &access) {
  IRBuilder<> builder(access.instruction);
  Address next = access.address;
  next.base = base_in_next_iteration(next);
  Value *pointer;
  if (prefetches_only_) {
    IRBuilder<> preheader(y_.getIncomingBlock(0)->getTerminator());
    Value *distance = preheader.CreatePtrDiff(preheader.getInt8Ty(), next.base, access.address.base);
    pointer = builder.CreateGEP(builder.getInt8Ty(), getLoadStorePointerOperand(access.instruction), distance);
  } else {
    pointer = expand(next, builder);
  }
  prefetch_line(pointer, access.prefetch == Access::for_writing, builder);
}

/* Collects the accesses with linear addresses, and the bases of each sum. A prefetch adds a base, made later, for which
 * the access stands in. The loop over work-groups gets no prefetches when they have too many lines. */
void StrengthReduction::collect() {
  for (BasicBlock *block : blocks_) {
    for (Instruction &instruction : *block) {
      Access access = {&instruction, {}, Access::no};
      Value *pointer = getLoadStorePointerOperand(&instruction);
      if (!pointer || !decompose(pointer, access.address)) continue;
      choose_prefetch(access);
      accesses_.push_back(std::move(access));
    }
  }
  const auto prefetched = count_if(accesses_, [](const Access &access) { return access.prefetch != Access::no; });
  for (Access &access : accesses_) {
    if (enclosing_ && enclosing_->is_group_loop() && prefetched > max_prefetched_lines) access.prefetch = Access::no;
    Sum &sum = sums_[access.address.indices];
    sum.bases.insert(access.address.base);
    if (access.prefetch) sum.bases.insert(access.instruction);
  }
}

void StrengthReduction::run() {
  blocks_.insert(y_.getParent());
  for (size_t i = 0; i < blocks_.size(); i++) {
    for (BasicBlock *next : successors(blocks_[i])) {
      if (next != latch_) blocks_.insert(next);
    }
  }
  collect();
  for (const Access &access : accesses_) {
    if (!prefetches_only_) {
      IRBuilder<> builder(access.instruction);
      bool is_store = isa<StoreInst>(access.instruction);
      access.instruction->setOperand(
          is_store ? StoreInst::getPointerOperandIndex() : LoadInst::getPointerOperandIndex(),
          expand(access.address, builder));
    }
    if (access.prefetch) write_prefetch(access);
  }
}

}  // namespace

void reduce_strength(PHINode &y, unsigned step, BasicBlock *latch, const NoWrapValues &no_wrap_values,
                     EnclosingInduction *enclosing, bool prefetches_only) {
  assert(y.getNumIncomingValues() == 2 && y.getIncomingBlock(1) == latch && "y comes from the preheader and the latch");
  StrengthReduction(y, step, latch, no_wrap_values, enclosing, prefetches_only).run();
}

}  // namespace quern
