/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Widening of explicit vectors in the array-of-structures layout (VectorLayout). */
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>

#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

/* The vector type with all components of all lanes. */
FixedVectorType *Widener::aos_type(const Type &type) const {
  return FixedVectorType::get(type.getScalarType(), aos_stride(type) * width_);
}

/* The shuffle indices that give each lane `indices`, counted from its first component of `from` for each lane. */
static SmallVector<int, 64> lane_indices(ArrayRef<int> indices, unsigned stride, unsigned from, unsigned width) {
  SmallVector<int, 64> all;
  for (unsigned lane = 0; lane < width; lane++) {
    for (unsigned i = 0; i < stride; i++) {
      const int index = i < indices.size() ? indices[i] : PoisonMaskElem;
      all.push_back(index < 0 ? PoisonMaskElem : int(lane * from) + index);
    }
  }
  return all;
}

/* A uniform value for all lanes. */
Value *Widener::repeat_lanes(Value *value) {
  Value *one = scalar(value);
  IRBuilder<> builder(context_);
  set_insert_point_after(one, value, builder);
  const unsigned count = cast<FixedVectorType>(one->getType())->getNumElements();
  return builder.CreateShuffleVector(
      one, lane_indices(strided_indices(1, 0, count), aos_stride(*one->getType()), 0, width_));
}

Value *Widener::aos_vector(Value *value) {
  if (Value *known = aos_vectors_.lookup(value)) return known;
  assert((isa<Constant>(value) || analysis_.is_uniform(value)) && "varying values are laid out when they are written");
  return aos_vectors_[value] = repeat_lanes(value);
}

Value *Widener::aos_of_components(const Type &type, const Components &components) {
  const unsigned stride = aos_stride(type);
  const bool is_full = components.size() == stride;
  const unsigned count = is_full ? slice_elements(*type.getScalarType(), stride, (1U << stride) - 1) : 0;
  return interleave(components, stride, count);
}

/* The value that was just written in SoA, for its users in AoS. */
void Widener::make_aos(Value *value) {
  const Components components = vectors(value);
  aos_vectors_[value] = aos_of_components(*value->getType(), components);
}

/* A value of AoS in SoA, for use in this block. */
Components Widener::components_here(Value *value) {
  const auto &type = cast<FixedVectorType>(*value->getType());
  const unsigned stride = aos_stride(type), slots = (1U << type.getNumElements()) - 1;
  const unsigned count = slice_elements(*type.getElementType(), stride, slots);
  Components components = deinterleave(aos_vectors_.lookup(value), stride, slots, count, is_converted(*value));
  components.truncate(type.getNumElements());
  return components;
}

/* The same for use anywhere. */
Components Widener::components_of_aos(Value *value) {
  IRBuilderBase::InsertPointGuard guard(builder_);
  set_insert_point_after(aos_vectors_.lookup(value), value, builder_);
  return components_here(value);
}

/* The component `index` of all lanes, for `extract`. */
Value *Widener::extract_component(const ExtractElementInst &extract, unsigned index) {
  const unsigned stride = aos_stride(*extract.getVectorOperandType());
  Value *all = aos_vectors_.lookup(extract.getVectorOperand());
  return deinterleave(all, stride, 1U << index, 0, is_converted(extract))[index];
}

/* A scalar of each lane, for all its components. */
Value *Widener::broadcast_to_components(Value *value, unsigned stride) {
  if (analysis_.is_uniform(value)) return builder_.CreateVectorSplat(stride * width_, scalar(value));
  SmallVector<int, 64> indices;
  for (unsigned i = 0; i < stride * width_; i++) indices.push_back(int(i / stride));
  return builder_.CreateShuffleVector(only_vector(value), indices);
}

Value *Widener::load_contiguous_aos(LoadInst &load) {
  const auto &type = cast<FixedVectorType>(*load.getType());
  const Align align = contiguous_align(load.getAlign(), load.getPointerOperand());
  const WideAccess wide = wide_access(type.getElementType(), aos_stride(type), (1U << type.getNumElements()) - 1);
  Value *loaded = load_wide(wide, scalar(load.getPointerOperand()), align,
                            [&](Instruction *made) { copy_access_metadata(made, load); });
  return builder_.CreateBitCast(loaded, aos_type(type), load.getName());
}

Value *Widener::load_aos(LoadInst &load) {
  const NoWrapChecks no_wrap_checks = required_no_wrap_checks(load, load.getPointerOperand());
  if (no_wrap_checks.empty()) return load_contiguous_aos(load);
  SmallVector<Type *, 4> types;
  append_component_types(load.getType(), types);
  return load_checked(
             test_no_wrap(no_wrap_checks), [&] { return Components{load_contiguous_aos(load)}; },
             [&] { return Components{aos_of_components(*load.getType(), gather(load, types))}; })
      .front();
}

void Widener::store_contiguous_aos(StoreInst &store) {
  const auto &type = cast<FixedVectorType>(*store.getValueOperand()->getType());
  const Align align = contiguous_align(store.getAlign(), store.getPointerOperand());
  const WideAccess wide = wide_access(type.getElementType(), aos_stride(type), (1U << type.getNumElements()) - 1);
  store_wide(wide, aos_vector(store.getValueOperand()), scalar(store.getPointerOperand()), align,
             [&](Instruction *made) {
               copy_access_metadata(made, store);
               if (wide.masks.empty()) mark_nontemporal(*made, store);
             });
}

void Widener::store_aos(StoreInst &store) {
  const NoWrapChecks no_wrap_checks = required_no_wrap_checks(store, store.getPointerOperand());
  if (no_wrap_checks.empty()) {
    store_contiguous_aos(store);
    return;
  }
  store_checked(
      test_no_wrap(no_wrap_checks), [&] { store_contiguous_aos(store); },
      [&] {
        Value *value = store.getValueOperand();
        scatter(store, is_aos(value) ? components_here(value) : vectors(value));
      });
}

Value *Widener::select_aos(SelectInst &select) {
  Value *condition = select.getCondition();
  Value *selected = nullptr;
  if (condition->getType()->isVectorTy()) {
    selected = aos_vector(condition);
  } else {
    selected = analysis_.is_uniform(condition) ? scalar(condition)
                                               : broadcast_to_components(condition, aos_stride(*select.getType()));
  }
  Value *made = builder_.CreateSelect(selected, aos_vector(select.getTrueValue()), aos_vector(select.getFalseValue()),
                                      select.getName());
  if (auto *copy = dyn_cast<SelectInst>(made); copy && isa<FPMathOperator>(copy)) copy->copyIRFlags(&select);
  return made;
}

/* Shuffles of components stay within their lane. */
Value *Widener::shuffle_aos(ShuffleVectorInst &shuffle) {
  const unsigned stride = aos_stride(*shuffle.getType());
  if (Value *splatted = splatted_value(shuffle)) return broadcast_to_components(splatted, stride);
  const unsigned from = aos_stride(*shuffle.getOperand(0)->getType());
  const auto count = int(cast<FixedVectorType>(shuffle.getOperand(0)->getType())->getNumElements());
  SmallVector<int, 16> indices;
  for (int index : shuffle.getShuffleMask()) {
    indices.push_back(index < count ? index : index - count + int(from * width_));
  }
  const SmallVector<int, 64> all = lane_indices(indices, stride, from, width_);
  return builder_.CreateShuffleVector(aos_vector(shuffle.getOperand(0)), aos_vector(shuffle.getOperand(1)), all,
                                      shuffle.getName());
}

Value *Widener::componentwise_aos(Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  SmallVector<Value *, 4> operands;
  for (auto [index, operand] : enumerate(call ? iterator_range(call->args()) : instruction.operands())) {
    const bool is_scalar = call && isVectorIntrinsicWithScalarOpAtArg(call->getIntrinsicID(), unsigned(index), nullptr);
    operands.push_back(is_scalar ? scalar(operand) : aos_vector(operand));
  }
  return call ? make_intrinsic(*call, *aos_type(*call->getType()), operands) : make_elementwise(instruction, operands);
}

void Widener::write_aos(Instruction &instruction) {
  if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    store_aos(*store);
    return;
  }
  Value *made = nullptr;
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    made = load_aos(*load);
  } else if (auto *select = dyn_cast<SelectInst>(&instruction)) {
    made = select_aos(*select);
  } else if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction)) {
    made = shuffle_aos(*shuffle);
  } else if (isa<BitCastInst>(instruction)) {
    made = builder_.CreateBitCast(aos_vector(instruction.getOperand(0)), aos_type(*instruction.getType()));
  } else {
    made = componentwise_aos(instruction);
  }
  aos_vectors_[&instruction] = made;
}

}  // namespace quern
