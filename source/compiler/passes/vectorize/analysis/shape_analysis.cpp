/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Divergence of an item body: LLVM's uniformity analysis, asked about lanes instead of a GPU's threads, and the form of
 * its loops that follows from it. */
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
#include "compiler/passes/vectorize/analysis/forward_progress.hpp"
#include "compiler/passes/vectorize/analysis/strides.hpp"

using namespace llvm;

namespace quern {

/* Each of these has two forms, one for lanes in one block: that many take no long time to compile. */
static constexpr unsigned most_in_blocks = 16;

/* What the uniformity analysis asks a target: where divergence starts. Two work-items that load from one address in one
 * region get one value, or race; what is private, atomic or unknown may differ. */
class ShapeAnalysis::Sources final : public TargetTransformInfoImplBase {
 public:
  explicit Sources(const ShapeAnalysis &analysis)
      : TargetTransformInfoImplBase(analysis.function_.getDataLayout()), analysis_(analysis) {}

  InstructionUniformity getInstructionUniformity(const Value *value) const override {
    SubGroup sub_group = sub_group_call(value).kind;
    if (is_uniform_in_sub_group(sub_group)) return InstructionUniformity::AlwaysUniform;
    if (sub_group != SubGroup::none) return InstructionUniformity::NeverUniform;
    return differs(value) ? InstructionUniformity::NeverUniform : InstructionUniformity::Default;
  }

 private:
  bool differs(const Value *value) const {
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
      return argument && analysis_.variables_.contains(argument);
    });
  }

  const ShapeAnalysis &analysis_;
};

ShapeAnalysis::ShapeAnalysis(Function &function, DenseMap<const Argument *, Shape> parameters,
                             SmallPtrSet<const Argument *, 8> variables)
    : function_(function), parameters_(std::move(parameters)), variables_(std::move(variables)) {}

void ShapeAnalysis::analyse() {
  dominators_.recalculate(function_);
  post_dominators_.recalculate(function_);
  loops_ = std::make_unique<LoopInfo>(dominators_);
  cycles_ = std::make_unique<CycleInfo>();
  cycles_->compute(function_);
  sources_ = std::make_unique<TargetTransformInfo>(std::make_unique<Sources>(*this));
  uniformity_ = std::make_unique<UniformityInfo>(dominators_, *cycles_, sources_.get());
  uniformity_->compute();
}

bool ShapeAnalysis::has_divergent_branch(const BasicBlock *block) const {
  const Instruction *end = block->getTerminator();
  if (end->getNumSuccessors() < 2) return false;
  if (latches_.contains(block)) return true;
  return uniformity_->hasDivergentTerminator(*block) || uniformity_->isDivergentUse(end->getOperandUse(0));
}

const LatchExit *ShapeAnalysis::divergent_latch(const BasicBlock *block) const {
  auto found = latches_.find(block);
  return found == latches_.end() ? nullptr : &found->second;
}

const LatchExit *ShapeAnalysis::exit_edge(const BasicBlock *block) const {
  const BasicBlock *next = block->getSingleSuccessor();
  const LatchExit *exit = next ? divergent_latch(next) : nullptr;
  auto *live_masks = exit ? dyn_cast<ConstantInt>(exit->live_mask->getIncomingValueForBlock(block)) : nullptr;
  const BasicBlock *before = block->getSinglePredecessor();
  bool in_same_loop = before && loops_->getLoopFor(before) == loops_->getLoopFor(block);
  return in_same_loop && live_masks && live_masks->isZero() ? exit : nullptr;
}

bool ShapeAnalysis::is_continue_block(const BasicBlock *block) const {
  const Loop *loop = loops_->getLoopFor(block);
  const LatchExit *exit = loop && loop->getLoopLatch() ? divergent_latch(loop->getLoopLatch()) : nullptr;
  if (!exit || block == exit->latch) return false;
  return all_of(exit->live_mask->blocks(), [&](const BasicBlock *from) {
    auto *live_masks = dyn_cast<ConstantInt>(exit->live_mask->getIncomingValueForBlock(from));
    return (live_masks && live_masks->isZero()) || dominators_.dominates(block, from);
  });
}

/* Those that are divergent, or all. */
void ShapeAnalysis::lower_switches(bool all) {
  SmallVector<SwitchInst *, 4> switches;
  for (BasicBlock &block : function_) {
    auto *branch = dyn_cast<SwitchInst>(block.getTerminator());
    if (branch && (all || has_divergent_branch(&block))) switches.push_back(branch);
  }
  for (SwitchInst *branch : switches) lower_switch(*branch);
  if (switches.empty()) return;
  make_canonical(function_);
  analyse();
}

/* True when all work-items that go round the loop together leave it together, at whichever exit. */
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

/* Gives every loop that work-items leave at different turns its exit at the latch; true when there was one. */
bool ShapeAnalysis::reshape_loops() {
  SmallVector<Loop *, 4> loops;
  for (Loop *loop : loops_->getLoopsInPreorder()) {
    if (!latches_.contains(loop->getLoopLatch()) && !exits_uniformly(*loop)) loops.push_back(loop);
  }
  if (loops.empty()) return false;
  /* The innermost first, one at a time: the next one sees what became of its exits. */
  Loop *loop = loops.back();
  /* What an inner loop let out may be used far behind: it comes out of this one by its exits, too. */
  formLCSSARecursively(*loop, dominators_, loops_.get(), nullptr);
  LatchExit exit = make_latch_exit(*loop, [&](const PHINode &phi) { return uniformity_->isDivergent(&phi); });
  divergent_headers_.insert(loop->getHeader());
  live_masks_.insert(exit.live_mask);
  live_outs_.insert(exit.live_out.begin(), exit.live_out.end());
  for (auto [next, phi] : exit.blended) blended_[next] = phi;
  latches_[exit.latch] = exit;
  return true;
}

/* Accesses that are tested for lanes in several blocks. */
unsigned ShapeAnalysis::accesses_in_blocks() const {
  auto is_tested = [&](const Instruction &instruction) {
    const Value *address = getLoadStorePointerOperand(&instruction);
    const NoWrapChecks *all = address ? no_wrap_checks(address) : nullptr;
    return all && any_of(*all, [](const Instruction *check) { return is_runtime_mask(*check); });
  };
  return unsigned(count_if(instructions(function_), is_tested));
}

bool ShapeAnalysis::run(const char *&why) {
  why = "a loop has no end";
  if (!make_canonical(function_)) return false;
  analyse();
  lower_switches(false);
  find_order();
  find_roots();
  if (!may_have_spin_loops_ && any_of(loops_->getLoopsInPreorder(), [&](Loop *loop) { return may_spin(*loop); })) {
    why = "work-items may wait for each other in a loop";
    return false;
  }
  /* What leaves a loop that is reshaped counts as divergent, and a switch on it: known only when it is too late. */
  bool reshapes = any_of(loops_->getLoopsInPreorder(), [&](Loop *loop) { return !exits_uniformly(*loop); });
  if (reshapes) {
    lower_switches(true);
    find_order();
    find_roots();
  }
  while (reshape_loops()) {
    /* Not canonical again: that would undo the shape of the loops done before. */
    analyse();
    find_order();
    find_roots();
  }
  for (Loop *loop : loops_->getLoopsInPreorder()) {
    if (!loop->getLoopLatch() || !loop->getLoopPreheader()) return false;
  }
  StrideSolver(*this).solve();
  if (may_have_blocks_ && accesses_in_blocks() > most_in_blocks) {
    may_have_blocks_ = false;
    runtime_checks_.clear();
    StrideSolver(*this).solve();
  }
  return true;
}

/* Children in the dominator tree follow each other as in a topological order of the blocks. Who leaves a loop does so
 * first: where none does, the mask is that of the block before. */
void ShapeAnalysis::find_order() {
  DenseMap<const BasicBlock *, unsigned> place;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function_)) place[block] = unsigned(place.size());
  order_.clear();
  blocks_.clear();
  SmallVector<DomTreeNode *, 32> stack = {dominators_.getRootNode()};
  while (!stack.empty()) {
    DomTreeNode *node = stack.pop_back_val();
    blocks_[node->getBlock()] = {nullptr, unsigned(order_.size())};
    order_.push_back(node->getBlock());
    SmallVector<DomTreeNode *, 8> children(node->children());
    sort(children, [&](DomTreeNode *a, DomTreeNode *b) {
      bool a_exits = exit_edge(a->getBlock()), b_exits = exit_edge(b->getBlock());
      return a_exits != b_exits ? b_exits : place[a->getBlock()] > place[b->getBlock()];
    });
    stack.append(children);
  }
}

BasicBlock *ShapeAnalysis::find_root(BasicBlock *block) const {
  auto root_of = [&](const BasicBlock *other) { return blocks_.find(other)->second.root; };
  DomTreeNode *dominator = dominators_.getNode(block)->getIDom();
  if (!dominator || divergent_headers_.contains(block)) return block;
  Loop *loop = loops_->getLoopFor(block);
  if (loop && loop->getHeader() == block) return root_of(loop->getLoopPreheader());
  if (BasicBlock *before = block->getSinglePredecessor()) {
    if (latches_.contains(before)) return root_of(loops_->getLoopFor(before)->getLoopPreheader());
    if (!has_divergent_branch(before)) return root_of(before);
  }
  return post_dominators_.dominates(block, dominator->getBlock()) ? root_of(dominator->getBlock()) : block;
}

void ShapeAnalysis::find_roots() {
  for (BasicBlock *block : order_) blocks_[block].root = find_root(block);
}

bool ShapeAnalysis::can_test(const Value *value) const { return may_have_runtime_checks_ && can_precompute(value); }

const NoWrapChecks *ShapeAnalysis::no_wrap_checks(const Value *value) const {
  auto found = no_wrap_checks_.find(value);
  return found == no_wrap_checks_.end() ? nullptr : &found->second;
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
