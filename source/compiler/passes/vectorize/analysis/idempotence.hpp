/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Classification of atomic and volatile reads by the effect of repeating them. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_IDEMPOTENCE_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_IDEMPOTENCE_HPP

#include <optional>

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

namespace quern {

/** The effect of repeating an access with the same operands, as long as no other work-item writes. A function with
 * several accesses has the kind that comes last in this order. */
enum class AccessKind : uint8_t {
  /** The repetition returns the same value. Volatile and atomic loads, read-modify-writes that never change memory. */
  read_only,
  /** Each repetition changes memory again and returns a different value. Additions, for example. */
  accumulating,
  /** After the access has changed memory once, repetitions change nothing and return the same value. Another work-item
   * may undo the change. Exchanges, minima and maxima, for example: test-and-set of a lock. */
  idempotent,
};

/** An atomic addition of a constant; a subtraction has a negative amount. */
struct AtomicIncrement {
  const llvm::Value *pointer;
  llvm::APInt amount;
};

/** Whether `instruction` is a volatile or atomic load, a read-modify-write or a compare-exchange, of memory that other
 * work-items may write: not of a private variable. Calls and stores are none. */
bool is_atomic_or_volatile_read(const llvm::Instruction &instruction);

/** The atomic and volatile reads of a loop, those in called functions included. */
class LoopAccesses {
 public:
  explicit LoopAccesses(const llvm::Loop &loop);

  bool empty() const { return kinds_.empty(); }
  /** The kind of an access, or of a call whose callee makes accesses; nothing for other instructions. A function that
   * tries to take a lock tries again in each call. */
  std::optional<AccessKind> kind(const llvm::Instruction &instruction) const;
  /** The increment that `instruction` makes, or a call of a function with no other access of its own; else null. */
  const AtomicIncrement *increment(const llvm::Instruction &instruction) const;

 private:
  llvm::SmallDenseMap<const llvm::Instruction *, AccessKind> kinds_;
  llvm::SmallDenseMap<const llvm::Instruction *, AtomicIncrement> increments_;
};

/** The functions defined in the module that `function` calls, directly or transitively. */
llvm::SmallSetVector<const llvm::Function *, 8> find_callees(const llvm::Function &function);

}  // namespace quern

#endif
