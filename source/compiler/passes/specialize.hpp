/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Specialization of kernels for known images and samplers. */
#ifndef COMPILER_PASSES_SPECIALIZE_HPP
#define COMPILER_PASSES_SPECIALIZE_HPP

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

namespace quern {

/** Replaces the sampler parameters of kernels by the bits of known samplers. Must run after lower_opaque_types. */
void fold_known_samplers(llvm::Module &module);

/** Whether the parameter is an image with known format, or the function or a kernel of the module has one. */
bool is_known_image(const llvm::Argument &parameter);
bool knows_images(const llvm::Function &function);
bool knows_images(const llvm::Module &module);

/** Folds loads from the descriptions of a kernel's known images to constants. */
class FoldKnownImagesPass : public llvm::PassInfoMixin<FoldKnownImagesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/** Marks functions for inlining to which a kernel passes a known image, or a constant format argument: little code
 * remains of them after folding. Returns whether there are any. */
bool mark_known_calls(llvm::Module &module);

}  // namespace quern

#endif
