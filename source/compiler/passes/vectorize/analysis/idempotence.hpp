/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Accesses of memory that others see, made again and again. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_IDEMPOTENCE_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_IDEMPOTENCE_HPP

#include <optional>

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

namespace quern {

/** What an access is, when it is made again and again with the same operands. Of several the last of these counts. */
enum class Idempotence : uint8_t {
  /** It finds what it found before. */
  reads,
  /** It finds something else each time. */
  counts,
  /** It finds what it found before when it has changed something, which others may change back. */
  takes,
};

/** What an atomic adds to, and how much, or the call of a function that makes this access and no other. */
struct CountedUpdate {
  const llvm::Value *place;
  llvm::APInt amount;
};

/** Whether an instruction, other than a call, is a volatile or atomic access. */
bool is_access(const llvm::Instruction &instruction);

/** The volatile and atomic accesses of a loop. */
class LoopAccesses {
 public:
  explicit LoopAccesses(const llvm::Loop &loop);

  bool empty() const { return kinds_.empty(); }
  /** What an access is, or the call of a function that makes some; nothing for other instructions. A function that
   * tries to take a lock does so each time it is called. */
  std::optional<Idempotence> kind(const llvm::Instruction &instruction) const;
  /** Of those that count. */
  const CountedUpdate *counted(const llvm::Instruction &instruction) const;

 private:
  llvm::SmallDenseMap<const llvm::Instruction *, Idempotence> kinds_;
  llvm::SmallDenseMap<const llvm::Instruction *, CountedUpdate> counted_;
};

/** The program's functions that `function` calls, and that these call. */
llvm::SmallSetVector<const llvm::Function *, 8> find_called(const llvm::Function &function);

}  // namespace quern

#endif
