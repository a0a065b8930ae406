/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The passes by their names (passes.def). */
#ifndef COMPILER_PASSES_REGISTRY_HPP
#define COMPILER_PASSES_REGISTRY_HPP

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

#include "compiler/passes/passes.h"

namespace quern {

/** What the passes of one pipeline share; it outlives the pipeline. */
struct PassContext {
  passes_t &work;
  text_t *log;
  /** Of the first step that failed: later ones do nothing. */
  compiler_result_t result = compiler_success;
};

/** Adds the pass of modules, functions or loops that `name` stands for, with its parameters: one of passes.def, the
 * target's, or one of llvm_passes.def. False where there is none. */
bool add_module_pass(llvm::StringRef name, llvm::ModulePassManager &manager, PassContext &context);
bool add_function_pass(llvm::StringRef name, llvm::FunctionPassManager &manager, PassContext &context);
bool add_loop_pass(llvm::StringRef name, llvm::LoopPassManager &manager);

/** Lets `builder` register our analyses, and `callbacks` name our passes and the target's. */
void register_passes(llvm::PassBuilder &builder, llvm::PassInstrumentationCallbacks &callbacks, PassContext &context);

/** Whether `name` is of a pass of passes.def, or of the target, that correctness needs. */
bool is_required_pass(llvm::StringRef name, PassContext &context);

}  // namespace quern

#endif
