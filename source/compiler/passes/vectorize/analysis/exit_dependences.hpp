/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Dependences of a loop's branch conditions: progress between iterations, or memory that other work-items write. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_EXIT_DEPENDENCES_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_EXIT_DEPENDENCES_HPP

#include "compiler/passes/vectorize/analysis/cyclic_path.hpp"
#include "compiler/passes/vectorize/analysis/idempotence.hpp"

namespace quern {

/** Whether `access` is known to access private memory, which no other work-item can write. */
bool is_private_access(const llvm::Instruction &access);

/** The writes to memory on a cyclic path. */
class PathWrites {
 public:
  /** Keeps a reference to `accesses`. */
  PathWrites(const CyclicPath &path, const LoopAccesses &accesses);

  /** Whether there is a write that is neither atomic nor volatile, or a call of a function that may make one. */
  bool has_plain_write() const { return has_plain_write_; }
  /** Whether a write may change the location that `access` reads. A function may read any location. */
  bool may_clobber(const llvm::Instruction &access) const;
  /** Whether `access` is an increment, and all increments of its location on the path add up to zero. */
  bool increments_cancel_out(const llvm::Instruction &access) const;

 private:
  void add_increment(const AtomicIncrement &increment);

  const LoopAccesses &accesses_;
  bool has_plain_write_ = false, has_unknown_object_ = false;
  llvm::SmallPtrSet<const llvm::Value *, 4> objects_;
  llvm::SmallDenseMap<const llvm::Value *, llvm::APInt> increment_sums_;
};

/** The dependences of a branch condition on a cyclic path: whether it depends on a value that changes between
 * iterations, and on which atomic and volatile reads. */
class ExitDependences {
 public:
  /** The path must be complete. Keeps references to `path`, `accesses` and `writes`. */
  ExitDependences(const CyclicPath &path, const LoopAccesses &accesses, const PathWrites &writes,
                  const llvm::Value *condition);

  /** The condition depends on a value that changes between iterations, or shows that another lane made progress. True
   * as well if the search was cut short. */
  bool has_progress() const { return has_progress_; }
  /** The condition depends on an idempotent atomic, whose effect another work-item may undo. */
  bool has_idempotent_atomic() const { return has_idempotent_atomic_; }
  /** The condition depends on a read of memory that the path does not write, but another work-item may. */
  bool has_read() const { return has_read_; }

 private:
  void visit(const llvm::Value *value);
  void visit_instruction(const llvm::Instruction &instruction);
  void visit_access(const llvm::Instruction &access, AccessKind kind);
  void visit_expected_value(const llvm::AtomicCmpXchgInst &exchange);
  bool depends_on_read(const llvm::Value *value, const llvm::Value *object, bool through_lossy) const;
  bool is_read_from(const llvm::Value *value, const llvm::Value *pointer, const llvm::Value *compared) const;
  bool is_known_content(const llvm::Value *value, const llvm::Value *pointer) const;
  bool shows_other_write(const llvm::AtomicRMWInst &atomic) const;

  const CyclicPath &path_;
  const LoopAccesses &accesses_;
  const PathWrites &writes_;
  bool has_progress_ = false, has_idempotent_atomic_ = false, has_read_ = false;
  CyclicPath::Conditions conditions_;
  /* Visited values. A value under visit has the value of iterations_ at its first visit, others have `finished`. */
  static constexpr unsigned finished = ~0U;
  llvm::SmallDenseMap<const llvm::Value *, unsigned> visited_;
  /* Back edges between the condition and the value under visit. */
  unsigned iterations_ = 0;
  static constexpr unsigned max_depth = 1000;
  unsigned depth_ = 0;
};

}  // namespace quern

#endif
