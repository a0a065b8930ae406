/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Workaround for conversions of rounded halves to integers. */
#ifndef HOST_CODEGEN_PASSES_HALF_ROUNDING_HPP
#define HOST_CODEGEN_PASSES_HALF_ROUNDING_HPP

#include <llvm/IR/Module.h>

namespace quern {

/** Works around LLVM 22: on processors with half arithmetic it selects, for rint of a half with conversion to int, an
 * instruction that does not round. It is correct for roundeven, which is the same in the default rounding mode. */
void round_halves_to_even(llvm::Module &module);

}  // namespace quern

#endif
