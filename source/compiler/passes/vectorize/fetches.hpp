/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lines of memory that are asked for before they are used. */
#ifndef COMPILER_PASSES_VECTORIZE_FETCHES_HPP
#define COMPILER_PASSES_VECTORIZE_FETCHES_HPP

#include <llvm/IR/IRBuilder.h>

namespace quern {

/** Bytes of a line of the caches; lines that are on their way to a core at once, about. */
inline constexpr unsigned cache_line = 64, most_lines_fetched = 12;

/** Asks for the line of `place`, to be `written` or else read: a hint, for addresses that nothing is at, too. */
inline llvm::CallInst *fetch_line(llvm::Value *place, bool written, llvm::IRBuilder<> &builder) {
  constexpr unsigned keep_in_all_caches = 3, data = 1;
  return builder.CreateIntrinsic(
      llvm::Intrinsic::prefetch, {place->getType()},
      {place, builder.getInt32(written), builder.getInt32(keep_in_all_caches), builder.getInt32(data)});
}

}  // namespace quern

#endif
