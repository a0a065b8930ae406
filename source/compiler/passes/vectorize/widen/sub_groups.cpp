/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sub-group operations: one vector is a sub-group, and its active lanes are the participating work-items. */
#include <llvm/IR/Constants.h>

#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

bool Widener::write_sub_group(CallInst &call) {
  SubGroupOperation operation = sub_group_call(&call);
  ReductionKind combination = operation.combination;
  auto operand = [&] { return fill_inactive_lanes(call.getArgOperand(0), combination); };
  switch (operation.kind) {
    case SubGroup::none: return false;
    case SubGroup::may_follow_lines: llvm_unreachable("VectorizeItemsPass replaces it");
    case SubGroup::barrier: break; /* lanes run in lockstep */
    case SubGroup::width: set_scalar(&call, builder_.getInt32(width_)); break;
    case SubGroup::local_id: set_scalar(&call, builder_.getInt32(0)); break; /* of lane 0 */
    case SubGroup::first: set_scalar(&call, builder_.CreateAdd(scalar(call.getArgOperand(0)), induction_)); break;
    case SubGroup::ballot: {
      Value *number = only_vector(call.getArgOperand(0));
      set_scalar(&call, ballot(builder_.CreateIsNotNull(number)));
      break;
    }
    case SubGroup::broadcast: {
      Value *index = extract_lane(call.getArgOperand(1), first_active_lane());
      set_scalar(&call, extract_lane(call.getArgOperand(0), wrap_lane_index(index)));
      break;
    }
    case SubGroup::shuffle: write_shuffle(call); break;
    case SubGroup::reduce: set_scalar(&call, reduce(operand(), combination)); break;
    case SubGroup::scan_inclusive: set_vectors(&call, {scan(operand(), combination, false)}); break;
    case SubGroup::scan_exclusive: set_vectors(&call, {scan(operand(), combination, true)}); break;
    case SubGroup::clustered: set_vectors(&call, {write_clustered(call, combination)}); break;
  }
  return true;
}

/* The condition may be poison on inactive lanes, which mask_and allows. */
Value *Widener::ballot(Value *condition) {
  Value *bits = builder_.CreateBitCast(mask_and(mask_, condition), builder_.getIntNTy(width_));
  return builder_.CreateZExt(bits, builder_.getInt64Ty());
}

/* Wraps an index to the number of lanes. The result of an index out of range is undefined in OpenCL, but the access
 * must stay in bounds. */
Value *Widener::wrap_lane_index(Value *index) {
  if (!isa<Constant>(index)) index = builder_.CreateFreeze(index);
  Value *wrapped = builder_.CreateAnd(index, ConstantInt::get(index->getType(), width_ - 1));
  Type *wide = builder_.getInt64Ty();
  return builder_.CreateZExt(wrapped, index->getType()->isVectorTy() ? widen(wide) : wide);
}

/* A permutation of lanes: one shuffle for constant indices, else a store to memory and a gather. */
Value *Widener::shuffle(Value *component, Value *index) {
  if (auto *constant = dyn_cast<Constant>(index)) {
    SmallVector<int, 64> picked;
    for (unsigned i = 0; i < width_; i++) {
      auto *number = dyn_cast_or_null<ConstantInt>(constant->getAggregateElement(i));
      picked.push_back(number ? int(number->getZExtValue()) : -1);
    }
    return builder_.CreateShuffleVector(component, picked);
  }
  Type *element = component->getType()->getScalarType();
  Type *stored = element->isIntegerTy(1) ? builder_.getInt8Ty() : element;
  if (stored != element) component = builder_.CreateZExt(component, widen(stored));
  AllocaInst *buffer = make_slot(ArrayType::get(stored, width_), "shuffled");
  buffer->setAlignment(Align(64));
  builder_.CreateAlignedStore(component, buffer, Align(64));
  Value *addresses = builder_.CreateGEP(stored, buffer, index);
  Align align(data_layout_.getABITypeAlign(stored));
  Value *picked = builder_.CreateMaskedGather(component->getType(), addresses, align, all_lanes());
  return stored == element ? picked : builder_.CreateTrunc(picked, widen(element));
}

void Widener::write_shuffle(CallInst &call) {
  Value *value = call.getArgOperand(0), *lane_index = call.getArgOperand(1);
  Components results;
  if (analysis_.is_uniform(lane_index)) {
    Components elements;
    append_components(extract_lane(value, wrap_lane_index(scalar(lane_index))), builder_, elements);
    for (Value *element : elements) results.push_back(builder_.CreateVectorSplat(width_, element));
  } else {
    Value *index = wrap_lane_index(only_vector(lane_index));
    const Components components = vectors(value);
    for (Value *component : components) results.push_back(shuffle(component, index));
  }
  set_vectors(&call, std::move(results));
}

/* The operand with the neutral element on inactive lanes. For floating-point sums that is -0: the sum of negative zeros
 * is -0, which +0 would change. */
Value *Widener::fill_inactive_lanes(Value *value, ReductionKind combination) {
  Value *values = only_vector(value);
  if (!mask_) return values;
  Constant *neutral = neutral_element(combination, value->getType());
  if (combination == ReductionKind::add && value->getType()->isFloatingPointTy()) {
    neutral = ConstantFP::getNegativeZero(value->getType());
  }
  return builder_.CreateSelect(mask_, values, builder_.CreateVectorSplat(width_, neutral));
}

/* A tree reduction: halves are combined until one lane remains. */
Value *Widener::reduce(Value *all, ReductionKind combination) {
  for (unsigned count = width_ / 2; count > 0; count /= 2) {
    SmallVector<int, 32> low, high;
    for (unsigned i = 0; i < count; i++) {
      low.push_back(int(i));
      high.push_back(int(i + count));
    }
    Value *left = builder_.CreateShuffleVector(all, low), *right = builder_.CreateShuffleVector(all, high);
    all = combine(combination, left, right, builder_);
  }
  return builder_.CreateExtractElement(all, uint64_t(0));
}

/* Lane i gets the value of lane i - distance; the first `distance` lanes get the filler. */
Value *Widener::shift_lanes_up(Value *value, Constant *filler, unsigned distance) {
  SmallVector<int, 64> indices;
  for (unsigned i = 0; i < width_; i++) indices.push_back(int(i < distance ? width_ : i - distance));
  return builder_.CreateShuffleVector(value, builder_.CreateVectorSplat(width_, filler), indices);
}

Value *Widener::scan(Value *all, ReductionKind combination, bool is_exclusive) {
  Type *type = all->getType()->getScalarType();
  Constant *neutral = neutral_element(combination, type);
  if (is_exclusive) all = shift_lanes_up(all, neutral, 1);
  if (combination == ReductionKind::add && type->isFloatingPointTy()) neutral = ConstantFP::getNegativeZero(type);
  for (unsigned distance = 1; distance < width_; distance *= 2) {
    all = combine(combination, shift_lanes_up(all, neutral, distance), all, builder_);
  }
  return all;
}

/* A butterfly reduction within clusters: lanes, pairs, groups of four, ... are combined up to the cluster size. */
Value *Widener::write_clustered(CallInst &call, ReductionKind combination) {
  Value *size = extract_lane(call.getArgOperand(1), first_active_lane());
  Value *all = fill_inactive_lanes(call.getArgOperand(0), combination);
  for (unsigned distance = 1; distance < width_; distance *= 2) {
    Value *is_within_cluster = builder_.CreateICmpUGT(size, builder_.getInt32(distance));
    if (auto *known = dyn_cast<ConstantInt>(is_within_cluster); known && known->isZero()) break;
    SmallVector<int, 64> indices;
    for (unsigned i = 0; i < width_; i++) indices.push_back(int(i ^ distance));
    Value *combined = combine(combination, all, builder_.CreateShuffleVector(all, indices), builder_);
    all = builder_.CreateSelect(is_within_cluster, combined, all);
  }
  return all;
}

}  // namespace quern
