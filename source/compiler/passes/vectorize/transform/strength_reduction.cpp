/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * An address is a pointer from outside the loop and a sum of indices times constants: one variable for each such sum,
 * however many pointers it is added to. */
#include "compiler/passes/vectorize/transform/strength_reduction.hpp"

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

bool is_low_half(const Value *value) {
  auto *operation = dyn_cast<BinaryOperator>(value);
  auto *mask = operation && operation->getOpcode() == Instruction::And ? dyn_cast<ConstantInt>(operation->getOperand(1))
                                                                       : nullptr;
  return mask && mask->getValue().isMask(32);
}

/* Sums, products and differences of numbers that fit do not wrap; nothing is cut off by what takes the low half. */
Value *ExactValues::mark(Instruction *copy, const Instruction &original) {
  auto found = signs_.find(&original);
  if (found == signs_.end()) return copy;
  bool is_signed = found->second;
  if (!is_signed && is_low_half(copy)) return copy->getOperand(0);
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

void ExactValues::add_like(const Value *copy, const Value *other) {
  for (auto &copies : copies_) {
    if (copies.contains(copy)) copies.insert(other);
  }
}

void unroll_by_two(PHINode &y, unsigned apart, BasicBlock *last, ExactValues &exact) {
  SmallVector<Instruction *, 128> originals;
  for (BasicBlock *block = y.getParent(); block != last; block = block->getSingleSuccessor()) {
    for (Instruction &instruction : *block) {
      if (!isa<PHINode>(instruction) && !instruction.isTerminator()) originals.push_back(&instruction);
    }
  }
  IRBuilder<> builder(y.getParent(), y.getParent()->getFirstInsertionPt());
  DenseMap<Value *, Value *> others = {{&y, builder.CreateAdd(&y, builder.getInt64(apart), "", true, true)}};
  for (Instruction *original : originals) {
    if (none_of(original->operands(), [&](const Use &operand) { return others.contains(operand); })) continue;
    Instruction *other = original->clone();
    for (Use &operand : other->operands()) {
      if (Value *known = others.lookup(operand)) operand.set(known);
    }
    other->insertAfter(original->getIterator());
    exact.add_like(original, other);
    others[original] = other;
  }
}

namespace {

/* Of what a lane has side by side where rows are exchanged with columns. */
constexpr uint64_t part_bytes = 16;

class StrengthReduction {
 public:
  StrengthReduction(PHINode &y, unsigned step, BasicBlock *last, const ExactValues &exact, EnclosingInduction *turns,
                    bool prefetches_only)
      : y_(y),
        step_(step),
        last_(last),
        exact_(exact),
        induction_(turns),
        prefetches_only_(prefetches_only),
        data_(y.getDataLayout()) {}

  void run();

 private:
  using Indices = std::vector<std::pair<Value *, uint64_t>>;
  /** Bytes that are added to `root`: indices of the loop times constants, and what does not change. */
  struct Address {
    Value *root;
    Indices indices;
    int64_t constant;
  };
  struct Access {
    Instruction *instruction;
    Address address;
    enum { no, for_reading, for_writing } prefetch;
  };
  /** What stands for a sum of indices in the loop, once it is made, and the pointers that the sum is added to. */
  struct Sum {
    SmallSetVector<Value *, 2> roots;
    PHINode *variable = nullptr;
  };

  bool is_inside(const Value *value) const {
    auto *instruction = dyn_cast<Instruction>(value);
    return instruction && blocks_.contains(const_cast<BasicBlock *>(instruction->getParent()));
  }
  bool is_linear(const Value *value);
  bool is_linear_operation(const Instruction &operation);
  Value *without_constant(Value *pointer, int64_t &constant) const;
  bool decompose(Value *value, Address &out);
  Value *at(Value *value, Value *y, DenseMap<Value *, Value *> &known, IRBuilder<> &builder);
  Value *sum_at(const Indices &indices, Value *y, IRBuilder<> &builder);
  Value *address_in_copy(const Address &address, IRBuilder<> &builder);
  PHINode *make_variable(const Indices &indices, Value *root);
  bool is_far(const Instruction &access, const Address &address);
  bool is_much(const Instruction &access, const Address &address) const;
  Value *next_root(const Address &address);
  Access *find_prefetched(const Address &address);
  void choose_prefetch(Access &access);
  void prefetch_ahead(const Access &access);
  void collect();

  PHINode &y_;
  const unsigned step_;
  BasicBlock *last_;
  const ExactValues &exact_;
  EnclosingInduction *induction_;
  const bool prefetches_only_;
  const DataLayout &data_;
  SmallSetVector<BasicBlock *, 8> blocks_;
  DenseMap<const Value *, bool> linear_;
  SmallVector<Access, 32> accesses_;
  std::map<Indices, Sum> sums_;
};

bool StrengthReduction::is_linear_operation(const Instruction &operation) {
  const Value *first = operation.getOperand(0);
  switch (operation.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub: return is_linear(first) && is_linear(operation.getOperand(1));
    case Instruction::Mul: {
      const Value *second = operation.getOperand(1);
      return (is_linear(first) && !is_inside(second)) || (is_linear(second) && !is_inside(first));
    }
    case Instruction::Shl: return is_linear(first) && !is_inside(operation.getOperand(1));
    case Instruction::Trunc: return is_linear(first);
    case Instruction::ZExt: {
      bool is_signed = cast<ZExtInst>(operation).hasNonNeg();
      return is_linear(first) &&
             (!is_inside(first) || exact_.is_exact(first, false) || (is_signed && exact_.is_exact(first, true)));
    }
    case Instruction::SExt: return is_linear(first) && (!is_inside(first) || exact_.is_exact(first, true));
    default: return false;
  }
}

/* Sums and products are linear however many bits they have. */
bool StrengthReduction::is_linear(const Value *value) {
  if (value == &y_ || !is_inside(value)) return true;
  auto known = linear_.find(value);
  if (known != linear_.end()) return known->second;
  linear_[value] = false;
  bool result = is_linear_operation(*cast<Instruction>(value));
  linear_[value] = result;
  return result;
}

/* What `pointer` is a constant number of bytes behind, which are added to `constant`. */
Value *StrengthReduction::without_constant(Value *pointer, int64_t &constant) const {
  while (auto *address = dyn_cast<GEPOperator>(pointer)) {
    APInt bytes(64, 0);
    if (!address->accumulateConstantOffset(data_, bytes)) break;
    constant += bytes.getSExtValue();
    pointer = address->getPointerOperand();
  }
  return pointer;
}

bool StrengthReduction::decompose(Value *value, Address &out) {
  out.constant = 0;
  while (is_inside(value)) {
    auto *address = dyn_cast<GEPOperator>(value);
    if (!address) return false;
    SmallMapVector<Value *, APInt, 4> variable;
    APInt constant(64, 0);
    if (!address->collectOffset(data_, 64, variable, constant)) return false;
    out.constant += constant.getSExtValue();
    for (auto [index, scale] : variable) {
      if (!is_linear(index) || !index->getType()->isIntegerTy(64)) return false;
      auto *sum = dyn_cast<BinaryOperator>(index);
      bool is_sum = sum && sum->getOpcode() == Instruction::Add;
      if (auto *more = is_sum ? dyn_cast<ConstantInt>(sum->getOperand(1)) : nullptr) {
        out.constant += int64_t(more->getZExtValue() * scale.getZExtValue());
        index = sum->getOperand(0);
      }
      out.indices.emplace_back(index, scale.getZExtValue());
    }
    value = address->getPointerOperand();
  }
  out.root = without_constant(value, out.constant);
  return any_of(out.indices, [&](auto &index) { return is_inside(index.first); });
}

/* What a linear value is in a row, computed outside the loop. */
Value *StrengthReduction::at(Value *value, Value *y, DenseMap<Value *, Value *> &known, IRBuilder<> &builder) {
  if (value == &y_) return y;
  if (!is_inside(value)) return value;
  if (Value *done = known.lookup(value)) return done;
  Instruction *copy = cast<Instruction>(value)->clone();
  for (Use &operand : copy->operands()) operand.set(at(operand, y, known, builder));
  copy->dropPoisonGeneratingAnnotations();
  builder.Insert(copy);
  return known[value] = copy;
}

Value *StrengthReduction::sum_at(const Indices &indices, Value *y, IRBuilder<> &builder) {
  DenseMap<Value *, Value *> known;
  Value *sum = nullptr;
  for (auto &[index, scale] : indices) {
    Value *bytes = builder.CreateMul(at(index, y, known, builder), builder.getInt64(scale));
    sum = sum ? builder.CreateAdd(sum, bytes) : bytes;
  }
  return sum;
}

/* The sum, or, where it is added to one pointer alone, the address: an operation of x86 that loads an operand by base
 * and index counts as two, and by a base as one. */
PHINode *StrengthReduction::make_variable(const Indices &indices, Value *root) {
  BasicBlock *before = y_.getIncomingBlock(0);
  IRBuilder<> builder(before->getTerminator());
  Value *first = sum_at(indices, builder.getInt64(0), builder);
  Value *second = sum_at(indices, builder.getInt64(step_), builder);
  Value *growth = builder.CreateSub(second, first);
  if (root) first = builder.CreateGEP(builder.getInt8Ty(), root, first);
  builder.SetInsertPoint(y_.getParent(), y_.getIterator());
  PHINode *variable = builder.CreatePHI(first->getType(), 2, root ? "address" : "offset");
  builder.SetInsertPoint(last_->getTerminator());
  Value *next = root ? builder.CreateGEP(builder.getInt8Ty(), variable, growth) : builder.CreateAdd(variable, growth);
  variable->addIncoming(first, before);
  variable->addIncoming(next, last_);
  return variable;
}

Value *StrengthReduction::address_in_copy(const Address &address, IRBuilder<> &builder) {
  Sum &sum = sums_[address.indices];
  const bool is_alone = sum.roots.size() == 1;
  if (!sum.variable) sum.variable = make_variable(address.indices, is_alone ? sum.roots.front() : nullptr);
  Value *place = sum.variable;
  if (!is_alone) place = builder.CreateGEP(builder.getInt8Ty(), address.root, place);
  if (!address.constant) return place;
  return builder.CreateGEP(builder.getInt8Ty(), place, builder.getInt64(uint64_t(address.constant)));
}

/* An access that fetches the same line, but for the line's end. */
StrengthReduction::Access *StrengthReduction::find_prefetched(const Address &address) {
  auto *found = find_if(accesses_, [&](const Access &other) {
    return other.prefetch && other.address.root == address.root && other.address.indices == address.indices &&
           std::abs(other.address.constant - address.constant) < int64_t(cache_line);
  });
  return found == accesses_.end() ? nullptr : found;
}

/* From turn to turn a distance that is constant is foreseen by processors. From group to group it is not, as each row
 * is in another page, and what is stored is waited for as well: stores become visible in their order, so that none
 * looks for its line while the one before does. */
bool StrengthReduction::is_far(const Instruction &access, const Address &address) {
  const Value *pointer = getLoadStorePointerOperand(&access);
  if (!induction_ || pointer->getType()->getPointerAddressSpace() != global_space) return false;
  if (isa<StoreInst>(access) && !induction_->are_groups()) return false;
  if (prefetches_only_ && data_.getTypeStoreSize(getLoadStoreType(const_cast<Instruction *>(&access))) <= part_bytes) {
    return false;
  }
  EnclosingInduction::Change change = induction_->change(address.root);
  for (auto &[index, scale] : address.indices) change = std::max(change, induction_->change(index));
  return induction_->are_groups() ? change != EnclosingInduction::Change::none
                                  : change == EnclosingInduction::Change::otherwise;
}

/* Where more is read than one line for each row, rows share theirs, as those of stencils do. */
bool StrengthReduction::is_much(const Instruction &access, const Address &address) const {
  const auto alike = count_if(accesses_, [&](const Access &other) {
    return other.prefetch && other.address.root == address.root &&
           isa<LoadInst>(other.instruction) == isa<LoadInst>(access);
  });
  return induction_->are_groups() && alike >= step_;
}

void StrengthReduction::choose_prefetch(Access &access) {
  if (!is_far(*access.instruction, access.address)) return;
  const bool writes = isa<StoreInst>(access.instruction);
  if (Access *prefetched = find_prefetched(access.address)) {
    if (writes) prefetched->prefetch = Access::for_writing;
  } else if (!is_much(*access.instruction, access.address)) {
    access.prefetch = writes ? Access::for_writing : Access::for_reading;
  }
}

/* The first row of the next turn is as far from this turn's as all others are from theirs. */
Value *StrengthReduction::next_root(const Address &address) {
  IRBuilder<> builder(y_.getIncomingBlock(0)->getTerminator());
  DenseMap<Value *, Value *> known, known_next;
  Value *root = induction_->next(address.root, known_next, builder);
  for (auto &[index, scale] : address.indices) {
    Value *now = at(index, builder.getInt64(0), known, builder);
    Value *growth = builder.CreateSub(induction_->next(now, known_next, builder), now);
    Value *bytes = builder.CreateMul(growth, builder.getInt64(scale));
    root = builder.CreateGEP(builder.getInt8Ty(), root, bytes);
  }
  return root;
}

void StrengthReduction::prefetch_ahead(const Access &access) {
  IRBuilder<> builder(access.instruction);
  Address next = access.address;
  next.root = next_root(next);
  Value *place;
  if (prefetches_only_) {
    IRBuilder<> before(y_.getIncomingBlock(0)->getTerminator());
    Value *distance = before.CreatePtrDiff(before.getInt8Ty(), next.root, access.address.root);
    place = builder.CreateGEP(builder.getInt8Ty(), getLoadStorePointerOperand(access.instruction), distance);
  } else {
    place = address_in_copy(next, builder);
  }
  prefetch_line(place, access.prefetch == Access::for_writing, builder);
}

/* What is fetched ahead is added to another pointer, which is made later. */
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
    if (induction_ && induction_->are_groups() && prefetched > most_lines_prefetched) access.prefetch = Access::no;
    Sum &sum = sums_[access.address.indices];
    sum.roots.insert(access.address.root);
    if (access.prefetch) sum.roots.insert(access.instruction);
  }
}

void StrengthReduction::run() {
  blocks_.insert(y_.getParent());
  for (size_t i = 0; i < blocks_.size(); i++) {
    for (BasicBlock *next : successors(blocks_[i])) {
      if (next != last_) blocks_.insert(next);
    }
  }
  collect();
  for (const Access &access : accesses_) {
    if (!prefetches_only_) {
      IRBuilder<> builder(access.instruction);
      bool is_store = isa<StoreInst>(access.instruction);
      access.instruction->setOperand(
          is_store ? StoreInst::getPointerOperandIndex() : LoadInst::getPointerOperandIndex(),
          address_in_copy(access.address, builder));
    }
    if (access.prefetch) prefetch_ahead(access);
  }
}

}  // namespace

void reduce_strength(PHINode &y, unsigned step, BasicBlock *last, const ExactValues &exact, EnclosingInduction *turns,
                     bool prefetches_only) {
  StrengthReduction(y, step, last, exact, turns, prefetches_only).run();
}

}  // namespace quern
