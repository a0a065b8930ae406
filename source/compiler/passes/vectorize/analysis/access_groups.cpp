/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which accesses lie between each other, and may be made at once. */
#include "compiler/passes/vectorize/analysis/access_groups.hpp"

#include "compiler/passes/address_spaces.hpp"

using namespace llvm;

namespace quern {

/* Accesses of a block that are looked at together: they are compared with each other. */
static constexpr unsigned most_accesses = 48;

static const Value *address_of(const Instruction *access) { return getLoadStorePointerOperand(access); }
static Type *type_of(const Instruction *access) { return getLoadStoreType(const_cast<Instruction *>(access)); }
static unsigned space_of(const Instruction *access) { return getLoadStoreAddressSpace(access); }
static int64_t size_of(const Instruction *access) {
  return int64_t(access->getDataLayout().getTypeAllocSize(type_of(access)));
}

static bool is_store(const Instruction *instruction) { return isa<StoreInst>(instruction); }

static bool is_simple(const Instruction *access) {
  auto *load = dyn_cast<LoadInst>(access);
  return load ? load->isSimple() : cast<StoreInst>(access)->isSimple();
}

/* Single elements with a few others between those of two lanes. */
static bool is_eligible(const Instruction *access, const ShapeAnalysis &analysis, const PrivateMemory &memory) {
  if (!is_simple(access) || memory.interleaved(address_of(access)) || analysis.no_wrap_checks(address_of(access)))
    return false;
  Type *type = type_of(access);
  if (!type->isIntegerTy() && !type->isFloatingPointTy()) return false;
  int64_t size = size_of(access);
  if (uint64_t(size) * 8 != type->getScalarSizeInBits()) return false;
  Shape shape = analysis.shape(address_of(access));
  return shape.kind == Shape::strided && shape.stride >= 2 * size && shape.stride % size == 0 &&
         shape.stride <= size * int64_t(widest_group_step);
}

bool is_per_lane_type(const Type &type) {
  const bool is_number = type.isIntegerTy() || type.isFloatingPointTy();
  return is_number && (type.getScalarSizeInBits() == 32 || type.getScalarSizeInBits() == 64);
}

/* Single elements with others, or much, between those of two lanes. */
static bool may_be_disjoint(const Instruction *access, const ShapeAnalysis &analysis, const PrivateMemory &memory) {
  const Value *address = address_of(access);
  if (!is_simple(access) || !is_per_lane_type(*type_of(access)) || memory.interleaved(address)) return false;
  Shape shape = analysis.shape(address);
  if (shape.kind != Shape::strided) return shape.kind == Shape::varying;
  return std::abs(shape.stride) > size_of(access) * int64_t(widest_group_step);
}

static int64_t remainder(int64_t number, int64_t by) { return (number % by + by) % by; }

AccessGroups::AccessGroups(const ShapeAnalysis &analysis, const PrivateMemory &memory, bool has_masks)
    : analysis_(analysis), memory_(memory), has_masks_(has_masks), sums_(analysis.order().front()->getDataLayout()) {
  for (BasicBlock *block : analysis.order()) {
    /* What is ordered with everything else parts the block. */
    SmallVector<Instruction *, 32> accesses;
    unsigned eligible = 0;
    auto group = [&] {
      if (eligible > 1 && accesses.size() <= most_accesses) {
        group_loads(accesses);
        group_stores(accesses);
      }
      group_per_lane(accesses);
      accesses.clear();
      eligible = 0;
    };
    for (Instruction &instruction : *block) {
      if (!instruction.mayReadOrWriteMemory()) continue;
      if (!isa<LoadInst>(instruction) && !is_store(&instruction)) {
        group();
        continue;
      }
      accesses.push_back(&instruction);
      if (is_eligible(&instruction, analysis, memory)) eligible++;
    }
    group();
  }
}

/* True when no lane's element of one is that of any lane of the other. */
bool AccessGroups::is_per_lane(const Instruction *first, const Instruction *second) {
  auto is_named = [](unsigned space) {
    return space == global_space || space == constant_space || space == local_space;
  };
  const unsigned spaces[] = {space_of(first), space_of(second)};
  if (spaces[0] != spaces[1] && is_named(spaces[0]) && is_named(spaces[1])) return true;
  if (!is_eligible(first, analysis_, memory_) || !is_eligible(second, analysis_, memory_)) return false;
  int64_t stride = analysis_.shape(address_of(first)).stride;
  auto distance = sums_.distance(address_of(first), address_of(second));
  if (!distance || analysis_.shape(address_of(second)).stride != stride) return false;
  int64_t behind = remainder(*distance, stride);
  return behind >= size_of(first) && behind <= stride - size_of(second);
}

bool AccessGroups::can_join(const Instruction *first, const Instruction *second) {
  if (!is_eligible(first, analysis_, memory_) || !is_eligible(second, analysis_, memory_)) return false;
  if (is_store(first) != is_store(second) || type_of(first) != type_of(second)) return false;
  if (space_of(first) != space_of(second)) return false;
  int64_t stride = analysis_.shape(address_of(first)).stride;
  if (analysis_.shape(address_of(second)).stride != stride) return false;
  auto distance = sums_.distance(address_of(first), address_of(second));
  return distance && *distance && std::abs(*distance) < stride && *distance % size_of(first) == 0;
}

/* True when `other` can be one of a group with `members`: all lie within one step. */
bool AccessGroups::fits(ArrayRef<Instruction *> members, Instruction *other) {
  int64_t lowest = 0, highest = 0;
  for (Instruction *member : members) {
    if (!can_join(member, other)) return false;
    int64_t distance = *sums_.distance(address_of(other), address_of(member));
    lowest = std::min(lowest, distance);
    highest = std::max(highest, distance);
  }
  return highest - lowest < analysis_.shape(address_of(other)).stride;
}

/* A step begins at a multiple of its length where it can, so that vectors are aligned if memory is. */
AccessGroup AccessGroups::make_group(ArrayRef<Instruction *> members) {
  const Value *first = address_of(members[0]);
  const int64_t size = size_of(members[0]), stride = analysis_.shape(first).stride;
  int64_t lowest = 0, highest = 0;
  for (Instruction *member : members) {
    lowest = std::min(lowest, *sums_.distance(first, address_of(member)));
    highest = std::max(highest, *sums_.distance(first, address_of(member)));
  }
  int64_t before = remainder(sums_.constant(first) + lowest, stride);
  if (before % size || before + highest - lowest >= stride) before = 0;
  AccessGroup group = {};
  group.step = unsigned(stride / size);
  group.is_own = space_of(members[0]) == local_space;
  for (Instruction *member : members) {
    auto slot = unsigned((before - lowest + *sums_.distance(first, address_of(member))) / size);
    group.members.push_back({member, slot});
    group.slots |= 1U << slot;
  }
  if (group.is_own && !is_store(members[0])) {
    for (int64_t slot = before; slot <= before + highest - lowest; slot += size) group.slots |= 1U << (slot / size);
  }
  return group;
}

void AccessGroups::keep(AccessGroup group) {
  auto kept = std::make_unique<AccessGroup>(std::move(group));
  for (const AccessGroup::Member &member : kept->members) of_[member.access] = kept.get();
  groups_.push_back(std::move(kept));
}

/* Later loads are made earlier, before stores that they are apart from. */
void AccessGroups::group_loads(ArrayRef<Instruction *> accesses) {
  for (size_t first = 0; first < accesses.size(); first++) {
    Instruction *leader = accesses[first];
    if (is_store(leader) || of_.contains(leader)) continue;
    SmallVector<Instruction *, 4> members = {leader}, stores;
    for (Instruction *access : accesses.drop_front(first + 1)) {
      if (is_store(access)) {
        stores.push_back(access);
      } else if (!of_.contains(access) && fits(members, access) &&
                 all_of(stores, [&](Instruction *store) { return is_per_lane(store, access); })) {
        members.push_back(access);
      }
    }
    if (members.size() < 2) continue;
    AccessGroup group = make_group(members);
    if (has_masks_ || group.has_all_slots()) keep(std::move(group));
  }
}

/* True when the element of each lane is so many elements behind the first one's. */
bool AccessGroups::is_adjacent(const Instruction *first, const Instruction *second, unsigned elements) {
  if (is_store(first) != is_store(second) || type_of(first) != type_of(second) || !is_simple(second)) return false;
  if (space_of(first) != space_of(second) || of_.contains(second)) return false;
  auto distance = sums_.distance(address_of(first), address_of(second));
  return distance && *distance == elements * size_of(first);
}

/* Those that follow each other in memory and in the block, with no other access between them. */
void AccessGroups::group_per_lane(ArrayRef<Instruction *> accesses) {
  for (size_t first = 0; first < accesses.size(); first++) {
    Instruction *leader = accesses[first];
    if (of_.contains(leader) || !may_be_disjoint(leader, analysis_, memory_)) continue;
    const auto count = per_lane_bytes / unsigned(size_of(leader));
    if (first + count > accesses.size()) continue;
    AccessGroup group = {};
    for (unsigned i = 0; i < count && (!i || is_adjacent(leader, accesses[first + i], i)); i++) {
      group.members.push_back({accesses[first + i], i});
    }
    if (group.members.size() < count) continue;
    group.step = count;
    group.slots = (1U << count) - 1;
    group.is_per_lane = true;
    keep(std::move(group));
  }
}

/* The same of all loads that are made with `load`. */
bool AccessGroups::is_disjoint_from_group(const Instruction *store, const Instruction *load) {
  const AccessGroup *group = find(load);
  if (!group || group->place() != load) return is_per_lane(store, load);
  return all_of(group->members, [&](const AccessGroup::Member &member) { return is_per_lane(store, member.access); });
}

/* Earlier stores are made later. One alone is a group where others' elements between its own are at hand. */
void AccessGroups::group_stores(ArrayRef<Instruction *> accesses) {
  for (size_t end = accesses.size(); end > 0; end--) {
    Instruction *last = accesses[end - 1];
    if (!is_store(last) || of_.contains(last) || !is_eligible(last, analysis_, memory_)) continue;
    SmallVector<Instruction *, 4> members = {last}, between;
    for (Instruction *access : reverse(accesses.take_front(end - 1))) {
      bool is_member = is_store(access) && !of_.contains(access) && fits(members, access) &&
                       all_of(between, [&](Instruction *other) { return is_disjoint_from_group(access, other); });
      if (is_member) members.insert(members.begin(), access);
      between.push_back(access);
    }
    AccessGroup group = make_group(members);
    find_gaps(accesses, group);
    bool is_one = group.members.size() > 1 || group.gaps;
    if (is_one && (has_masks_ || group.has_all_slots())) keep(std::move(group));
  }
}

/* Loads whose elements are still in memory when the stores are made, but for those of the stores. */
void AccessGroups::find_gaps(ArrayRef<Instruction *> accesses, AccessGroup &group) {
  if (!group.is_own || group.has_all_slots()) return;
  const AccessGroup *loaded = nullptr;
  for (const Instruction *access : accesses) {
    if (access == group.place()) break;
    const AccessGroup *other = find(access);
    if (other && !is_store(access) && other->place() == access && other->step == group.step &&
        type_of(access) == type_of(group.place())) {
      auto distance = sums_.distance(address_of(access), address_of(group.place()));
      int64_t slots = int64_t(group.members.back().slot) - int64_t(other->members[0].slot);
      bool covers = (other->slots | group.slots) == other->slots;
      if (distance && *distance == slots * size_of(access) && covers) loaded = other;
    }
    auto is_of_group = [&](const AccessGroup::Member &member) { return member.access == access; };
    bool is_other = is_store(access) && !any_of(group.members, is_of_group);
    if (!is_other || space_of(access) == global_space) continue;
    /* It is made here, or later: with others perhaps. */
    loaded = nullptr;
    const AccessGroup *others = find(access);
    if (others) return;
  }
  if (!loaded) return;
  group.gaps = loaded;
  group.slots = loaded->slots;
  const_cast<AccessGroup *>(loaded)->fills_gaps = true;
}

}  // namespace quern
