/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A clone of a loop, of which a condition decides which one runs. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_CLONE_LOOP_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_CLONE_LOOP_HPP

#include <llvm/Transforms/Utils/ValueMapper.h>

namespace llvm {
class BranchInst;
class Loop;
class LoopInfo;
class DominatorTree;
}  // namespace llvm

namespace quern {

/** Clones `loop`, in LoopSimplify and LCSSA form with one exit block. The clone runs instead of it where `condition` is
 * true, an i1 that is computed before the loop. Returns the branch on the condition. `copies` and `clones`, both empty,
 * become the map from the loop's blocks and values to the clone's, and the clone's blocks with its preheader. The
 * analyses are not valid afterwards. As LoopVersioning in LLVM, whose conditions are its own. */
llvm::BranchInst *clone_loop(llvm::Loop &loop, llvm::Value *condition, const llvm::Twine &suffix, llvm::LoopInfo &loops,
                             llvm::DominatorTree &dominators, llvm::ValueToValueMapTy &copies,
                             llvm::SmallVectorImpl<llvm::BasicBlock *> &clones);

}  // namespace quern

#endif
