/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Bytes with room between them. */
#ifndef COMPILER_PASSES_BYTE_SHUFFLES_HPP
#define COMPILER_PASSES_BYTE_SHUFFLES_HPP

#include <llvm/IR/Module.h>

namespace quern {

/** Puts something between bytes that are spread over more than one register with nothing between them. LLVM 22 takes
 * such a shuffle for an extension, and for sums of what was truncated before goes round for ever, where the processor
 * has vectors of 64 bytes. */
void fix_byte_shuffles(llvm::Module &module);

}  // namespace quern

#endif
