/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Finds the places at which a function is divided, and moves what lies between them into functions. */
#include "compiler/passes/divide_functions.hpp"

#include <algorithm>
#include <cassert>

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/CodeExtractor.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/passes/passes.h"

using namespace llvm;

namespace quern {

namespace {

using Blocks = SmallVector<BasicBlock *, 0>;

/* Finds the pieces of one function. A place to divide it is a block that each execution of the function, or each
 * iteration of a loop, passes: one that dominates the end. What lies between two such blocks is a segment. A piece is
 * as many consecutive segments as fit. */
class PieceFinder {
 public:
  PieceFinder(Function &function, size_t most_blocks)
      : function_(function), piece_size_(most_blocks / 4), dominators_(function), loops_(dominators_) {}

  std::vector<Blocks> run() {
    if (BasicBlock *end = single_return()) divide(nullptr, end);
    return std::move(pieces_);
  }

 private:
  BasicBlock *single_return() const;
  std::vector<Blocks> find_segments(const Loop *loop, BasicBlock *end) const;
  bool is_single_entry_single_exit(ArrayRef<BasicBlock *> blocks, const BasicBlock *next) const;
  void divide(const Loop *loop, BasicBlock *end);
  void divide_loops(const Loop *loop, ArrayRef<BasicBlock *> blocks);
  void finish_piece(Blocks &piece, const BasicBlock *next);

  Function &function_;
  const size_t piece_size_;
  DominatorTree dominators_;
  LoopInfo loops_;
  std::vector<Blocks> pieces_;
};

BasicBlock *PieceFinder::single_return() const {
  BasicBlock *found = nullptr;
  for (BasicBlock &block : function_) {
    if (!isa<ReturnInst>(block.getTerminator())) continue;
    if (found) return nullptr;
    found = &block;
  }
  return found && dominators_.isReachableFromEntry(found) ? found : nullptr;
}

/* The blocks of the loop, or of the function where it is null, divided at those that dominate `end` and are in no inner
 * loop. Each segment begins with such a block. */
std::vector<Blocks> PieceFinder::find_segments(const Loop *loop, BasicBlock *end) const {
  BasicBlock *begin = loop ? loop->getHeader() : &function_.getEntryBlock();
  std::vector<Blocks> segments;
  for (auto *node = dominators_.getNode(end);; node = node->getIDom()) {
    assert(node && "the beginning dominates the end");
    BasicBlock *block = node->getBlock();
    if (loops_.getLoopFor(block) == loop) segments.push_back({block});
    if (block == begin) break;
  }
  std::reverse(segments.begin(), segments.end());
  DenseMap<const BasicBlock *, size_t> segment_of;
  for (size_t i = 0; i < segments.size(); i++) segment_of[segments[i].front()] = i;
  /* Other blocks are in the segment of their dominator, which comes before them. */
  for (auto *node : depth_first(dominators_.getNode(begin))) {
    BasicBlock *block = node->getBlock();
    if (segment_of.contains(block) || (loop && !loop->contains(block))) continue;
    const size_t segment = segment_of.at(node->getIDom()->getBlock());
    segment_of[block] = segment;
    segments[segment].push_back(block);
  }
  return segments;
}

/* True for a single-entry single-exit region: the entry is the first block, and `next` the only successor outside. */
bool PieceFinder::is_single_entry_single_exit(ArrayRef<BasicBlock *> blocks, const BasicBlock *next) const {
  const DenseSet<const BasicBlock *> inside(blocks.begin(), blocks.end());
  return all_of(blocks, [&](const BasicBlock *block) {
    const bool stays = all_of(successors(block), [&](const BasicBlock *successor) {
      return successor == next || (inside.contains(successor) && successor != blocks.front());
    });
    return stays && (block == blocks.front() ||
                     all_of(predecessors(block), [&](const BasicBlock *from) { return inside.contains(from); }));
  });
}

/* What is much smaller than a piece costs more as a function than it saves. */
void PieceFinder::finish_piece(Blocks &piece, const BasicBlock *next) {
  if (piece.size() >= piece_size_ / 4 && piece.size() > 1 && is_single_entry_single_exit(piece, next))
    pieces_.push_back(piece);
  piece.clear();
}

/* Divides the loops in a segment that is too large. */
void PieceFinder::divide_loops(const Loop *loop, ArrayRef<BasicBlock *> blocks) {
  for (BasicBlock *block : blocks) {
    Loop *inner = loops_.getLoopFor(block);
    if (!inner || inner->getHeader() != block || inner->getParentLoop() != loop) continue;
    if (inner->getNumBlocks() > piece_size_ && inner->getLoopLatch()) divide(inner, inner->getLoopLatch());
  }
}

void PieceFinder::divide(const Loop *loop, BasicBlock *end) {
  const std::vector<Blocks> segments = find_segments(loop, end);
  Blocks piece;
  /* The first block holds the loop's phis, or variables; the last one branches back, or returns. */
  for (size_t i = 0; i < segments.size(); i++) {
    const Blocks &segment = segments[i];
    const bool is_end = i == 0 || i + 1 == segments.size(), is_large = segment.size() > piece_size_;
    if (is_end || is_large || piece.size() + segment.size() > piece_size_) finish_piece(piece, segment.front());
    if (is_large) divide_loops(loop, segment);
    if (!is_end && !is_large) append_range(piece, segment);
  }
}

/* Whether an instruction may be computed in another place, and any number of times: freezing an undefined value twice
 * gives two values. */
bool is_movable(const Instruction &instruction) {
  return !isa<PHINode, AllocaInst, FreezeInst>(instruction) && !instruction.isTerminator() &&
         !instruction.mayHaveSideEffects() &&
         (!instruction.mayReadFromMemory() || instruction.hasMetadata(LLVMContext::MD_invariant_load));
}

/* Moves into a piece what is computed before it for it alone, which else would be an argument, and live until then.
 * LICM hoists hundreds of such values out of the loop over groups. Operands come to lie before their users: they follow
 * when the last of those is inside. */
class OperandSinker {
 public:
  explicit OperandSinker(ArrayRef<BasicBlock *> blocks)
      : first_(*blocks.front()), inside_(blocks.begin(), blocks.end()) {
    for (BasicBlock *block : blocks) {
      for (Instruction &instruction : *block) add_user(instruction);
    }
  }

  void run() {
    while (!users_.empty()) {
      for (Value *operand : users_.pop_back_val()->operands()) count_use(operand);
    }
  }

 private:
  /* Phis of the first block take their values where control comes from. */
  void add_user(Instruction &instruction) {
    if (!isa<PHINode>(instruction) || instruction.getParent() != &first_) users_.push_back(&instruction);
  }

  void count_use(Value *operand) {
    auto *value = dyn_cast<Instruction>(operand);
    if (!value || inside_.contains(value->getParent()) || !is_movable(*value)) return;
    const auto [found, is_new] = uses_outside_.try_emplace(value, 0);
    if (is_new) found->second = value->getNumUses();
    if (--found->second) return;
    value->moveBefore(first_, first_.getFirstInsertionPt());
    users_.push_back(value);
  }

  BasicBlock &first_;
  const DenseSet<const BasicBlock *> inside_;
  SmallVector<const Instruction *, 0> users_;
  DenseMap<const Instruction *, unsigned> uses_outside_;
};

void extract(ArrayRef<BasicBlock *> blocks, StringRef entry, const CodeExtractorAnalysisCache &cache) {
  CodeExtractor extractor(blocks, nullptr, /*AggregateArgs=*/false, nullptr, nullptr, nullptr, /*AllowVarArgs=*/false,
                          /*AllowAlloca=*/false, nullptr, "piece");
  Function *piece = extractor.extractCodeRegion(cache);
  if (!piece) return;
  piece->addFnAttr(PASSES_PIECE_ATTRIBUTE, entry);
  piece->removeFnAttr(PASSES_PLANS_ATTRIBUTE);
}

/* Unreachable blocks go first: they would be entries of what they branch to. */
bool divide_function(Function &function, size_t most_blocks) {
  const bool changed = removeUnreachableBlocks(function);
  if (function.size() <= most_blocks) return changed;
  const std::vector<Blocks> pieces = PieceFinder(function, most_blocks).run();
  if (pieces.empty()) return changed;
  for (const Blocks &piece : pieces) OperandSinker(piece).run();
  const CodeExtractorAnalysisCache cache(function);
  for (const Blocks &piece : pieces) extract(piece, function.getName(), cache);
  return true;
}

}  // namespace

bool is_entry_or_piece(const Function &function) {
  return !function.hasLocalLinkage() || function.hasFnAttribute(PASSES_PIECE_ATTRIBUTE);
}

PreservedAnalyses DivideFunctionsPass::run(Module &module, ModuleAnalysisManager &) {
  SmallVector<Function *, 4> large;
  for (Function &function : module) {
    if (!function.hasLocalLinkage() && function.size() > most_blocks_) large.push_back(&function);
  }
  bool changed = false;
  for (Function *function : large) changed |= divide_function(*function, most_blocks_);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace quern
