/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recovery of sign extensions from what InstCombine makes of them. */
#ifndef COMPILER_PASSES_SIGN_EXTENSIONS_HPP
#define COMPILER_PASSES_SIGN_EXTENSIONS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Undoes what InstCombine makes of 32-bit indices into arrays. An example is `int x = get_local_id(0); a[x + 1]`: the
 * sign extension of the sum, scaled by the size of an element, becomes `ashr (add (shl %id, 32), 1 << 32), 30`, which
 * hides that the index has unit stride over work-items. The pass factors the shift out of the sum again:
 * `ashr (shl (add %id, 1), 32), 30`. It also makes `sub -1, %x` of `xor %x, -1` in sums, and sign extensions of zero
 * extensions (`and %x, 0xffffffff`) behind a test that the index is not negative. A zero extension of a difference that
 * does not wrap, as of `x - 1` behind `if (x > 0)`, becomes a difference of zero extensions. Runs right before
 * vectorization. */
class RecoverSignExtensionsPass : public llvm::PassInfoMixin<RecoverSignExtensionsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
