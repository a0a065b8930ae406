/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * One loop over work-items on its way to vectors. */
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

/** Plans and writes the vector form of one loop over work-items. */
class LoopVectorizer {
 public:
  /** `rows`: the loop around, of which several rows are merged, or null. */
  LoopVectorizer(ItemLoop loop, YLoop *y_loop, FunctionVariants &functions, const VectorTarget &target,
                 const work_group_layout_t &layout)
      : loop_(loop),
        y_loop_(y_loop),
        functions_(functions),
        function_(*loop.header->getParent()),
        context_(function_.getContext()),
        target_(target),
        group_layout_(layout) {}

  /** Finds out how; false when it cannot be done, `why` tells. The loop stays as it is. */
  bool plan(unsigned width, const char *&why);
  /** The same for a vector that is a sub-group of `width` work-items. */
  bool plan_sub_groups(unsigned width, const char *&why);
  /** Does what was planned. */
  void write();

  unsigned width() const { return width_; }
  unsigned vectors() const { return interleave_count_; }
  /** To be called before planning: a guess need not be right, as both forms can be kept and timed. */
  void may_stay_undecided() { may_stay_undecided_ = true; }
  /** Planned, but it is a guess that vectors pay. */
  bool is_undecided() const { return is_undecided_; }
  bool nontemporal_stores() const { return nontemporal_.has_value(); }
  bool is_jammed() const { return y_loop_; }
  bool has_unmasked_version() const { return whole_; }
  bool unrolls_wide_loads() const { return !unrolled_.empty(); }
  /** Something comes before or after the loop, which may tell other work-groups of its results: they must be there. */
  void forbid_nontemporal_stores() { may_be_nontemporal_ = false; }
  /** The loop is one of several regions: what it loads and stores in turns to come is fetched ahead. */
  void prefetch_next_iteration() { prefetches_next_iteration_ = true; }
  /** The loop is for few rows only: no more code than must be. */
  void set_remainder() { is_remainder_ = true; }
  /** What is left of the loop when rows were merged. */
  const ItemLoop &remainder() const { return remainder_; }
  /** Looks for a mask that a version may be for: to be called before planning. */
  void find_mask(const llvm::LoopInfo &loops);
  /** Only the turns of a version are meant. */
  void assume(const VersionedStride &factor, unsigned version) {
    versioned_stride_ = factor;
    version_ = version;
  }
  /** What makes turns worth versions, once planned. */
  std::optional<VersionedStride> find_versioned_stride(const llvm::LoopInfo &loops) const;
  /** Of one work-item in the form that was planned, alone when vectors do not pay. */
  double cost() const { return cost_; }
  /** Not planned for no other reason than that vectors do not pay. */
  bool is_unprofitable() const { return is_unprofitable_; }
  /** To be called once planned: makes this the form of `general`'s loop for the turns of the version. */
  void divide(LoopVectorizer &general);
  /** Where vectors do not pay: work-items that have nothing to do get no turn. True when there may be some. */
  bool write_bound();

 private:
  bool extract(const char *&why);
  bool analyse_lanes(const char *&why);
  bool may_have_known_size(const llvm::Value &address) const;
  bool points_into_array(const llvm::Value &pointer) const;
  bool loads_divergently(const llvm::LoadInst &stream) const;
  /** `walks` are null where they are gone. */
  bool unroll_divergent_loads(llvm::ArrayRef<llvm::WeakVH> streams, const char *&why);
  bool analyse(const char *&why);
  bool is_profitable(const PrivateMemory &memory);
  void find_trip_counts(llvm::IRBuilder<> &builder, bool masks);
  void limit_trip_count(llvm::Value *end, llvm::Value *holds, llvm::IRBuilder<> &builder);
  void drop_bound_test();
  llvm::Value *write_runtime_check(const RuntimeCheck &runtime_check, llvm::IRBuilder<> &builder);
  llvm::Value *precompute(llvm::Value *value, llvm::Value *counter, llvm::IRBuilder<> &builder,
                          llvm::DenseMap<llvm::Value *, llvm::Value *> &known);
  llvm::BasicBlock *add_block(const llvm::Twine &name) {
    return llvm::BasicBlock::Create(context_, name, &function_, loop_.header);
  }
  llvm::Value *last_value(Widener &widener, llvm::Value *value);
  void write_exit_values(Widener &widener, llvm::BasicBlock *from);
  void write_vectors(const WidenInput &input);
  llvm::Value *is_nontemporal_profitable(llvm::IRBuilder<> &builder);
  void write_nontemporal(const WidenInput &input);
  void write_unmasked(const WidenInput &input, llvm::Value *condition, llvm::Value *end);
  void write_version(const WidenInput &input);
  bool is_always_masked() const;
  void write_short_trip();
  /** Where a loop over rows ends, and what comes out of it for each phi behind the original. */
  struct YLoopEnd {
    llvm::BasicBlock *block;
    llvm::SmallVector<llvm::Value *, 2> values;
  };
  YLoopEnd write_y_loop(WidenInput input, llvm::BasicBlock *begin, llvm::Value *first, llvm::BasicBlock *after);
  llvm::SmallVector<llvm::Value *, 2> write_unswitched(WidenInput input, llvm::BasicBlock *begin, llvm::Value *first,
                                                       llvm::BasicBlock *after);
  void write_unmasked_y_loops(const WidenInput &input);
  void write_masked(const WidenInput &input);
  void write_variants();
  void add_nothing_done();
  void write_loop(const WidenInput &input, bool masks, bool whole);
  VectorUnit unit(unsigned width) const { return vector_unit(target_, context_, width); }
  llvm::Type *lanes() const { return llvm::FixedVectorType::get(llvm::Type::getInt32Ty(context_), width_); }

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
  /** Of the ND-range. */
  const work_group_layout_t &group_layout_;
  std::unique_ptr<ItemBody> body_;
  std::unique_ptr<PrivateMemory> memory_;
  std::unique_ptr<ShapeAnalysis> analysis_;
  std::unique_ptr<Linearization> linearization_;
  std::unique_ptr<AccessGroups> groups_;
  std::optional<NonTemporalStores> nontemporal_;
  std::unique_ptr<UnmaskedVersion> unmasked_;
  /** Whether each row consists of whole vectors, null when that is not asked. */
  llvm::Value *whole_ = nullptr;
  bool is_sub_group_ = false, has_versions_ = false;
  /** Of a version: what it assumes. Else a mask that there may be a version for, if there is one. */
  std::optional<VersionedStride> versioned_stride_;
  std::optional<unsigned> version_;
  double cost_ = 0;
  /** Of a version: where what it is not for goes on. */
  llvm::BasicBlock *general_ = nullptr;
  /** What became of the body's inner loops, and the cost of one work-item alone, in which they are what they were. */
  UnrolledLoops unrolled_;
  double scalar_cost_ = 0;
  /** Where the next form goes, and the first work-item that it is for. */
  llvm::BasicBlock *here_ = nullptr;
  llvm::Value *from_ = nullptr;
  /** Whether all premises hold, null when there are none; how many work-items may run in vectors, and run at all. */
  llvm::Value *holds_ = nullptr, *usable_ = nullptr, *end_ = nullptr;
  unsigned width_ = 0, interleave_count_ = 1;
};

}  // namespace quern

#endif
