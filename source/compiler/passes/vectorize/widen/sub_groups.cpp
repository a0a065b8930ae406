/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Operations of sub-groups: a vector is a sub-group, and its lanes that are on are the work-items that take part. */
#include <llvm/IR/Constants.h>

#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

bool Widener::write_sub_group(CallInst &call) {
  SubGroupOperation operation = sub_group_call(&call);
  Combination combination = operation.combination;
  auto operand = [&] { return fill_off_lanes(call.getArgOperand(0), combination); };
  switch (operation.kind) {
    case SubGroup::none: return false;
    case SubGroup::barrier: break; /* each instruction is done for all lanes before the next one */
    case SubGroup::width: set_scalar(&call, builder_.getInt32(width_)); break;
    case SubGroup::local_id: set_scalar(&call, builder_.getInt32(0)); break; /* of lane 0 */
    case SubGroup::first: set_scalar(&call, builder_.CreateAdd(scalar(call.getArgOperand(0)), counter_)); break;
    case SubGroup::ballot: {
      Value *number = lane(call.getArgOperand(0));
      set_scalar(&call, ballot(builder_.CreateIsNotNull(number)));
      break;
    }
    case SubGroup::broadcast: {
      Value *index = pick_lane(call.getArgOperand(1), first_on());
      set_scalar(&call, pick_lane(call.getArgOperand(0), index_of_running(index)));
      break;
    }
    case SubGroup::shuffle: write_shuffle(call); break;
    case SubGroup::reduce: set_scalar(&call, reduce(operand(), combination)); break;
    case SubGroup::scan_inclusive: set_lanes(&call, {scan(operand(), combination, false)}); break;
    case SubGroup::scan_exclusive: set_lanes(&call, {scan(operand(), combination, true)}); break;
    case SubGroup::clustered: set_lanes(&call, {write_clustered(call, combination)}); break;
  }
  return true;
}

/* A condition may be poison on lanes that are off. */
Value *Widener::ballot(Value *condition) {
  Value *bits = builder_.CreateBitCast(mask_and(mask_, condition), builder_.getIntNTy(width_));
  return builder_.CreateZExt(bits, builder_.getInt64Ty());
}

/* Any number, made one of a lane: what a wrong one gives is not defined, but something. */
Value *Widener::index_of_running(Value *index) {
  if (!isa<Constant>(index)) index = builder_.CreateFreeze(index);
  Value *within = builder_.CreateAnd(index, ConstantInt::get(index->getType(), width_ - 1));
  Type *wide = builder_.getInt64Ty();
  return builder_.CreateZExt(within, index->getType()->isVectorTy() ? widen(wide) : wide);
}

/* Lanes picked by numbers that are known when this is compiled; else through memory, which LLVM gathers from. */
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
  AllocaInst *memory = slot(ArrayType::get(stored, width_), "shuffled");
  memory->setAlignment(Align(64));
  builder_.CreateAlignedStore(component, memory, Align(64));
  Value *places = builder_.CreateGEP(stored, memory, index);
  Align align(data_.getABITypeAlign(stored));
  Value *picked = builder_.CreateMaskedGather(component->getType(), places, align, all_lanes());
  return stored == element ? picked : builder_.CreateTrunc(picked, widen(element));
}

void Widener::write_shuffle(CallInst &call) {
  Value *value = call.getArgOperand(0), *which = call.getArgOperand(1);
  Components results;
  if (analysis_.is_uniform(which)) {
    Components parts;
    append_components(pick_lane(value, index_of_running(scalar(which))), builder_, parts);
    for (Value *part : parts) results.push_back(builder_.CreateVectorSplat(width_, part));
  } else {
    Value *index = index_of_running(lane(which));
    const Components components = lanes(value);
    for (Value *component : components) results.push_back(shuffle(component, index));
  }
  set_lanes(&call, std::move(results));
}

/* The operand, with what changes nothing on lanes that are off. A sum of negative zeros is one, so what is added
 * to it must be. */
Value *Widener::fill_off_lanes(Value *value, Combination combination) {
  Value *values = lane(value);
  if (!mask_) return values;
  Constant *neutral = neutral_element(combination, value->getType());
  if (combination == Combination::add && value->getType()->isFloatingPointTy()) {
    neutral = ConstantFP::getNegativeZero(value->getType());
  }
  return builder_.CreateSelect(mask_, values, builder_.CreateVectorSplat(width_, neutral));
}

/* Halves are combined until one lane is left. */
Value *Widener::reduce(Value *all, Combination combination) {
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

/* Lane i gets what lane i - distance has, the first ones the filler. */
Value *Widener::move_up(Value *lanes, Constant *filler, unsigned distance) {
  SmallVector<int, 64> picked;
  for (unsigned i = 0; i < width_; i++) picked.push_back(int(i < distance ? width_ : i - distance));
  return builder_.CreateShuffleVector(lanes, builder_.CreateVectorSplat(width_, filler), picked);
}

Value *Widener::scan(Value *all, Combination combination, bool is_exclusive) {
  Type *type = all->getType()->getScalarType();
  Constant *neutral = neutral_element(combination, type);
  if (is_exclusive) all = move_up(all, neutral, 1);
  if (combination == Combination::add && type->isFloatingPointTy()) neutral = ConstantFP::getNegativeZero(type);
  for (unsigned distance = 1; distance < width_; distance *= 2) {
    all = combine(combination, move_up(all, neutral, distance), all, builder_);
  }
  return all;
}

/* Each lane is combined with its neighbour, each pair with the next one, and so on, up to the size. */
Value *Widener::write_clustered(CallInst &call, Combination combination) {
  Value *size = pick_lane(call.getArgOperand(1), first_on());
  Value *all = fill_off_lanes(call.getArgOperand(0), combination);
  for (unsigned distance = 1; distance < width_; distance *= 2) {
    Value *goes_on = builder_.CreateICmpUGT(size, builder_.getInt32(distance));
    if (auto *known = dyn_cast<ConstantInt>(goes_on); known && known->isZero()) break;
    SmallVector<int, 64> picked;
    for (unsigned i = 0; i < width_; i++) picked.push_back(int(i ^ distance));
    Value *more = combine(combination, all, builder_.CreateShuffleVector(all, picked), builder_);
    all = builder_.CreateSelect(goes_on, more, all);
  }
  return all;
}

}  // namespace quern
