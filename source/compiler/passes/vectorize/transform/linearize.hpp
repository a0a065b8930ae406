/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Control flow of the vector code: partial linearization. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_LINEARIZE_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_LINEARIZE_HPP

#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"

namespace quern {

/** The edges into and out of one block in the vector code. */
struct BlockRoute {
  /** Deferred blocks: lanes may still have to run them when control reaches this block. All are later in order. */
  llvm::SmallSetVector<llvm::BasicBlock *, 4> deferred;
  /** The next block for each successor if the branch is uniform. A divergent branch has one entry: all lanes go there,
   * and those that branched elsewhere are masked. The back edge of a loop keeps its target. */
  llvm::SmallVector<llvm::BasicBlock *, 2> next;
  /** If not null: with no active lane, control skips the blocks that this block dominates, and continues here. */
  llvm::BasicBlock *skip_to = nullptr;
};

/** Partial linearization of a body (Moll and Hack, "Partial Control-Flow Linearization", PLDI 2018, as in RV). Uniform
 * branches are kept. The targets of a divergent branch are executed one after the other, each block after all blocks
 * that precede it in the order of the analysis. Chooses guards that skip blocks without an active lane (BOSCC, branch
 * on superword condition code). */
class Linearization {
 public:
  /** Keeps a reference to `analysis`. */
  explicit Linearization(const ShapeAnalysis &analysis) : analysis_(analysis) {}

  /** Computes the routes of all blocks. False if a block of a loop would be deferred across an exit edge or back edge
   * of the loop. */
  bool run();
  /** The route of a block; `run` must have succeeded. */
  const BlockRoute &route(const llvm::BasicBlock *block) const { return routes_.find(block)->second; }

 private:
  llvm::BasicBlock *choose_next(const BlockRoute &from, llvm::BasicBlock *target);
  bool route_block(llvm::BasicBlock *block);
  bool route_edge(llvm::BasicBlock *block, llvm::BasicBlock *target, BlockRoute &route);
  bool has_deferred_in(const llvm::Loop &loop, const BlockRoute &route) const;
  void find_guards();
  bool has_many_live_outs(const llvm::BasicBlock &block) const;
  bool is_wide_access(const llvm::Instruction &instruction) const;
  bool is_narrow_scatter(const llvm::Instruction &instruction) const;
  bool needs_active_lane(const llvm::Instruction &instruction) const;

  const ShapeAnalysis &analysis_;
  llvm::DenseMap<const llvm::BasicBlock *, BlockRoute> routes_;
  /** Blocks to guard: they must not run with an empty mask, or a skip is profitable. Only roots get a guard. */
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> guarded_;
};

}  // namespace quern

#endif
