/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * How the turns of one loop are joined: in groups, or in windows. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_WIDE_LOAD_UNROLLER_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_WIDE_LOAD_UNROLLER_HPP

#include <array>

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/passes/vectorize/transform/unroll_wide_loads.hpp"

namespace quern {

/** Iterations of a group: bytes are gathered as words. Twice as many would take twice as much code, and gain
 * little: several vectors in flight gain more. */
inline constexpr unsigned unroll_factor = 4;

/** Bytes of a walk that are loaded at once where lanes are loaded one by one, and words of them. */
inline constexpr unsigned block_size = 16, block_words = block_size / 4;

/** Bytes of memory that is readable as a whole or not at all; larger pages consist of such. */
inline constexpr unsigned page_size = 4096;

/** Bytes that an element of `load` takes; 0 when it cannot be a part of an integer. */
unsigned element_size(const llvm::LoadInst &load);

/** A load in the loop, and where its first turn reads: so many bytes from `base`, which is mostly the same for all
 * work-items. */
struct LoadStream {
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
class WideLoadUnroller {
 public:
  WideLoadUnroller(llvm::Loop &loop, llvm::ArrayRef<llvm::LoadInst *> streams)
      : block_(*loop.getHeader()),
        before_(*loop.getLoopPreheader()),
        after_(*loop.getExitBlock()),
        builder_(block_.getContext()) {
    for (llvm::LoadInst *load : streams) streams_.push_back({load, element_size(*load)});
  }

  /** False when there should be no groups. To be followed by `run` when no other loop needs what is known of the loops
   * any more. */
  bool plan(const llvm::Loop &loop, OverRead over_read, PointsIntoArray points_into_array, llvm::ScalarEvolution &SE,
            llvm::SCEVExpander &expander);
  /** Adds the loops that were made to `joined`. */
  void run(UnrolledLoops &joined);
  /** Removes what only the walks' old addresses were for. */
  void clean();

 private:
  struct State {
    /** Of the header's phis, at the start of a turn, and of what is used behind the loop, at its end. */
    llvm::SmallVector<llvm::Value *, 8> phis, out;
  };
  /** What walks read, turn by turn. */
  using Elements = llvm::SmallDenseMap<const llvm::Instruction *, llvm::SmallVector<llvm::Value *, unroll_factor>, 2>;
  /** The turn whose window begins earlier, or 1, where none begins; by how many bytes; the offset then. */
  struct BlockLoad {
    llvm::Value *moved_iteration, *moved_by, *moved_offset;
  };
  /** What is in one. */
  using Words = std::array<llvm::Value *, block_words>;

  llvm::BasicBlock *add_block(const llvm::Twine &name) {
    return made_.emplace_back(llvm::BasicBlock::Create(builder_.getContext(), name, before_.getParent(), &after_));
  }
  /** `first` where control comes from `from`. */
  llvm::PHINode *add_phi(llvm::Value *first, llvm::BasicBlock *from) {
    llvm::PHINode *phi = builder_.CreatePHI(first->getType(), 2);
    phi->addIncoming(first, from);
    return phi;
  }
  llvm::Value *number(uint64_t value) const { return llvm::ConstantInt::get(induction_->getType(), value); }
  llvm::Value *address(const LoadStream &stream, llvm::Value *base, llvm::Value *offset);
  bool find_place(LoadStream &stream, llvm::ScalarEvolution &SE, llvm::SCEVExpander &expander, llvm::Instruction *end);
  void find_out();
  State copy(const Elements &elements, unsigned iteration, State state);
  llvm::Value *load(const LoadStream &stream, llvm::Value *address, llvm::Type *type, llvm::Align align);
  void part(const LoadStream &stream, llvm::Value *all, unsigned count, Elements &elements);
  void load_group(const LoadStream &stream, llvm::Value *base, Elements &elements);
  bool has_odd_word(const LoadStream &stream) const { return stream.size == 1 && reads_words_; }
  llvm::Value *load_odd_word(const LoadStream &stream, llvm::Value *offset, llvm::Value *odd);
  State merge(llvm::BasicBlock *from, const State &first, llvm::BasicBlock *other, const State &second);
  void use_carried_values(State &state) const;
  State write_odd(llvm::Value *odd, const State &state, UnrolledLoops &joined);
  void prefetch_ahead(const LoadStream &stream, llvm::BasicBlock *before);
  State write_groups(const State &state);
  llvm::Value *next(const llvm::PHINode &phi) const { return phi.getIncomingValueForBlock(&block_); }

  /* In windows (joined_windows.cpp). */
  bool suits_block_loads() const;
  void find_needed();
  BlockLoad plan_block(const LoadStream &stream, llvm::Value *last);
  Words read_block(const LoadStream &stream, const BlockLoad &block_load, llvm::Value *iteration, llvm::Value *base);
  State write_block_loads(const State &state);

  llvm::BasicBlock &block_, &before_, &after_;
  llvm::SmallVector<LoadStream, 4> streams_;
  llvm::IRBuilder<> builder_;
  llvm::SmallVector<llvm::BasicBlock *, 8> made_;
  /** What is used behind the loop. */
  llvm::SmallSetVector<llvm::Value *, 4> out_;
  /** How many there are, and that without the odd ones; the last one's number where they may be one too many for their
   * type. */
  llvm::Value *induction_ = nullptr, *whole_ = nullptr, *last_ = nullptr;
  /** What turns in windows compute. */
  llvm::SmallPtrSet<const llvm::Instruction *, 16> needed_;
  /** As many turns as a window has bytes are joined, rather than those of a group. */
  bool uses_block_loads_ = false;
  /** Odd bytes are loaded in a word that has others, too. */
  bool reads_words_ = false;
};

}  // namespace quern

#endif
