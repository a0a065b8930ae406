/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Barriers and the regions between them. */
#ifndef COMPILER_PASSES_REGIONS_HPP
#define COMPILER_PASSES_REGIONS_HPP

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace quern {

using BlockSet = llvm::SetVector<llvm::BasicBlock *>;

/** A kernel's body cut at its barriers. A *stop* is a block that no work-item passes before the others have come: one
 * that holds nothing but the jump of a barrier, or the exit. From each stop but the exit a region starts: the blocks
 * reached before the next stop. All work-items of a group run one region to its end, then the next.
 *
 * Where two regions meet again (after a uniform `if`, at the head of a loop), a stop is added when every work-item must
 * come by, so that a block mostly belongs to one region; else (control flow that no structure describes) the block
 * belongs to both and is copied. */
class Regions {
 public:
  /** Cuts `function`: gives it one exit, makes barrier calls stops, adds stops at joins. */
  explicit Regions(llvm::Function &function);

  /** The blocks that regions start from: the entry block (which holds allocas only), then every barrier. Each has one
   * successor, where its region begins. */
  llvm::ArrayRef<llvm::BasicBlock *> region_entries() const { return region_entries_.getArrayRef(); }
  llvm::BasicBlock *exit() const { return exit_; }
  bool is_cut_point(llvm::BasicBlock *block) const { return block == exit_ || region_entries_.contains(block); }
  bool has_barriers() const { return region_entries_.size() > 1; }
  /** Blocks of the region behind `head`, its first block first. */
  BlockSet region(llvm::BasicBlock *region_entry) const { return reach(region_entry->getSingleSuccessor()); }

 private:
  /** The heads of the regions that a block belongs to. */
  using Owners = llvm::MapVector<llvm::BasicBlock *, llvm::SmallVector<llvm::BasicBlock *, 2>>;

  BlockSet reach(llvm::BasicBlock *from) const;
  BlockSet entering_blocks(llvm::BasicBlock *join) const;
  bool must_enter(llvm::BasicBlock *region_entry, const BlockSet &entering, llvm::BasicBlock *join) const;
  bool can_cut(const Owners &owners, llvm::BasicBlock *join, const BlockSet &entering) const;
  void unify_exits(llvm::Function &function);
  void split_entry(llvm::Function &function);
  void split_barriers(llvm::Function &function);
  bool add_cut_points_at_joins();
  void add_cut_point(llvm::BasicBlock *join, const BlockSet &entering);

  BlockSet region_entries_;
  llvm::BasicBlock *exit_ = nullptr;
};

}  // namespace quern

#endif
