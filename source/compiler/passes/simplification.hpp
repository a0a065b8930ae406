/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * LLVM's simplification of a module. */
#ifndef COMPILER_PASSES_SIMPLIFICATION_HPP
#define COMPILER_PASSES_SIMPLIFICATION_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Adds what LLVM simplifies a module with at -O2, with passes of ours between them: FavorPrivateArguments,
 * FavorPrivateArrays, LimitUnroll, CanonicalizeInduction.
 *
 * It is the pipeline of LLVM 22's PassBuilder::buildModuleSimplificationPipeline, in its order, without the passes that
 * do nothing to OpenCL programs: coroutines, OpenMP, profiles, instrumentation. The builder's own names these and many
 * others, and so would link them: 5 MB. */
void add_simplification(llvm::ModulePassManager &manager);

}  // namespace quern

#endif
