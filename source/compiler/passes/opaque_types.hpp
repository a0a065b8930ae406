/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lowering of the front end's opaque types, which CPU back ends do not support. Samplers and pipe reservations become
 * integers, all others pointers. */
#ifndef COMPILER_PASSES_OPAQUE_TYPES_HPP
#define COMPILER_PASSES_OPAQUE_TYPES_HPP

#include <llvm/IR/Module.h>

namespace quern {

/** Rewrites every function that uses a target extension type. Names and order of functions do not change. Calls of
 * opaque accessors (is_opaque_accessor) are replaced by their argument. */
void lower_opaque_types(llvm::Module &module);

/** Whether the function converts between an opaque type and its representation: `__translate_sampler_initializer`,
 * which the front end calls, or one of `__quern_image`, `__quern_sampler`, `__quern_pipe_*`, `__quern_reservation` and
 * `__quern_reserve_id`, which the built-in functions call (builtins/image.clh, pipe.cl). */
bool is_opaque_accessor(const llvm::Function *function);

/** Whether a kernel's parameter was an image, a sampler or a pipe before lower_opaque_types. */
bool is_image(const llvm::Argument &parameter);
bool is_sampler(const llvm::Argument &parameter);
bool is_pipe(const llvm::Argument &parameter);

}  // namespace quern

#endif
