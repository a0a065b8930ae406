/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Loads and stores whose elements lie between each other's, made as one. */
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>

#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

/* Operations between loads and a store that are done on all that lies between the elements, as that takes fewer
 * shuffles. */
static constexpr unsigned most_operations = 2;

const AccessGroup *Widener::group_of(const Instruction &access) const {
  const AccessGroup *group = input_.groups ? input_.groups->find(&access) : nullptr;
  if (!group) return nullptr;
  if (group->is_per_lane) return width_ < group->step ? nullptr : group;
  uint64_t size = data_.getTypeAllocSize(getLoadStoreType(const_cast<Instruction *>(&access)));
  return size * group->step * width_ <= widest_access ? group : nullptr;
}

/* Where lane 0's part of memory begins, and how it is aligned. */
Value *Widener::group_start(const AccessGroup &group, Align &align) {
  Instruction *place = group.place();
  bool is_load = isa<LoadInst>(place);
  uint64_t size = data_.getTypeAllocSize(getLoadStoreType(place));
  uint64_t before = size * (is_load ? group.members.front() : group.members.back()).slot;
  align = commonAlignment(contiguous_align(getLoadStoreAlignment(place), getLoadStorePointerOperand(place)), before);
  Value *first = scalar(getLoadStorePointerOperand(place));
  return before ? builder_.CreateGEP(builder_.getInt8Ty(), first, builder_.getInt64(-before)) : first;
}

/* Null where everything is on. What lies between two lanes' elements may be touched as what lies between one's. */
Value *Widener::group_mask(const AccessGroup &group) {
  if (mask_ || !group.is_own) return repeat_mask(mask_, group.step, group.slots);
  const bool is_whole = isa<LoadInst>(group.place()) || group.gaps;
  if (!is_whole || group.has_all_slots()) return repeat_mask(mask_, group.step, group.slots);
  const unsigned count = group.step * width_;
  SmallVector<Constant *, 64> in_use;
  for (unsigned i = 0; i < count; i++) {
    bool is_outside =
        i < unsigned(countr_zero(group.slots)) || i >= count - group.step + unsigned(bit_width(group.slots));
    in_use.push_back(builder_.getInt1(!is_outside));
  }
  return ConstantVector::get(in_use);
}

/* What the members say of themselves, but not where elements of others are stored again: these are not told of. */
void keep_group_metadata(Instruction *made, const AccessGroup &group) {
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
  keep_group_metadata(all, group);
  loaded_groups_[&group] = all;
  for (const AccessGroup::Member &member : group.members) {
    set_lanes(member.access, {builder_.CreateShuffleVector(all, every(group.step, member.slot, width_))});
  }
}

/* True when `value` is made, by few operations, from loads of groups with this step. */
bool Widener::is_in_slots(const Value *value, unsigned step, unsigned operations) const {
  if (analysis_.is_uniform(value)) return true;
  if (auto *load = dyn_cast<LoadInst>(value)) {
    const AccessGroup *group = group_of(*load);
    return group && !group->is_per_lane && group->step == step;
  }
  auto *operation = dyn_cast<BinaryOperator>(value);
  if (!operation || !operations || operation->isIntDivRem() || operation->getType()->isVectorTy()) return false;
  if (operation->getOpcode() == Instruction::FDiv || operation->getOpcode() == Instruction::FRem) return false;
  return all_of(operation->operands(), [&](const Use &use) { return is_in_slots(use.get(), step, operations - 1); });
}

/* The lanes' values, `step` elements apart from the one numbered `slot` on; what is between them means nothing. */
Value *Widener::in_slots(Value *value, unsigned step, unsigned slot) {
  const unsigned count = step * width_;
  if (analysis_.is_uniform(value)) return builder_.CreateVectorSplat(count, scalar(value));
  SmallVector<int, 64> from(count, PoisonMaskElem);
  if (auto *load = dyn_cast<LoadInst>(value)) {
    const AccessGroup *group = group_of(*load);
    Value *all = loaded_groups_.lookup(group);
    for (const AccessGroup::Member &member : group->members) {
      if (member.access != load) continue;
      if (member.slot == slot) return all;
      for (unsigned i = slot; i < count; i += step) from[i] = int(i + member.slot - slot);
    }
    return builder_.CreateShuffleVector(all, from);
  }
  auto *operation = cast<BinaryOperator>(value);
  Value *left = in_slots(operation->getOperand(0), step, slot), *right = in_slots(operation->getOperand(1), step, slot);
  auto *made = BinaryOperator::Create(operation->getOpcode(), left, right);
  made->copyIRFlags(operation);
  return builder_.Insert(made, operation->getName());
}

/* Values that are not at hand in this order are put one behind the other, then woven. */
Value *Widener::interleave(const AccessGroup &group) {
  SmallVector<Value *, 8> apart;
  SmallVector<int, 64> from(group.step * width_, PoisonMaskElem);
  for (const AccessGroup::Member &member : group.members) {
    Value *value = cast<StoreInst>(member.access)->getValueOperand();
    if (is_in_slots(value, group.step, most_operations)) continue;
    for (unsigned i = 0; i < width_; i++) from[i * group.step + member.slot] = int(apart.size() * width_ + i);
    apart.push_back(lane(value));
  }
  if (apart.empty()) return nullptr;
  auto *type = FixedVectorType::get(apart[0]->getType()->getScalarType(), unsigned(apart.size()) * width_);
  Value *joined = PoisonValue::get(type);
  for (auto [i, value] : enumerate(apart)) joined = builder_.CreateInsertVector(type, joined, value, i * width_);
  return builder_.CreateShuffleVector(joined, from);
}

void Widener::store_group(const AccessGroup &group) {
  if (group.is_per_lane) {
    store_per_lane(group);
    return;
  }
  const unsigned count = group.step * width_;
  Value *all = group.gaps ? loaded_groups_.lookup(group.gaps) : nullptr;
  auto blend = [&](Value *values, auto takes) {
    SmallVector<int, 64> from;
    for (unsigned i = 0; i < count; i++) from.push_back(int(takes(i % group.step) ? count + i : i));
    all = all ? builder_.CreateShuffleVector(all, values, from) : values;
  };
  unsigned woven = 0;
  for (const AccessGroup::Member &member : group.members) {
    Value *value = cast<StoreInst>(member.access)->getValueOperand();
    if (!is_in_slots(value, group.step, most_operations)) woven |= 1U << member.slot;
  }
  if (Value *values = interleave(group)) blend(values, [&](unsigned slot) { return woven >> slot & 1; });
  for (const AccessGroup::Member &member : group.members) {
    if (woven >> member.slot & 1) continue;
    Value *value = cast<StoreInst>(member.access)->getValueOperand();
    blend(in_slots(value, group.step, member.slot), [&](unsigned slot) { return slot == member.slot; });
  }
  Align align;
  Value *first = group_start(group, align), *mask = group_mask(group);
  Instruction *made = mask ? static_cast<Instruction *>(builder_.CreateMaskedStore(all, first, align, mask))
                           : builder_.CreateAlignedStore(all, first, align);
  keep_group_metadata(made, group);
}

}  // namespace quern
