/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The unmasked version of a y loop, for work-groups that whole vectors fill. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_UNMASKED_VERSION_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_UNMASKED_VERSION_HPP

#include <memory>

#include "compiler/passes/vectorize/analysis/item_bound.hpp"
#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"
#include "compiler/passes/vectorize/transform/strength_reduction.hpp"
#include "compiler/passes/vectorize/transform/unroll_and_jam.hpp"

namespace quern {

/** The values of a body's parameters in one version of it. */
using ArgumentValues = llvm::DenseMap<const llvm::Argument *, llvm::Value *>;

/** The unmasked version of a y loop, as by LoopVersioning. It requires that the item loop's trip count is a multiple of
 * the vectorization factor, that all work-items are active, and that all runtime checks pass for every y.
 *
 * One condition before the y loop tests this, by interval arithmetic on what the header and the body compute. Where it
 * holds, integers that were checked do not wrap, so that addresses have constant steps (NoWrapValues, reduce_strength).
 * */
class UnmaskedVersion {
 public:
  /** Null when the item loop is not in a y loop, or the body is too large or has divergent branches or loops. `jam`
   * iterations of the y loop are jammed (1: none). With enough vector `registers` the jammed body may also be unrolled
   * by two. */
  static std::unique_ptr<UnmaskedVersion> find(const ItemLoop &loop, const ShapeAnalysis &analysis, unsigned jam,
                                               unsigned registers);

  /** Writes the condition in the preheader of the y loop, for vectors of `width` work-items, a power of two. Null when
   * it cannot be computed there: a runtime check is on a value that is no combination of sums and products, or the
   * bound depends on y. To be called once. */
  llvm::Value *write_condition(const ItemBody &body, const ShapeAnalysis &analysis,
                               const std::optional<ItemBound> &bound, unsigned width);

  /** The first block of the body that ends with a conditional branch, if its condition can be computed before the y
   * loop: the y loop can be unswitched on it. Else null. Valid after write_condition(). */
  const llvm::BasicBlock *invariant_branch(const ShapeAnalysis &analysis) const;

  /** The values of the body and of the header that the condition proves not to wrap. */
  NoWrapValues &no_wrap_values() { return no_wrap_values_; }

  /** The y loop, which does not run when the condition holds. */
  const llvm::Loop &loop() const { return *outer_loop_; }
  const YLoop &y_loop() const { return y_loop_; }
  unsigned jam() const { return jam_; }
  /** How many y one iteration may take: the jam factor, or twice that. */
  unsigned y_per_iteration() const { return unrolls_by_two_ ? 2 * jam_ : jam_; }
  /** The loop around barriers, or over work-groups, that contains the y loop; null when there is none. */
  EnclosingInduction *enclosing() { return enclosing_ ? &*enclosing_ : nullptr; }

  /** True when the y loop may become the inner loop (loop interchange): the header then runs for each vector. It must
   * be cheap, of sums and products only, which become induction variables. */
  bool may_interchange() const;

  /** The values of the body's parameters in the iterations from `y` on, computed at the end of `block`. */
  ArgumentValues argument_values(llvm::Value *y, llvm::BasicBlock *block);

 private:
  /** The interval of a value over all work-items, as i64. Bounds of a signed value are checked to fit 32 bits. Of an
   * unsigned value, `bits` limits the width of `high`; it becomes 32 once `high` is checked. */
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
        enclosing_(EnclosingInduction::find(items)),
        builder_(outer_loop->getHeader()->getContext()) {}
  bool has_known_live_outs() const;
  std::optional<Range> range(llvm::Value *value, bool is_signed);
  std::optional<Range> checked_range(llvm::Value *value, bool is_signed);
  std::optional<Range> range_of(llvm::Value *value, bool is_signed);
  std::optional<Range> combine(llvm::BinaryOperator &operation, bool is_signed);
  Range product(Range left, Range right, bool is_signed);
  Range sum(Range left, Range right, bool is_signed);
  std::optional<Range> sign_extended_range(llvm::Value *extended, llvm::BinaryOperator &operation);
  bool is_invariant(const llvm::Value *value) const;
  bool depends_on_jammed_copy(const llvm::Value *value) const;
  bool is_computable_before(const llvm::Value *value) const;
  void require_32_bits(llvm::Value *value, bool is_signed);
  void require_high_32_bits(Range &range);

  ItemLoop items_;
  /** The y loop in LLVM's terms, and matched. */
  const llvm::Loop *outer_loop_;
  YLoop y_loop_;
  unsigned jam_;
  bool unrolls_by_two_ = false;
  std::optional<EnclosingInduction> enclosing_;
  const ItemBody *body_ = nullptr;
  llvm::IRBuilder<> builder_;
  /** The bitwise or of all values that must be below 2^32, or null. */
  llvm::Value *checked_bits_ = nullptr;
  NoWrapValues no_wrap_values_;
  /** Results of range(), by value and signedness. */
  llvm::DenseMap<llvm::PointerIntPair<llvm::Value *, 1, bool>, std::optional<Range>> ranges_;
};

}  // namespace quern

#endif
