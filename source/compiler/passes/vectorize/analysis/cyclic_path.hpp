/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * One way round a loop. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_CYCLIC_PATH_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_CYCLIC_PATH_HPP

#include <optional>

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

namespace quern {

/** Blocks that follow each other, no block twice, from a loop's header on, with what is supposed of conditions there.
 * Values can be followed along it: which one a phi or a selection passes on. */
class CyclicPath {
 public:
  using Conditions = llvm::SmallSetVector<const llvm::Value *, 4>;

  /** `work` is how many values may be looked at, on all ways. */
  CyclicPath(const llvm::Loop &loop, unsigned work) : loop_(loop), work_(work) {}

  /** False when there is no time left to look at another value. */
  bool spend() const { return work_ && work_--; }
  bool is_spent() const { return !work_; }

  const llvm::Loop &loop() const { return loop_; }
  llvm::ArrayRef<const llvm::BasicBlock *> blocks() const { return blocks_; }
  bool has(const llvm::BasicBlock *block) const { return places_.contains(block); }

  /** The next block is `block`, or was and is no longer. */
  void enter(const llvm::BasicBlock *block);
  void leave();

  /** Supposes something of a condition that is open, until what this returns is forgotten. */
  const llvm::Value *suppose(const llvm::Value *condition, bool outcome);
  void forget(const llvm::Value *supposed);
  /** What the condition is, when that is known. */
  std::optional<bool> outcome(const llvm::Value *condition) const { return outcome(condition, deepest); }
  /** False when something that is supposed contradicts the rest, or cannot be so in the next turn, as far as that is
   * known: it is made from what has changed, for good. */
  bool may_go_on() const;
  /** True when two things are known to be the same, as `holds` says of the other when asked about one. */
  bool has_equal(llvm::function_ref<bool(const llvm::Value *, const llvm::Value *)> holds) const;

  /** What `value` is, made from as little as is known. Conditions that say so are added to `because`. */
  const llvm::Value *follow(const llvm::Value *value, Conditions *because = nullptr) const {
    return follow(value, because, deepest);
  }
  /** What a phi of the loop's header is in the next turn, when the way is complete. */
  const llvm::Value *next(const llvm::PHINode &phi, Conditions *because = nullptr) const;

  /** True when both are the same value, perhaps made from the same ones in two places, `depth` operations deep. */
  bool are_same(const llvm::Value *left, const llvm::Value *right, unsigned depth = 4) const;

  /** True when the branch at a block's end leads elsewhere to where the loop is left, off this way. */
  bool may_exit_at(const llvm::BasicBlock *block) const;

  /** Conditions of selections that say how the header's phis go on, and what is compared, as far as they are not
   * supposed already. */
  Conditions open_choices() const;

 private:
  /* Conditions of selections between conditions, and so on. */
  static constexpr unsigned deepest = 4;

  std::optional<bool> outcome(const llvm::Value *condition, unsigned depth) const;
  std::optional<bool> combine(const llvm::Value *condition, unsigned depth) const;
  std::pair<const llvm::Value *, bool> root(const llvm::Value *condition, unsigned depth) const;
  const llvm::Value *follow(const llvm::Value *value, Conditions *because, unsigned depth) const;
  const llvm::Value *step(const llvm::Value *value, Conditions *because, unsigned depth) const;
  struct MadeOf {
    llvm::SmallVector<const llvm::PHINode *, 4> phis;
    bool is_read = false;
  };
  MadeOf made_of(const llvm::Value *value) const;
  const llvm::Value *settle(const llvm::Value *value) const;
  bool ends_when_settled(const llvm::Value *condition, bool outcome) const;
  bool has_settled(const llvm::PHINode &phi) const;
  llvm::Constant *fold(const llvm::Value *value, unsigned depth) const;

  const llvm::Loop &loop_;
  mutable unsigned work_;
  llvm::SmallVector<const llvm::BasicBlock *, 16> blocks_;
  llvm::SmallDenseMap<const llvm::BasicBlock *, unsigned> places_;
  llvm::SmallMapVector<const llvm::Value *, bool, 8> outcomes_;
};

}  // namespace quern

#endif
