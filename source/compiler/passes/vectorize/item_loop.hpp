/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The innermost loop over work-items, and its body outlined as a function. */
#ifndef COMPILER_PASSES_VECTORIZE_ITEM_LOOP_HPP
#define COMPILER_PASSES_VECTORIZE_ITEM_LOOP_HPP

#include <memory>
#include <optional>

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ValueHandle.h>

namespace quern {

/** Marks an item loop, the loop over work-items in dimension 0 of a barrier region, by metadata of its latch branch. */
void mark_item_loop(llvm::Instruction *latch_branch);
/** Whether `loop` was marked by mark_item_loop(). */
bool is_item_loop(const llvm::Loop &loop);

/** Marks an item loop that runs instead of another one, in work-groups at the border of an image (image_bounds.hpp). */
void mark_border_loop(llvm::Instruction *latch_branch);
/** Whether `loop` was marked by mark_border_loop(). */
bool is_border_loop(const llvm::Loop &loop);

/** Marks an item loop that runs instead of another one, for one value of a condition (unswitch_items.hpp). */
void mark_unswitched_loop(llvm::Instruction *latch_branch);
/** Whether `loop` was marked by mark_unswitched_loop(). */
bool is_unswitched_loop(const llvm::Loop &loop);

/** Marks a y loop, the loop over work-items in dimension 1, where work-items use their id in it. */
void mark_y_loop(llvm::Instruction *latch_branch);
/** Whether `loop` was marked by mark_y_loop(). */
bool is_y_loop(const llvm::Loop &loop);

/** A loop that runs one work-item per iteration: `for (counter = 0; counter < count; counter++)`. It runs at least
 * once, and carries nothing from iteration to iteration but the counter. */
struct ItemLoop {
  llvm::Loop *loop;
  llvm::PHINode *counter;
  llvm::BasicBlock *preheader, *header, *latch, *exit;
  /** The trip count, loop invariant and i64, and the comparison with it that ends the loop. */
  llvm::Value *count;
  llvm::ICmpInst *compare;

  /** Recognizes a marked loop. Returns empty, with null in `why`, when `loop` is not marked. Returns empty, with
   * the reason in `why`, when LLVM has transformed it beyond recognition. */
  static std::optional<ItemLoop> match(llvm::Loop &loop, const char *&why);
};

/** Whether a value is the id of a work-item, global or local: the counter of its item loop, or what that makes with the
 * id of the first one, for which `is_uniform`, without wrapping. */
bool is_item_id(const llvm::Value &value, const llvm::Value &counter,
                llvm::function_ref<bool(const llvm::Value *)> is_uniform);

/** The upper bound with which the latch's `branch` compares `next`, the incremented counter, to continue at `header`;
 * null if the branch is different. */
llvm::Value *loop_bound(const llvm::BranchInst &branch, const llvm::BasicBlock *header, const llvm::Value *next);

class YLoop;

/** Metadata on a live-out value of a body: it keeps the value even though nothing in the body uses it. */
constexpr const char *live_out_mark = "quern.live-out";

/** Removes debug records, and void intrinsics that only annotate, like assumptions and scopes of noalias metadata. They
 * describe a single work-item and have no meaning in vector code. */
void drop_annotations(llvm::Function &body);

/** For each y-varying parameter of a body (one that differs between jammed iterations of the y loop): its values in the
 * other jammed copies. */
using JammedCopies = llvm::MapVector<llvm::Value *, llvm::SmallVector<llvm::Value *, 4>>;

/** The body of an item loop, outlined into a function that does the work of one work-item and returns. Its first
 * parameter is the counter; the others stand for values from outside the loop. The function is analysed and transformed
 * by the vectorizer, and never called. This object owns it, and deletes it. */
class ItemBody {
 public:
  /** Outlines a copy of the body. Null, with the reason in `why`, when an address from outside may point to one of
   * several private variables. If `y_loop` is not null, there are parameters for the jammed copies of y-varying values
   * too. */
  static std::unique_ptr<ItemBody> extract(const ItemLoop &loop, const YLoop *y_loop, const char *&why);
  /** The body of a function that several work-items call at once. Its parameters follow the counter, which nothing
   * uses, and are followed by the addresses of its private variables. Null, with the reason in `why`, when a variable
   * has no constant size. */
  static std::unique_ptr<ItemBody> of_function(const llvm::Function &function, const char *&why);
  ~ItemBody();
  ItemBody(const ItemBody &) = delete;
  ItemBody &operator=(const ItemBody &) = delete;

  llvm::Function &function() const { return *function_; }
  llvm::Argument *counter() const { return function_->getArg(0); }
  /** For of_function(): the body's parameter for parameter `index` of the function. */
  llvm::Argument *parameter(unsigned index) const { return function_->getArg(index + 1); }
  /** The value outside the body for which a parameter stands; null for the counter. */
  llvm::Value *outside(const llvm::Argument *argument) const { return outside_.lookup(argument); }
  /** For each y-varying parameter: its values in the other jammed copies. These are computed from it in the body, or
   * are parameters, for which outside() has a value only after place_jammed_copies(). */
  const JammedCopies &jammed_copies() const { return jammed_copies_; }
  /** Computes the outside values of the jammed copies' parameters at the end of `block`. */
  void place_jammed_copies(YLoop &y_loop, llvm::BasicBlock *block);
  /** The private variable whose address a parameter is, or null. */
  llvm::AllocaInst *variable(const llvm::Argument *argument) const {
    return llvm::dyn_cast_or_null<llvm::AllocaInst>(outside(argument));
  }
  /** The body's copy of a block of the loop. */
  llvm::BasicBlock *copy_of(const llvm::BasicBlock *block) const { return copies_.lookup(block); }
  /** Values of the loop that are used after it, with their copies in the body. What is made of them is the same for all
   * work-items: `local_id < n` is where it decides on a barrier, even if the ids, which are the live-out values, are
   * not. So the values of any one work-item will do, if all are of the same one. */
  llvm::ArrayRef<std::pair<llvm::Instruction *, llvm::WeakTrackingVH>> live_out() const { return live_out_; }

 private:
  ItemBody() = default;
  class Extractor;

  llvm::Function *function_ = nullptr;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> copies_;
  llvm::DenseMap<const llvm::Argument *, llvm::Value *> outside_;
  JammedCopies jammed_copies_;
  llvm::SmallVector<std::pair<llvm::Instruction *, llvm::WeakTrackingVH>, 4> live_out_;
};

}  // namespace quern

#endif
