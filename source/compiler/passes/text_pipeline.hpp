/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Pipelines in text form, as `quernc --passes` takes them. */
#ifndef COMPILER_PASSES_TEXT_PIPELINE_HPP
#define COMPILER_PASSES_TEXT_PIPELINE_HPP

#include <llvm/Support/Error.h>

#include "compiler/passes/registry.hpp"

namespace quern {

/** Adds what `text` names to `manager`: passes of the registry, separated by commas, `function(...)`, `loop(...)` and
 * `loop-mssa(...)` around those of functions and loops. Neighbours of one kind need no such word: each function, or
 * loop, goes through all of them before the next one does. The error names what is not known.
 *
 * LLVM's own parser is not used: it names every pass that LLVM has, and so would link them, 5 MB. */
llvm::Error parse_pipeline(llvm::ModulePassManager &manager, llvm::StringRef text, PassContext &context);

}  // namespace quern

#endif
