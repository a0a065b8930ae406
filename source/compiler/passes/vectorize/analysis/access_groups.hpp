/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Accesses to memory whose elements lie between each other's, like those of even and odd elements. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_ACCESS_GROUPS_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_ACCESS_GROUPS_HPP

#include <memory>

#include "compiler/passes/vectorize/analysis/linear_addresses.hpp"
#include "compiler/passes/vectorize/analysis/private_memory.hpp"
#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"

namespace quern {

/** Loads of a block, or stores, that become one access to everything between the first lane's and the last lane's
 * elements: loads where the first of them is, stores where the last one is. */
struct AccessGroup {
  /** One of them, and which element it is of the `step` ones from a lane to the next. */
  struct Member {
    llvm::Instruction *access;
    unsigned slot;
  };
  /** In their order. */
  llvm::SmallVector<Member, 4> members;
  unsigned step;
  /** One bit for each slot: what is loaded or stored of each lane. */
  unsigned slots;
  /** All between two slots may be loaded and stored: this thread alone knows the memory. */
  bool is_own;
  /** The lanes' parts of memory lie anywhere, each `step` elements side by side: not one access, but one for each lane.
   * All other groups have their lanes' parts side by side. */
  bool is_per_lane;
  /** Of stores: the loads of what lies between the members, and is stored again, or null. */
  const AccessGroup *gaps = nullptr;
  /** Of loads: they are some stores' gaps. */
  bool fills_gaps = false;

  /** Where the access is made. */
  llvm::Instruction *place() const {
    return llvm::isa<llvm::LoadInst>(members[0].access) ? members.front().access : members.back().access;
  }
  bool has_all_slots() const { return slots == (1U << step) - 1; }
};

/** Most elements from one lane to the next. */
inline constexpr unsigned widest_group_step = 8;

/** Bytes of each lane in a group whose lanes lie apart. */
inline constexpr unsigned per_lane_bytes = 16;

/** Whether several elements of the type are `per_lane_bytes` bytes, and can be in such a group. */
bool is_per_lane_type(const llvm::Type &type);

/** The groups of an item body. */
class AccessGroups {
 public:
  /** `has_masks`: single elements can be left out of a vector that is loaded or stored. */
  AccessGroups(const ShapeAnalysis &analysis, const PrivateMemory &memory, bool has_masks);

  /** The group that an access belongs to, or null. */
  const AccessGroup *find(const llvm::Instruction *access) const { return of_.lookup(access); }
  bool empty() const { return groups_.empty(); }

 private:
  void group_loads(llvm::ArrayRef<llvm::Instruction *> accesses);
  void group_stores(llvm::ArrayRef<llvm::Instruction *> accesses);
  bool is_adjacent(const llvm::Instruction *first, const llvm::Instruction *second, unsigned elements);
  void group_per_lane(llvm::ArrayRef<llvm::Instruction *> accesses);
  void find_gaps(llvm::ArrayRef<llvm::Instruction *> accesses, AccessGroup &group);
  bool can_join(const llvm::Instruction *first, const llvm::Instruction *second);
  bool is_per_lane(const llvm::Instruction *first, const llvm::Instruction *second);
  bool is_disjoint_from_group(const llvm::Instruction *store, const llvm::Instruction *load);
  bool fits(llvm::ArrayRef<llvm::Instruction *> members, llvm::Instruction *other);
  AccessGroup make_group(llvm::ArrayRef<llvm::Instruction *> members);
  void keep(AccessGroup group);

  const ShapeAnalysis &analysis_;
  const PrivateMemory &memory_;
  const bool has_masks_;
  LinearAddresses sums_;
  std::vector<std::unique_ptr<AccessGroup>> groups_;
  llvm::DenseMap<const llvm::Instruction *, const AccessGroup *> of_;
};

}  // namespace quern

#endif
