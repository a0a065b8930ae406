/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Bounds what LLVM's register coalescer does for one value. */
#ifndef HOST_CODEGEN_PASSES_USES_HPP
#define HOST_CODEGEN_PASSES_USES_HPP

#include <llvm/IR/Module.h>

namespace quern {

/** For x86: gives values with very many additions copies, one for each 512 uses. LLVM 22 makes a LEA of an addition of
 * 32 bits, and copies the operand into a register of 64 for it. The register coalescer then walks over all uses of the
 * value for each copy, so that its time is the product of both. */
void divide_uses(llvm::Module &module);

}  // namespace quern

#endif
