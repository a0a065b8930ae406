/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The front end's opaque types (event_t and its like), which no CPU back end knows, become pointers. */
#ifndef COMPILER_PASSES_OPAQUE_TYPES_HPP
#define COMPILER_PASSES_OPAQUE_TYPES_HPP

#include <llvm/IR/Module.h>

namespace quern {

/** Rewrites every function that names a target extension type. Names and order of functions stay. */
void lower_opaque_types(llvm::Module &module);

}  // namespace quern

#endif
