/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The innermost loop over work-items, and its body as a function of its own. */
#ifndef COMPILER_PASSES_VECTORIZE_ITEM_LOOP_HPP
#define COMPILER_PASSES_VECTORIZE_ITEM_LOOP_HPP

#include <memory>
#include <optional>

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ValueHandle.h>

namespace quern {

/** Marks, in the metadata of its latch, the loop over the first dimension of a region. */
void mark_item_loop(llvm::Instruction *latch_branch);

/** The same for the loop over the second dimension, where work-items ask for their place in it. */
void mark_y_loop(llvm::Instruction *latch_branch);
bool is_y_loop(const llvm::Loop &loop);

/** A loop that runs one work-item a turn: `for (counter = 0; counter < count; counter++)`, at least once, with nothing
 * carried from turn to turn but the counter. */
struct ItemLoop {
  llvm::Loop *loop;
  llvm::PHINode *counter;
  llvm::BasicBlock *preheader, *header, *latch, *exit;
  /** Loop invariant, i64, and the comparison with it that ends the loop. */
  llvm::Value *count;
  llvm::ICmpInst *compare;

  /** Empty when `loop` is not marked, or LLVM gave it another form; then `why` tells. */
  static std::optional<ItemLoop> match(llvm::Loop &loop, const char *&why);
};

/** The bound of `branch`, which goes on while `next` has not reached it; null when it is something else. */
llvm::Value *loop_bound(const llvm::BranchInst &branch, const llvm::BasicBlock *header, const llvm::Value *next);

class YLoop;

/** In the metadata of what leaves a body, though nothing in it may use the value. */
constexpr const char *leaving_mark = "quern.leaves";

/** Takes away what says something about the memory of one turn, or of variables for the debugger: it has no meaning in
 * vector form. */
void drop_annotations(llvm::Function &body);

/** For each parameter of a body that differs between rows: those of the other rows. */
using JammedCopies = llvm::MapVector<llvm::Value *, llvm::SmallVector<llvm::Value *, 4>>;

/** The body of an item loop: what one work-item does, copied into a function that returns at the end of the turn. Its
 * first parameter is the counter; the others stand for values from around the loop. The function exists to be analysed
 * and reshaped, and goes when this object does. */
class ItemBody {
 public:
  /** Null, with `why`, when a value from around cannot be told apart (an address that may be of several private
   * variables). With `rows`, there are parameters for what differs in other rows. */
  static std::unique_ptr<ItemBody> extract(const ItemLoop &loop, const YLoop *y_loop, const char *&why);
  /** That of a function which is called by several work-items at once: its parameters follow the counter, which nothing
   * uses, and are followed by the addresses of its variables. Null, with `why`, when these are not simple. */
  static std::unique_ptr<ItemBody> of_function(const llvm::Function &function, const char *&why);
  ~ItemBody();
  ItemBody(const ItemBody &) = delete;
  ItemBody &operator=(const ItemBody &) = delete;

  llvm::Function &function() const { return *function_; }
  llvm::Argument *counter() const { return function_->getArg(0); }
  /** The parameter of the body that is parameter `index` of the function that it was made from. */
  llvm::Argument *parameter(unsigned index) const { return function_->getArg(index + 1); }
  /** What a parameter but the counter stands for. */
  llvm::Value *outside(const llvm::Argument *argument) const { return outside_.lookup(argument); }
  /** For each parameter that differs between rows: those of the other rows, which stand for something only once they
   * are placed, or what is made from it in the body. */
  const JammedCopies &jammed_copies() const { return jammed_copies_; }
  /** Computes the values of other rows at the end of `block`. */
  void place_jammed_copies(YLoop &y_loop, llvm::BasicBlock *block);
  /** The private variable that a parameter is the address of, or null. */
  llvm::AllocaInst *variable(const llvm::Argument *argument) const {
    return llvm::dyn_cast_or_null<llvm::AllocaInst>(outside(argument));
  }
  /** The copy of a block of the loop. */
  llvm::BasicBlock *copy_of(const llvm::BasicBlock *block) const { return copies_.lookup(block); }
  /** Values of the loop that are used behind it, and what they are here. All work-items agree on them. */
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
