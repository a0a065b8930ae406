/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Control flow of the vector form: partial linearization (Moll and Hack, "Partial Control-Flow Linearization", PLDI
 * 2018). */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_LINEARIZE_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_LINEARIZE_HPP

#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"

namespace quern {

/** Where control goes from and to one block in vector form. */
struct BlockRoute {
  /** Blocks that lanes may still wait for when control comes here; all come later in the order. */
  llvm::SmallSetVector<llvm::BasicBlock *, 4> deferred;
  /** Where to go for each successor, when the branch is uniform; else one entry: all go the same way, and lanes that do
   * not are masked. The back edge of a loop keeps its target. */
  llvm::SmallVector<llvm::BasicBlock *, 2> next;
  /** Not null: when no lane is on, control skips what the block dominates and goes there. */
  llvm::BasicBlock *skip_to = nullptr;
};

/** Routes through all blocks. Uniform branches are kept; the sides of a divergent one follow each other, a block being
 * reached once all that come before it in the order have been. */
class Linearization {
 public:
  explicit Linearization(const ShapeAnalysis &analysis) : analysis_(analysis) {}

  /** False when lanes would have to wait for a block of a loop that others leave. */
  bool run();
  const BlockRoute &route(const llvm::BasicBlock *block) const { return routes_.find(block)->second; }

 private:
  llvm::BasicBlock *send(const BlockRoute &from, llvm::BasicBlock *target);
  bool route_block(llvm::BasicBlock *block);
  bool route_edge(llvm::BasicBlock *block, llvm::BasicBlock *target, BlockRoute &route);
  bool has_deferred_in(const llvm::Loop &loop, const BlockRoute &route) const;
  void find_guards();
  bool takes_much(const llvm::BasicBlock &block) const;
  bool needs_lane(const llvm::Instruction &instruction) const;

  const ShapeAnalysis &analysis_;
  llvm::DenseMap<const llvm::BasicBlock *, BlockRoute> routes_;
  /** Roots whose blocks must, or had better, not run without a lane. */
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> guarded_;
};

}  // namespace quern

#endif
