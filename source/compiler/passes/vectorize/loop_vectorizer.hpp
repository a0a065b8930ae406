/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Vectorization of one item loop: planning and code generation. */
#ifndef COMPILER_PASSES_VECTORIZE_LOOP_VECTORIZER_HPP
#define COMPILER_PASSES_VECTORIZE_LOOP_VECTORIZER_HPP

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/ValueHandle.h>

#include "compiler/passes/vectorize/analysis/item_bound.hpp"
#include "compiler/passes/vectorize/function_variants.hpp"
#include "compiler/passes/vectorize/transform/nontemporal_stores.hpp"
#include "compiler/passes/vectorize/transform/stride_versions.hpp"
#include "compiler/passes/vectorize/transform/unmasked_version.hpp"
#include "compiler/passes/vectorize/transform/unroll_and_jam.hpp"
#include "compiler/passes/vectorize/transform/unroll_wide_loads.hpp"
#include "compiler/passes/vectorize/widen/widener.hpp"

namespace quern {

/** Vectorizes one item loop: analysis and profitability in plan(), code generation in write(). The counterpart of
 * LoopVectorizationPlanner and InnerLoopVectorizer in LLVM's LoopVectorize, for "Whole-function vectorization"
 * (Karrenberg and Hack). */
class LoopVectorizer {
 public:
  /** `y_loop` is the loop around the item loop to which unroll-and-jam applies, or null. All references must outlive
   * this object. */
  LoopVectorizer(ItemLoop loop, YLoop *y_loop, FunctionVariants &functions, const VectorTarget &target,
                 const work_group_layout_t &layout)
      : loop_(loop),
        y_loop_(y_loop),
        functions_(functions),
        function_(*loop.header->getParent()),
        context_(function_.getContext()),
        target_(target),
        group_layout_(layout) {}

  /** Analyses the loop for vectorization factor `width`, or for the most suitable factor if it is 0. False, with the
   * reason in `why`, when the loop cannot be vectorized, or not profitably unless `width` is given. Does not modify the
   * loop. */
  bool plan(unsigned width, const char *&why);
  /** Like plan(), for vectors that are sub-groups of `width` work-items: they cannot be serialized, and there is no
   * scalar loop to fall back to. Profitability does not count. */
  bool plan_sub_groups(unsigned width, const char *&why);
  /** Generates the code that was planned. To be called once, after a plan function has returned true. */
  void write();

  /** The vectorization factor. Valid after planning. */
  unsigned width() const { return width_; }
  unsigned interleave_count() const { return interleave_count_; }
  /** Allows plan() to leave it undecided whether vectors are profitable, as both variants can be kept and timed. Call
   * it before planning. */
  void may_stay_undecided() { may_stay_undecided_ = true; }
  /** The loop is planned, but the cost model cannot tell whether vectors are profitable. */
  bool is_undecided() const { return is_undecided_; }
  bool nontemporal_stores() const { return nontemporal_.has_value(); }
  bool is_jammed() const { return y_loop_; }
  bool has_unmasked_version() const { return unmasked_condition_; }
  bool unrolls_wide_loads() const { return !unrolled_.empty(); }
  /** Forbids non-temporal stores, for a loop with code before or after it. That code may tell other work-groups that
   * the results are there, and non-temporal stores are not ordered with it. Call it before planning. */
  void forbid_nontemporal_stores() { may_be_nontemporal_ = false; }
  /** Enables NextIterationPrefetch, for a loop that is one of several regions. Call it before write(). */
  void prefetch_next_iteration() { prefetches_next_iteration_ = true; }
  /** The loop is the remainder (epilogue) of unroll-and-jam and runs for few y: keeps the code small. */
  void set_remainder() { is_remainder_ = true; }
  /** After write() of a jammed loop: the loop that runs the remaining iterations of the y loop. */
  const ItemLoop &remainder() const { return remainder_; }
  /** Looks for a mask of the work-item index on which the loop can be versioned. Call it before planning. */
  void find_mask(const llvm::LoopInfo &loops);
  /** Makes this the vectorizer of version number `version` for `stride`: the body is specialized for it. */
  void assume(const VersionedStride &stride, unsigned version) {
    versioned_stride_ = stride;
    version_ = version;
  }
  /** The value on which the loop can be versioned, or empty. Call it after planning. */
  std::optional<VersionedStride> find_versioned_stride(const llvm::LoopInfo &loops) const;
  /** The estimated cost of one work-item: of the planned variant, or of the scalar one if vectors are unprofitable. */
  double cost() const { return cost_; }
  /** plan() returned false for the only reason that vectors are unprofitable. */
  bool is_unprofitable() const { return is_unprofitable_; }
  /** Versions the loop of `general`, as LoopVersioning does: tests the condition of this version before it, and
   * branches to a new preheader for this version or for `general`. Call it on a planned version, before write() of
   * both. */
  void split_version(LoopVectorizer &general);
  /** Where vectors are not profitable: interleaves scalar work-items, if that is, and removes iterations that do
   * nothing (ItemBound). True when the loop was modified. */
  bool write_scalar();

 private:
  bool extract(const char *&why);
  bool analyse_lanes(const char *&why);
  bool may_have_known_size(const llvm::Value &address) const;
  bool points_into_array(const llvm::Value &pointer) const;
  bool loads_divergently(const llvm::LoadInst &stream) const;
  /** `streams`: handles are null for loads that have been deleted. */
  bool unroll_divergent_loads(llvm::ArrayRef<llvm::WeakVH> streams, const char *&why);
  bool analyse(const char *&why);
  bool is_profitable(const PrivateMemory &memory);
  void find_trip_counts(llvm::IRBuilder<> &builder, bool masks);
  void limit_trip_count(llvm::Value *end, llvm::Value *checks_pass, llvm::IRBuilder<> &builder);
  void drop_bound_test();
  llvm::Value *write_runtime_check(const RuntimeCheck &runtime_check, llvm::IRBuilder<> &builder);
  llvm::Value *precompute(llvm::Value *value, llvm::Value *counter, llvm::IRBuilder<> &builder,
                          llvm::DenseMap<llvm::Value *, llvm::Value *> &known);
  llvm::BasicBlock *add_block(const llvm::Twine &name) {
    return llvm::BasicBlock::Create(context_, name, &function_, loop_.header);
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
  bool write_bound();
  llvm::Value *is_nontemporal_profitable(llvm::IRBuilder<> &builder);
  void write_nontemporal(const WidenInput &input);
  void write_unmasked(const WidenInput &input, llvm::Value *condition, llvm::Value *end);
  void write_version(const WidenInput &input);
  bool is_always_masked() const;
  void write_short_trip();
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
  void write_loop(const WidenInput &input, bool masks, bool unmasked);
  VectorUnit unit(unsigned width) const { return vector_unit(target_, context_, width); }
  llvm::Type *vector_type() const { return llvm::FixedVectorType::get(llvm::Type::getInt32Ty(context_), width_); }

  ItemLoop loop_;
  YLoop *y_loop_;
  FunctionVariants &functions_;
  ItemLoop remainder_ = {};
  bool prefetches_next_iteration_ = false;
  bool is_remainder_ = false, may_be_nontemporal_ = true, may_stay_undecided_ = false, is_undecided_ = false,
       is_unprofitable_ = false;
  std::optional<ItemBound> bound_;
  llvm::Function &function_;
  llvm::LLVMContext &context_;
  const VectorTarget &target_;
  /** The layout of the ND-range structure. */
  const work_group_layout_t &group_layout_;
  std::unique_ptr<ItemBody> body_;
  std::unique_ptr<PrivateMemory> memory_;
  std::unique_ptr<ShapeAnalysis> analysis_;
  std::unique_ptr<Linearization> linearization_;
  std::unique_ptr<AccessGroups> groups_;
  std::optional<NonTemporalStores> nontemporal_;
  std::unique_ptr<UnmaskedVersion> unmasked_;
  /** The condition of the unmasked version; null when there is none. */
  llvm::Value *unmasked_condition_ = nullptr;
  bool is_sub_group_ = false, has_versions_ = false;
  /** Of a version: the value for which it is specialized. Else the mask found by find_mask(), if there is one. */
  std::optional<VersionedStride> versioned_stride_;
  /** The number of the version; empty for the general version. */
  std::optional<unsigned> version_;
  double cost_ = 0;
  /** Of a version: the preheader of the general version. */
  llvm::BasicBlock *general_ = nullptr;
  /** The inner loops of the body that unroll_wide_loads made, and the scalar cost of a work-item without them. */
  UnrolledLoops unrolled_;
  double scalar_cost_ = 0;
  /** The block at whose end the next loop of the chain is entered, and the first work-item that is left for it. */
  llvm::BasicBlock *insert_block_ = nullptr;
  llvm::Value *first_item_ = nullptr;
  /** Whether all runtime checks pass; null when there are none. */
  llvm::Value *checks_pass_ = nullptr;
  /** The number of work-items that may run in full vectors, and the number that runs at all. */
  llvm::Value *vector_trip_count_ = nullptr, *trip_count_ = nullptr;
  unsigned width_ = 0, interleave_count_ = 1;
};

}  // namespace quern

#endif
