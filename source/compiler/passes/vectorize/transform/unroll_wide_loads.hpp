/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Unrolling of inner loops that read memory byte by byte. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_UNROLL_WIDE_LOADS_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_UNROLL_WIDE_LOADS_HPP

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

namespace quern {

/** Finds load streams: loads of 8 or 16 bits with unit stride, and loads of 32 bits with unit stride beside those; if
 * 16 `bytes` are loaded at once, also loads of 32 bits alone. They are in innermost loops of one block that have a
 * computable trip count and no stores. The order is the same for each copy of a body. */
llvm::SmallVector<llvm::LoadInst *, 4> find_load_streams(llvm::Function &body, unsigned bytes);

/** Metadata of prefetches that are meant for memory after the last lane's elements. */
constexpr const char *prefetch_mark = "quern.prefetch";

/** A loop that unroll_wide_loads made. */
struct UnrolledLoop {
  /** The trip count of the original loop is so many times as high. */
  unsigned factor = 1;
  /** It runs the remaining iterations of the original loop, one by one. */
  bool is_remainder = false;
};

/** Such loops, by their headers. */
using UnrolledLoops = llvm::SmallDenseMap<const llvm::BasicBlock *, UnrolledLoop, 2>;

/** Whether a pointer that is invariant in the body is one that the program has made, and not a part of a sum that the
 * compiler has reassociated. */
using PointsIntoArray = llvm::function_ref<bool(const llvm::Value &pointer)>;

/** How loops are unrolled. */
struct WideLoadOptions {
  /** Bytes of a stream that one iteration loads, 4 or 16: a gathered word, or a load for each lane where gathers are no
   * faster than that. Loops with wider elements or too many instructions take 4. */
  unsigned bytes = 4;
  /** The last bytes may be loaded together with others of their page. False where LLVM may know the size of the
   * memory. */
  bool may_over_read = false;
};

/** Unrolls the loops around `streams`, some of what find_load_streams finds in `body`, and gives each a remainder loop.
 * Adjacent elements of an unrolled iteration are one load, of nothing but what the work-item reads. No analysis of the
 * body is valid afterwards. The counterpart for consecutive accesses in straight-line code is LLVM's
 * LoadStoreVectorizer. */
UnrolledLoops unroll_wide_loads(llvm::Function &body, llvm::ArrayRef<llvm::LoadInst *> streams,
                                const WideLoadOptions &options, PointsIntoArray points_into_array);

/** unroll_wide_loads for all load streams of a function, as if their addresses were varying; for tests. */
class UnrollWideLoadsPass : public llvm::PassInfoMixin<UnrollWideLoadsPass> {
 public:
  explicit UnrollWideLoadsPass(unsigned bytes) : bytes_(bytes) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

 private:
  unsigned bytes_;
};

}  // namespace quern

#endif
