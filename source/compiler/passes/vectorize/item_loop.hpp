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

/** The body of an item loop: what one work-item does, copied into a function that returns at the end of the turn. Its
 * first parameter is the counter; the others stand for values from around the loop. The function exists to be analysed
 * and reshaped, and goes when this object does. */
class ItemBody {
 public:
  /** Null, with `why`, when a value from around cannot be told apart (an address that may be of several private
   * variables). */
  static std::unique_ptr<ItemBody> extract(const ItemLoop &loop, const char *&why);
  ~ItemBody();
  ItemBody(const ItemBody &) = delete;
  ItemBody &operator=(const ItemBody &) = delete;

  llvm::Function &function() const { return *function_; }
  llvm::Argument *counter() const { return function_->getArg(0); }
  /** What a parameter but the counter stands for. */
  llvm::Value *outside(const llvm::Argument *argument) const { return outside_.lookup(argument); }
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
  llvm::SmallVector<std::pair<llvm::Instruction *, llvm::WeakTrackingVH>, 4> live_out_;
};

}  // namespace quern

#endif
