/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Loads and stores of several elements for each lane, which lie side by side while those of the lanes lie apart: one
 * access for each lane, and small transpositions. A gather or a scatter would take its time for each element. */
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>

#include "compiler/passes/vectorize/transform/unroll_wide_loads.hpp"
#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

/* Operations between an address and the numbers that it is made from, at most. */
static constexpr unsigned most_steps = 8;

std::optional<Widener::Progression> Widener::sum_of(std::optional<Progression> left, std::optional<Progression> right,
                                                    bool subtracts) {
  if (!left || !right) return std::nullopt;
  auto opcode = subtracts ? Instruction::Sub : Instruction::Add;
  return Progression{builder_.CreateBinOp(opcode, left->first, right->first),
                     builder_.CreateBinOp(opcode, left->step, right->step)};
}

std::optional<Widener::Progression> Widener::multiple_of(std::optional<Progression> number, Value *factor) {
  if (!number) return std::nullopt;
  return Progression{builder_.CreateMul(number->first, factor), builder_.CreateMul(number->step, factor)};
}

std::optional<Widener::Progression> Widener::operation_progression(BinaryOperator &operation, unsigned depth) {
  Value *left = operation.getOperand(0), *right = operation.getOperand(1);
  if (!operation.getType()->isIntegerTy(64)) return std::nullopt;
  switch (operation.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
      return sum_of(progression(left, depth), progression(right, depth), operation.getOpcode() == Instruction::Sub);
    case Instruction::Mul:
      if (analysis_.is_uniform(left)) std::swap(left, right);
      return analysis_.is_uniform(right) ? multiple_of(progression(left, depth), scalar(right)) : std::nullopt;
    case Instruction::Shl:
      if (!analysis_.is_uniform(right)) return std::nullopt;
      return multiple_of(progression(left, depth), builder_.CreateShl(builder_.getInt64(1), scalar(right)));
    default: return std::nullopt;
  }
}

std::optional<Widener::Progression> Widener::address_progression(GetElementPtrInst &address, unsigned depth) {
  const auto base = progression(address.getPointerOperand(), depth);
  std::optional<Progression> sum = Progression{builder_.getInt64(0), builder_.getInt64(0)};
  uint64_t constant = 0;
  for (auto part = gep_type_begin(address); sum && part != gep_type_end(address); ++part) {
    if (StructType *structure = part.getStructTypeOrNull()) {
      auto member = unsigned(cast<ConstantInt>(part.getOperand())->getZExtValue());
      constant += data_.getStructLayout(structure)->getElementOffset(member);
      continue;
    }
    if (!part.getOperand()->getType()->isIntegerTy(64)) return std::nullopt;
    Value *size = builder_.getInt64(part.getSequentialElementStride(data_));
    sum = sum_of(sum, multiple_of(progression(part.getOperand(), depth), size), false);
  }
  if (!base || !sum) return std::nullopt;
  Value *offset = builder_.CreateAdd(sum->first, builder_.getInt64(constant));
  return Progression{builder_.CreateGEP(builder_.getInt8Ty(), base->first, offset),
                     builder_.CreateAdd(base->step, sum->step)};
}

/* What may wrap between two lanes is none. */
std::optional<Widener::Progression> Widener::progression(Value *value, unsigned depth) {
  if (depth == most_steps || analysis_.no_wrap_checks(value)) return std::nullopt;
  const Shape shape = analysis_.shape(value);
  if (shape.kind != Shape::varying && (value->getType()->isPointerTy() || value->getType()->isIntegerTy(64))) {
    return Progression{scalar(value), builder_.getInt64(shape.kind == Shape::uniform ? 0 : uint64_t(shape.stride))};
  }
  if (auto *address = dyn_cast<GetElementPtrInst>(value)) return address_progression(*address, depth + 1);
  auto *operation = dyn_cast<BinaryOperator>(value);
  return operation ? operation_progression(*operation, depth + 1) : std::nullopt;
}

/* Calls `access` with each lane's address: by steps where they are the same from lane to lane, as the length of a
 * matrix's row is. Lanes that are off have an address too. Others pass through memory, as taking them out of a vector
 * one by one takes several operations for each; volatile, or LLVM would do just that. */
void Widener::for_each_address(Value *pointer, function_ref<void(unsigned, Value *)> access) {
  const auto numbers = mask_ ? std::nullopt : progression(pointer);
  if (numbers) {
    Value *next = numbers->first;
    for (unsigned i = 0; i < width_; i++) {
      access(i, next);
      next = builder_.CreateGEP(builder_.getInt8Ty(), next, numbers->step);
    }
    return;
  }
  Value *all = reach(lane(pointer), /*at_once=*/false).addresses;
  Type *type = all->getType()->getScalarType();
  AllocaInst *&passage = passages_[all->getType()];
  if (!passage) passage = slot(all->getType(), "addresses");
  builder_.CreateStore(all, passage, /*isVolatile=*/true);
  for (unsigned i = 0; i < width_; i++) {
    Value *place = builder_.CreateConstInBoundsGEP1_64(type, passage, i);
    access(i, builder_.CreateLoad(type, place, /*isVolatile=*/true));
  }
}

/* Of blocks of `size` elements: from two vectors in turn `unit` elements each, of the blocks' first or second half. */
static SmallVector<int, 64> halves(unsigned width, unsigned size, unsigned unit, bool second) {
  SmallVector<int, 64> indices;
  for (unsigned block = 0; block < width; block += size) {
    for (unsigned k = 0; k < size / 2; k += unit) {
      for (unsigned from : {0U, width}) {
        for (unsigned i = 0; i < unit; i++) indices.push_back(int(from + block + (second ? size / 2 : 0) + k + i));
      }
    }
  }
  return indices;
}

/* Exchanges rows and columns of all squares that the vectors' blocks are one below the other, with as many elements in
 * a block as there are vectors: shuffles within 16 bytes, which take the least time. */
SmallVector<Value *, 4> Widener::transpose(ArrayRef<Value *> vectors, unsigned size, unsigned unit) {
  if (vectors.size() == 1) return {vectors[0]};
  SmallVector<Value *, 4> low, high;
  for (size_t i = 0; i < vectors.size(); i += 2) {
    low.push_back(builder_.CreateShuffleVector(vectors[i], vectors[i + 1], halves(width_, size, unit, false)));
    high.push_back(builder_.CreateShuffleVector(vectors[i], vectors[i + 1], halves(width_, size, unit, true)));
  }
  SmallVector<Value *, 4> all = transpose(low, size, 2 * unit);
  all.append(transpose(high, size, 2 * unit));
  return all;
}

/* What is nobody's is aligned by its size. */
Align Widener::per_lane_align(Align align) const { return mask_ ? std::min(align, Align(per_lane_bytes)) : align; }

bool is_part(const LoadInst &load, unsigned width) {
  auto *type = dyn_cast<FixedVectorType>(load.getType());
  return type && load.hasMetadata(block_load_mark) && type->getNumElements() <= width;
}

/* Vector k has, one behind the other, what lanes k, k + count, k + 2 * count... load. */
SmallVector<Value *, 4> Widener::load_parts(Value *pointer, Type *element, unsigned count, Align align,
                                            function_ref<void(Instruction *)> keep) {
  auto *part = FixedVectorType::get(element, count);
  SmallVector<SmallVector<Value *, 16>, 4> parts(count);
  for_each_address(pointer, [&](unsigned i, Value *address) {
    LoadInst *loaded = builder_.CreateAlignedLoad(part, address, per_lane_align(align));
    keep(loaded);
    parts[i % count].push_back(loaded);
  });
  SmallVector<Value *, 4> vectors;
  for (const SmallVector<Value *, 16> &own : parts) vectors.push_back(concatenateVectors(builder_, own));
  return transpose(vectors, count, 1);
}

void Widener::load_per_lane(const AccessGroup &group) {
  auto &first = *cast<LoadInst>(group.place());
  const SmallVector<Value *, 4> members =
      load_parts(first.getPointerOperand(), first.getType(), group.step, first.getAlign(),
                 [&](Instruction *loaded) { keep_group_metadata(loaded, group); });
  for (const AccessGroup::Member &member : group.members) set_lanes(member.access, {members[member.slot]});
}

bool is_stored_whole(const Type *type, unsigned width) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector || !is_per_lane_type(*vector->getElementType()) || vector->getNumElements() > width) return false;
  return vector->getPrimitiveSizeInBits() == per_lane_bytes * 8;
}

void Widener::store_parts(ArrayRef<Value *> values, Value *pointer, Align align,
                          function_ref<void(Instruction *)> keep) {
  const auto count = unsigned(values.size());
  const SmallVector<Value *, 4> vectors = transpose(values, count, 1);
  for_each_address(pointer, [&](unsigned i, Value *address) {
    Value *part = builder_.CreateShuffleVector(vectors[i % count], every(1, i / count * count, count));
    keep(builder_.CreateAlignedStore(part, address, per_lane_align(align)));
  });
}

void Widener::store_per_lane(const AccessGroup &group) {
  auto &first = *cast<StoreInst>(group.members.front().access);
  SmallVector<Value *, 4> values;
  for (const AccessGroup::Member &member : group.members) {
    values.push_back(lane(cast<StoreInst>(member.access)->getValueOperand()));
  }
  store_parts(values, first.getPointerOperand(), first.getAlign(),
              [&](Instruction *stored) { keep_group_metadata(stored, group); });
}

}  // namespace quern
