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
  uint64_t size = data_layout_.getTypeAllocSize(getLoadStoreType(const_cast<Instruction *>(&access)));
  return size * group->step * width_ <= max_access_bytes ? group : nullptr;
}

/* The address of slot 0 of lane 0, and its alignment. */
Value *Widener::group_start(const AccessGroup &group, Align &align) {
  Instruction *place = group.place();
  bool is_load = isa<LoadInst>(place);
  uint64_t size = data_layout_.getTypeAllocSize(getLoadStoreType(place));
  uint64_t before = size * (is_load ? group.members.front() : group.members.back()).slot;
  align = commonAlignment(contiguous_align(getLoadStoreAlignment(place), getLoadStorePointerOperand(place)), before);
  Value *first = scalar(getLoadStorePointerOperand(place));
  return before ? builder_.CreateGEP(builder_.getInt8Ty(), first, builder_.getInt64(-before)) : first;
}

/* In memory known to this thread alone (is_own), gaps between the first and the last member may be accessed too. That
 * holds between two lanes as within one. */
Widener::WideAccess Widener::wide_access(const AccessGroup &group) {
  Type *element = getLoadStoreType(group.place());
  const bool is_whole = isa<LoadInst>(group.place()) || group.gaps;
  if (mask_ || !group.is_own || !is_whole || group.has_all_slots())
    return wide_access(element, group.step, group.slots);
  const unsigned count = group.step * width_;
  SmallVector<Constant *, 64> in_use;
  for (unsigned i = 0; i < count; i++) {
    bool is_outside =
        i < unsigned(countr_zero(group.slots)) || i >= count - group.step + unsigned(bit_width(group.slots));
    in_use.push_back(builder_.getInt1(!is_outside));
  }
  return {FixedVectorType::get(element, count), ConstantVector::get(in_use)};
}

/* A group with gaps also accesses elements that the metadata of its members does not describe. */
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
  Type *element = getLoadStoreType(group.place());
  Align align;
  Value *first = group_start(group, align);
  auto copy_metadata = [&](Instruction *loaded) { copy_group_metadata(loaded, group); };
  Instruction *loaded = load_wide(wide_access(group), first, align);
  copy_metadata(loaded);
  Value *all = builder_.CreateBitCast(loaded, FixedVectorType::get(element, width_ * group.step));
  /* For stores of interleaved values. Without these it is dead where slices are loaded. */
  loaded_groups_[&group] = all;
  const unsigned count = slice_elements(*element, group.step, group.slots);
  const Components elements =
      count && !mask_ ? load_deinterleaved(first, element, group.step, group.slots, count, align, copy_metadata)
                      : deinterleave(all, group.step, group.slots, count);
  for (const AccessGroup::Member &member : group.members) set_vectors(member.access, {elements[member.slot]});
}

/* True when `value` is computed by at most `operations` levels of operations from uniform values and from loads of
 * interleave groups of the same step. */
bool Widener::is_interleaved_value(const Value *value, unsigned step, unsigned operations) const {
  if (analysis_.is_uniform(value)) return true;
  if (auto *load = dyn_cast<LoadInst>(value)) {
    const AccessGroup *group = group_of(*load);
    return group && !group->is_per_lane && group->step == step;
  }
  auto *operation = dyn_cast<BinaryOperator>(value);
  if (!operation || !operations || operation->isIntDivRem() || operation->getType()->isVectorTy()) return false;
  if (operation->getOpcode() == Instruction::FDiv || operation->getOpcode() == Instruction::FRem) return false;
  return all_of(operation->operands(),
                [&](const Use &use) { return is_interleaved_value(use.get(), step, operations - 1); });
}

/* A wide vector with the value of lane i at element i * step + slot; all other elements are unspecified. */
Value *Widener::interleaved_value(Value *value, unsigned step, unsigned slot) {
  const unsigned count = step * width_;
  if (analysis_.is_uniform(value)) return builder_.CreateVectorSplat(count, scalar(value));
  SmallVector<int, 64> indices(count, PoisonMaskElem);
  if (auto *load = dyn_cast<LoadInst>(value)) {
    const AccessGroup *group = group_of(*load);
    Value *all = loaded_groups_.lookup(group);
    for (const AccessGroup::Member &member : group->members) {
      if (member.access != load) continue;
      if (member.slot == slot) return all;
      for (unsigned i = slot; i < count; i += step) indices[i] = int(i + member.slot - slot);
    }
    return builder_.CreateShuffleVector(all, indices);
  }
  auto *operation = cast<BinaryOperator>(value);
  Value *left = interleaved_value(operation->getOperand(0), step, slot),
        *right = interleaved_value(operation->getOperand(1), step, slot);
  auto *made = BinaryOperator::Create(operation->getOpcode(), left, right);
  made->copyIRFlags(operation);
  return builder_.Insert(made, operation->getName());
}

/* Replaces the slots for which `is_replaced` holds in `all`, which may be null, by those of `values`. */
Value *Widener::merge_slots(Value *all, Value *values, unsigned step, function_ref<bool(unsigned)> is_replaced) {
  if (!all) return values;
  const unsigned count = step * width_;
  SmallVector<int, 64> indices;
  for (unsigned i = 0; i < count; i++) indices.push_back(int(is_replaced(i % step) ? count + i : i));
  return builder_.CreateShuffleVector(all, values, indices);
}

/* The elements that a group stores, with the gaps that are stored back. `shuffled` has the members' values by slot,
 * null for those that are available interleaved; `count` is that of slice_elements(). */
Value *Widener::stored_elements(const AccessGroup &group, const Components &shuffled, unsigned count) {
  Value *all = group.gaps ? loaded_groups_.lookup(group.gaps) : nullptr;
  if (any_of(shuffled, [](const Value *value) { return value != nullptr; })) {
    Value *values = interleave(shuffled, group.step, count);
    all = merge_slots(all, values, group.step, [&](unsigned slot) { return shuffled[slot] != nullptr; });
  }
  for (const AccessGroup::Member &member : group.members) {
    if (shuffled[member.slot]) continue;
    Value *values = interleaved_value(cast<StoreInst>(member.access)->getValueOperand(), group.step, member.slot);
    all = merge_slots(all, values, group.step, [&](unsigned slot) { return slot == member.slot; });
  }
  return all;
}

void Widener::store_group(const AccessGroup &group) {
  if (group.is_per_lane) {
    store_per_lane(group);
    return;
  }
  Components shuffled(group.step);
  unsigned shuffled_slots = 0;
  for (const AccessGroup::Member &member : group.members) {
    Value *value = cast<StoreInst>(member.access)->getValueOperand();
    if (is_interleaved_value(value, group.step, max_interleaved_depth)) continue;
    shuffled[member.slot] = only_vector(value);
    shuffled_slots |= 1U << member.slot;
  }
  Align align;
  Value *first = group_start(group, align);
  auto copy_metadata = [&](Instruction *stored) { copy_group_metadata(stored, group); };
  const bool is_shuffled = !group.gaps && shuffled_slots == group.slots && !group.has_all_slots();
  const unsigned count = slice_elements(*getLoadStoreType(group.place()), group.step, group.slots);
  if (is_shuffled && count && !mask_) {
    store_with_gaps(shuffled, first, group.step, count, align, copy_metadata);
    return;
  }
  copy_metadata(store_wide(wide_access(group), stored_elements(group, shuffled, count), first, align));
}

}  // namespace quern
