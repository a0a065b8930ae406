/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Values that grow by a constant from lane to lane. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_STRIDES_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_STRIDES_HPP

#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"

namespace quern {

/** True when `value` can be computed for any work-item before the loop: from parameters alone, without touching memory
 * or trapping. */
bool can_precompute(const llvm::Value *value);

/** When `value` is the sign extension of a truncation, and perhaps scaled, as LLVM likes to write it, namely
 * ashr (shl x, a), b: the x; else null. */
llvm::Value *sign_extended_part(const llvm::Value *value);

/** A copy of a strided value's instruction, to be inserted, from which those of all lanes that run follow. A lane that
 * is off, as the first or the last may be, may overflow where no lane that runs does: flags that promise something are
 * dropped, and what relies on them is written in a way that does not. */
llvm::Instruction *copy_strided(const llvm::Instruction &instruction);

/** True for one of NoWrapChecks that masks with what all lanes agree on, and is not known here. */
bool is_runtime_mask(const llvm::Instruction &check);

/** Of one of NoWrapChecks that puts a number of lanes into a block whose length is a known power of two: how many bits that
 * is, else 0. It takes the number's low bits, or puts them below others on which all lanes agree. */
unsigned mask_bits(const llvm::Instruction &check, const ShapeAnalysis &analysis);

/** Finds the strides of divergent values, from the optimistic side: phis of loops are strided until shown otherwise.
 * Integers narrower than 64 bits may wrap from one lane to the next: where an extension of one is
 * not kept from it by the no-wrap flags it was computed with, or by a premise, it is noted (NoWrapChecks). */
class ShapeAnalysis::StrideSolver {
 public:
  explicit StrideSolver(ShapeAnalysis &analysis) : analysis_(analysis) {}
  void solve();

 private:
  struct Proof {
    /** Flags in circles through phis count: good where lane 0 runs. */
    bool through_phis = false;
    llvm::SmallPtrSet<const llvm::Value *, 8> assumed;
    llvm::SmallVector<RuntimeCheck, 4> runtime_checks;
  };

  Shape shape(const llvm::Value *value) const { return analysis_.shape(value); }
  Shape transfer(llvm::Instruction &instruction);
  Shape transfer_phi(llvm::PHINode &phi) const;
  Shape transfer_address(llvm::GetElementPtrInst &address) const;
  Shape transfer_binary(llvm::BinaryOperator &operation);
  Shape transfer_runtime_mask(llvm::BinaryOperator &operation);
  Shape transfer_mask(llvm::BinaryOperator &operation);
  Shape transfer_or(llvm::BinaryOperator &operation);
  Shape transfer_sign_extension(llvm::BinaryOperator &operation);
  Shape transfer_clamp(llvm::MinMaxIntrinsic &limit);
  bool may_require(const llvm::BinaryOperator &operation, const llvm::Value &operand) const;
  void require(llvm::BinaryOperator &operation, bool is_signed, int64_t stride);
  Shape extend(llvm::Instruction &extension, llvm::Value *operand, bool is_signed);
  void propagate_no_wrap_checks(const llvm::Instruction &instruction);
  bool is_join(const llvm::BasicBlock *block) const;
  bool never_wraps(llvm::Value *value, bool is_signed, Proof &proof) const;
  bool operands_never_wrap(llvm::BinaryOperator &operation, bool is_signed, Proof &proof) const;

  ShapeAnalysis &analysis_;
  llvm::MapVector<std::pair<llvm::Value *, unsigned>, Proof> proofs_;
};

}  // namespace quern

#endif
