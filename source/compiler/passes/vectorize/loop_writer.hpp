/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Writes the vector code of a planned item loop. */
#ifndef COMPILER_PASSES_VECTORIZE_LOOP_WRITER_HPP
#define COMPILER_PASSES_VECTORIZE_LOOP_WRITER_HPP

#include <llvm/IR/IRBuilder.h>

#include "compiler/passes/passes.h"
#include "compiler/passes/vectorize/planner.hpp"
#include "compiler/passes/vectorize/widen/widener.hpp"

namespace quern {

/** Replaces one item loop by the loops that its plan asks for. The counterpart of InnerLoopVectorizer in LLVM's
 * LoopVectorize. It decides nothing but what only code that has been written can tell: whether the condition of a
 * mask-free version can be computed. */
class LoopWriter {
 public:
  /** `layout` is that of the ND-range structure. All references must outlive this object. */
  LoopWriter(PlannedLoop &planned, FunctionVariants &functions, const work_group_layout_t &layout)
      : planned_(planned),
        plan_(planned.plan),
        analyses_(planned.analyses),
        loop_(planned.analyses.loop),
        functions_(functions),
        layout_(layout),
        function_(*planned.analyses.loop.header->getParent()) {}

  /** Writes the vectors of a plan that has some. To be called once. */
  void write();
  /** Where vectors are not profitable: interleaves scalar work-items, if the plan says so, and removes iterations that
   * do nothing (ItemBound). True when the loop was modified. */
  bool write_scalar();
  /** Versions the loop of `general`, as LoopVersioning does: tests the condition of this version before it, and
   * branches to a new preheader for this version or for `general`. Call it before write() of both. */
  void split_version(LoopWriter &general);

  /** After write() of a jammed loop: the loop that runs the remaining iterations of the y loop. */
  const ItemLoop &remainder() const { return remainder_; }
  /** After write(): the mask-free version exists. */
  bool has_unmasked_version() const { return unmasked_condition_; }

 private:
  bool write_bound();
  void find_trip_counts(llvm::IRBuilder<> &builder, bool masks);
  void limit_trip_count(llvm::Value *end, llvm::Value *checks_pass, llvm::IRBuilder<> &builder);
  llvm::Value *write_runtime_check(const RuntimeCheck &runtime_check, llvm::IRBuilder<> &builder);
  llvm::Value *precompute(llvm::Value *value, llvm::Value *counter, llvm::IRBuilder<> &builder,
                          llvm::DenseMap<llvm::Value *, llvm::Value *> &known);
  llvm::BasicBlock *add_block(const llvm::Twine &name) {
    return llvm::BasicBlock::Create(function_.getContext(), name, &function_, loop_.header);
  }
  llvm::Value *last_value(Widener &widener, llvm::Value *value);
  void write_exit_values(Widener &widener, llvm::BasicBlock *from);
  /** Writes the code of some work-items, from one on, between two blocks. */
  using WriteBody = llvm::function_ref<void(llvm::BasicBlock *, llvm::BasicBlock *, llvm::Value *)>;
  /** What a value of the scalar loop that is used after it is after the main loop. */
  using ExitValue = llvm::function_ref<llvm::Value *(llvm::Value *)>;
  void write_main_loop(unsigned step, WriteBody write_body, ExitValue exit_value);
  void write_vectors(const WidenInput &input);
  void enter_scalar_loop();
  llvm::Value *is_nontemporal_profitable(llvm::IRBuilder<> &builder);
  void write_nontemporal(const WidenInput &input);
  void write_unmasked(const WidenInput &input, llvm::Value *condition, llvm::Value *end);
  void write_version(const WidenInput &input);
  void write_short_trip();
  bool keeps_scalar_loop() const;
  void write_failed_checks();
  /** The latch of an unmasked y loop, and the live-out values for the phis in the exit block of the original. */
  struct YLoopEnd {
    llvm::BasicBlock *block;
    llvm::SmallVector<llvm::Value *, 2> values;
  };
  YLoopEnd write_y_loop(WidenInput input, llvm::BasicBlock *begin, llvm::Value *first, llvm::BasicBlock *after);
  llvm::SmallVector<llvm::Value *, 2> write_unswitched(WidenInput input, llvm::BasicBlock *begin, llvm::Value *first,
                                                       llvm::BasicBlock *after);
  void write_interchanged(const WidenInput &input);
  void write_masked(const WidenInput &input);
  void write_variants();
  void add_skipped_exit_values();
  void write_loop(const WidenInput &input, bool unmasked);

  PlannedLoop &planned_;
  const VectorPlan &plan_;
  const LoopAnalyses &analyses_;
  ItemLoop &loop_;
  FunctionVariants &functions_;
  const work_group_layout_t &layout_;
  llvm::Function &function_;
  ItemLoop remainder_ = {};
  /** The condition of the mask-free version; null when there is none. */
  llvm::Value *unmasked_condition_ = nullptr;
  /** Versions of this loop have been split off. */
  bool has_versions_ = false;
  /** Of a version: the preheader of the general version. */
  llvm::BasicBlock *general_ = nullptr;
  /** The block at whose end the next loop of the chain is entered, and the first work-item that is left for it. */
  llvm::BasicBlock *insert_block_ = nullptr;
  llvm::Value *first_item_ = nullptr;
  struct TripCounts {
    /** The number of work-items that run at all, and that may run in full vectors. */
    llvm::Value *all = nullptr, *in_vectors = nullptr;
    /** Whether all runtime checks pass; null when there are none. */
    llvm::Value *checks_pass = nullptr;
  };
  TripCounts trip_counts_;
};

}  // namespace quern

#endif
