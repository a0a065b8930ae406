/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Interleave groups (compare llvm::InterleaveGroup): interleaved loads or stores made as one wide access. */
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>

#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

/* The depth of operations between loads and a store that is computed on wide, still interleaved vectors. That takes
 * fewer shuffles than to deinterleave and interleave again. */
static constexpr unsigned max_interleaved_depth = 2;

const AccessGroup *Widener::group_of(const Instruction &access) const {
  const AccessGroup *group = input_.groups ? input_.groups->find(&access) : nullptr;
  if (!group) return nullptr;
  if (group->is_per_lane) return width_ < group->step ? nullptr : group;
  return data_layout_.getTypeAllocSize(group->element) * group->step * width_ <= max_access_bytes ? group : nullptr;
}

/* The address of slot 0 of lane 0, and its alignment. */
Value *Widener::group_start(const AccessGroup &group, Align &align) {
  Instruction *place = group.place();
  bool is_load = isa<LoadInst>(place);
  uint64_t before =
      data_layout_.getTypeAllocSize(group.element) * (is_load ? group.members.front() : group.members.back()).slot;
  align = commonAlignment(contiguous_align(getLoadStoreAlignment(place), getLoadStorePointerOperand(place)), before);
  Value *first = scalar(getLoadStorePointerOperand(place));
  return before ? builder_.CreateGEP(builder_.getInt8Ty(), first, builder_.getInt64(-before)) : first;
}

/* Gaps between the first and the last member may be loaded, and stored with what was loaded. That holds between two
 * lanes as within one. Elements for which the target has no masks are loaded one by one where there is any mask: those
 * in gaps would take time. */
Widener::WideAccess Widener::wide_access(const AccessGroup &group) {
  Type *element = group.element;
  const bool is_narrow = data_layout_.getTypeAllocSize(element) < 4 && !input_.unit.masks_bytes;
  if (is_narrow && !group.has_all_slots() && !group.fills_gaps)
    return wide_access(element, group.step, group.member_slots());
  const bool is_whole = isa<LoadInst>(group.place()) || group.gaps;
  if (mask_ || !is_whole || group.has_all_slots()) return wide_access(element, group.step, group.slots);
  const unsigned count = group.step * width_;
  SmallVector<Constant *, 64> in_use;
  for (unsigned i = 0; i < count; i++) {
    bool is_outside =
        i < unsigned(countr_zero(group.slots)) || i >= count - group.step + unsigned(bit_width(group.slots));
    in_use.push_back(builder_.getInt1(!is_outside));
  }
  return {FixedVectorType::get(element, count), {ConstantVector::get(in_use)}};
}

/* The metadata of the members does not describe what is stored in gaps. */
void copy_group_metadata(Instruction *made, const AccessGroup &group) {
  if (group.gaps || group.fills_gaps) return;
  SmallVector<Value *, 4> members;
  for (const AccessGroup::Member &member : group.members) members.push_back(member.access);
  propagateMetadata(made, members);
  made->setMetadata(LLVMContext::MD_access_group, nullptr);
}

void Widener::load_group(const AccessGroup &group) {
  if (group.is_per_lane) {
    load_per_lane(group);
    return;
  }
  Type *element = group.element;
  Align align;
  Value *first = group_start(group, align);
  auto copy_metadata = [&](Instruction *loaded) { copy_group_metadata(loaded, group); };
  Value *loaded = load_wide(wide_access(group), first, align, copy_metadata);
  Value *all = builder_.CreateBitCast(loaded, FixedVectorType::get(element, width_ * group.step));
  /* For stores of interleaved values. Without these it is dead where slices are loaded. */
  loaded_groups_[&group] = all;
  const unsigned count = slice_elements(*element, group.step, group.slots);
  const bool converts =
      any_of(group.members, [](const AccessGroup::Member &member) { return is_converted(*member.access); });
  const Components elements =
      count && !mask_ ? load_deinterleaved(first, element, group.step, group.slots, count, align, copy_metadata)
                      : deinterleave(all, group.step, group.slots, count, converts);
  for (const AccessGroup::Member &member : group.members) {
    Type *type = widen(member.access->getType()->getScalarType());
    Components components;
    for (unsigned i = 0; i < member.count; i++)
      components.push_back(builder_.CreateBitCast(elements[member.slot + i], type));
    set_vectors(member.access, std::move(components));
  }
}

/* The scalar, or element of a vector, that operations which only move elements make this component from. */
Widener::Component Widener::moved_from(Component component) const {
  while (!analysis_.is_uniform(component.value)) {
    if (auto *shuffle = dyn_cast<ShuffleVectorInst>(component.value)) {
      const int index = shuffle->getMaskValue(component.index);
      if (index < 0) return {PoisonValue::get(shuffle->getType()->getScalarType()), 0};
      const auto count = int(cast<FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements());
      component = {shuffle->getOperand(index < count ? 0 : 1), unsigned(index % count)};
    } else if (auto *insert = dyn_cast<InsertElementInst>(component.value)) {
      auto *index = dyn_cast<ConstantInt>(insert->getOperand(2));
      if (!index) break;
      const bool is_inserted = index->equalsInt(component.index);
      component = is_inserted ? Component{insert->getOperand(1), 0} : Component{insert->getOperand(0), component.index};
    } else if (auto *extract = dyn_cast<ExtractElementInst>(component.value)) {
      auto *index = dyn_cast<ConstantInt>(extract->getIndexOperand());
      auto *vector = dyn_cast<FixedVectorType>(extract->getVectorOperandType());
      if (!index || !vector || index->getValue().uge(vector->getNumElements())) break;
      component = {extract->getVectorOperand(), unsigned(index->getZExtValue())};
    } else {
      break;
    }
  }
  return component;
}

/* True when the component is computed by at most `operations` levels of operations on elements of this type from
 * uniform values and from loads of interleave groups of the same step. */
bool Widener::is_interleaved(Component component, const Type *element, unsigned step, unsigned operations) const {
  component = moved_from(component);
  if (analysis_.is_uniform(component.value)) return true;
  if (auto *load = dyn_cast<LoadInst>(component.value)) {
    const AccessGroup *group = group_of(*load);
    return group && !group->is_per_lane && group->step == step;
  }
  auto *operation = dyn_cast<BinaryOperator>(component.value);
  if (!operation || !operations || operation->isIntDivRem()) return false;
  if (operation->getType()->getScalarType() != element) return false;
  if (operation->getOpcode() == Instruction::FDiv || operation->getOpcode() == Instruction::FRem) return false;
  return all_of(operation->operands(), [&](const Use &use) {
    return is_interleaved({use.get(), component.index}, element, step, operations - 1);
  });
}

/* Whether one wide value has both components, from moved_from(). */
bool Widener::is_interleaved_alike(Component left, Component right) const {
  if (analysis_.is_uniform(left.value) || analysis_.is_uniform(right.value))
    return analysis_.is_uniform(left.value) && analysis_.is_uniform(right.value);
  auto *left_load = dyn_cast<LoadInst>(left.value), *right_load = dyn_cast<LoadInst>(right.value);
  if (left_load || right_load) return left_load && right_load && group_of(*left_load) == group_of(*right_load);
  return cast<Instruction>(left.value)->getOpcode() == cast<Instruction>(right.value)->getOpcode();
}

/* The three kinds of interleaved values. All components are alike; those without a value are unspecified. */
Value *Widener::interleave_uniform(ArrayRef<Component> components, Type *element) {
  const auto step = unsigned(components.size());
  Value *pattern = PoisonValue::get(FixedVectorType::get(element, step));
  for (auto [slot, component] : enumerate(components)) {
    if (!component.value) continue;
    Value *one = scalar(component.value);
    if (one->getType()->isVectorTy()) one = builder_.CreateExtractElement(one, component.index);
    pattern = builder_.CreateInsertElement(pattern, builder_.CreateBitCast(one, element), slot);
  }
  SmallVector<int, 64> indices;
  for (unsigned i = 0; i < step * width_; i++) indices.push_back(components[i % step].value ? int(i % step) : -1);
  return builder_.CreateShuffleVector(pattern, indices);
}

Value *Widener::interleave_loaded(ArrayRef<Component> components, Type *element) {
  const auto step = unsigned(components.size());
  SmallVector<int, 64> indices(step * width_, PoisonMaskElem);
  const AccessGroup *group = nullptr;
  bool is_in_place = true;
  for (auto [slot, component] : enumerate(components)) {
    if (!component.value) continue;
    group = group_of(*cast<LoadInst>(component.value));
    auto *member =
        find_if(group->members, [&](const AccessGroup::Member &one) { return one.access == component.value; });
    const unsigned from = member->slot + component.index;
    is_in_place &= from == slot;
    for (unsigned i = 0; i < width_; i++) indices[i * step + slot] = int(i * step + from);
  }
  Value *all = loaded_groups_.lookup(group);
  if (!is_in_place) all = builder_.CreateShuffleVector(all, indices);
  return builder_.CreateBitCast(all, FixedVectorType::get(element, step * width_));
}

Value *Widener::interleave_operations(ArrayRef<Component> components, Type *element) {
  SmallVector<Component, 8> operands[2];
  Instruction *first = nullptr;
  for (auto [value, index] : components) {
    auto *operation = cast_or_null<BinaryOperator>(value);
    if (!first) first = operation;
    for (unsigned i = 0; i < 2; i++) operands[i].push_back({operation ? operation->getOperand(i) : nullptr, index});
  }
  Value *left = interleaved_value(operands[0], element), *right = interleaved_value(operands[1], element);
  auto *made = BinaryOperator::Create(cast<BinaryOperator>(first)->getOpcode(), left, right);
  made->copyIRFlags(first);
  for (const Component &component : components) {
    if (component.value) made->andIRFlags(component.value);
  }
  return builder_.Insert(made, first->getName());
}

/* A wide vector with the components of lane i at the elements from i * step, by slot. Elements without a component are
 * unspecified. */
Value *Widener::interleaved_value(ArrayRef<Component> components, Type *element) {
  const auto step = unsigned(components.size());
  Component first = {};
  SmallVector<Component, 8> alike(step), others(step);
  for (auto [slot, component] : enumerate(components)) {
    if (!component.value) continue;
    const Component source = moved_from(component);
    if (!first.value) first = source;
    (is_interleaved_alike(first, source) ? alike : others)[slot] = source;
  }
  Value *all = analysis_.is_uniform(first.value) ? interleave_uniform(alike, element)
               : isa<LoadInst>(first.value)      ? interleave_loaded(alike, element)
                                                 : interleave_operations(alike, element);
  return merge_components(all, others, element);
}

/* `all`, which may be null, with interleaved components in place of its elements. */
Value *Widener::merge_components(Value *all, ArrayRef<Component> components, Type *element) {
  if (none_of(components, [](const Component &component) { return component.value; })) return all;
  Value *values = interleaved_value(components, element);
  return merge_slots(all, values, unsigned(components.size()),
                     [&](unsigned slot) { return components[slot].value != nullptr; });
}

/* Replaces the slots for which `is_replaced` holds in `all`, which may be null, by those of `values`. */
Value *Widener::merge_slots(Value *all, Value *values, unsigned step, function_ref<bool(unsigned)> is_replaced) {
  if (!all) return values;
  const unsigned count = step * width_;
  SmallVector<int, 64> indices;
  for (unsigned i = 0; i < count; i++) indices.push_back(int(is_replaced(i % step) ? count + i : i));
  return builder_.CreateShuffleVector(all, values, indices);
}

/* The elements that a group stores, with the gaps that are stored back. Each slot is in `shuffled`, as a vector of all
 * lanes, or in `interleaved`; `count` is that of slice_elements(). */
Value *Widener::stored_elements(const AccessGroup &group, const Components &shuffled, ArrayRef<Component> interleaved,
                                unsigned count) {
  Value *all = group.gaps ? loaded_groups_.lookup(group.gaps) : nullptr;
  if (any_of(shuffled, [](const Value *value) { return value != nullptr; })) {
    Value *values = interleave(shuffled, group.step, count);
    all = merge_slots(all, values, group.step, [&](unsigned slot) { return shuffled[slot] != nullptr; });
  }
  return merge_components(all, interleaved, group.element);
}

void Widener::store_group(const AccessGroup &group) {
  if (group.is_per_lane) {
    store_per_lane(group);
    return;
  }
  Components shuffled(group.step);
  SmallVector<Component, 8> interleaved(group.step);
  unsigned shuffled_slots = 0;
  for (const AccessGroup::Member &member : group.members) {
    Value *value = cast<StoreInst>(member.access)->getValueOperand();
    for (unsigned i = 0; i < member.count; i++) {
      const unsigned slot = member.slot + i;
      if (is_interleaved({value, i}, group.element, group.step, max_interleaved_depth)) {
        interleaved[slot] = {value, i};
        continue;
      }
      shuffled[slot] = builder_.CreateBitCast(vectors(value)[i], widen(group.element));
      shuffled_slots |= 1U << slot;
    }
  }
  Align align;
  Value *first = group_start(group, align);
  auto copy_metadata = [&](Instruction *stored) { copy_group_metadata(stored, group); };
  const bool is_shuffled = !group.gaps && shuffled_slots == group.slots && !group.has_all_slots();
  const unsigned count = slice_elements(*group.element, group.step, group.slots);
  if (is_shuffled && count && !mask_) {
    store_with_gaps(shuffled, first, group.step, count, align, copy_metadata);
    return;
  }
  store_wide(wide_access(group), stored_elements(group, shuffled, interleaved, count), first, align, copy_metadata);
}

}  // namespace quern
