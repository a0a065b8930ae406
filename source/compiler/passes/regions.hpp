/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Partition of a kernel's CFG into the regions between barriers. */
#ifndef COMPILER_PASSES_REGIONS_HPP
#define COMPILER_PASSES_REGIONS_HPP

#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace quern {

using BlockSet = llvm::SetVector<llvm::BasicBlock *>;

/** A kernel's body, cut at its barriers (these are the parallel regions of pocl). A *cut point* is a
 * block at which all work-items of a group synchronize: a block that holds only a barrier's branch, or the exit block.
 * Each cut point but the exit is a *region entry*: its region is the set of blocks reachable from it before the next
 * cut point. All work-items of a group run one region to its end, then the next region.
 *
 * Two regions may share blocks after a uniform `if` or at a loop header. The constructor adds a cut point at their
 * first common block when every work-item must pass it, or, where more than a few regions meet, all or none of those in
 * each region. So a block mostly belongs to one region, and never to many in structured control flow. Otherwise the
 * block belongs to several regions, and the work-group pass copies it. */
class Regions {
 public:
  /** Partitions `function` and changes its CFG: one exit block, a cut point for each barrier call, which is deleted,
   * and cut points at joins. Deletes unreachable blocks. */
  explicit Regions(llvm::Function &function);

  /** The entry block, which holds allocas only, then the cut points but the exit. Each has one successor, which is the
   * first block of its region. */
  llvm::ArrayRef<llvm::BasicBlock *> region_entries() const { return region_entries_.getArrayRef(); }
  llvm::BasicBlock *exit() const { return exit_; }
  bool is_cut_point(llvm::BasicBlock *block) const { return block == exit_ || region_entries_.contains(block); }
  bool has_barriers() const { return region_entries_.size() > 1; }
  /** Blocks of the region that starts after `region_entry`, its first block first. */
  BlockSet region(llvm::BasicBlock *region_entry) const { return reach(region_entry->getSingleSuccessor()); }
  /** Whether each successor of `block` leads to one cut point, another one than the others do. All work-items of a
   * group come to the same cut point, so that all of them take the same successor, if they come by at all. None comes
   * by twice in one region. */
  bool decides_cut_point(const llvm::BasicBlock &block) const;
  /** Adds a cut point in front of an instruction, which all work-items must execute equally often. The block ends
   * there; returns the block that begins with the instruction. Needs update() afterwards. */
  llvm::BasicBlock *add_cut_point_before(llvm::Instruction &instruction);
  /** Adds a cut point at `join` for control that comes from the blocks `entering`, all or none of whose work-items do.
   * Phis stay in front of it. Returns the first block of its region. Needs update() afterwards. */
  llvm::BasicBlock *add_cut_point(llvm::BasicBlock *join, const BlockSet &entering);
  /** To be called when all cut points have been added. */
  void update();

 private:
  /** A set, sorted. */
  using RegionEntries = llvm::SmallVector<llvm::BasicBlock *, 2>;
  /** Maps each block to the entries of the regions that it belongs to. */
  using Owners = llvm::DenseMap<llvm::BasicBlock *, RegionEntries>;

  BlockSet reach(llvm::BasicBlock *from) const;
  void find_next_cut_points();
  std::vector<BlockSet> components() const;
  RegionEntries owners_at_end(const Owners &owners, llvm::BasicBlock *block) const;
  RegionEntries owners_of(const Owners &owners, const BlockSet &component) const;
  bool is_join(const Owners &owners, llvm::BasicBlock *block, const BlockSet &entering, const RegionEntries &all) const;
  BlockSet next_around(llvm::BasicBlock *region_entry, const BlockSet &entering, llvm::BasicBlock *join) const;
  bool leads_to(llvm::BasicBlock *join, llvm::BasicBlock *cut_point) const;
  bool can_cut(const Owners &owners, llvm::BasicBlock *join, const BlockSet &entering) const;
  void unify_exits(llvm::Function &function);
  void split_entry(llvm::Function &function);
  void split_barriers(llvm::Function &function);
  void add_cut_points_at_joins();

  BlockSet region_entries_;
  /** For each block the cut point that control comes to from its end; null where there are several. Blocks from which
   * there is none are not in it. */
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> next_cut_point_;
  llvm::BasicBlock *exit_ = nullptr;
};

}  // namespace quern

#endif
