/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Neighbouring rows of work-items merged, so that they share what they load. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_UNROLL_AND_JAM_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_UNROLL_AND_JAM_HPP

#include <llvm/IR/IRBuilder.h>

#include "compiler/passes/vectorize/item_loop.hpp"

namespace quern {

/** Rows merged at once. */
constexpr unsigned jam_factor = 4;

/** The loop around an item loop, over the second dimension: `for (counter = 0; counter < count; counter++)`. Its header
 * is what comes before a row: values that are computed, or loaded, once for all of the row's work-items. */
class YLoop {
 public:
  /** Empty when the item loop does not lie in such a loop, or more happens there. */
  static std::optional<YLoop> match(const ItemLoop &loop);

  /** True when rows may be merged, their control flow being the same, and gain by it: they share loads of vectors, or
   * exchange rows with columns. */
  bool can_merge(const llvm::LoopInfo &loops);

  /** True when all accesses of the body are of rows or of columns, and some of columns, which takes many addresses. */
  bool is_transposed() const { return is_transposed_; }

  /** By how much a value of the header grows from row to row, where elements of neighbouring rows lie side by side and
   * this is to be known; 0 where it cannot be told. */
  int64_t stride_in_y(const llvm::Value *value) const;

  /** Whether a value of the header differs between rows that are merged. */
  bool differs(const llvm::Value *value) const { return y_varying_.contains(value); }

  /** True for what a load in the header brings into the body, and nobody else asks for, where there is much of it: it
   * is done in the body, by the vector operation that wants it, since so many values do not fit the registers. */
  bool sinks_load(const llvm::Value *value) const { return sunk_loads_.contains(value); }

  /** Lets the loop go on by `jam_factor` rows where so many are left and agree on where they go. Returns the place for
   * the code of these; `loop`, whose preheader becomes another one, has the others. */
  llvm::BasicBlock *divide(ItemLoop &loop);

  /** At the end of `block`: what a value of the header is in a row behind the first. */
  llvm::Value *value_in_copy(llvm::Value *value, unsigned copy_index, llvm::BasicBlock *block);

  /** The number of the row, i64, how many there are, and where they begin. */
  llvm::PHINode *counter() const { return counter_; }
  llvm::Value *count() const { return count_; }
  const llvm::BasicBlock *header() const { return header_; }
  /** Rows that are merged go the same way without being asked. */
  bool has_no_conditions() const { return branch_conditions_.empty(); }

 private:
  using Values = llvm::SmallPtrSet<const llvm::Value *, 16>;
  enum class Access : uint8_t { copy_index, column, other };

  explicit YLoop(const ItemLoop &items) : items_(items) {}
  bool find_counter();
  bool find_y_varying();
  void find_sunk_loads();
  bool add_users(Values &set) const;
  Access direction(const llvm::Instruction &access, const Values &differing, const Values &varying) const;
  bool finds_transposed(const Values &differing, const Values &varying) const;
  llvm::Value *copy(llvm::Value *value, unsigned copy_index, llvm::IRBuilder<> &builder);

  ItemLoop items_;
  llvm::BasicBlock *header_ = nullptr;
  llvm::PHINode *counter_ = nullptr;
  llvm::Value *count_ = nullptr;
  llvm::BinaryOperator *next_ = nullptr;
  Values y_varying_, sunk_loads_;
  bool is_transposed_ = false;
  /** Conditions of the header: rows are merged where they agree on them. */
  llvm::SmallVector<llvm::Value *, 2> branch_conditions_;
  llvm::DenseMap<llvm::Value *, llvm::Value *> copies_[jam_factor];
};

/** Makes one work-item of the body do what those of `jam_factor` rows do: what differs is done for each in turn,
 * instruction by instruction, all else once. */
void unroll_and_jam(llvm::Function &body, JammedCopies others);

}  // namespace quern

#endif
