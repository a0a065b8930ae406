/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Integer divisions without undefined behaviour (OpenCL C section 6.4.1). */
#ifndef COMPILER_PASSES_DIVISION_HPP
#define COMPILER_PASSES_DIVISION_HPP

#include <llvm/IR/Module.h>

namespace quern {

/** Makes integer divisions and remainders defined for all operands: a division by zero, or one whose quotient overflows
 * the type, gives an unspecified value. Must run before any pass that infers from a division that it is defined. */
void make_divisions_defined(llvm::Module &module);

}  // namespace quern

#endif
