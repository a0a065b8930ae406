/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Divisions of integers that have no result (OpenCL C section 6.4.1). */
#ifndef COMPILER_PASSES_DIVISION_HPP
#define COMPILER_PASSES_DIVISION_HPP

#include <llvm/IR/Module.h>

namespace quern {

/** Makes divisions and remainders of integers defined for every operand: by zero, and where the quotient is beyond the
 * type, some value comes out. To be called before anything that concludes from a division that it has a result. */
void make_divisions_defined(llvm::Module &module);

}  // namespace quern

#endif
