/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Divergence analysis over the work-items of a group. */
#ifndef COMPILER_PASSES_DIVERGENCE_HPP
#define COMPILER_PASSES_DIVERGENCE_HPP

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Function.h>

#include "compiler/passes/regions.hpp"

namespace quern {

/** Divergence of the values of a kernel before the work-group pass; a simple form of LLVM's UniformityAnalysis. A value
 * is uniform when every work-item that computes it gets the same result. Values that are not proved uniform count as
 * divergent. The results are a snapshot: they do not cover instructions that are added later. */
class Divergence {
 public:
  /** With the regions of the function, which may be null, branches that decide on the next barrier are known to be
   * uniform, whatever their conditions are. */
  explicit Divergence(llvm::Function &function, const Regions *regions = nullptr);

  /** Whether work-items may get different results from an instruction with the same operands. */
  static bool is_source_of_divergence(const llvm::Instruction &instruction);

  bool is_divergent(const llvm::Value *value) const { return divergent_.contains(value); }
  bool is_uniform(const llvm::Value *value) const { return !is_divergent(value); }
  /** Whether all work-items execute `block`, and all equally often. */
  bool is_executed_uniformly(const llvm::BasicBlock *block) const { return !divergent_blocks_.contains(block); }

 private:
  using DivergentBlocks = llvm::SmallSetVector<const llvm::BasicBlock *, 16>;

  void mark_divergent(const llvm::Instruction *instruction);
  void propagate_control_divergence(const llvm::Instruction &terminator);
  void mark_temporal_divergence(const llvm::BasicBlock &block, const DivergentBlocks &divergent_blocks);

  llvm::DenseSet<const llvm::Value *> divergent_;
  llvm::DenseSet<const llvm::BasicBlock *> divergent_blocks_;
  llvm::SmallVector<const llvm::Instruction *, 64> worklist_;
  llvm::PostDominatorTree post_dominators_;
  const Regions *regions_;
};

}  // namespace quern

#endif
