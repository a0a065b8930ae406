/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Rows of work-items that whole vectors fill. */
#ifndef COMPILER_PASSES_VECTORIZE_WHOLE_ROWS_HPP
#define COMPILER_PASSES_VECTORIZE_WHOLE_ROWS_HPP

#include <memory>

#include "compiler/passes/vectorize/item_bound.hpp"
#include "compiler/passes/vectorize/lane_analysis.hpp"
#include "compiler/passes/vectorize/row_steps.hpp"
#include "compiler/passes/vectorize/rows.hpp"

namespace quern {

/** What parameters of a body stand for in one form of it. */
using Places = llvm::DenseMap<const llvm::Argument *, llvm::Value *>;

/** The form of a loop over rows in which each row of the work-group consists of whole vectors, all of whose work-items
 * run, and the premises hold in all rows. That is tested once, before the loop; what is computed from row to row is
 * known to fit then, so that addresses grow by a constant. */
class WholeRows {
 public:
  /** Null when the loop does not lie in one over rows, or the body has more to do than a test is worth. `merged` rows
   * are done at once by it, or twice as many by a machine with many `registers`. */
  static std::unique_ptr<WholeRows> find(const ItemLoop &loop, const LaneAnalysis &analysis, unsigned merged,
                                         unsigned registers);

  /** The condition, at the end of what comes before the loop over the rows, or null when something there cannot be
   * told: premises on what is neither a sum nor a product, or a bound that is another one in each row. */
  llvm::Value *test(const ItemBody &body, const LaneAnalysis &analysis, const std::optional<ItemBound> &bound,
                    unsigned width);

  /** The block of the body that ends with the first branch, when that goes the same way in all rows: which way can be
   * told before the loop over rows. Null when there is none. */
  const llvm::BasicBlock *common_branch(const LaneAnalysis &analysis) const;

  /** What the test has shown, of the body and of what comes before a row. */
  ExactValues &exact() { return exact_; }

  /** The loop around that is left out when the condition holds. */
  const llvm::Loop &loop() const { return *rows_; }
  const RowLoop &rows() const { return row_loop_; }
  unsigned merged() const { return merged_; }
  /** Rows that a turn does: those that are merged, once or twice. */
  unsigned rows_a_turn() const { return is_double_ ? 2 * merged_ : merged_; }
  /** The loop around barriers that the rows are in, or null. */
  Turns *turns() { return turns_ ? &*turns_ : nullptr; }

  /** True when rows may be gone through for each vector of a row, since what comes before a row costs next to nothing:
   * sums and products, of which addresses that grow are made. */
  bool may_be_inner() const;

  /** What the parameters of the body are in the rows from `row` on, computed at the end of `block`. */
  Places place(llvm::Value *row, llvm::BasicBlock *block);

 private:
  /** The least and the greatest of all work-items' values, as i64. Those of a signed number are checked to fit; of an
   * unsigned one, `bits` are as many as the greatest can have, and 32 once it is checked. */
  struct Range {
    llvm::Value *low, *high;
    unsigned bits;
  };
  class Copier;

  WholeRows(const ItemLoop &items, const llvm::Loop *rows, const RowLoop &row_loop, unsigned merged)
      : items_(items),
        rows_(rows),
        row_loop_(row_loop),
        merged_(merged),
        turns_(Turns::find(items)),
        builder_(rows->getHeader()->getContext()) {}
  bool leaves_nothing_else() const;
  std::optional<Range> range(llvm::Value *value, bool is_signed);
  std::optional<Range> checked_range(llvm::Value *value, bool is_signed);
  std::optional<Range> range_of(llvm::Value *value, bool is_signed);
  std::optional<Range> combine(llvm::BinaryOperator &operation, bool is_signed);
  Range product(Range left, Range right, bool is_signed);
  Range sum(Range left, Range right, bool is_signed);
  std::optional<Range> extended_part(llvm::Value *part, llvm::BinaryOperator &operation);
  bool is_known_before(const llvm::Value *value) const;
  bool is_of_other_row(const llvm::Value *value) const;
  bool is_common(const llvm::Value *value) const;
  void check(llvm::Value *value, bool is_signed);
  void check_high(Range &range);

  ItemLoop items_;
  const llvm::Loop *rows_;
  RowLoop row_loop_;
  unsigned merged_;
  bool is_double_ = false;
  std::optional<Turns> turns_;
  const ItemBody *body_ = nullptr;
  llvm::IRBuilder<> builder_;
  /** Numbers that must be below 2^32, all at once. */
  llvm::Value *bits_ = nullptr;
  ExactValues exact_;
  /** What `range` has said, for numbers read as signed or not. */
  llvm::DenseMap<llvm::PointerIntPair<llvm::Value *, 1, bool>, std::optional<Range>> ranges_;
};

}  // namespace quern

#endif
