/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Strides of values, and no-wrap reasoning for narrow integers. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_STRIDES_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_STRIDES_HPP

#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"

namespace quern {

/** True when `value` can be computed for any work-item before the item loop. It is made from constants and parameters
 * alone by integer operations that neither access memory nor trap. */
bool can_precompute(const llvm::Value *value);

/** If `value` is `ashr (shl x, a), b` with a >= b, returns x; else null. InstCombine writes the sign extension of a
 * truncation like this, scaled by 2^(a - b). */
llvm::Value *match_scaled_sign_extension(const llvm::Value *value);

/** Returns a copy of a strided value's instruction that computes the value of lane 0; the caller inserts it. The values
 * of all active lanes follow from it by the stride. An inactive lane, as the first or last may be, may overflow where
 * no active lane does. The copy therefore has no poison-generating flags: a disjoint `or` becomes an `add`, and a `zext
 * nneg` becomes a `sext`. */
llvm::Instruction *copy_strided(const llvm::Instruction &instruction);

/** True for a masked index of NoWrapChecks whose mask is uniform, but not a constant. */
bool is_runtime_mask(const llvm::Instruction &check);

/** True for a signed quotient or remainder of NoWrapChecks: rounding towards zero, it is the same in a block only where
 * its operand is not negative. */
bool needs_non_negative(const llvm::Instruction &check);

/** The stride of the operand that the test of a NoWrapCheck is about, or of the check itself where it is the same. */
int64_t checked_stride(const llvm::Instruction &check, const ShapeAnalysis &analysis);

/** log2 of the aligned block in which all lanes must be at a masked index, quotient or remainder of NoWrapChecks; 0
 * where that is not known at compile time. An `and` keeps the bits of the position in the block, or clears them. An
 * `or` puts them below the known trailing zeros of a uniform value. Shifts and divisions number the blocks. */
unsigned known_mask_bits(const llvm::Instruction &check, const ShapeAnalysis &analysis);

/** Finds the strides of divergent values by an optimistic data-flow analysis: header phis are strided until that is
 * disproved. Integers narrower than 64 bits may wrap from one lane to the next. An extension of one needs no-wrap flags
 * of the operations it is made from, or a RuntimeCheck; otherwise it is recorded in NoWrapChecks. */
class ShapeAnalysis::StrideSolver {
 public:
  explicit StrideSolver(ShapeAnalysis &analysis) : analysis_(analysis) {}
  void solve();

 private:
  /** The assumptions under which an extended value does not wrap between lanes. */
  struct Proof {
    /** Valid only where lane 0 is active: no-wrap flags also prove cyclic recurrences through phis, and what is made
     * from values with NoWrapChecks. */
    bool needs_lane_zero = false;
    llvm::SmallPtrSet<const llvm::Value *, 8> assumed;
    llvm::SmallVector<RuntimeCheck, 4> runtime_checks;
  };

  Shape shape(const llvm::Value *value) const { return analysis_.shape(value); }
  Shape transfer(llvm::Instruction &instruction);
  Shape transfer_phi(llvm::PHINode &phi) const;
  Shape transfer_address(llvm::GetElementPtrInst &address) const;
  Shape transfer_binary(llvm::BinaryOperator &operation);
  Shape transfer_runtime_mask(llvm::BinaryOperator &operation);
  Shape transfer_block(llvm::BinaryOperator &operation, int64_t scale);
  Shape transfer_mask(llvm::BinaryOperator &operation);
  Shape transfer_or(llvm::BinaryOperator &operation);
  Shape transfer_sign_extension(llvm::BinaryOperator &operation);
  Shape transfer_clamp(llvm::MinMaxIntrinsic &clamp);
  bool can_add_runtime_check(const llvm::BinaryOperator &operation, const llvm::Value &operand) const;
  void add_runtime_check(llvm::BinaryOperator &operation, bool is_signed, int64_t stride);
  Shape transfer_extension(llvm::Instruction &extension, llvm::Value *operand, bool is_signed);
  void propagate_no_wrap_checks(const llvm::Instruction &instruction);
  bool is_divergent_join(const llvm::BasicBlock *block) const;
  bool stays_in_block(const llvm::Instruction &check) const;
  bool never_wraps(llvm::Value *value, bool is_signed, Proof &proof) const;
  bool operands_never_wrap(llvm::BinaryOperator &operation, bool is_signed, Proof &proof) const;

  ShapeAnalysis &analysis_;
  /** Keyed by the value and whether it is sign-extended. */
  llvm::MapVector<std::pair<llvm::Value *, unsigned>, Proof> proofs_;
};

}  // namespace quern

#endif
