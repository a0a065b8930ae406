/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * How often the vectorizer of work-items decided what: `quernc --stats`. */
#ifndef COMPILER_PASSES_DECISION_COUNTS_HPP
#define COMPILER_PASSES_DECISION_COUNTS_HPP

#include <llvm/IR/Function.h>

namespace quern {

/** Counts the decisions that the function's remarks tell of, once the vectorizer was there. Thread safe. */
void decision_counts_add(const llvm::Function &function);

}  // namespace quern

#endif
