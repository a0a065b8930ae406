/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Divergence of an item body by LLVM's UniformityAnalysis, and conversion of its divergent loops. */
#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"

#include <llvm/ADT/GenericUniformityImpl.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/vectorize/analysis/aligned_blocks.hpp"
#include "compiler/passes/vectorize/analysis/forward_progress.hpp"
#include "compiler/passes/vectorize/analysis/strides.hpp"

using namespace llvm;

namespace quern {

/* Largest number of accesses with indices masked at run time. Each has two versions, one of them for lanes in one
 * aligned block: the limit bounds compile time. */
static constexpr unsigned max_runtime_mask_accesses = 16;

/* Tells UniformityAnalysis, through the TTI interface, which values are sources of divergence. Lanes correspond to
 * a GPU's threads. Two work-items that load from the same address in the same barrier region get the same value, or
 * there is a data race. Private, atomic and unknown accesses may differ. */
class ShapeAnalysis::DivergenceSources final : public TargetTransformInfoImplBase {
 public:
  explicit DivergenceSources(const ShapeAnalysis &analysis)
      : TargetTransformInfoImplBase(analysis.function_.getDataLayout()), analysis_(analysis) {}

  InstructionUniformity getInstructionUniformity(const Value *value) const override {
    SubGroup sub_group = sub_group_call(value).kind;
    if (is_uniform_in_sub_group(sub_group)) return InstructionUniformity::AlwaysUniform;
    if (sub_group != SubGroup::none) return InstructionUniformity::NeverUniform;
    return is_source(value) ? InstructionUniformity::NeverUniform : InstructionUniformity::Default;
  }

 private:
  bool is_source(const Value *value) const {
    if (auto *argument = dyn_cast<Argument>(value)) return analysis_.shape(argument).kind != Shape::uniform;
    if (analysis_.live_outs_.contains(value) || analysis_.live_masks_.contains(value)) return true;
    if (isa<AtomicRMWInst>(value) || isa<AtomicCmpXchgInst>(value) || isa<AllocaInst>(value)) return true;
    if (auto *load = dyn_cast<LoadInst>(value)) {
      return !load->isSimple() || is_private(load->getPointerOperand());
    }
    auto *call = dyn_cast<CallBase>(value);
    return call && !call->doesNotAccessMemory();
  }

  bool is_private(const Value *pointer) const {
    SmallVector<const Value *, 4> objects;
    getUnderlyingObjects(pointer, objects, nullptr, /*MaxLookup=*/0);
    return any_of(objects, [&](const Value *object) {
      auto *argument = dyn_cast<Argument>(object);
      return argument && analysis_.private_variables_.contains(argument);
    });
  }

  const ShapeAnalysis &analysis_;
};

ShapeAnalysis::ShapeAnalysis(Function &function, DenseMap<const Argument *, Shape> parameters,
                             SmallPtrSet<const Argument *, 8> private_variables)
    : function_(function), parameters_(std::move(parameters)), private_variables_(std::move(private_variables)) {}

void ShapeAnalysis::analyse() {
  dominators_.recalculate(function_);
  post_dominators_.recalculate(function_);
  loops_ = std::make_unique<LoopInfo>(dominators_);
  cycles_ = std::make_unique<CycleInfo>();
  cycles_->compute(function_);
  divergence_sources_ = std::make_unique<TargetTransformInfo>(std::make_unique<DivergenceSources>(*this));
  uniformity_ = std::make_unique<UniformityInfo>(dominators_, *cycles_, divergence_sources_.get());
  uniformity_->compute();
}

bool ShapeAnalysis::has_divergent_branch(const BasicBlock *block) const {
  const Instruction *end = block->getTerminator();
  if (end->getNumSuccessors() < 2) return false;
  if (latches_.contains(block)) return true;
  return uniformity_->hasDivergentTerminator(*block) || uniformity_->isDivergentUse(end->getOperandUse(0));
}

bool ShapeAnalysis::has_divergent_branches() const {
  return any_of(order(), [this](const BasicBlock *block) { return has_divergent_branch(block); });
}

const LatchExit *ShapeAnalysis::divergent_latch(const BasicBlock *block) const {
  auto found = latches_.find(block);
  return found == latches_.end() ? nullptr : &found->second;
}

const LatchExit *ShapeAnalysis::exit_of_block(const BasicBlock *block) const {
  const BasicBlock *next = block->getSingleSuccessor();
  const LatchExit *exit = next ? divergent_latch(next) : nullptr;
  auto *is_live = exit ? dyn_cast<ConstantInt>(exit->live_mask->getIncomingValueForBlock(block)) : nullptr;
  const BasicBlock *predecessor = block->getSinglePredecessor();
  bool in_same_loop = predecessor && loops_->getLoopFor(predecessor) == loops_->getLoopFor(block);
  return in_same_loop && is_live && is_live->isZero() ? exit : nullptr;
}

bool ShapeAnalysis::is_continue_block(const BasicBlock *block) const {
  const Loop *loop = loops_->getLoopFor(block);
  const LatchExit *exit = loop && loop->getLoopLatch() ? divergent_latch(loop->getLoopLatch()) : nullptr;
  if (!exit || block == exit->latch) return false;
  return all_of(exit->live_mask->blocks(), [&](const BasicBlock *from) {
    auto *is_live = dyn_cast<ConstantInt>(exit->live_mask->getIncomingValueForBlock(from));
    return (is_live && is_live->isZero()) || dominators_.dominates(block, from);
  });
}

/* Lowers the divergent switches, or all, to branches. */
void ShapeAnalysis::lower_switches(bool all) {
  SmallVector<SwitchInst *, 4> switches;
  for (BasicBlock &block : function_) {
    auto *branch = dyn_cast<SwitchInst>(block.getTerminator());
    if (branch && (all || has_divergent_branch(&block))) switches.push_back(branch);
  }
  for (SwitchInst *branch : switches) lower_switch(*branch);
  if (switches.empty()) return;
  canonicalize_control_flow(function_);
  analyse();
}

/* True when all work-items that enter the loop together exit in the same iteration, by the same exit edge. */
bool ShapeAnalysis::exits_uniformly(const Loop &loop) const {
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  return all_of(exiting, [&](BasicBlock *block) {
    return !has_divergent_branch(block) && this->block(block).root == this->block(loop.getHeader()).root;
  });
}

bool ShapeAnalysis::may_spin(const Loop &loop) const {
  return !exits_uniformly(loop) && needs_lane_progress(loop, [this](const Value &value) { return is_uniform(&value); });
}

/* Moves the exits of one divergent loop to its latch (make_latch_exit). False when no divergent loop is left. The
 * analyses are out of date afterwards. */
bool ShapeAnalysis::convert_divergent_loop() {
  SmallVector<Loop *, 4> loops;
  for (Loop *loop : loops_->getLoopsInPreorder()) {
    if (!latches_.contains(loop->getLoopLatch()) && !exits_uniformly(*loop)) loops.push_back(loop);
  }
  if (loops.empty()) return false;
  /* Innermost loops first, one loop per call: the enclosing loop sees the exits of the converted inner loop. */
  Loop *loop = loops.back();
  /* A live-out value of an inner loop may be used outside of this loop too: it needs an LCSSA phi at the exits. */
  formLCSSARecursively(*loop, dominators_, loops_.get(), nullptr);
  LatchExit exit = make_latch_exit(*loop, [&](const PHINode &phi) { return uniformity_->isDivergent(&phi); });
  divergent_headers_.insert(loop->getHeader());
  live_masks_.insert(exit.live_mask);
  live_outs_.insert(exit.live_outs.begin(), exit.live_outs.end());
  for (auto [next, phi] : exit.blended_phis) blended_[next] = phi;
  latches_[exit.latch] = exit;
  return true;
}

/* Accesses that test at run time whether all lanes are in one aligned block. */
unsigned ShapeAnalysis::count_runtime_mask_accesses() const {
  auto is_tested = [&](const Instruction &instruction) {
    const Value *address = getLoadStorePointerOperand(&instruction);
    const NoWrapChecks *all = address ? no_wrap_checks(address) : nullptr;
    return all && any_of(*all, [](const Instruction *check) { return is_runtime_mask(*check); });
  };
  return unsigned(count_if(instructions(function_), is_tested));
}

bool ShapeAnalysis::run(const char *&why) {
  why = "a loop never exits";
  if (!canonicalize_control_flow(function_)) return false;
  analyse();
  lower_switches(false);
  compute_order();
  compute_roots();
  if (!may_have_spin_loops_ && any_of(loops_->getLoopsInPreorder(), [&](Loop *loop) { return may_spin(*loop); })) {
    why = "a loop may spin until another work-item makes progress";
    return false;
  }
  /* Live-outs of a converted loop become divergent, and so does a switch on one. That is known only after the
   * conversion, when it is too late to lower the switch. */
  bool has_divergent_loop = any_of(loops_->getLoopsInPreorder(), [&](Loop *loop) { return !exits_uniformly(*loop); });
  if (has_divergent_loop) {
    lower_switches(true);
    compute_order();
    compute_roots();
  }
  while (convert_divergent_loop()) {
    /* No canonicalize_control_flow() here: it would undo the latch exits of loops converted before. */
    analyse();
    compute_order();
    compute_roots();
  }
  why = "a loop has no preheader or several latches";
  for (Loop *loop : loops_->getLoopsInPreorder()) {
    if (!loop->getLoopLatch() || !loop->getLoopPreheader()) return false;
  }
  StrideSolver(*this).solve();
  if (may_have_masked_indices_ && count_runtime_mask_accesses() > max_runtime_mask_accesses) {
    may_have_masked_indices_ = false;
    runtime_checks_.clear();
    StrideSolver(*this).solve();
  }
  return true;
}

/* Preorder of the dominator tree, with children in reverse post-order. Blocks on exit edges come first: where no lane
 * exits, the mask of the block that continues the loop is that of the dominator. */
void ShapeAnalysis::compute_order() {
  DenseMap<const BasicBlock *, unsigned> rpo_index;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function_))
    rpo_index[block] = unsigned(rpo_index.size());
  order_.clear();
  blocks_.clear();
  SmallVector<DomTreeNode *, 32> stack = {dominators_.getRootNode()};
  while (!stack.empty()) {
    DomTreeNode *node = stack.pop_back_val();
    blocks_[node->getBlock()] = {nullptr, unsigned(order_.size())};
    order_.push_back(node->getBlock());
    SmallVector<DomTreeNode *, 8> children(node->children());
    sort(children, [&](DomTreeNode *a, DomTreeNode *b) {
      bool a_exits = exit_of_block(a->getBlock()), b_exits = exit_of_block(b->getBlock());
      return a_exits != b_exits ? b_exits : rpo_index[a->getBlock()] > rpo_index[b->getBlock()];
    });
    stack.append(children);
  }
}

/* The root of a block with the same mask that comes earlier in order(), or the block itself. */
BasicBlock *ShapeAnalysis::find_root(BasicBlock *block) const {
  auto root_of = [&](const BasicBlock *other) { return blocks_.find(other)->second.root; };
  DomTreeNode *dominator = dominators_.getNode(block)->getIDom();
  if (!dominator || divergent_headers_.contains(block)) return block;
  Loop *loop = loops_->getLoopFor(block);
  if (loop && loop->getHeader() == block) return root_of(loop->getLoopPreheader());
  if (BasicBlock *predecessor = block->getSinglePredecessor()) {
    if (latches_.contains(predecessor)) return root_of(loops_->getLoopFor(predecessor)->getLoopPreheader());
    if (!has_divergent_branch(predecessor)) return root_of(predecessor);
  }
  return post_dominators_.dominates(block, dominator->getBlock()) ? root_of(dominator->getBlock()) : block;
}

void ShapeAnalysis::compute_roots() {
  for (BasicBlock *block : order_) blocks_[block].root = find_root(block);
}

bool ShapeAnalysis::can_check_at_runtime(const Value *value) const {
  return may_have_runtime_checks_ && can_precompute(value);
}

const NoWrapChecks *ShapeAnalysis::no_wrap_checks(const Value *value) const {
  auto found = no_wrap_checks_.find(value);
  return found == no_wrap_checks_.end() ? nullptr : &found->second;
}

bool ShapeAnalysis::needs_test(const Instruction *check, bool is_lane_zero_active) const {
  return !(is_lane_zero_active && no_wrap_by_flags_.contains(check)) && !assumed_masked_indices_.contains(check) &&
         !proved_blocks_.contains(check);
}

bool ShapeAnalysis::needs_tests(const Value *address, bool is_lane_zero_active) const {
  const NoWrapChecks *checks = no_wrap_checks(address);
  return checks && any_of(*checks, [&](const Instruction *check) { return needs_test(check, is_lane_zero_active); });
}

bool ShapeAnalysis::prove_blocks(unsigned width, unsigned interleave_count) {
  const size_t before = proved_blocks_.size();
  const bool is_aligned = isPowerOf2_32(width) && isPowerOf2_32(interleave_count);
  proved_blocks_.clear();
  for (const auto &[value, checks] : no_wrap_checks_) {
    auto *check = const_cast<Instruction *>(dyn_cast<Instruction>(value));
    if (!is_aligned || !check || !checks.contains(check) || !is_aligned_block(*check, *this, width)) continue;
    if (is_aligned_block(*check, *this, width * interleave_count)) proved_blocks_.insert(check);
  }
  return proved_blocks_.size() != before;
}

bool ShapeAnalysis::are_loop_blocks_proved(unsigned lanes) const {
  auto is_lost = [&](const Instruction *check) {
    return proved_blocks_.contains(check) && !(isPowerOf2_32(lanes) && is_aligned_block(*check, *this, lanes));
  };
  return none_of(order_, [&](const BasicBlock *block) {
    return !proved_blocks_.empty() && loops_->getLoopFor(block) && any_of(*block, [&](const Instruction &access) {
      const Value *address = getLoadStorePointerOperand(&access);
      const NoWrapChecks *checks = address ? no_wrap_checks(address) : nullptr;
      return checks && any_of(*checks, is_lost);
    });
  });
}

Shape ShapeAnalysis::shape(const Value *value) const {
  if (auto *argument = dyn_cast<Argument>(value)) {
    auto found = parameters_.find(argument);
    return found == parameters_.end() ? Shape{Shape::uniform, 0} : found->second;
  }
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction) return {Shape::uniform, 0};
  auto found = shapes_.find(value);
  if (found != shapes_.end()) return found->second;
  return {uniformity_->isDivergent(instruction) ? Shape::varying : Shape::uniform, 0};
}

}  // namespace quern
