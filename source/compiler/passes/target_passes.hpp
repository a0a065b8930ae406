/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Passes that hang on the target machine. */
#ifndef COMPILER_PASSES_TARGET_PASSES_HPP
#define COMPILER_PASSES_TARGET_PASSES_HPP

#include "compiler/passes/ldexp.hpp"
#include "compiler/passes/registry.hpp"
#include "compiler/passes/vectorize/vectorize.hpp"

namespace quern {

bool has_avx512(const passes_t &work);

LowerLdexpPass create_lower_ldexp(const PassContext &context);

/** `width` and `may_choose` as for VectorizeItemsPass. */
VectorizeItemsPass create_vectorize_items(const PassContext &context, unsigned width, bool may_choose = true);

}  // namespace quern

#endif
