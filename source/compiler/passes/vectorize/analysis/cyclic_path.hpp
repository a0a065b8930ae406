/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * One cyclic path through a loop, from the header to a back edge. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_CYCLIC_PATH_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_CYCLIC_PATH_HPP

#include <optional>

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

namespace quern {

/** A sequence of blocks from a loop's header on, each block at most once, with assumed outcomes of conditions. Values
 * can be resolved along the path: to the incoming value of a phi or the selected operand of a select. */
class CyclicPath {
 public:
  using Conditions = llvm::SmallSetVector<const llvm::Value *, 4>;

  /** `budget` is the number of values that may be visited, for all paths of the loop together. */
  CyclicPath(const llvm::Loop &loop, unsigned budget) : loop_(loop), budget_(budget) {}

  /** Takes one visit from the budget. False if the budget is exhausted. */
  bool consume_budget() const { return budget_ && budget_--; }
  bool is_budget_exhausted() const { return !budget_; }

  const llvm::Loop &loop() const { return loop_; }
  llvm::ArrayRef<const llvm::BasicBlock *> blocks() const { return blocks_; }
  bool contains(const llvm::BasicBlock *block) const { return positions_.contains(block); }

  /** Appends `block`, which is not on the path yet, or removes the last block. */
  void push(const llvm::BasicBlock *block);
  void pop();

  /** Assumes an outcome of a condition whose outcome is not known. The result is the argument for drop_assumption. */
  const llvm::Value *assume(const llvm::Value *condition, bool outcome);
  void drop_assumption(const llvm::Value *assumed);
  /** The outcome of a condition, if it is known from constants and assumptions. */
  std::optional<bool> outcome(const llvm::Value *condition) const { return outcome(condition, max_depth); }
  /** False if an assumption contradicts the others, or may not hold in the next iteration too. The latter is the case
   * of a condition on a value that the next iteration changes once and for all. */
  bool may_repeat() const;
  /** True if `holds` is true of two values that are known to be equal. Each pair is passed in both orders. */
  bool has_known_equality(llvm::function_ref<bool(const llvm::Value *, const llvm::Value *)> holds) const;

  /** The value that `value` equals on this path, with phis and selects resolved as far as is known. Adds the conditions
   * that decided it to `deciding`, if not null. */
  const llvm::Value *resolve(const llvm::Value *value, Conditions *deciding = nullptr) const {
    return resolve(value, deciding, max_depth);
  }
  /** The value of a phi of the loop's header in the next iteration. The path must be complete. */
  const llvm::Value *next_value(const llvm::PHINode &phi, Conditions *deciding = nullptr) const;

  /** True if both resolve to the same value, or to the same operations on equivalent values, up to `depth` operations
   * deep. */
  bool are_equivalent(const llvm::Value *left, const llvm::Value *right, unsigned depth = 4) const;

  /** True if the branch at the end of `block` has an edge off the path from which an exit of the loop can be reached
   * without a block of the path. `block` must be on the path. */
  bool may_exit_at(const llvm::BasicBlock *block) const;

  /** The conditions of selects that decide the next values of the header's phis, or the operands of assumed
   * comparisons. Conditions with a known outcome are left out. */
  Conditions undecided_conditions() const;

 private:
  /* Limit of the recursion through conditions of selects between conditions. */
  static constexpr unsigned max_depth = 4;

  std::optional<bool> outcome(const llvm::Value *condition, unsigned depth) const;
  std::optional<bool> evaluate(const llvm::Value *condition, unsigned depth) const;
  std::pair<const llvm::Value *, bool> strip_negations(const llvm::Value *condition, unsigned depth) const;
  const llvm::Value *resolve(const llvm::Value *value, Conditions *deciding, unsigned depth) const;
  const llvm::Value *resolve_once(const llvm::Value *value, Conditions *deciding, unsigned depth) const;
  struct Sources {
    llvm::SmallVector<const llvm::PHINode *, 4> phis;
    bool has_shared_access = false;
  };
  Sources find_sources(const llvm::Value *value) const;
  const llvm::Value *steady_value(const llvm::Value *value) const;
  bool contradicts_steady_state(const llvm::Value *condition, bool outcome) const;
  bool becomes_invariant(const llvm::PHINode &phi) const;
  llvm::Constant *fold_next_iteration(const llvm::Value *value, unsigned depth) const;

  const llvm::Loop &loop_;
  mutable unsigned budget_;
  llvm::SmallVector<const llvm::BasicBlock *, 16> blocks_;
  /* The index of each block of the path in blocks_. */
  llvm::SmallDenseMap<const llvm::BasicBlock *, unsigned> positions_;
  llvm::SmallMapVector<const llvm::Value *, bool, 8> assumptions_;
};

}  // namespace quern

#endif
