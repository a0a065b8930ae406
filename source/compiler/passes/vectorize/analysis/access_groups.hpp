/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Groups of loads or stores that become one vector access, like LLVM's interleave groups. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_ACCESS_GROUPS_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_ACCESS_GROUPS_HPP

#include <memory>

#include "compiler/passes/vectorize/analysis/linear_addresses.hpp"
#include "compiler/passes/vectorize/analysis/private_memory.hpp"
#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"

namespace quern {

/** Loads, or stores, of one block that are made as one access, like an InterleaveGroup of LLVM. An interleaved group
 * covers all memory from the first lane's elements to the last lane's, `step` elements per lane. A per-lane group
 * (is_per_lane) has one access for each lane. Loads are made at the first member, stores at the last. */
struct AccessGroup {
  /** A load or store of `count` consecutive elements: a scalar, or a vector. `slot` is the index of the first among the
   * `step` elements of a lane. */
  struct Member {
    llvm::Instruction *access;
    unsigned slot, count;
  };
  /** In program order. */
  llvm::SmallVector<Member, 4> members;
  /** The type of all elements. Members of another type of the same size are accessed as this one, and bitcast. */
  llvm::Type *element;
  /** Elements from one lane to the next: the interleave factor. */
  unsigned step;
  /** One bit for each of the `step` elements of a lane: set if it is loaded or stored, for a member or to fill a
   * gap. */
  unsigned slots;
  /** The memory is accessible to this thread only: gaps between the elements may be stored as well. */
  bool is_own;
  /** The lanes' memory is not consecutive; each lane has `step` contiguous elements, loaded or stored by an access of
   * its own. In all other groups the lanes' elements follow each other. */
  bool is_per_lane;
  /** For stores: the load group that provides the elements in the gaps, which are stored back unchanged; or null. */
  const AccessGroup *gaps = nullptr;
  /** For loads: a store group has this one as its `gaps`. */
  bool fills_gaps = false;

  /** The member at which the access is made, as InterleaveGroup::getInsertPos(). */
  llvm::Instruction *place() const {
    return llvm::isa<llvm::LoadInst>(members[0].access) ? members.front().access : members.back().access;
  }
  bool has_all_slots() const { return slots == (1U << step) - 1; }
  /** The `slots` of the members alone. */
  unsigned member_slots() const {
    unsigned slots = 0;
    for (const Member &member : members) slots |= ((1U << member.count) - 1) << member.slot;
    return slots;
  }
  /** The number of elements of a lane that the members load or store. */
  unsigned count() const {
    unsigned sum = 0;
    for (const Member &member : members) sum += member.count;
    return sum;
  }
};

/** Largest interleave factor: elements from one lane to the next. */
inline constexpr unsigned widest_group_step = 8;

/** Upper bound on the bytes that one wide access to consecutive memory covers. */
inline constexpr uint64_t max_access_bytes = 1024;

/** Bytes of each lane in a per-lane group. */
inline constexpr unsigned per_lane_bytes = 16;

/** Whether all `bytes` of a lane may be loaded if the first of them, which is aligned to `align`, is: they are in one
 * page, as those of a float4 are. */
bool is_whole_loadable(llvm::Align align, uint64_t bytes);

/** Whether elements of this type may be in a per-lane group: 32- and 64-bit numbers, of which several fill
 * `per_lane_bytes`. */
bool is_per_lane_type(const llvm::Type &type);

/** Largest stride, in elements of this type, at which explicit vectors of the lanes become one wide access. Narrow
 * elements of longer vectors are faster gathered: transposing them takes shuffles that no unpack instruction does. */
unsigned widest_vector_step(const llvm::Type &element);

/** The access groups of an item body, as InterleavedAccessInfo has for a loop. Members may be moved to their group's
 * insert position: no access that they pass overlaps them, unless both are loads. */
class AccessGroups {
 public:
  /** Finds all groups. `analysis` and `memory` must outlive this object. `has_masks`: the target can leave out single
   * elements of a vector load or store; without that, groups have no gaps. */
  AccessGroups(const ShapeAnalysis &analysis, const PrivateMemory &memory, bool has_masks);

  /** The group that an access belongs to, or null. Owned by this object. */
  const AccessGroup *find(const llvm::Instruction *access) const { return group_of_.lookup(access); }
  bool empty() const { return groups_.empty(); }

 private:
  void group_loads(llvm::ArrayRef<llvm::Instruction *> accesses);
  void group_stores(llvm::ArrayRef<llvm::Instruction *> accesses);
  bool is_adjacent(const llvm::Instruction *first, const llvm::Instruction *second, unsigned elements);
  void group_per_lane(llvm::ArrayRef<llvm::Instruction *> accesses);
  void find_gap_loads(llvm::ArrayRef<llvm::Instruction *> accesses, AccessGroup &group);
  bool can_share_group(const llvm::Instruction *first, const llvm::Instruction *second);
  bool are_disjoint(const llvm::Instruction *first, const llvm::Instruction *second);
  bool is_disjoint_from_group(const llvm::Instruction *store, const llvm::Instruction *load);
  bool can_add_member(llvm::ArrayRef<llvm::Instruction *> members, llvm::Instruction *candidate);
  AccessGroup make_group(llvm::ArrayRef<llvm::Instruction *> members);
  void add_group(AccessGroup group);

  const ShapeAnalysis &analysis_;
  const PrivateMemory &memory_;
  const bool has_masks_;
  LinearAddresses addresses_;
  std::vector<std::unique_ptr<AccessGroup>> groups_;
  llvm::DenseMap<const llvm::Instruction *, const AccessGroup *> group_of_;
};

/** The most bytes of a lane that one wide access covers: the longest stride of explicit vectors and of interleave
 * groups. `groups` may be null. */
uint64_t widest_lane_access(const ShapeAnalysis &analysis, const AccessGroups *groups);

}  // namespace quern

#endif
