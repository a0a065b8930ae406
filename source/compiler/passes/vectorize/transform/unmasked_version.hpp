/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Rows of work-items that whole vectors fill. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_UNMASKED_VERSION_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_UNMASKED_VERSION_HPP

#include <memory>

#include "compiler/passes/vectorize/analysis/item_bound.hpp"
#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"
#include "compiler/passes/vectorize/transform/strength_reduction.hpp"
#include "compiler/passes/vectorize/transform/unroll_and_jam.hpp"

namespace quern {

/** What parameters of a body stand for in one form of it. */
using Places = llvm::DenseMap<const llvm::Argument *, llvm::Value *>;

/** The form of a loop over rows in which each row of the work-group consists of whole vectors, all of whose work-items
 * run, and the premises hold in all rows. That is tested once, before the loop; what is computed from row to row is
 * known to fit then, so that addresses grow by a constant. */
class UnmaskedVersion {
 public:
  /** Null when the loop does not lie in one over rows, or the body has more to do than a test is worth. `merged` rows
   * are done at once by it, or twice as many by a machine with many `registers`. */
  static std::unique_ptr<UnmaskedVersion> find(const ItemLoop &loop, const ShapeAnalysis &analysis, unsigned jam,
                                               unsigned registers);

  /** The condition, at the end of what comes before the loop over the rows, or null when something there cannot be
   * told: premises on what is neither a sum nor a product, or a bound that is another one in each row. */
  llvm::Value *test(const ItemBody &body, const ShapeAnalysis &analysis, const std::optional<ItemBound> &bound,
                    unsigned width);

  /** The block of the body that ends with the first branch, when that goes the same way in all rows: which way can be
   * told before the loop over rows. Null when there is none. */
  const llvm::BasicBlock *common_branch(const ShapeAnalysis &analysis) const;

  /** What the test has shown, of the body and of what comes before a row. */
  ExactValues &exact() { return exact_; }

  /** The loop around that is left out when the condition holds. */
  const llvm::Loop &loop() const { return *outer_loop_; }
  const YLoop &y_loop() const { return y_loop_; }
  unsigned jam() const { return jam_; }
  /** Rows that a turn does: those that are merged, once or twice. */
  unsigned y_per_iteration() const { return is_double_ ? 2 * jam_ : jam_; }
  /** The loop around barriers that the rows are in, or null. */
  EnclosingInduction *induction() { return induction_ ? &*induction_ : nullptr; }

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

  UnmaskedVersion(const ItemLoop &items, const llvm::Loop *outer_loop, const YLoop &y_loop, unsigned jam)
      : items_(items),
        outer_loop_(outer_loop),
        y_loop_(y_loop),
        jam_(jam),
        induction_(EnclosingInduction::find(items)),
        builder_(outer_loop->getHeader()->getContext()) {}
  bool leaves_nothing_else() const;
  std::optional<Range> range(llvm::Value *value, bool is_signed);
  std::optional<Range> checked_range(llvm::Value *value, bool is_signed);
  std::optional<Range> range_of(llvm::Value *value, bool is_signed);
  std::optional<Range> combine(llvm::BinaryOperator &operation, bool is_signed);
  Range product(Range left, Range right, bool is_signed);
  Range sum(Range left, Range right, bool is_signed);
  std::optional<Range> extended_part(llvm::Value *part, llvm::BinaryOperator &operation);
  bool is_known_before(const llvm::Value *value) const;
  bool is_of_jammed_copy(const llvm::Value *value) const;
  bool is_common(const llvm::Value *value) const;
  void check(llvm::Value *value, bool is_signed);
  void check_high(Range &range);

  ItemLoop items_;
  const llvm::Loop *outer_loop_;
  YLoop y_loop_;
  unsigned jam_;
  bool is_double_ = false;
  std::optional<EnclosingInduction> induction_;
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
