/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Memory layout of the private variables of a vector's lanes. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_PRIVATE_MEMORY_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_PRIVATE_MEMORY_HPP

#include <llvm/ADT/DenseMap.h>

#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"

namespace quern {

/** Upper bounds on the bytes of private variables on the stack. Those of all lanes in one item loop may have the first
 * number, while those of all loops of the function fit the second. The third one is for any other loop, and for each
 * function that is called. Several vectors, and more lanes than words fill a register, may use as much at once. */
inline constexpr uint64_t max_private_bytes = 256 * 1024, max_function_private_bytes = 1024 * 1024,
                          max_call_private_bytes = 64 * 1024;

/** One private variable of an item body, and its layout in the memory for all lanes. */
struct PrivateVariable {
  llvm::AllocaInst *alloca;
  /** Bytes of one lane's variable, a multiple of its alignment. */
  uint64_t size;
  /** Bytes of an element if the variable is interleaved, else 0. In an interleaved variable the same element of all
   * lanes is contiguous, so that an access with a uniform index is contiguous. Addresses of it are byte offsets within
   * one lane's variable. Without interleaving each lane has a whole variable, after that of the previous lane. */
  uint64_t element;
};

/** The private variables of an item body, which are parameters of it, and the choice of their layout. A variable is
 * interleaved if all uses of its address, looked through as by SROA, are simple accesses to elements of one size. */
class PrivateMemory {
 public:
  /** Addresses in interleaved variables that are made in a loop, reducible or not, and used outside of it are computed
   * again there: an offset does not pass through a phi. */
  explicit PrivateMemory(const ItemBody &body);
  PrivateMemory() = default;

  /** Shapes of these parameters: an interleaved variable has a uniform offset, others a stride of their size. */
  llvm::DenseMap<const llvm::Argument *, Shape> shapes() const;
  llvm::SmallPtrSet<const llvm::Argument *, 8> parameters() const;
  /** Bytes of all variables of one lane. */
  uint64_t size() const;
  /** The interleaved variable that `address` points into, or null. */
  const PrivateVariable *interleaved(const llvm::Value *address) const;
  const llvm::DenseMap<const llvm::Argument *, PrivateVariable> &variables() const { return variables_; }

 private:
  llvm::DenseMap<const llvm::Argument *, PrivateVariable> variables_;
};

}  // namespace quern

#endif
