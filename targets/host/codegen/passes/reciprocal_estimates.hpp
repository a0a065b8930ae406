/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Restriction of LLVM's reciprocal estimates. */
#ifndef HOST_CODEGEN_PASSES_RECIPROCAL_ESTIMATES_HPP
#define HOST_CODEGEN_PASSES_RECIPROCAL_ESTIMATES_HPP

#include <llvm/IR/Module.h>

namespace quern {

/** Forbids code generation to compute divisions, and square roots of halves, from the processor's estimates. Estimates
 * that are accurate enough are used by ReciprocalsPass, which runs before. A division of floats by a square root may
 * still use the estimate of the inverse square root where there are no infinities (`-cl-fast-relaxed-math`). */
void forbid_reciprocal_estimates(llvm::Module &module);

}  // namespace quern

#endif
