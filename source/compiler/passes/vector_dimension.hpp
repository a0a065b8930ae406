/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The dimension of the ND-range whose work-items become lanes. */
#ifndef COMPILER_PASSES_VECTOR_DIMENSION_HPP
#define COMPILER_PASSES_VECTOR_DIMENSION_HPP

#include <llvm/IR/Function.h>

namespace quern {

/** Whether the accesses of a kernel are contiguous along dimension 1 rather than along dimension 0, as where dimension
 * 0 is the first index of a matrix. Inner loops count more. A guess from the addresses: it decides on speed alone. For
 * kernels before the work-group pass. */
bool prefers_vectors_along_y(llvm::Function &kernel);

}  // namespace quern

#endif
