/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Rows of work-items that whole vectors fill. */
#ifndef COMPILER_PASSES_VECTORIZE_WHOLE_ROWS_HPP
#define COMPILER_PASSES_VECTORIZE_WHOLE_ROWS_HPP

#include <memory>

#include "compiler/passes/vectorize/item_bound.hpp"
#include "compiler/passes/vectorize/lane_analysis.hpp"

namespace quern {

/** The test that each row of a work-group consists of whole vectors, all of whose work-items run, and that the premises
 * hold in all rows. It is done once, before the loop over the rows, where these may be short and many. */
class WholeRows {
 public:
  /** Null when the loop does not lie in one over rows, or the body has more to do than a test is worth. */
  static std::unique_ptr<WholeRows> find(const ItemLoop &loop, const LaneAnalysis &analysis);

  /** The condition, at the end of what comes before the loop over the rows, or null when something there cannot be
   * told: premises on what is neither a sum nor a product, or a bound that is another one in each row. */
  llvm::Value *write(const ItemBody &body, const LaneAnalysis &analysis, const std::optional<ItemBound> &bound,
                     unsigned width);

 private:
  /** The least and the greatest of all work-items' values, as i64. */
  struct Range {
    llvm::Value *low, *high;
  };

  WholeRows(const ItemLoop &items, const llvm::Loop *rows, llvm::PHINode *row, llvm::Value *count)
      : items_(items), rows_(rows), row_(row), row_count_(count), builder_(row->getContext()) {}
  std::optional<Range> range(llvm::Value *value, bool is_signed);
  std::optional<Range> range_of(llvm::Value *value, bool is_signed);
  std::optional<Range> combine(llvm::BinaryOperator &operation, bool is_signed);
  std::optional<Range> product(Range left, Range right, bool is_signed);
  std::optional<Range> extended_part(llvm::Value *part, llvm::BinaryOperator &operation);
  bool is_known_before(const llvm::Value *value) const;
  bool is_of_other_row(const llvm::Value *value) const;
  void check(llvm::Value *value, bool is_signed);

  ItemLoop items_;
  const llvm::Loop *rows_;
  llvm::PHINode *row_;
  llvm::Value *row_count_;
  const ItemBody *body_ = nullptr;
  llvm::IRBuilder<> builder_;
  /** Numbers that must be below 2^32, all at once. */
  llvm::Value *bits_ = nullptr;
};

}  // namespace quern

#endif
