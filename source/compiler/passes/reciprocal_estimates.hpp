/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What a division may be made from. */
#ifndef COMPILER_PASSES_RECIPROCAL_ESTIMATES_HPP
#define COMPILER_PASSES_RECIPROCAL_ESTIMATES_HPP

#include <llvm/IR/Module.h>

namespace quern {

/** Keeps code generation from making divisions, and roots of halves, from the processor's estimates. What is good
 * enough, and faster than the division, is ReciprocalsPass's, which comes before. A division of floats by a root may still
 * be made with the estimate of the inverse root where there are no infinities (`-cl-fast-relaxed-math`). */
void forbid_reciprocal_estimates(llvm::Module &module);

}  // namespace quern

#endif
