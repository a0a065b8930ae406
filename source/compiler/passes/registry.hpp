/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The passes by their names (passes.def), for LLVM's pass builder. */
#ifndef COMPILER_PASSES_REGISTRY_HPP
#define COMPILER_PASSES_REGISTRY_HPP

#include <llvm/Passes/PassBuilder.h>

#include "compiler/passes/passes.h"

namespace quern {

/** What the passes of one pipeline share; it outlives the pipeline. */
struct PassContext {
  passes_t &work;
  text_t *log;
  /** Of the first step that failed: later ones do nothing. */
  compiler_result_t result = compiler_success;
};

/** Makes the names of passes.def and of the target's passes known to pipelines in text form, and `callbacks` name
 * them. */
void register_passes(llvm::PassBuilder &builder, llvm::PassInstrumentationCallbacks &callbacks, PassContext &context);

/** Whether `name` is of a pass of passes.def, or of the target, that correctness needs. */
bool is_required_pass(llvm::StringRef name, PassContext &context);

}  // namespace quern

#endif
