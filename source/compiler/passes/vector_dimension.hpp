/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The dimension of the ND-range whose work-items become lanes. */
#ifndef COMPILER_PASSES_VECTOR_DIMENSION_HPP
#define COMPILER_PASSES_VECTOR_DIMENSION_HPP

#include <llvm/IR/Function.h>

namespace quern {

/** The dimension whose work-items become lanes. */
struct VectorDimension {
  unsigned dimension = 0;
  /** Only in work-groups that have at least min_lanes work-items in `dimension`, which is not known before launches;
   * in the others it is dimension 0. */
  bool is_by_local_size = false;
};

/** From this local size in dimension 1 or 2 on, its work-items can become lanes. */
inline constexpr uint64_t min_lanes = 8;

/** Dimension 1 or 2 where no id in dimension 0 is read or the required local size in it is 1, and where accesses are
 * contiguous along it rather than along dimension 0, as where dimension 0 is the first index of a matrix.
 * `reqd_local_size`: three sizes, 0 if unknown. `ignores_groups`: whether work-groups may have another size than the
 * application says (ignores_groups()). A guess: it decides on speed alone. For kernels before the work-group pass. */
VectorDimension choose_vector_dimension(llvm::Function &kernel, const uint32_t *reqd_local_size, bool ignores_groups);

}  // namespace quern

#endif
