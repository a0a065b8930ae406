/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The front end's opaque types, which no CPU back end knows: samplers and reservations become their bits, all
 * others pointers. */
#ifndef COMPILER_PASSES_OPAQUE_TYPES_HPP
#define COMPILER_PASSES_OPAQUE_TYPES_HPP

#include <llvm/IR/Module.h>

namespace quern {

/** Rewrites every function that names a target extension type. Names and order of functions stay. Calls that turn a
 * sampler's initialiser into a sampler, and images, samplers and pipes into what is behind them, vanish. */
void lower_opaque_types(llvm::Module &module);

/** True for the functions of such calls: `__translate_sampler_initializer`, which the front end calls, and
 * `__quern_image` and its kin, which the built-in functions call (builtins/image.clh, pipe.cl). */
bool is_opaque_accessor(const llvm::Function *function);

/** True for a parameter of a kernel that was an image, a sampler or a pipe before lower_opaque_types. */
bool is_image(const llvm::Argument &parameter);
bool is_sampler(const llvm::Argument &parameter);
bool is_pipe(const llvm::Argument &parameter);

}  // namespace quern

#endif
