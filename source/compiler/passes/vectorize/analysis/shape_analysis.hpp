/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * How the values of an item body differ between neighbouring work-items, and which of them go which way. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_SHAPE_ANALYSIS_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_SHAPE_ANALYSIS_HPP

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

/** How a value changes from lane to lane. */
struct Shape {
  enum Kind : uint8_t { uniform, strided, varying } kind;
  /** From one lane to the next, when strided: in units of the integer, or bytes of the address. */
  int64_t stride;

  bool operator==(const Shape &other) const { return kind == other.kind && stride == other.stride; }
  bool operator!=(const Shape &other) const { return !(*this == other); }
};

/** Something that must hold for the shapes to be right, and can be tested before the loop: `value`, extended to 64 bits
 * by sign or by zeros, grows by the same step from every work-item to the next. */
struct RuntimeCheck {
  llvm::Value *value;
  bool is_signed;
  int64_t stride;
};

/** Extensions to 64 bits that no proof keeps from wrapping between two lanes, minima and maxima of lanes with a limit
 * for all, and masks with bits that all agree on. Where an address is made from some, each is tested when it is used:
 * mostly nothing wraps, no lane reaches the limit, or leaves a block whose length is a power of two, and the lanes'
 * elements lie in a row. */
using NoWrapChecks = llvm::SmallSetVector<llvm::Instruction *, 2>;

/** Where the work-items that run a block come from: blocks with one root are run by the same ones. */
struct BlockInfo {
  llvm::BasicBlock *root;
  /** Place in the order in which blocks are laid out: a dominator comes first, with all it dominates right behind. */
  unsigned index;
};

/** The analysis of one item body, whose loops it puts into the form of canonical.hpp. Values are of the function that
 * it was made for; what is uniform is so for the work-items that run it together. */
class ShapeAnalysis {
 public:
  /** Shapes of the parameters; one that is missing is uniform. `variables` are addresses of private variables: what
   * lies there differs from lane to lane even if the address, taken as an offset, does not. */
  ShapeAnalysis(llvm::Function &function, llvm::DenseMap<const llvm::Argument *, Shape> parameters,
                llvm::SmallPtrSet<const llvm::Argument *, 8> variables);

  /** There shall be no premises: lanes belong together, and may not go one by one where those do not hold. */
  void forbid_runtime_checks() { may_have_runtime_checks_ = false; }

  /** Indices kept within bounds are no strides: each access would have two forms. */
  void forbid_clamps() { may_have_clamps_ = false; }

  /** Places in blocks are no strides: lanes are mostly in several. */
  void forbid_blocks() { may_have_blocks_ = false; }

  /** Loops in which lanes wait for each other may stay: who is a lane is known to the program. */
  void allow_spin_loops() { may_have_spin_loops_ = true; }

  /** Of these places in blocks all lanes are in one. */
  void assume_blocks(llvm::SmallPtrSet<const llvm::Instruction *, 4> places) { assumed_blocks_ = places; }

  /** False when the control flow has no form that can be vectorized; `why` tells. */
  bool run(const char *&why);

  Shape shape(const llvm::Value *value) const;
  bool is_uniform(const llvm::Value *value) const { return shape(value).kind == Shape::uniform; }
  bool has_divergent_branch(const llvm::BasicBlock *block) const;
  const BlockInfo &block(const llvm::BasicBlock *block) const { return blocks_.find(block)->second; }
  /** Blocks in layout order. */
  llvm::ArrayRef<llvm::BasicBlock *> order() const { return order_; }
  /** The loop that work-items leave at different turns and whose new latch `block` is, or null. */
  const LatchExit *divergent_latch(const llvm::BasicBlock *block) const;
  /** The loop's exit when `block` is what lanes run that leave it in this turn; else null. */
  const LatchExit *exit_edge(const llvm::BasicBlock *block) const;
  /** True for a block that all lanes run which stay in a loop that lanes leave at different turns: without a lane in it
   * the loop is over. */
  bool is_continue_block(const llvm::BasicBlock *block) const;
  bool is_divergent_header(const llvm::BasicBlock *block) const { return divergent_headers_.contains(block); }
  /** Set in the turn in which a work-item leaves, and kept until all have. */
  bool is_exit_value(const llvm::PHINode *phi) const { return live_outs_.contains(phi); }
  /** The header's phi when `phi` is of a latch and holds, for lanes that ran a turn, what they have at its end, and for
   * all others what the header's phi was; else null. */
  llvm::PHINode *blended_phi(const llvm::PHINode *phi) const { return blended_.lookup(phi); }
  llvm::ArrayRef<RuntimeCheck> runtime_checks() const { return runtime_checks_; }
  /** True when `value` can be the value of a premise. */
  bool can_test(const llvm::Value *value) const;
  /** What must not wrap for a strided value to be strided; null when nothing can. */
  const NoWrapChecks *no_wrap_checks(const llvm::Value *value) const;
  /** True for one of NoWrapChecks that is a place in a block which all lanes are in. */
  bool is_assumed_block(const llvm::Instruction *place) const { return assumed_blocks_.contains(place); }
  /** True when an extension of NoWrapChecks does not wrap between lanes that run, so that it need not be tested where lane 0
   * is one of them. */
  bool is_kept_by_flags(const llvm::Instruction *extension) const { return kept_by_flags_.contains(extension); }

  const llvm::LoopInfo &loops() const { return *loops_; }
  const llvm::DominatorTree &dominators() const { return dominators_; }

 private:
  class Sources;
  class StrideSolver;
  friend class StrideSolver;

  void analyse();
  bool reshape_loops();
  bool exits_uniformly(const llvm::Loop &loop) const;
  bool may_spin(const llvm::Loop &loop) const;
  void lower_switches(bool all);
  unsigned accesses_in_blocks() const;
  void find_order();
  void find_roots();
  llvm::BasicBlock *find_root(llvm::BasicBlock *block) const;

  llvm::Function &function_;
  llvm::DenseMap<const llvm::Argument *, Shape> parameters_;
  llvm::SmallPtrSet<const llvm::Argument *, 8> variables_;
  llvm::SmallPtrSet<const llvm::Value *, 8> live_outs_, live_masks_;
  llvm::SmallDenseMap<const llvm::PHINode *, llvm::PHINode *, 4> blended_;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> divergent_headers_;
  llvm::MapVector<const llvm::BasicBlock *, LatchExit> latches_;
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree post_dominators_;
  std::unique_ptr<llvm::LoopInfo> loops_;
  std::unique_ptr<llvm::CycleInfo> cycles_;
  std::unique_ptr<llvm::TargetTransformInfo> sources_;
  std::unique_ptr<llvm::UniformityInfo> uniformity_;
  llvm::DenseMap<const llvm::BasicBlock *, BlockInfo> blocks_;
  llvm::SmallVector<llvm::BasicBlock *, 32> order_;
  llvm::DenseMap<const llvm::Value *, Shape> shapes_;
  bool may_have_runtime_checks_ = true, may_have_clamps_ = true, may_have_blocks_ = true, may_have_spin_loops_ = false;
  llvm::SmallPtrSet<const llvm::Instruction *, 4> assumed_blocks_;
  llvm::SmallVector<RuntimeCheck, 4> runtime_checks_;
  llvm::DenseMap<const llvm::Value *, NoWrapChecks> no_wrap_checks_;
  llvm::SmallPtrSet<const llvm::Instruction *, 8> kept_by_flags_;
};

}  // namespace quern

#endif
