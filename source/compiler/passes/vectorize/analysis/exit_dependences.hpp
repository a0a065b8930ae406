/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Why a loop goes on. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_EXIT_DEPENDENCES_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_EXIT_DEPENDENCES_HPP

#include "compiler/passes/vectorize/analysis/cyclic_path.hpp"
#include "compiler/passes/vectorize/analysis/idempotence.hpp"

namespace quern {

/** Whether an access is one of private memory, which is nobody else's. */
bool is_private(const llvm::Instruction &access);

/** What is written on a way round a loop. */
class Writes {
 public:
  Writes(const CyclicPath &path, const LoopAccesses &accesses);

  /** By a store that is neither atomic nor volatile, or a function that makes such. */
  bool are_plain() const { return are_plain_; }
  /** Whether the place that is read may be among them. A function may read from anywhere. */
  bool may_change(const llvm::Instruction &access) const;
  /** Whether what this access counts up is counted down as well, or the other way round. */
  bool cancel_out(const llvm::Instruction &access) const;

 private:
  void add_count(const CountedUpdate &counted);

  const LoopAccesses &accesses_;
  bool are_plain_ = false, are_anywhere_ = false;
  llvm::SmallPtrSet<const llvm::Value *, 4> objects_;
  llvm::SmallDenseMap<const llvm::Value *, llvm::APInt> sums_;
};

/** What a condition on a way round a loop hangs on: all of it the same in each turn, or not. */
class ExitDependences {
 public:
  /** The way is complete, and all of these outlive this. */
  ExitDependences(const CyclicPath &path, const LoopAccesses &accesses, const Writes &writes,
                  const llvm::Value *condition);

  /** Some of it changes from turn to turn, or shows that another lane got on. */
  bool go_on() const { return goes_on_; }
  /** Some of it is for others to change: what is to be taken, or what is read. */
  bool take() const { return takes_; }
  bool read() const { return reads_; }

 private:
  void look_at(const llvm::Value *value);
  void look_into(const llvm::Instruction &instruction);
  void look_at_access(const llvm::Instruction &access, Idempotence kind);
  void look_at_compared(const llvm::AtomicCmpXchgInst &exchange);
  bool is_read(const llvm::Value *value, const llvm::Value *object, bool through_masks) const;
  bool is_read_from(const llvm::Value *value, const llvm::Value *place, const llvm::Value *compared) const;
  bool is_known_read(const llvm::Value *value, const llvm::Value *place) const;
  bool has_changed(const llvm::AtomicRMWInst &atomic) const;

  const CyclicPath &path_;
  const LoopAccesses &accesses_;
  const Writes &writes_;
  bool goes_on_ = false, takes_ = false, reads_ = false;
  CyclicPath::Conditions conditions_;
  /* Values that are being looked at, with the turns that lie behind them then; `done` when they have been. */
  static constexpr unsigned done = ~0U;
  llvm::SmallDenseMap<const llvm::Value *, unsigned> seen_;
  unsigned induction_ = 0;
  static constexpr unsigned deepest = 1000;
  unsigned depth_ = 0;
};

}  // namespace quern

#endif
