/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Addresses that grow by the same step from row to row. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_STRENGTH_REDUCTION_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_STRENGTH_REDUCTION_HPP

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>

#include "compiler/passes/vectorize/analysis/enclosing_induction.hpp"

namespace quern {

/** True for what takes the low 32 bits of a number. */
bool is_low_half(const llvm::Value *value);

/** Integers whose result is known to be what it would be without a limit of bits. */
class ExactValues {
 public:
  /** `value` is one, of the code that is copied: as a number with or without a sign. */
  void add(const llvm::Value *value, bool is_signed) { signs_[value] = is_signed; }
  /** Makes it known of `copy`, when it holds for `original`; returns the copy, or what it comes to. */
  llvm::Value *mark(llvm::Instruction *copy, const llvm::Instruction &original);
  /** `other` is made as `copy` is, for another row. */
  void add_like(const llvm::Value *copy, const llvm::Value *other);
  /** True for copies of such values. */
  bool is_exact(const llvm::Value *copy, bool is_signed) const { return copies_[is_signed].contains(copy); }

 private:
  llvm::DenseMap<const llvm::Value *, bool> signs_;
  llvm::SmallPtrSet<const llvm::Value *, 16> copies_[2];
};

/** In the loop over rows whose turns `last` ends, and which go straight there: does what is done for `row` for the one
 * that is `apart` further, too, instruction by instruction, so that neither waits for the other. */
void unroll_by_two(llvm::PHINode &y, unsigned apart, llvm::BasicBlock *last, ExactValues &exact);

/** In the loop `for (row = 0; ...; row += step)`, whose turns `last` ends: what is added to addresses from outside the
 * loop grows by a constant, where it is linear, instead of being computed from the row. So does the address itself,
 * where only one pointer has that sum added. LLVM's pass for this takes more time than it saves elsewhere.
 *
 * Of loads from global memory that change with `turns` (which may be null), but not by a constant, those of the next
 * turn are begun now: their elements lie in other pages, for which no CPU has a prediction. So are all that change with
 * groups, and stores. With `prefetches_only` this is all that is done. */
void reduce_strength(llvm::PHINode &y, unsigned step, llvm::BasicBlock *last, const ExactValues &exact,
                     EnclosingInduction *turns, bool prefetches_only);

}  // namespace quern

#endif
