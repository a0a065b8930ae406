/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Layout of explicit vectors in the vector code: structure of arrays, or array of structures. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_VECTOR_LAYOUT_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_VECTOR_LAYOUT_HPP

#include "compiler/passes/vectorize/analysis/access_groups.hpp"
#include "compiler/passes/vectorize/analysis/private_memory.hpp"
#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"
#include "compiler/passes/vectorize/vectorization_factor.hpp"

namespace quern {

/** Elements from one lane to the next in the array-of-structures layout of an explicit vector: three take the place of
 * four, as in memory. */
unsigned aos_stride(const llvm::Type &type);

/** The layout of the body's explicit vectors. Structure of arrays (SoA): one vector of lanes for each component. Array
 * of structures (AoS): one vector with the components of all lanes, lane after lane, as they are in memory. SoA needs a
 * transposition at each load and store, AoS shuffles wherever components meet others. Narrow components fill a
 * register in AoS only.
 *
 * Values that are connected by componentwise operations, shuffles, phis, loads and stores have one layout: the cheaper
 * one of all together. All other values have SoA. This is what SLPVectorizer decides with -slp-revec, over the lanes of
 * work-items. */
class VectorLayout {
 public:
  /** For vectors of `width` lanes. `groups` may be null. Nothing is kept by reference. */
  VectorLayout(const ShapeAnalysis &analysis, const PrivateMemory &memory, const AccessGroups *groups, unsigned width,
               const VectorUnit &unit);

  /** True for an instruction whose result, or a store whose value, has the layout AoS. */
  bool is_aos(const llvm::Value *value) const { return aos_.contains(value); }
  /** True for other values that an instruction with the layout AoS uses. */
  bool is_used_as_aos(const llvm::Value *value) const { return used_as_aos_.contains(value); }
  /** Register operations of all lanes for an instruction of AoS. */
  double operations(const llvm::Instruction &instruction) const;

 private:
  llvm::DenseSet<const llvm::Value *> aos_, used_as_aos_;
  unsigned width_, register_bits_;
};

/** The value whose copies are the components of an explicit vector: an insertion, and a shuffle that repeats it; or
 * null. */
llvm::Value *splatted_value(const llvm::Instruction &instruction);

}  // namespace quern

#endif
