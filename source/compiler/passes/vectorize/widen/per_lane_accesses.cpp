/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Per-lane accesses: one vector load or store for each lane, and transpositions, instead of gathers and scatters. */
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>

#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

/* The depth of the search for a run-time step through the operands of an address. */
static constexpr unsigned max_progression_depth = 8;

std::optional<Widener::Progression> Widener::sum_of(std::optional<Progression> left, std::optional<Progression> right,
                                                    bool subtracts) {
  if (!left || !right) return std::nullopt;
  auto opcode = subtracts ? Instruction::Sub : Instruction::Add;
  return Progression{builder_.CreateBinOp(opcode, left->first, right->first),
                     builder_.CreateBinOp(opcode, left->step, right->step)};
}

std::optional<Widener::Progression> Widener::multiple_of(std::optional<Progression> value, Value *factor) {
  if (!value) return std::nullopt;
  return Progression{builder_.CreateMul(value->first, factor), builder_.CreateMul(value->step, factor)};
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
  uint64_t constant_offset = 0;
  for (auto index = gep_type_begin(address); sum && index != gep_type_end(address); ++index) {
    if (StructType *structure = index.getStructTypeOrNull()) {
      auto member = unsigned(cast<ConstantInt>(index.getOperand())->getZExtValue());
      constant_offset += data_layout_.getStructLayout(structure)->getElementOffset(member);
      continue;
    }
    if (!index.getOperand()->getType()->isIntegerTy(64)) return std::nullopt;
    Value *size = builder_.getInt64(index.getSequentialElementStride(data_layout_));
    sum = sum_of(sum, multiple_of(progression(index.getOperand(), depth), size), false);
  }
  if (!base || !sum) return std::nullopt;
  Value *offset = builder_.CreateAdd(sum->first, builder_.getInt64(constant_offset));
  return Progression{builder_.CreateGEP(builder_.getInt8Ty(), base->first, offset),
                     builder_.CreateAdd(base->step, sum->step)};
}

/* The value as an affine function of the lane with a step known at run time; nullopt when it may wrap between lanes, or
 * is not affine. */
std::optional<Widener::Progression> Widener::progression(Value *value, unsigned depth) {
  if (depth == max_progression_depth || analysis_.no_wrap_checks(value)) return std::nullopt;
  const Shape shape = analysis_.shape(value);
  if (shape.kind != Shape::varying && (value->getType()->isPointerTy() || value->getType()->isIntegerTy(64))) {
    return Progression{scalar(value), builder_.getInt64(shape.kind == Shape::uniform ? 0 : uint64_t(shape.stride))};
  }
  if (auto *address = dyn_cast<GetElementPtrInst>(value)) return address_progression(*address, depth + 1);
  auto *operation = dyn_cast<BinaryOperator>(value);
  return operation ? operation_progression(*operation, depth + 1) : std::nullopt;
}

/* Calls `access` with the address of each lane. Addresses with a uniform step, such as the pitch of a matrix, are
 * computed by scalar additions. All other addresses pass through a buffer, as extracting vector elements takes several
 * operations each. The buffer is volatile, or LLVM would make extracts of it. Inactive lanes get the address of
 * scratch memory. */
void Widener::for_each_address(Value *pointer, function_ref<void(unsigned, Value *)> access) {
  const auto affine = mask_ ? std::nullopt : progression(pointer);
  if (affine) {
    Value *next = affine->first;
    for (unsigned i = 0; i < width_; i++) {
      access(i, next);
      next = builder_.CreateGEP(builder_.getInt8Ty(), next, affine->step);
    }
    return;
  }
  Value *all = redirect_inactive_lanes(only_vector(pointer), /*is_native=*/false).addresses;
  Type *type = all->getType()->getScalarType();
  AllocaInst *&buffer = address_buffers_[all->getType()];
  if (!buffer) buffer = make_slot(all->getType(), "addresses");
  builder_.CreateStore(all, buffer, /*isVolatile=*/true);
  for (unsigned i = 0; i < width_; i++) {
    Value *element = builder_.CreateConstInBoundsGEP1_64(type, buffer, i);
    access(i, builder_.CreateLoad(type, element, /*isVolatile=*/true));
  }
}

/* Shuffle indices that interleave two vectors within blocks of `size` elements, `unit` elements from each alternately.
 * The elements come from the first or the second half of each block, as in unpack instructions. */
static SmallVector<int, 64> halves(unsigned width, unsigned size, unsigned unit, bool second) {
  SmallVector<int, 64> indices;
  for (unsigned block = 0; block < width; block += size) {
    for (unsigned k = 0; k < size / 2; k += unit) {
      for (unsigned source : {0U, width}) {
        for (unsigned i = 0; i < unit; i++) indices.push_back(int(source + block + (second ? size / 2 : 0) + k + i));
      }
    }
  }
  return indices;
}

/* Transposes square blocks: block b of all vectors together is one matrix, with as many elements in a block as there
 * are vectors. All shuffles stay within 16 bytes, which is the cheapest kind. */
SmallVector<Value *, 4> Widener::transpose(ArrayRef<Value *> sources, unsigned size, unsigned unit) {
  if (sources.size() == 1) return {sources[0]};
  SmallVector<Value *, 4> low, high;
  for (size_t i = 0; i < sources.size(); i += 2) {
    low.push_back(builder_.CreateShuffleVector(sources[i], sources[i + 1], halves(width_, size, unit, false)));
    high.push_back(builder_.CreateShuffleVector(sources[i], sources[i + 1], halves(width_, size, unit, true)));
  }
  SmallVector<Value *, 4> all = transpose(low, size, 2 * unit);
  all.append(transpose(high, size, 2 * unit));
  return all;
}

/* Under a mask, the access may be to scratch memory, which is aligned by its size. */
Align Widener::per_lane_align(Align align) const { return mask_ ? std::min(align, Align(per_lane_bytes)) : align; }

/* Loads `count` elements for each lane and returns one vector for each element. Before the transposition, vector k has
 * the concatenated loads of lanes k, k + count, k + 2 * count, ... */
SmallVector<Value *, 4> Widener::load_slices(Value *pointer, Type *element, unsigned count, Align align,
                                             function_ref<void(Instruction *)> copy_metadata) {
  auto *slice_type = FixedVectorType::get(element, count);
  SmallVector<SmallVector<Value *, 16>, 4> slices(count);
  for_each_address(pointer, [&](unsigned i, Value *address) {
    LoadInst *loaded = builder_.CreateAlignedLoad(slice_type, address, per_lane_align(align));
    copy_metadata(loaded);
    slices[i % count].push_back(loaded);
  });
  SmallVector<Value *, 4> concatenated;
  for (const SmallVector<Value *, 16> &lane_slices : slices)
    concatenated.push_back(concatenateVectors(builder_, lane_slices));
  return transpose(concatenated, count, 1);
}

void Widener::load_per_lane(const AccessGroup &group) {
  auto &first = *cast<LoadInst>(group.place());
  const SmallVector<Value *, 4> members =
      load_slices(first.getPointerOperand(), first.getType(), group.step, first.getAlign(),
                  [&](Instruction *loaded) { copy_group_metadata(loaded, group); });
  for (const AccessGroup::Member &member : group.members) set_vectors(member.access, {members[member.slot]});
}

bool is_stored_per_lane(const Type *type, unsigned width) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector || !is_per_lane_type(*vector->getElementType()) || vector->getNumElements() > width) return false;
  return vector->getPrimitiveSizeInBits() == per_lane_bytes * 8;
}

void Widener::store_slices(ArrayRef<Value *> values, Value *pointer, Align align,
                           function_ref<void(Instruction *)> copy_metadata) {
  const auto count = unsigned(values.size());
  const SmallVector<Value *, 4> transposed = transpose(values, count, 1);
  for_each_address(pointer, [&](unsigned i, Value *address) {
    Value *slice = builder_.CreateShuffleVector(transposed[i % count], strided_indices(1, i / count * count, count));
    copy_metadata(builder_.CreateAlignedStore(slice, address, per_lane_align(align)));
  });
}

void Widener::store_per_lane(const AccessGroup &group) {
  auto &first = *cast<StoreInst>(group.members.front().access);
  SmallVector<Value *, 4> values;
  for (const AccessGroup::Member &member : group.members) {
    values.push_back(only_vector(cast<StoreInst>(member.access)->getValueOperand()));
  }
  store_slices(values, first.getPointerOperand(), first.getAlign(),
               [&](Instruction *stored) { copy_group_metadata(stored, group); });
}

}  // namespace quern
