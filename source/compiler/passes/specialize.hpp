/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels of which it is known what their images and samplers are. */
#ifndef COMPILER_PASSES_SPECIALIZE_HPP
#define COMPILER_PASSES_SPECIALIZE_HPP

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

namespace quern {

/** Puts the bits of known samplers in the place of the kernels' parameters. After lower_opaque_types. */
void fold_known_samplers(llvm::Module &module);

/** True when a kernel has an image of which something is known. */
bool knows_images(const llvm::Module &module);

/** Puts what is known of a kernel's images in the place of loads from their descriptions. */
class FoldKnownImagesPass : public llvm::PassInfoMixin<FoldKnownImagesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/** Marks functions for inlining that a kernel hands a known image, or whose format argument is a constant by now: with
 * both known little is left of them. False when there are none. */
bool mark_known_calls(llvm::Module &module);

}  // namespace quern

#endif
