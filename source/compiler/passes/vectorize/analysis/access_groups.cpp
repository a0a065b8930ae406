/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Search for access groups. */
#include "compiler/passes/vectorize/analysis/access_groups.hpp"

#include <cassert>

#include "compiler/passes/address_spaces.hpp"

using namespace llvm;

namespace quern {

/* Largest number of accesses between two ordered operations: the comparison of each pair takes quadratic time. */
static constexpr unsigned max_accesses = 48;

static const Value *address_of(const Instruction *access) { return getLoadStorePointerOperand(access); }
static Type *type_of(const Instruction *access) { return getLoadStoreType(const_cast<Instruction *>(access)); }
static unsigned space_of(const Instruction *access) { return getLoadStoreAddressSpace(access); }
static Type *element_of(const Instruction *access) { return type_of(access)->getScalarType(); }
static int64_t element_size(const Instruction *access) {
  return int64_t(access->getDataLayout().getTypeAllocSize(element_of(access)));
}
static unsigned element_count(const Instruction *access) {
  auto *vector = dyn_cast<FixedVectorType>(type_of(access));
  return vector ? vector->getNumElements() : 1;
}
/* Elements of an interleave candidate have no padding. */
static int64_t size_of(const Instruction *access) { return element_size(access) * element_count(access); }

static bool is_store(const Instruction *instruction) { return isa<StoreInst>(instruction); }

static bool is_simple(const Instruction *access) {
  auto *load = dyn_cast<LoadInst>(access);
  return load ? load->isSimple() : cast<StoreInst>(access)->isSimple();
}

/* Whether other accesses may not move across a load or store: one that acquires or releases. */
static bool is_ordered(const Instruction &access) {
  auto *load = dyn_cast<LoadInst>(&access);
  return isStrongerThanMonotonic(load ? load->getOrdering() : cast<StoreInst>(access).getOrdering());
}

/* Whether the lanes' addresses are strided only where tests succeed. Lane 0 is active in the entry block: variants of
 * functions, in which it may not be, have no groups. */
static bool needs_tests(const Instruction *access, const ShapeAnalysis &analysis) {
  return analysis.needs_tests(address_of(access), /*is_lane_zero_active=*/!analysis.is_masked(access->getParent()));
}

/* Whether an access may be in an interleaved group: its stride is a small multiple of the element size. A vector that
 * has all elements of its stride needs no group. */
static bool is_interleave_candidate(const Instruction *access, const ShapeAnalysis &analysis,
                                    const PrivateMemory &memory) {
  if (!is_simple(access) || memory.interleaved(address_of(access)) || needs_tests(access, analysis)) return false;
  if (isa<ScalableVectorType>(type_of(access))) return false;
  Type *element = element_of(access);
  if (!element->isIntegerTy() && !element->isFloatingPointTy()) return false;
  const int64_t size = element_size(access);
  if (uint64_t(size) * 8 != element->getScalarSizeInBits()) return false;
  Shape shape = analysis.shape(address_of(access));
  return shape.kind == Shape::strided && shape.stride > size_of(access) && shape.stride % size == 0 &&
         shape.stride <= size * int64_t(widest_group_step);
}

bool is_per_lane_type(const Type &type) {
  const bool is_number_type = type.isIntegerTy() || type.isFloatingPointTy();
  return is_number_type && (type.getScalarSizeInBits() == 32 || type.getScalarSizeInBits() == 64);
}

unsigned widest_vector_step(const Type &element) { return is_per_lane_type(element) ? 16 : widest_group_step; }

/* Whether a scalar access may lead a per-lane group: its address is varying, or the same for blocks of lanes but
 * not loaded once for all, or its stride too long to interleave. */
static bool is_per_lane_candidate(const Instruction *access, const ShapeAnalysis &analysis,
                                  const PrivateMemory &memory) {
  const Value *address = address_of(access);
  if (!is_simple(access) || !is_per_lane_type(*type_of(access)) || memory.interleaved(address)) return false;
  Shape shape = analysis.shape(address);
  if (shape.kind != Shape::strided) return shape.kind == Shape::varying;
  if (shape.stride == 0) return needs_tests(access, analysis) || analysis.is_masked(access->getParent());
  return std::abs(shape.stride) > size_of(access) * int64_t(widest_group_step);
}

static int64_t positive_modulo(int64_t value, int64_t modulus) { return (value % modulus + modulus) % modulus; }

AccessGroups::AccessGroups(const ShapeAnalysis &analysis, const PrivateMemory &memory, bool has_masks)
    : analysis_(analysis),
      memory_(memory),
      has_masks_(has_masks),
      addresses_(analysis.order().front()->getDataLayout()) {
  for (BasicBlock *block : analysis.order()) {
    /* Operations ordered with all memory accesses divide the block: calls, atomic read-modify-writes, ordered loads. */
    SmallVector<Instruction *, 32> accesses;
    unsigned candidates = 0;
    auto group = [&] {
      if (candidates > 1 && accesses.size() <= max_accesses) {
        group_loads(accesses);
        group_stores(accesses);
      }
      group_per_lane(accesses);
      accesses.clear();
      candidates = 0;
    };
    for (Instruction &instruction : *block) {
      if (!instruction.mayReadOrWriteMemory()) continue;
      if ((!isa<LoadInst>(instruction) && !is_store(&instruction)) || is_ordered(instruction)) {
        group();
        continue;
      }
      accesses.push_back(&instruction);
      if (is_interleave_candidate(&instruction, analysis, memory)) candidates++;
    }
    group();
  }
}

/* True when no lane's element of one access overlaps any lane's element of the other. */
bool AccessGroups::are_disjoint(const Instruction *first, const Instruction *second) {
  auto is_named_space = [](unsigned space) {
    return space == global_space || space == constant_space || space == local_space;
  };
  const unsigned spaces[] = {space_of(first), space_of(second)};
  if (spaces[0] != spaces[1] && is_named_space(spaces[0]) && is_named_space(spaces[1])) return true;
  if (!is_interleave_candidate(first, analysis_, memory_) || !is_interleave_candidate(second, analysis_, memory_))
    return false;
  int64_t stride = analysis_.shape(address_of(first)).stride;
  auto distance = addresses_.distance(address_of(first), address_of(second));
  if (!distance || analysis_.shape(address_of(second)).stride != stride) return false;
  int64_t offset = positive_modulo(*distance, stride);
  return offset >= size_of(first) && offset <= stride - size_of(second);
}

/* True when both accesses can be members of one interleaved group. */
bool AccessGroups::can_share_group(const Instruction *first, const Instruction *second) {
  if (!is_interleave_candidate(first, analysis_, memory_) || !is_interleave_candidate(second, analysis_, memory_))
    return false;
  if (is_store(first) != is_store(second) || space_of(first) != space_of(second)) return false;
  if (element_size(first) != element_size(second)) return false;
  int64_t stride = analysis_.shape(address_of(first)).stride;
  if (analysis_.shape(address_of(second)).stride != stride) return false;
  auto distance = addresses_.distance(address_of(first), address_of(second));
  if (!distance || *distance % element_size(first)) return false;
  return *distance > 0 ? *distance >= size_of(first) : -*distance >= size_of(second);
}

/* True when `candidate` can be added to the group: all members of a lane lie within one stride. */
bool AccessGroups::can_add_member(ArrayRef<Instruction *> members, Instruction *candidate) {
  int64_t lowest = 0, end = size_of(candidate);
  for (Instruction *member : members) {
    if (!can_share_group(member, candidate)) return false;
    int64_t distance = *addresses_.distance(address_of(candidate), address_of(member));
    lowest = std::min(lowest, distance);
    end = std::max(end, distance + size_of(member));
  }
  return end - lowest <= analysis_.shape(address_of(candidate)).stride;
}

bool is_whole_loadable(Align align, uint64_t bytes) { return isPowerOf2_64(bytes) && align.value() >= bytes; }

/* Adds the elements that a group of loads may load besides those of its members, which are in one page with these:
 * between two members, as LLVM's code generator loads them (combineMaskedLoadConstantMask), and all of a lane that
 * is_whole_loadable(). */
static void fill_gaps(AccessGroup &group) {
  const auto bytes = uint64_t(element_size(group.place())) * group.step;
  auto is_whole = [&](const AccessGroup::Member &member) {
    return member.slot == 0 && is_whole_loadable(getLoadStoreAlignment(member.access), bytes);
  };
  const unsigned lowest = unsigned(countr_zero(group.slots)), end = unsigned(bit_width(group.slots));
  group.slots = any_of(group.members, is_whole) ? (1U << group.step) - 1 : (1U << end) - (1U << lowest);
}

/* Lane 0's elements begin at a multiple of the stride if possible, so that the vector is aligned if the memory is. */
AccessGroup AccessGroups::make_group(ArrayRef<Instruction *> members) {
  assert(!members.empty() && is_interleave_candidate(members[0], analysis_, memory_) && "not an interleaved group");
  const Value *first = address_of(members[0]);
  const int64_t size = element_size(members[0]), stride = analysis_.shape(first).stride;
  int64_t lowest = 0, end = 0;
  for (Instruction *member : members) {
    const int64_t distance = *addresses_.distance(first, address_of(member));
    lowest = std::min(lowest, distance);
    end = std::max(end, distance + size_of(member));
  }
  int64_t leading_bytes = positive_modulo(addresses_.constant_term(first) + lowest, stride);
  if (leading_bytes % size || leading_bytes + end - lowest > stride) leading_bytes = 0;
  AccessGroup group = {};
  group.element = element_of(members[0]);
  group.step = unsigned(stride / size);
  group.is_own = space_of(members[0]) == local_space;
  for (Instruction *member : members) {
    auto slot = unsigned((leading_bytes - lowest + *addresses_.distance(first, address_of(member))) / size);
    group.members.push_back({member, slot, element_count(member)});
  }
  group.slots = group.member_slots();
  if (!is_store(members[0])) fill_gaps(group);
  return group;
}

void AccessGroups::add_group(AccessGroup group) {
  auto owned = std::make_unique<AccessGroup>(std::move(group));
  for (const AccessGroup::Member &member : owned->members) group_of_[member.access] = owned.get();
  groups_.push_back(std::move(owned));
}

/* Later loads are hoisted to the first load of the group, past stores with which they do not overlap. */
void AccessGroups::group_loads(ArrayRef<Instruction *> accesses) {
  for (size_t first = 0; first < accesses.size(); first++) {
    Instruction *leader = accesses[first];
    if (is_store(leader) || group_of_.contains(leader)) continue;
    SmallVector<Instruction *, 4> members = {leader}, stores;
    for (Instruction *access : accesses.drop_front(first + 1)) {
      if (is_store(access)) {
        stores.push_back(access);
      } else if (!group_of_.contains(access) && can_add_member(members, access) &&
                 all_of(stores, [&](Instruction *store) { return are_disjoint(store, access); })) {
        members.push_back(access);
      }
    }
    if (members.size() < 2) continue;
    AccessGroup group = make_group(members);
    if (has_masks_ || group.has_all_slots()) add_group(std::move(group));
  }
}

/* True when in each lane the element of `second` follows that of `first` at this distance in elements. */
bool AccessGroups::is_adjacent(const Instruction *first, const Instruction *second, unsigned elements) {
  if (is_store(first) != is_store(second) || type_of(first) != type_of(second) || !is_simple(second)) return false;
  if (space_of(first) != space_of(second) || group_of_.contains(second)) return false;
  auto distance = addresses_.distance(address_of(first), address_of(second));
  return distance && *distance == elements * size_of(first);
}

/* Makes per-lane groups of accesses that are consecutive both in memory and in the block. */
void AccessGroups::group_per_lane(ArrayRef<Instruction *> accesses) {
  for (size_t first = 0; first < accesses.size(); first++) {
    Instruction *leader = accesses[first];
    if (group_of_.contains(leader) || !is_per_lane_candidate(leader, analysis_, memory_)) continue;
    const auto count = per_lane_bytes / unsigned(size_of(leader));
    if (first + count > accesses.size()) continue;
    AccessGroup group = {};
    for (unsigned i = 0; i < count && (!i || is_adjacent(leader, accesses[first + i], i)); i++) {
      group.members.push_back({accesses[first + i], i, 1});
    }
    if (group.members.size() < count) continue;
    group.element = type_of(leader);
    group.step = count;
    group.slots = (1U << count) - 1;
    group.is_per_lane = true;
    add_group(std::move(group));
  }
}

/* are_disjoint() for `load`, or for its whole group if the group is loaded there. */
bool AccessGroups::is_disjoint_from_group(const Instruction *store, const Instruction *load) {
  const AccessGroup *group = find(load);
  if (!group || group->place() != load) return are_disjoint(store, load);
  return all_of(group->members, [&](const AccessGroup::Member &member) { return are_disjoint(store, member.access); });
}

/* Earlier stores are sunk to the last store of the group. A single store is a group if the elements in its gaps have
 * been loaded. */
void AccessGroups::group_stores(ArrayRef<Instruction *> accesses) {
  for (size_t end = accesses.size(); end > 0; end--) {
    Instruction *last = accesses[end - 1];
    if (!is_store(last) || group_of_.contains(last) || !is_interleave_candidate(last, analysis_, memory_)) continue;
    SmallVector<Instruction *, 4> members = {last}, between;
    for (Instruction *access : reverse(accesses.take_front(end - 1))) {
      bool is_member = is_store(access) && !group_of_.contains(access) && can_add_member(members, access) &&
                       all_of(between, [&](Instruction *other) { return is_disjoint_from_group(access, other); });
      if (is_member) members.insert(members.begin(), access);
      between.push_back(access);
    }
    AccessGroup group = make_group(members);
    find_gap_loads(accesses, group);
    bool is_group = group.members.size() > 1 || group.gaps;
    if (is_group && (has_masks_ || group.has_all_slots())) add_group(std::move(group));
  }
}

/* Sets `group.gaps` to a load group whose elements are unchanged in memory when the stores are made, except for those
 * stored by the group itself. */
void AccessGroups::find_gap_loads(ArrayRef<Instruction *> accesses, AccessGroup &group) {
  if (!group.is_own || group.has_all_slots()) return;
  const AccessGroup *gap_loads = nullptr;
  for (const Instruction *access : accesses) {
    if (access == group.place()) break;
    const AccessGroup *other = find(access);
    if (other && !is_store(access) && other->place() == access && other->step == group.step &&
        other->element == group.element) {
      auto distance = addresses_.distance(address_of(access), address_of(group.place()));
      int64_t slots = int64_t(group.members.back().slot) - int64_t(other->members[0].slot);
      bool covers = (other->slots | group.slots) == other->slots;
      if (distance && *distance == slots * element_size(access) && covers) gap_loads = other;
    }
    auto is_of_group = [&](const AccessGroup::Member &member) { return member.access == access; };
    bool is_other_store = is_store(access) && !any_of(group.members, is_of_group);
    if (!is_other_store || space_of(access) == global_space) continue;
    /* This store may change the gaps. If it belongs to a group, it is made where that group is made, perhaps later. */
    gap_loads = nullptr;
    const AccessGroup *other_group = find(access);
    if (other_group) return;
  }
  if (!gap_loads) return;
  group.gaps = gap_loads;
  group.slots = gap_loads->slots;
  const_cast<AccessGroup *>(gap_loads)->fills_gaps = true;
}

uint64_t widest_lane_access(const ShapeAnalysis &analysis, const AccessGroups *groups) {
  int64_t widest = 0;
  for (const BasicBlock *block : analysis.order()) {
    for (const Instruction &access : *block) {
      if (!getLoadStorePointerOperand(&access)) continue;
      const Shape shape = analysis.shape(address_of(&access));
      const unsigned step = widest_vector_step(*element_of(&access));
      if (shape.kind != Shape::strided || shape.stride > element_size(&access) * step) continue;
      const bool is_wide = isa<FixedVectorType>(type_of(&access)) || (groups && groups->find(&access));
      if (is_wide) widest = std::max(widest, shape.stride);
    }
  }
  return uint64_t(widest);
}

}  // namespace quern
