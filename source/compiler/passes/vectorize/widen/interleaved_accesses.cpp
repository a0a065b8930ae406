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

/* The mask of the wide access, null when all elements are active. In memory known to this thread alone (is_own), gaps
 * between the first and the last member may be accessed too. That holds between two lanes as within one. */
Value *Widener::group_mask(const AccessGroup &group) {
  if (mask_ || !group.is_own) return replicate_mask(mask_, group.step, group.slots);
  const bool is_whole = isa<LoadInst>(group.place()) || group.gaps;
  if (!is_whole || group.has_all_slots()) return replicate_mask(mask_, group.step, group.slots);
  const unsigned count = group.step * width_;
  SmallVector<Constant *, 64> in_use;
  for (unsigned i = 0; i < count; i++) {
    bool is_outside =
        i < unsigned(countr_zero(group.slots)) || i >= count - group.step + unsigned(bit_width(group.slots));
    in_use.push_back(builder_.getInt1(!is_outside));
  }
  return ConstantVector::get(in_use);
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
  auto *type = FixedVectorType::get(element, width_ * group.step);
  Align align;
  Value *first = group_start(group, align), *mask = group_mask(group);
  Instruction *all = mask ? static_cast<Instruction *>(builder_.CreateMaskedLoad(type, first, align, mask))
                          : builder_.CreateAlignedLoad(type, first, align);
  copy_group_metadata(all, group);
  loaded_groups_[&group] = all;
  for (const AccessGroup::Member &member : group.members) {
    set_vectors(member.access, {builder_.CreateShuffleVector(all, strided_indices(group.step, member.slot, width_))});
  }
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

/* The members' values that are not available interleaved: concatenated, then interleaved by one shuffle. Null when
 * there are none. */
Value *Widener::interleave(const AccessGroup &group) {
  SmallVector<Value *, 8> sources;
  SmallVector<int, 64> indices(group.step * width_, PoisonMaskElem);
  for (const AccessGroup::Member &member : group.members) {
    Value *value = cast<StoreInst>(member.access)->getValueOperand();
    if (is_interleaved_value(value, group.step, max_interleaved_depth)) continue;
    for (unsigned i = 0; i < width_; i++) indices[i * group.step + member.slot] = int(sources.size() * width_ + i);
    sources.push_back(only_vector(value));
  }
  if (sources.empty()) return nullptr;
  auto *type = FixedVectorType::get(sources[0]->getType()->getScalarType(), unsigned(sources.size()) * width_);
  Value *concatenated = PoisonValue::get(type);
  for (auto [i, value] : enumerate(sources))
    concatenated = builder_.CreateInsertVector(type, concatenated, value, i * width_);
  return builder_.CreateShuffleVector(concatenated, indices);
}

void Widener::store_group(const AccessGroup &group) {
  if (group.is_per_lane) {
    store_per_lane(group);
    return;
  }
  const unsigned count = group.step * width_;
  Value *all = group.gaps ? loaded_groups_.lookup(group.gaps) : nullptr;
  auto merge_slots = [&](Value *values, auto is_replaced) {
    SmallVector<int, 64> indices;
    for (unsigned i = 0; i < count; i++) indices.push_back(int(is_replaced(i % group.step) ? count + i : i));
    all = all ? builder_.CreateShuffleVector(all, values, indices) : values;
  };
  unsigned shuffled_slots = 0;
  for (const AccessGroup::Member &member : group.members) {
    Value *value = cast<StoreInst>(member.access)->getValueOperand();
    if (!is_interleaved_value(value, group.step, max_interleaved_depth)) shuffled_slots |= 1U << member.slot;
  }
  if (Value *values = interleave(group)) merge_slots(values, [&](unsigned slot) { return shuffled_slots >> slot & 1; });
  for (const AccessGroup::Member &member : group.members) {
    if (shuffled_slots >> member.slot & 1) continue;
    Value *value = cast<StoreInst>(member.access)->getValueOperand();
    merge_slots(interleaved_value(value, group.step, member.slot), [&](unsigned slot) { return slot == member.slot; });
  }
  Align align;
  Value *first = group_start(group, align), *mask = group_mask(group);
  Instruction *made = mask ? static_cast<Instruction *>(builder_.CreateMaskedStore(all, first, align, mask))
                           : builder_.CreateAlignedStore(all, first, align);
  copy_group_metadata(made, group);
}

}  // namespace quern
