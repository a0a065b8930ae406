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

/* The address of each lane by scalar additions of a uniform step, such as the pitch of a matrix. Empty if there is no
 * such step, or lanes are inactive. */
SmallVector<Value *, 16> Widener::affine_addresses(Value *pointer) {
  SmallVector<Value *, 16> addresses;
  const auto affine = mask_ ? std::nullopt : progression(pointer);
  if (!affine) return addresses;
  addresses.push_back(affine->first);
  while (addresses.size() < width_)
    addresses.push_back(builder_.CreateGEP(builder_.getInt8Ty(), addresses.back(), affine->step));
  return addresses;
}

/* The address of each lane of an access. Those that are not affine pass through a buffer, as extracting vector elements
 * takes several operations each. The buffer is volatile, or LLVM would make extracts of it. Inactive lanes get the
 * address of scratch memory. */
SmallVector<Value *, 16> Widener::lane_addresses(Instruction &access) {
  Value *pointer = getLoadStorePointerOperand(&access);
  SmallVector<Value *, 16> addresses = affine_addresses(pointer);
  if (!addresses.empty()) return addresses;
  Value *all = redirect_inactive_lanes(only_vector(pointer), /*is_native=*/false, isa<StoreInst>(access)).addresses;
  Type *type = all->getType()->getScalarType();
  AllocaInst *&buffer = address_buffers_[all->getType()];
  if (!buffer) buffer = make_slot(all->getType(), "addresses");
  builder_.CreateStore(all, buffer, /*isVolatile=*/true);
  for (unsigned i = 0; i < width_; i++) {
    Value *element = builder_.CreateConstInBoundsGEP1_64(type, buffer, i);
    addresses.push_back(builder_.CreateLoad(type, element, /*isVolatile=*/true));
  }
  return addresses;
}

void Widener::load_per_lane(const AccessGroup &group) {
  auto &first = *cast<LoadInst>(group.place());
  const SmallVector<Value *, 4> members =
      load_slices(lane_addresses(first), first.getType(), group.step, first.getAlign(),
                  [&](Instruction *loaded) { copy_group_metadata(loaded, group); });
  for (const AccessGroup::Member &member : group.members) set_vectors(member.access, {members[member.slot]});
}

bool is_stored_per_lane(const Type *type, unsigned width) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector || !is_per_lane_type(*vector->getElementType()) || vector->getNumElements() > width) return false;
  return vector->getPrimitiveSizeInBits() == per_lane_bytes * 8;
}

void Widener::store_per_lane(const AccessGroup &group) {
  auto &first = *cast<StoreInst>(group.members.front().access);
  SmallVector<Value *, 4> values;
  for (const AccessGroup::Member &member : group.members) {
    values.push_back(only_vector(cast<StoreInst>(member.access)->getValueOperand()));
  }
  store_slices(values, lane_addresses(first), first.getAlign(),
               [&](Instruction *stored) { copy_group_metadata(stored, group); });
}

}  // namespace quern
