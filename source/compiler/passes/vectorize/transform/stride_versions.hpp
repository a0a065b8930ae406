/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What makes rows of lanes' elements in some turns of the loops around a region, and not in others. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_STRIDE_VERSIONS_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_STRIDE_VERSIONS_HPP

#include <llvm/IR/IRBuilder.h>

#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"
#include "compiler/passes/vectorize/item_loop.hpp"

namespace quern {

/** A value from outside that all work-items agree on, but not all turns of the loops around; versions of the loop over
 * work-items are for those turns in which it is what makes their elements lie in rows. */
struct VersionedStride {
  enum Kind : uint8_t {
    /** One of them multiplies with it what differs between them on the way to an address: the distance of neighbours in
     * a tree, 1, 2, 4 and so on. For the first of these elements lie in rows. */
    multiplier,
    /** The same as a power of two. */
    exponent,
    /** It masks their number: what is left is a place in a block, whose length is a power of two in each stage of a
     * network. In blocks of whole vectors elements lie in rows. */
    mask
  };
  llvm::Value *value;
  Kind kind;

  /** A multiplier or an exponent. Empty when there is none, or it cannot be told to be small at first: it is the same
   * in all turns of the loops around, like the length of a row. */
  static std::optional<VersionedStride> find(const ItemBody &body, const ShapeAnalysis &analysis, const ItemLoop &loop,
                                             const llvm::LoopInfo &loops);
  /** A mask, or empty. */
  static std::optional<VersionedStride> find_mask(const ItemLoop &loop, const llvm::LoopInfo &loops);

  /** How many versions there are. */
  unsigned versions() const;
  /** `value` in a version, where it multiplies by 1 << `version`; null for a mask. */
  llvm::ConstantInt *constant(unsigned version) const;
  /** Whether a turn is one of the version's, whose vectors have `width` lanes. */
  llvm::Value *test(unsigned version, unsigned width, llvm::IRBuilder<> &builder) const;
};

/** Makes a body one for turns in which `value`, from outside, is `constant`. */
void assume_value(const ItemBody &body, const llvm::Value *value, llvm::Constant *constant);

/** What takes its place in a block from a work-item's number, with `mask` from outside. */
llvm::SmallPtrSet<const llvm::Instruction *, 4> masked_indices(const ItemBody &body, const llvm::Value *mask);

}  // namespace quern

#endif
