/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Very large functions become several. */
#ifndef COMPILER_PASSES_DIVIDE_FUNCTIONS_HPP
#define COMPILER_PASSES_DIVIDE_FUNCTIONS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Divides kernels, the functions without local linkage, of more than `most_blocks` blocks: consecutive blocks become
 * functions of their own, pieces, where they have one entry and one exit. Hoisting, the allocation of registers and
 * other steps take time that grows faster than a function, with the number of values that live across many blocks. A
 * kernel with hundreds of barriers is a sequence of loops over work-items; a piece has dozens of them, and gets what
 * others computed as arguments. Blocks in which no such place is found, like the cases of one switch, stay together.
 *
 * Pieces have local linkage, and PASSES_PIECE_ATTRIBUTE; other attributes are those of the function. */
class DivideFunctionsPass : public llvm::PassInfoMixin<DivideFunctionsPass> {
 public:
  /** Several times as many as in kernels of real programs. */
  static constexpr size_t default_most_blocks = 2048;

  /** `most_blocks`: 0 for the default. */
  explicit DivideFunctionsPass(size_t most_blocks = 0)
      : most_blocks_(most_blocks ? most_blocks : default_most_blocks) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);

 private:
  size_t most_blocks_;
};

/** Whether the function is what the runtime calls, or a piece of such a function. */
bool is_entry_or_piece(const llvm::Function &function);

}  // namespace quern

#endif
