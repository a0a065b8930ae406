/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Unroll-and-jam of the y loop: several iterations share the loads of one item loop. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_UNROLL_AND_JAM_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_UNROLL_AND_JAM_HPP

#include <llvm/IR/IRBuilder.h>

#include "compiler/passes/vectorize/item_loop.hpp"

namespace quern {

/** Jam factor: how many iterations of the y loop are jammed into one. A power of two. */
constexpr unsigned jam_factor = 4;
static_assert((jam_factor & (jam_factor - 1)) == 0, "masks are made from the jam factor");

/** The y loop around an item loop, over the work-items of dimension 1: `for (counter = 0; counter < trip count;
 * counter++)`. Its header is the preheader of the item loop, and its latch is the exit of the item loop. The header
 * computes, or loads, the values that all work-items of one y share.
 *
 * This is LLVM's LoopUnrollAndJam for item loops. It needs no dependence analysis, since work-items are independent. */
class YLoop {
 public:
  /** Empty when the item loop is not directly inside a y loop of this form, or when the header has side effects. */
  static std::optional<YLoop> match(const ItemLoop &loop);

  /** True when `jam_factor` iterations can be jammed and it is profitable. All iterations must have the same control
   * flow. They must share loads of vectors, or have transposed accesses. Sets is_transposed(). */
  bool can_unroll_and_jam(const llvm::LoopInfo &loops);

  /** True when all accesses of the body are contiguous in x or in y, and some are contiguous in y. These take many
   * addresses. Valid after can_unroll_and_jam(). */
  bool is_transposed() const { return is_transposed_; }

  /** For a transposed body, the constant by which a value of the header grows per y iteration (bytes for pointers). 0
   * when it is unknown or the body is not transposed. */
  int64_t stride_in_y(const llvm::Value *value) const;

  /** True for a value of the header that differs between jammed iterations. */
  bool varies_in_y(const llvm::Value *value) const { return y_varying_.contains(value); }

  /** True for a load in the header that is sunk into the body, where the vector operation that uses it repeats it. Only
   * loads with a single user, in the body, are sunk, and only when there are too many to stay in registers. */
  bool sinks_load(const llvm::Value *value) const { return sunk_loads_.contains(value); }

  /** Splits the y loop: it advances by `jam_factor` iterations when that many remain and they agree on the branch
   * conditions, else by one. Returns the empty preheader for the jammed code, which ends with a branch to the item
   * loop's header. `loop` keeps the single iterations and gets a new preheader. */
  llvm::BasicBlock *split_for_jam(ItemLoop &loop);

  /** Computes, at the end of `block`, a value of the header for jammed copy `copy_index` (below `jam_factor`; 0 is the
   * first iteration). */
  llvm::Value *value_in_copy(llvm::Value *value, unsigned copy_index, llvm::BasicBlock *block);

  /** The canonical induction variable, i64. */
  llvm::PHINode *counter() const { return counter_; }
  /** The trip count, i64, invariant in the loop. */
  llvm::Value *trip_count() const { return trip_count_; }
  /** The header of the y loop, which is the preheader of the item loop. */
  const llvm::BasicBlock *header() const { return header_; }
  /** True when jammed iterations have the same control flow without a test. */
  bool has_no_branch_conditions() const { return branch_conditions_.empty(); }

 private:
  using Values = llvm::SmallPtrSet<const llvm::Value *, 16>;
  /** The dimension in which an access is contiguous. */
  enum class Direction : uint8_t { along_x, along_y, other };

  explicit YLoop(const ItemLoop &items) : items_(items) {}
  bool find_counter();
  bool find_y_varying();
  void find_sunk_loads();
  bool add_users(Values &set) const;
  Direction direction(const llvm::Instruction &access, const Values &y_varying, const Values &x_varying) const;
  bool has_transposed_accesses(const Values &y_varying, const Values &x_varying) const;
  llvm::Value *copy(llvm::Value *value, unsigned copy_index, llvm::IRBuilder<> &builder);

  ItemLoop items_;
  llvm::BasicBlock *header_ = nullptr;
  llvm::PHINode *counter_ = nullptr;
  llvm::Value *trip_count_ = nullptr;
  /** The increment of the counter. */
  llvm::BinaryOperator *next_ = nullptr;
  Values y_varying_, sunk_loads_;
  bool is_transposed_ = false;
  /** Conditions of the header that depend on y. Iterations are jammed only where they agree on them. */
  llvm::SmallVector<llvm::Value *, 2> branch_conditions_;
  /** Per jammed copy: the clones of header values. */
  llvm::DenseMap<llvm::Value *, llvm::Value *> copies_[jam_factor];
};

/** True for an instruction that may be repeated for other work-items next to its own: no call, volatile or atomic
 * access. */
bool can_jam(const llvm::Instruction &instruction);

/** Jams an item body: afterwards one call does the work of one x in `jam_factor` iterations of the y loop.
 *
 * Each instruction that depends on y is cloned for each copy, next to its original; all others are shared. `others`
 * maps each y-varying value to its `jam_factor` - 1 copies. */
void unroll_and_jam(llvm::Function &body, JammedCopies others);

}  // namespace quern

#endif
