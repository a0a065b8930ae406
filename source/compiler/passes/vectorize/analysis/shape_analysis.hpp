/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Shapes of the values of an item body (uniform, strided, varying) and divergence of its control flow. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_SHAPE_ANALYSIS_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_SHAPE_ANALYSIS_HPP

#include <cassert>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>

#include "compiler/passes/vectorize/item_loop.hpp"
#include "compiler/passes/vectorize/transform/canonicalize.hpp"

namespace quern {

/** How a value changes from lane to lane, like a vector shape in RV. All lanes hold the same value (uniform), lane i
 * holds the value of lane 0 plus i times the stride (strided), or nothing is known (varying). */
struct Shape {
  enum Kind : uint8_t { uniform, strided, varying } kind;
  /** Difference between neighbouring lanes of a strided value, in units of the integer or bytes of the address; else
   * 0. */
  int64_t stride;

  bool operator==(const Shape &other) const { return kind == other.kind && stride == other.stride; }
  bool operator!=(const Shape &other) const { return !(*this == other); }
};

/** A no-wrap condition on which the shapes rely, tested once before the item loop, like a SCEVPredicate. It holds if
 * `value`, sign- or zero-extended to 64 bits, grows by `stride` from every work-item to the next. */
struct RuntimeCheck {
  llvm::Value *value;
  bool is_signed;
  int64_t stride;
};

/** Instructions whose results are strided only under a condition, tested per vector at each access that uses them:
 * - extensions to 64 bits whose operand may wrap between two lanes, also as a pair of shifts,
 * - clamps: the minimum or maximum of a strided and a uniform value,
 * - masked indices: `and` or `or` of a strided value and a constant or uniform one,
 * - quotients and remainders by powers of two.
 * The tests mostly succeed. Then nothing wraps, no lane reaches the clamp, and all lanes are in one power-of-two
 * aligned block, so that the lanes' elements are contiguous or strided. */
using NoWrapChecks = llvm::SmallSetVector<llvm::Instruction *, 2>;

/** The mask class of a block, and its position in the linear order. */
struct BlockInfo {
  /** Represents all blocks with the same mask: the same work-items run blocks that have the same root. */
  llvm::BasicBlock *root;
  /** Position in ShapeAnalysis::order(). A dominator comes first, directly followed by all blocks it dominates. */
  unsigned index;
};

/** Shape and divergence analysis of one item body: LLVM's UniformityAnalysis (over GenericCycleInfo), with strides.
 * run() canonicalizes the body's loops (canonicalize.hpp); the results describe the body after that. A value is
 * called uniform if it is the same for all work-items that run its instruction together. */
class ShapeAnalysis {
 public:
  /** `function` is modified by run(), and must outlive this object. `parameters`: shapes of its parameters; a missing
   * one is uniform. `private_variables`: parameters that are addresses of private variables. The memory there differs
   * from lane to lane even if the address is uniform, as the offset into an interleaved variable is. */
  ShapeAnalysis(llvm::Function &function, llvm::DenseMap<const llvm::Argument *, Shape> parameters,
                llvm::SmallPtrSet<const llvm::Argument *, 8> private_variables);

  /** Makes no RuntimeChecks, for lanes that belong together: they may not be serialized where a check fails. */
  void forbid_runtime_checks() { may_have_runtime_checks_ = false; }

  /** Treats clamped indices, and those masked with a uniform value, as varying: each access would have two versions. */
  void forbid_clamps() { may_have_clamps_ = false; }

  /** Treats indices masked with a uniform value as varying: the lanes of a vector are mostly in several blocks. */
  void forbid_runtime_masks() { may_have_masked_indices_ = false; }

  /** Accepts spin loops, in which lanes wait for each other: the program knows which work-items share a vector. */
  void allow_spin_loops() { may_have_spin_loops_ = true; }

  /** Assumes that all lanes are in one aligned block at each of these masked indices, so that none needs a test. */
  void assume_single_block(llvm::SmallPtrSet<const llvm::Instruction *, 4> masked_indices) {
    assumed_masked_indices_ = masked_indices;
  }

  /** A parameter's value has this many trailing zeros at least. */
  void set_trailing_zeros(const llvm::Argument *parameter, unsigned zeros) { trailing_zeros_[parameter] = zeros; }
  unsigned trailing_zeros(const llvm::Argument *parameter) const { return trailing_zeros_.lookup(parameter); }

  /** Analyses the body. False, with the reason in `why`, if its control flow cannot be vectorized; the body may have
   * been modified nevertheless. */
  bool run(const char *&why);

  Shape shape(const llvm::Value *value) const;
  bool is_uniform(const llvm::Value *value) const { return shape(value).kind == Shape::uniform; }
  /** True for a value that all lanes share where its no-wrap checks hold: lanes in one aligned block divide their
   * position by its length. */
  bool is_block_uniform(const llvm::Value *value) const { return shape(value) == Shape{Shape::strided, 0}; }
  /** Whether lanes may take different successors of `block`. */
  bool has_divergent_branch(const llvm::BasicBlock *block) const;
  /** The same for any block of the body. */
  bool has_divergent_branches() const;
  const BlockInfo &block(const llvm::BasicBlock *block) const {
    auto found = blocks_.find(block);
    assert(found != blocks_.end() && "block is unreachable, or not in the body");
    return found->second;
  }
  /** Whether the block may be run by fewer work-items than the body's first one. */
  bool is_masked(const llvm::BasicBlock *block) const { return this->block(block).root != order_.front(); }
  /** Blocks in linear order; see BlockInfo::index. */
  llvm::ArrayRef<llvm::BasicBlock *> order() const { return order_; }
  /** The exit of the divergent loop whose latch is `block`, else null. Work-items leave a divergent loop in different
   * iterations. */
  const LatchExit *divergent_latch(const llvm::BasicBlock *block) const;
  /** The exit of the divergent loop if `block` lies on an exit edge, run by lanes that exit in this iteration; else
   * null. */
  const LatchExit *exit_of_block(const llvm::BasicBlock *block) const;
  /** True for a block that is run by all lanes that stay in a divergent loop. The loop is over when no lane is active
   * in it. */
  bool is_continue_block(const llvm::BasicBlock *block) const;
  /** True for the header of a divergent loop. */
  bool is_divergent_header(const llvm::BasicBlock *block) const { return divergent_headers_.contains(block); }
  /** True for a live-out phi of a divergent latch: set in the iteration in which a work-item exits, then kept until all
   * have exited. */
  bool is_live_out_phi(const llvm::PHINode *phi) const { return live_outs_.contains(phi); }
  /** The header's phi that a blended phi of a divergent latch updates, else null. The blended phi holds the value at
   * the end of the iteration for lanes that ran it, and that of the header's phi for all others. */
  llvm::PHINode *blended_phi(const llvm::PHINode *phi) const { return blended_.lookup(phi); }
  llvm::ArrayRef<RuntimeCheck> runtime_checks() const { return runtime_checks_; }
  /** The counter of the item loop, the first parameter of an item body. */
  const llvm::Argument *counter() const { return function_.getArg(0); }
  const llvm::DataLayout &data_layout() const { return function_.getDataLayout(); }
  /** True when `value` can be the value of a RuntimeCheck. */
  bool can_check_at_runtime(const llvm::Value *value) const;
  /** The conditions under which a strided value is strided; null when there is none. */
  const NoWrapChecks *no_wrap_checks(const llvm::Value *value) const;
  /** False for a check that is known to hold: by assume_single_block(), by prove_blocks(), or because no-wrap flags
   * prove that an extension does not wrap between active lanes, of which lane 0 is one. */
  bool needs_test(const llvm::Instruction *check, bool is_lane_zero_active) const;
  /** Whether any of the address's checks needs_test(). */
  bool needs_tests(const llvm::Value *address, bool is_lane_zero_active) const;
  /** After run(): finds the checks that is_aligned_block() proves for vectors of `width` work-items, and for
   * `interleave_count` of them as one. Shapes and checks stay as they are: what is strided within each vector need not
   * be so from one to the next. Returns whether another number of them is proved than before. */
  bool prove_blocks(unsigned width, unsigned interleave_count = 1);
  /** Whether what is proved of the addresses of accesses in loops holds for vectors of `lanes` work-items too. */
  bool are_loop_blocks_proved(unsigned lanes) const;

  const llvm::LoopInfo &loops() const { return *loops_; }
  const llvm::DominatorTree &dominators() const { return dominators_; }

 private:
  class DivergenceSources;
  class StrideSolver;
  friend class StrideSolver;

  void analyse();
  bool convert_divergent_loop();
  bool exits_uniformly(const llvm::Loop &loop) const;
  bool may_spin(const llvm::Loop &loop) const;
  void lower_switches(bool all);
  unsigned count_runtime_mask_accesses() const;
  void compute_order();
  void compute_roots();
  llvm::BasicBlock *find_root(llvm::BasicBlock *block) const;

  llvm::Function &function_;
  llvm::DenseMap<const llvm::Argument *, Shape> parameters_;
  llvm::DenseMap<const llvm::Argument *, unsigned> trailing_zeros_;
  llvm::SmallPtrSet<const llvm::Argument *, 8> private_variables_;
  llvm::SmallPtrSet<const llvm::Value *, 8> live_outs_, live_masks_;
  llvm::SmallDenseMap<const llvm::PHINode *, llvm::PHINode *, 4> blended_;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> divergent_headers_;
  llvm::MapVector<const llvm::BasicBlock *, LatchExit> latches_;
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree post_dominators_;
  std::unique_ptr<llvm::LoopInfo> loops_;
  std::unique_ptr<llvm::CycleInfo> cycles_;
  std::unique_ptr<llvm::TargetTransformInfo> divergence_sources_;
  std::unique_ptr<llvm::UniformityInfo> uniformity_;
  llvm::DenseMap<const llvm::BasicBlock *, BlockInfo> blocks_;
  llvm::SmallVector<llvm::BasicBlock *, 32> order_;
  llvm::DenseMap<const llvm::Value *, Shape> shapes_;
  bool may_have_runtime_checks_ = true, may_have_clamps_ = true, may_have_masked_indices_ = true,
       may_have_spin_loops_ = false;
  llvm::SmallPtrSet<const llvm::Instruction *, 4> assumed_masked_indices_, proved_blocks_;
  llvm::SmallVector<RuntimeCheck, 4> runtime_checks_;
  llvm::DenseMap<const llvm::Value *, NoWrapChecks> no_wrap_checks_;
  llvm::SmallPtrSet<const llvm::Instruction *, 8> no_wrap_by_flags_;
};

}  // namespace quern

#endif
