/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * EnclosingInduction of a loop around barriers. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_ENCLOSING_INDUCTION_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_ENCLOSING_INDUCTION_HPP

#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/passes/vectorize/item_loop.hpp"

namespace quern {

/** What goes through the rows of a group again and again: a loop of the kernel in which all work-items of a group take
 * their turns together, or one group after the other. A number grows by the same step from each turn to the next. */
class EnclosingInduction {
 public:
  /** The innermost such loop around `items`, or else the groups; empty when a loop is there that does not count, or the
   * entry does not tell the groups' numbers. */
  static std::optional<EnclosingInduction> find(const ItemLoop &items);

  /** The groups, if there is no such loop. */
  static std::optional<EnclosingInduction> of_groups(const ItemLoop &items);

  bool are_groups() const { return !step_; }

  /** How a value changes from turn to turn: constant is what does not hang on the number. */
  enum class Change : uint8_t { none, by_constant, otherwise };
  Change change(const llvm::Value *value);

  /** What `value` is in the turn after this one, or in the group that has to be asked for now, which for small groups
   * is some groups on. Computed by `builder`, if what is not made from the number stays as it is: a guess. `known` are
   * values whose next ones are known already. */
  llvm::Value *next(llvm::Value *value, llvm::DenseMap<llvm::Value *, llvm::Value *> &known,
                    llvm::IRBuilder<> &builder) const;

 private:
  EnclosingInduction(llvm::Instruction *number, llvm::Value *step) : number_(number), step_(step) {}

  llvm::Value *step(llvm::IRBuilder<> &builder) const;

  llvm::Instruction *number_;
  /** Of groups null. */
  llvm::Value *step_;
  /** Of groups: how many work-items there are along x, and along y if that is known. */
  llvm::SmallVector<llvm::Value *, 2> counts_;
  llvm::DenseMap<const llvm::Value *, Change> changes_;
};

}  // namespace quern

#endif
