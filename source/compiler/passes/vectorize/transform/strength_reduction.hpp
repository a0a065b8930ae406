/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Strength reduction of addresses in an unmasked y loop, and prefetches for the enclosing loop. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_STRENGTH_REDUCTION_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_STRENGTH_REDUCTION_HPP

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>

#include "compiler/passes/vectorize/analysis/enclosing_induction.hpp"

namespace quern {

/** True for `and x, 0xffffffff`, a zero extension of the low 32 bits of x. */
bool masks_low_32_bits(const llvm::Value *value);

/** Integers that runtime checks prove not to wrap: the result equals the mathematical one. The check covers values of
 * the item body and of the y loop's header; their clones in the unmasked version inherit the fact. */
class NoWrapValues {
 public:
  /** Records that `value`, of the code that is cloned, does not wrap as a signed or as an unsigned integer. */
  void add(const llvm::Value *value, bool is_signed) { signs_[value] = is_signed; }
  /** Transfers the fact, if there is one, from `original` to its clone `copy`, and sets the clone's nsw or nuw flag.
   * Returns the copy, or its operand when the copy is a mask that has no effect. */
  llvm::Value *mark(llvm::Instruction *copy, const llvm::Instruction &original);
  /** Transfers the fact from `copy` to `clone`, the same operation in a further iteration of the y loop. */
  void add_clone(const llvm::Value *copy, const llvm::Value *clone);
  /** True for a clone that does not wrap as a signed or as an unsigned integer. */
  bool never_wraps(const llvm::Value *copy, bool is_signed) const { return copies_[is_signed].contains(copy); }

 private:
  /** Originals, and whether each is signed. */
  llvm::DenseMap<const llvm::Value *, bool> signs_;
  /** Clones: unsigned ones, then signed ones. */
  llvm::SmallPtrSet<const llvm::Value *, 16> copies_[2];
};

/** Unrolls a y loop by two. Its body is the chain of blocks from the header of `y` to before `latch`, connected by
 * unconditional branches.
 *
 * Each instruction that depends on y is cloned for the iteration `distance` further, next to its original, so that the
 * latencies of both overlap. The caller writes the latch, with the doubled step. */
void unroll_by_two(llvm::PHINode &y, unsigned distance, llvm::BasicBlock *latch, NoWrapValues &no_wrap_values);

/** Strength reduction, as by LoopStrengthReduce, in the loop `for (y = 0; ...; y += step)` with the given latch. LLVM's
 * pass would run on everything else too, and take more time there than it saves.
 *
 * An offset that is linear in y and is added to an invariant base becomes an induction variable with a constant step.
 * The whole address becomes one when the offset has only one base.
 *
 * Also prefetches, as LoopDataPrefetch does, what the next iteration of `enclosing` (which may be null) accesses in
 * global memory. For a loop of the kernel these are loads whose address changes by an amount that is no constant: their
 * elements lie in other pages, which no hardware prefetcher predicts. For the loop over work-groups these are all loads
 * and stores whose address changes. With `prefetches_only` addresses are left alone. */
void reduce_strength(llvm::PHINode &y, unsigned step, llvm::BasicBlock *latch, const NoWrapValues &no_wrap_values,
                     EnclosingInduction *enclosing, bool prefetches_only);

}  // namespace quern

#endif
