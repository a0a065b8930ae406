/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Divergence analysis over the work-items of a group. */
#ifndef COMPILER_PASSES_DIVERGENCE_HPP
#define COMPILER_PASSES_DIVERGENCE_HPP

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Function.h>

namespace quern {

/** Divergence of the values of a kernel before the work-group pass; a simple form of LLVM's UniformityAnalysis. A value
 * is uniform when every work-item that computes it gets the same result. Values that are not proved uniform count as
 * divergent. The results are a snapshot: they do not cover instructions that are added later. */
class Divergence {
 public:
  explicit Divergence(llvm::Function &function);

  bool is_divergent(const llvm::Value *value) const { return divergent_.contains(value); }
  bool is_uniform(const llvm::Value *value) const { return !is_divergent(value); }
  /** Whether all work-items execute `block`, and all equally often. */
  bool is_executed_uniformly(const llvm::BasicBlock *block) const { return !divergent_blocks_.contains(block); }

 private:
  using BlockSet = llvm::SmallSetVector<const llvm::BasicBlock *, 16>;

  bool is_source_of_divergence(const llvm::Instruction &instruction) const;
  void mark_divergent(const llvm::Instruction *instruction);
  void propagate_control_divergence(const llvm::Instruction &terminator);
  void mark_temporal_divergence(const llvm::BasicBlock &block, const BlockSet &divergent_blocks);

  llvm::DenseSet<const llvm::Value *> divergent_;
  llvm::DenseSet<const llvm::BasicBlock *> divergent_blocks_;
  llvm::SmallVector<const llvm::Instruction *, 64> worklist_;
  llvm::PostDominatorTree post_dominators_;
};

}  // namespace quern

#endif
