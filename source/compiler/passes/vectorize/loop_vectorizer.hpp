/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * One loop over work-items on its way to vectors. */
#ifndef COMPILER_PASSES_VECTORIZE_LOOP_VECTORIZER_HPP
#define COMPILER_PASSES_VECTORIZE_LOOP_VECTORIZER_HPP

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/ValueHandle.h>

#include "compiler/passes/vectorize/factors.hpp"
#include "compiler/passes/vectorize/functions.hpp"
#include "compiler/passes/vectorize/item_bound.hpp"
#include "compiler/passes/vectorize/joined_turns.hpp"
#include "compiler/passes/vectorize/rows.hpp"
#include "compiler/passes/vectorize/streaming.hpp"
#include "compiler/passes/vectorize/whole_rows.hpp"
#include "compiler/passes/vectorize/widener.hpp"

namespace quern {

/** Plans and writes the vector form of one loop over work-items. */
class LoopVectorizer {
 public:
  /** `rows`: the loop around, of which several rows are merged, or null. */
  LoopVectorizer(ItemLoop loop, RowLoop *rows, FunctionForms &functions, const VectorMachine &machine,
                 const work_group_layout_t &layout)
      : loop_(loop),
        rows_(rows),
        functions_(functions),
        function_(*loop.header->getParent()),
        context_(function_.getContext()),
        machine_(machine),
        group_layout_(layout) {}

  /** Finds out how; false when it cannot be done, `why` tells. The loop stays as it is. */
  bool plan(unsigned width, const char *&why);
  /** The same for a vector that is a sub-group of `width` work-items. */
  bool plan_sub_groups(unsigned width, const char *&why);
  /** Does what was planned. */
  void write();

  unsigned width() const { return width_; }
  unsigned vectors() const { return vectors_; }
  /** To be called before planning: a guess need not be right, as both forms can be kept and timed. */
  void may_guess() { may_guess_ = true; }
  /** Planned, but it is a guess that vectors pay. */
  bool is_guess() const { return is_guess_; }
  bool streams() const { return streams_.has_value(); }
  bool merges_rows() const { return rows_; }
  bool writes_whole_rows() const { return whole_; }
  bool joins_turns() const { return !joined_.empty(); }
  /** Something comes before or after the loop, which may tell other work-groups of its results: they must be there. */
  void forbid_streams() { may_stream_ = false; }
  /** The loop is one of several regions: what it loads and stores in turns to come is fetched ahead. */
  void fetch_next_turn() { fetches_next_turn_ = true; }
  /** The loop is for few rows only: no more code than must be. */
  void set_rest() { is_rest_ = true; }
  /** What is left of the loop when rows were merged. */
  const ItemLoop &rest() const { return rest_; }
  /** Looks for a mask that a version may be for: to be called before planning. */
  void find_mask(const llvm::LoopInfo &loops);
  /** Only the turns of a version are meant. */
  void assume(const Factor &factor, unsigned version) {
    factor_ = factor;
    version_ = version;
  }
  /** What makes turns worth versions, once planned. */
  std::optional<Factor> find_factor(const llvm::LoopInfo &loops) const;
  /** Of one work-item in the form that was planned, alone when vectors do not pay. */
  double cost() const { return cost_; }
  /** Not planned for no other reason than that vectors do not pay. */
  bool is_dear() const { return is_dear_; }
  /** To be called once planned: makes this the form of `general`'s loop for the turns of the version. */
  void divide(LoopVectorizer &general);
  /** Where vectors do not pay: work-items that have nothing to do get no turn. True when there may be some. */
  bool write_bound();

 private:
  bool extract(const char *&why);
  bool analyse_lanes(const char *&why);
  bool may_have_known_size(const llvm::Value &address) const;
  bool points_into_array(const llvm::Value &pointer) const;
  bool reads_apart(const llvm::LoadInst &walk) const;
  /** `walks` are null where they are gone. */
  bool join_turns_apart(llvm::ArrayRef<llvm::WeakVH> walks, const char *&why);
  bool analyse(const char *&why);
  bool pays(const PrivateMemory &memory);
  void find_counts(llvm::IRBuilder<> &builder, bool masks);
  void limit_turns(llvm::Value *end, llvm::Value *holds, llvm::IRBuilder<> &builder);
  void drop_bound_test();
  llvm::Value *test_premise(const Premise &premise, llvm::IRBuilder<> &builder);
  llvm::Value *precompute(llvm::Value *value, llvm::Value *counter, llvm::IRBuilder<> &builder,
                          llvm::DenseMap<llvm::Value *, llvm::Value *> &known);
  llvm::BasicBlock *add_block(const llvm::Twine &name) {
    return llvm::BasicBlock::Create(context_, name, &function_, loop_.header);
  }
  llvm::Value *last_value(Widener &widener, llvm::Value *value);
  void leave_loop(Widener &widener, llvm::BasicBlock *from);
  void write_vectors(const WidenInput &input);
  llvm::Value *is_streaming(llvm::IRBuilder<> &builder);
  void write_streams(const WidenInput &input);
  void write_whole(const WidenInput &input, llvm::Value *condition, llvm::Value *end);
  void write_version(const WidenInput &input);
  bool is_always_masked() const;
  void write_few();
  /** Where a loop over rows ends, and what comes out of it for each phi behind the original. */
  struct RowsEnd {
    llvm::BasicBlock *block;
    llvm::SmallVector<llvm::Value *, 2> values;
  };
  RowsEnd write_rows(WidenInput input, llvm::BasicBlock *begin, llvm::Value *first, llvm::BasicBlock *after);
  llvm::SmallVector<llvm::Value *, 2> write_sides(WidenInput input, llvm::BasicBlock *begin, llvm::Value *first,
                                                  llvm::BasicBlock *after);
  void write_whole_rows(const WidenInput &input);
  void write_masked(const WidenInput &input);
  void write_forms();
  void add_nothing_done();
  void write_loop(const WidenInput &input, bool masks, bool whole);
  VectorUnit unit(unsigned width) const { return vector_unit(machine_, context_, width); }
  llvm::Type *lanes() const { return llvm::FixedVectorType::get(llvm::Type::getInt32Ty(context_), width_); }

  ItemLoop loop_;
  RowLoop *rows_;
  FunctionForms &functions_;
  ItemLoop rest_ = {};
  bool fetches_next_turn_ = false;
  bool is_rest_ = false, may_stream_ = true, may_guess_ = false, is_guess_ = false, is_dear_ = false;
  std::optional<ItemBound> bound_;
  llvm::Function &function_;
  llvm::LLVMContext &context_;
  const VectorMachine &machine_;
  /** Of the ND-range. */
  const work_group_layout_t &group_layout_;
  std::unique_ptr<ItemBody> body_;
  std::unique_ptr<PrivateMemory> memory_;
  std::unique_ptr<LaneAnalysis> analysis_;
  std::unique_ptr<Layout> layout_;
  std::unique_ptr<AccessGroups> groups_;
  std::optional<Streams> streams_;
  std::unique_ptr<WholeRows> whole_rows_;
  /** Whether each row consists of whole vectors, null when that is not asked. */
  llvm::Value *whole_ = nullptr;
  bool is_sub_group_ = false, has_versions_ = false;
  /** Of a version: what it assumes. Else a mask that there may be a version for, if there is one. */
  std::optional<Factor> factor_;
  std::optional<unsigned> version_;
  double cost_ = 0;
  /** Of a version: where what it is not for goes on. */
  llvm::BasicBlock *general_ = nullptr;
  /** What became of the body's inner loops, and the cost of one work-item alone, in which they are what they were. */
  JoinedTurns joined_;
  double scalar_cost_ = 0;
  /** Where the next form goes, and the first work-item that it is for. */
  llvm::BasicBlock *here_ = nullptr;
  llvm::Value *from_ = nullptr;
  /** Whether all premises hold, null when there are none; how many work-items may run in vectors, and run at all. */
  llvm::Value *holds_ = nullptr, *usable_ = nullptr, *end_ = nullptr;
  unsigned width_ = 0, vectors_ = 1;
};

}  // namespace quern

#endif
