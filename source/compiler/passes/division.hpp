/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Integer divisions without undefined behaviour (OpenCL C section 6.4.1). */
#ifndef COMPILER_PASSES_DIVISION_HPP
#define COMPILER_PASSES_DIVISION_HPP

#include <llvm/IR/Module.h>

namespace quern {

/** Metadata of divisions and remainders whose divisor make_divisions_defined() has changed: where the program's divisor
 * is 0, or the quotient overflows, their result is unspecified. */
inline constexpr const char *made_defined_metadata = "quern.made-defined";

/** Makes integer divisions and remainders defined for all operands: a division by zero, or one whose quotient overflows
 * the type, gives an unspecified value. Must run before any pass that infers from a division that it is defined. */
void make_divisions_defined(llvm::Module &module);

}  // namespace quern

#endif
