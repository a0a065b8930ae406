/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Where the private variables of several lanes lie. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_PRIVATE_MEMORY_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_PRIVATE_MEMORY_HPP

#include <llvm/ADT/DenseMap.h>

#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"

namespace quern {

/** One private variable of an item body. */
struct PrivateVariable {
  llvm::AllocaInst *alloca;
  uint64_t size;
  /** Not 0: elements of so many bytes are interleaved, those of all lanes side by side, so that an access by one index
   * is one to consecutive memory; addresses are then kept as offsets in bytes from the variable's start. Else each lane
   * has the whole variable behind that of the lane before. */
  uint64_t element;
};

/** The private variables behind the parameters of an item body. */
class PrivateMemory {
 public:
  explicit PrivateMemory(const ItemBody &body);
  PrivateMemory() = default;

  /** Shapes of those parameters. */
  llvm::DenseMap<const llvm::Argument *, Shape> shapes() const;
  llvm::SmallPtrSet<const llvm::Argument *, 8> parameters() const;
  /** Bytes for one lane. */
  uint64_t size() const;
  /** The interleaved variable that `address` points into, or null. */
  const PrivateVariable *interleaved(const llvm::Value *address) const;
  const llvm::DenseMap<const llvm::Argument *, PrivateVariable> &variables() const { return variables_; }

 private:
  llvm::DenseMap<const llvm::Argument *, PrivateVariable> variables_;
};

}  // namespace quern

#endif
