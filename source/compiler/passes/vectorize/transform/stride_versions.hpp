/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Loop versioning on values under which the lanes' elements are contiguous. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_STRIDE_VERSIONS_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_STRIDE_VERSIONS_HPP

#include <llvm/IR/IRBuilder.h>

#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"
#include "compiler/passes/vectorize/item_loop.hpp"

namespace quern {

/** A uniform value that varies in a loop around the item loop, and decides whether the lanes' elements are contiguous.
 * The item loop gets versions for the favourable values, as by LoopVersioning on a symbolic stride in
 * LoopAccessAnalysis. */
struct VersionedStride {
  enum Kind : uint8_t {
    /** It multiplies a divergent value in an address: the distance of neighbours in a tree, 1, 2, 4 and so on. For the
     * first of these the elements are contiguous or interleaved. */
    multiplier,
    /** It is the amount of a left shift of a divergent value: the logarithm of a multiplier. */
    exponent,
    /** It masks the work-item index. The result is an index in an aligned block, whose length is a power of two in each
     * stage of a sorting or Fourier network. In blocks of at least one vector the elements are contiguous. */
    mask
  };
  /** A value outside the item loop. */
  llvm::Value *value;
  Kind kind;

  /** The first multiplier or exponent in a varying address of the body. Empty when there is none, or when it is
   * invariant in the loops around, like the pitch of a matrix: then nothing tells that it is ever small. */
  static std::optional<VersionedStride> find_stride(const ItemBody &body, const ShapeAnalysis &analysis,
                                                    const ItemLoop &loop, const llvm::LoopInfo &loops);
  /** The first mask of the work-item index that varies in a loop around, or empty. */
  static std::optional<VersionedStride> find_mask(const ItemLoop &loop, const llvm::LoopInfo &loops);

  /** The number of versions. */
  unsigned versions() const;
  /** The value of `value` in version `version`, where it multiplies by 1 << `version`; null for a mask. */
  llvm::ConstantInt *constant(unsigned version) const;
  /** Builds the condition of a version with vectors of `width` lanes, a power of two. */
  llvm::Value *write_condition(unsigned version, unsigned width, llvm::IRBuilder<> &builder) const;
};

/** Specializes a body: replaces the parameters that stand for `value`, from outside, by `constant`, and folds. */
void assume_value(const ItemBody &body, const llvm::Value *value, llvm::Constant *constant);

/** The operations of the body that mask the work-item index with `mask`, a value from outside. */
llvm::SmallPtrSet<const llvm::Instruction *, 4> masked_indices(const ItemBody &body, const llvm::Value *mask);

}  // namespace quern

#endif
