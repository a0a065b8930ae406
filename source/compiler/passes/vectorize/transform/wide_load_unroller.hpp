/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Unrolling of one loop with load streams. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_WIDE_LOAD_UNROLLER_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_WIDE_LOAD_UNROLLER_HPP

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/passes/vectorize/transform/unroll_wide_loads.hpp"

namespace quern {

/** Bytes of a gathered word. Twice as many would take twice as much code, and gain little: interleaving gains more. */
inline constexpr unsigned word_bytes = 4;

/** Bytes that are loaded at once for each lane, where gathers are slow. */
inline constexpr unsigned slice_bytes = 16;

/** Bytes of memory that is readable as a whole or not at all; larger pages consist of such. */
inline constexpr unsigned page_size = 4096;

/** The size in bytes of an element of `load`; 0 when it cannot be a part of an integer. */
unsigned element_size(const llvm::LoadInst &load);

/** A load in the loop, and the address of its first element: `base`, mostly uniform, and an offset in bytes. */
struct LoadStream {
  llvm::LoadInst *load;
  unsigned size;
  llvm::Value *base = nullptr;
  /** Of 32 bits, signed or unsigned, when those suffice for all iterations; else of 64. */
  llvm::Value *offset = nullptr;
  bool is_signed = true;
  /** `base` points into the array that is read. Otherwise only its sum with an offset need do so. */
  bool is_in_array = false;
  /** The same address for the unrolled loop, whose base grows: 32 bits suffice when they do for the first iteration. */
  llvm::Value *group_base = nullptr, *group_offset = nullptr;
  /** The stream of the next work-item begins where this one ends. */
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

  /** Returns false when the loop is not to be unrolled. `run` follows when no other loop needs the analyses. */
  bool plan(const llvm::Loop &loop, const WideLoadOptions &options, PointsIntoArray points_into_array,
            llvm::ScalarEvolution &SE, llvm::SCEVExpander &expander);
  /** Adds the new loops to `unrolled`. */
  void run(UnrolledLoops &unrolled);
  /** Removes what only the old addresses of the streams were for. */
  void clean();

 private:
  struct State {
    /** Values of the header's phis before an iteration, and of live-outs after it. */
    llvm::SmallVector<llvm::Value *, 8> phis, out;
  };
  /** The elements of the streams, by iteration. */
  using Elements = llvm::SmallDenseMap<const llvm::Instruction *, llvm::SmallVector<llvm::Value *, slice_bytes>, 2>;
  /** Adjacent words in memory, the first one first. */
  using Words = llvm::SmallVector<llvm::Value *, slice_bytes / word_bytes>;

  llvm::BasicBlock *add_block(const llvm::Twine &name) {
    return made_.emplace_back(llvm::BasicBlock::Create(builder_.getContext(), name, before_.getParent(), &after_));
  }
  /** `first` where control comes from `from`. */
  llvm::PHINode *add_phi(llvm::Value *first, llvm::BasicBlock *from) {
    llvm::PHINode *phi = builder_.CreatePHI(first->getType(), 2);
    phi->addIncoming(first, from);
    return phi;
  }
  llvm::Value *number(uint64_t value) const { return llvm::ConstantInt::get(trip_count_->getType(), value); }
  llvm::Value *address(const LoadStream &stream, llvm::Value *base, llvm::Value *offset);
  bool find_address(LoadStream &stream, llvm::ScalarEvolution &SE, llvm::SCEVExpander &expander,
                    llvm::Instruction *end);
  unsigned choose_factor(const WideLoadOptions &options) const;
  void find_live_outs();
  State copy(const Elements &elements, unsigned iteration, State state);
  llvm::Value *load(const LoadStream &stream, llvm::Value *address, llvm::Type *type, llvm::Align align);
  void part(const LoadStream &stream, llvm::Value *all, unsigned count, Elements &elements);
  void load_group(const LoadStream &stream, llvm::Value *base, Elements &elements);
  bool has_last_words(const LoadStream &stream) const { return stream.size == 1 && may_over_read_; }
  Words load_words(const LoadStream &stream, llvm::Value *address, llvm::Align align);
  Words skip_bytes(Words words, llvm::Value *bytes);
  Words load_last_words(const LoadStream &stream, llvm::Value *offset, llvm::Value *rest);
  State merge(llvm::BasicBlock *from, const State &first, llvm::BasicBlock *other, const State &second);
  void use_carried_values(State &state) const;
  State write_remainder(llvm::Value *rest, const State &state, UnrolledLoops &unrolled);
  void prefetch_ahead(const LoadStream &stream, llvm::BasicBlock *before);
  State write_unrolled(const State &state);
  llvm::Value *next(const llvm::PHINode &phi) const { return phi.getIncomingValueForBlock(&block_); }

  llvm::BasicBlock &block_, &before_, &after_;
  llvm::SmallVector<LoadStream, 4> streams_;
  llvm::IRBuilder<> builder_;
  llvm::SmallVector<llvm::BasicBlock *, 8> made_;
  /** Live-outs of the loop. */
  llvm::SmallSetVector<llvm::Value *, 4> out_;
  /** The trip count, the part of it that the unrolled loop runs, and the backedge-taken count where the trip count may
   * wrap to zero. */
  llvm::Value *trip_count_ = nullptr, *unrolled_count_ = nullptr, *last_ = nullptr;
  /** The unroll factor. */
  unsigned factor_ = word_bytes;
  /** Each lane loads `slice_bytes` of a stream at once, where an iteration needs as many. */
  bool loads_slices_ = false;
  /** Remaining bytes are loaded in words that have others, too. */
  bool may_over_read_ = false;
};

}  // namespace quern

#endif
