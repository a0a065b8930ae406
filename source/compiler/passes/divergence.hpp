/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which values may differ between the work-items of a group. */
#ifndef COMPILER_PASSES_DIVERGENCE_HPP
#define COMPILER_PASSES_DIVERGENCE_HPP

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Function.h>

namespace quern {

/** Divergence of the values of a function that one work-item runs. A value is uniform when every work-item that
 * computes it gets the same; what is not proved uniform counts as divergent. */
class Divergence {
 public:
  explicit Divergence(llvm::Function &function);

  bool is_divergent(const llvm::Value *value) const { return divergent_.contains(value); }
  bool is_uniform(const llvm::Value *value) const { return !is_divergent(value); }
  /** True when all work-items run `block`, each as often as the others. */
  bool is_run_by_all(const llvm::BasicBlock *block) const { return !divergent_blocks_.contains(block); }

 private:
  using BlockSet = llvm::SmallSetVector<const llvm::BasicBlock *, 16>;

  bool starts_divergent(const llvm::Instruction &instruction) const;
  void mark(const llvm::Instruction *instruction);
  void propagate_control_divergence(const llvm::Instruction &terminator);
  void mark_live_out_values(const llvm::BasicBlock &block, const BlockSet &divergent_blocks);

  llvm::DenseSet<const llvm::Value *> divergent_;
  llvm::DenseSet<const llvm::BasicBlock *> divergent_blocks_;
  llvm::SmallVector<const llvm::Instruction *, 64> work_;
  llvm::PostDominatorTree post_dominators_;
};

}  // namespace quern

#endif
