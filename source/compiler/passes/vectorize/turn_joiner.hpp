/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * How the turns of one loop are joined: in groups, or in windows. */
#ifndef COMPILER_PASSES_VECTORIZE_TURN_JOINER_HPP
#define COMPILER_PASSES_VECTORIZE_TURN_JOINER_HPP

#include <array>

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/passes/vectorize/joined_turns.hpp"

namespace quern {

/** Turns of a group: bytes are gathered as words. Twice as many would take twice as much code, and gain little: several
 * vectors in flight gain more. */
inline constexpr unsigned group_turns = 4;

/** Bytes of a walk that are loaded at once where lanes are loaded one by one, and words of them. */
inline constexpr unsigned window_size = 16, window_words = window_size / 4;

/** Bytes of memory that is readable as a whole or not at all; larger pages consist of such. */
inline constexpr unsigned page_size = 4096;

/** Bytes that an element of `load` takes; 0 when it cannot be a part of an integer. */
unsigned element_size(const llvm::LoadInst &load);

/** A load in the loop, and where its first turn reads: so many bytes from `base`, which is mostly the same for all
 * work-items. */
struct Walk {
  llvm::LoadInst *load;
  unsigned size;
  llvm::Value *base = nullptr;
  /** Of 32 bits, with a sign or without, when those suffice for all turns; else of 64. */
  llvm::Value *offset = nullptr;
  bool is_signed = true;
  /** `base` points into what is read. Else only its sum with an offset need do so. */
  bool is_in_array = false;
  /** The same address for groups, whose base grows: 32 bits suffice when they do for the first turn. */
  llvm::Value *group_base = nullptr, *group_offset = nullptr;
  /** The walk of the next work-item begins where this one ends. */
  bool is_followed = false;
};

/** One loop of one block. */
class TurnJoiner {
 public:
  TurnJoiner(llvm::Loop &loop, llvm::ArrayRef<llvm::LoadInst *> walks)
      : block_(*loop.getHeader()),
        before_(*loop.getLoopPreheader()),
        after_(*loop.getExitBlock()),
        builder_(block_.getContext()) {
    for (llvm::LoadInst *load : walks) walks_.push_back({load, element_size(*load)});
  }

  /** False when there should be no groups. To be followed by `run` when no other loop needs what is known of the loops
   * any more. */
  bool plan(const llvm::Loop &loop, Beside beside, PointsIntoArray points_into_array, llvm::ScalarEvolution &numbers,
            llvm::SCEVExpander &expander);
  /** Adds the loops that were made to `joined`. */
  void run(JoinedTurns &joined);
  /** Removes what only the walks' old addresses were for. */
  void clean();

 private:
  struct State {
    /** Of the header's phis, at the start of a turn, and of what is used behind the loop, at its end. */
    llvm::SmallVector<llvm::Value *, 8> phis, out;
  };
  /** What walks read, turn by turn. */
  using Elements = llvm::SmallDenseMap<const llvm::Instruction *, llvm::SmallVector<llvm::Value *, group_turns>, 2>;
  /** The turn whose window begins earlier, or 1, where none begins; by how many bytes; the offset then. */
  struct Window {
    llvm::Value *moved_turn, *moved_by, *moved_offset;
  };
  /** What is in one. */
  using Words = std::array<llvm::Value *, window_words>;

  llvm::BasicBlock *add_block(const llvm::Twine &name) {
    return made_.emplace_back(llvm::BasicBlock::Create(builder_.getContext(), name, before_.getParent(), &after_));
  }
  /** `first` where control comes from `from`. */
  llvm::PHINode *add_phi(llvm::Value *first, llvm::BasicBlock *from) {
    llvm::PHINode *phi = builder_.CreatePHI(first->getType(), 2);
    phi->addIncoming(first, from);
    return phi;
  }
  llvm::Value *number(uint64_t value) const { return llvm::ConstantInt::get(turns_->getType(), value); }
  llvm::Value *address(const Walk &walk, llvm::Value *base, llvm::Value *offset);
  bool find_place(Walk &walk, llvm::ScalarEvolution &numbers, llvm::SCEVExpander &expander, llvm::Instruction *end);
  void find_out();
  State copy(const Elements &elements, unsigned turn, State state);
  llvm::Value *load(const Walk &walk, llvm::Value *address, llvm::Type *type, llvm::Align align);
  void part(const Walk &walk, llvm::Value *all, unsigned count, Elements &elements);
  void load_group(const Walk &walk, llvm::Value *base, Elements &elements);
  bool has_odd_word(const Walk &walk) const { return walk.size == 1 && reads_words_; }
  llvm::Value *load_odd_word(const Walk &walk, llvm::Value *offset, llvm::Value *odd);
  State merge(llvm::BasicBlock *from, const State &first, llvm::BasicBlock *other, const State &second);
  void use_carried_values(State &state) const;
  State write_odd(llvm::Value *odd, const State &state, JoinedTurns &joined);
  void fetch_ahead(const Walk &walk, llvm::BasicBlock *before);
  State write_groups(const State &state);
  llvm::Value *next(const llvm::PHINode &phi) const { return phi.getIncomingValueForBlock(&block_); }

  /* In windows (joined_windows.cpp). */
  bool suits_windows() const;
  void find_needed();
  Window plan_window(const Walk &walk, llvm::Value *last);
  Words read_window(const Walk &walk, const Window &window, llvm::Value *turn, llvm::Value *base);
  State write_windows(const State &state);

  llvm::BasicBlock &block_, &before_, &after_;
  llvm::SmallVector<Walk, 4> walks_;
  llvm::IRBuilder<> builder_;
  llvm::SmallVector<llvm::BasicBlock *, 8> made_;
  /** What is used behind the loop. */
  llvm::SmallSetVector<llvm::Value *, 4> out_;
  /** How many there are, and that without the odd ones; the last one's number where they may be one too many for their
   * type. */
  llvm::Value *turns_ = nullptr, *whole_ = nullptr, *last_ = nullptr;
  /** What turns in windows compute. */
  llvm::SmallPtrSet<const llvm::Instruction *, 16> needed_;
  /** As many turns as a window has bytes are joined, rather than those of a group. */
  bool in_windows_ = false;
  /** Odd bytes are loaded in a word that has others, too. */
  bool reads_words_ = false;
};

}  // namespace quern

#endif
