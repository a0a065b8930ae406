/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Workaround for an endless loop of LLVM 22 on wide zero-extending byte shuffles. */
#ifndef HOST_CODEGEN_PASSES_BYTE_SHUFFLES_HPP
#define HOST_CODEGEN_PASSES_BYTE_SHUFFLES_HPP

#include <llvm/IR/Module.h>

namespace quern {

/** Rewrites byte shuffles of more than 64 bytes whose odd elements are all undefined: each odd element becomes a copy
 * of the even one before it. LLVM 22 treats the original form as an extension. On targets with 64-byte vectors it then
 * does not terminate for sums of truncated operands. */
void fix_byte_shuffles(llvm::Module &module);

}  // namespace quern

#endif
