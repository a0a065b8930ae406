/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The dimension of the ND-range whose work-items become lanes. */
#ifndef COMPILER_PASSES_VECTOR_DIMENSION_HPP
#define COMPILER_PASSES_VECTOR_DIMENSION_HPP

#include <llvm/IR/Function.h>

namespace quern {

/** Work-items of which dimension become lanes. */
enum class VectorDimension : uint8_t {
  x,
  y,
  /** Those of y where the local size in y, which is not known before launches, is at least min_lanes_along_y. */
  by_local_size,
};

/** From this local size in y on, its work-items can become lanes. */
inline constexpr uint64_t min_lanes_along_y = 8;

/** The dimension whose work-items are lanes: y where no id in x is read or where the required local size in x is 1,
 * and where accesses are contiguous along y rather than along x, as where dimension 0 is the first index of a matrix.
 * `reqd_local_size`: three sizes, 0 if unknown. `ignores_groups`: whether work-groups may have another size than the
 * application says (ignores_groups()). A guess: it decides on speed alone. For kernels before the work-group pass. */
VectorDimension choose_vector_dimension(llvm::Function &kernel, const uint32_t *reqd_local_size, bool ignores_groups);

}  // namespace quern

#endif
