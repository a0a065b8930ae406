/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Writing the vector form of an item body. */
#ifndef COMPILER_PASSES_VECTORIZE_WIDEN_WIDENER_HPP
#define COMPILER_PASSES_VECTORIZE_WIDEN_WIDENER_HPP

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/vectorize/analysis/access_groups.hpp"
#include "compiler/passes/vectorize/analysis/private_memory.hpp"
#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"
#include "compiler/passes/vectorize/function_variants.hpp"
#include "compiler/passes/vectorize/transform/linearize.hpp"
#include "compiler/passes/vectorize/transform/nontemporal_stores.hpp"
#include "compiler/passes/vectorize/transform/unmasked_version.hpp"

namespace quern {

/** A value's scalar elements in order: a vector or structure has several leaves, anything else is its own. */
using Components = llvm::SmallVector<llvm::Value *, 4>;

/** Appends the types of the leaves of `type`. */
void append_component_types(llvm::Type *type, llvm::SmallVectorImpl<llvm::Type *> &out);

/** Appends the leaves of the scalar form of a value. */
void append_components(llvm::Value *value, llvm::IRBuilder<> &builder, Components &out);

/** How many of `count` leaves of `size` bytes that lie side by side are gathered and scattered as one element. */
unsigned combined_components(unsigned count, uint64_t size);

/** Whether the elements of a vector, in each lane at an address of its own, are loaded lane by lane rather than
 * gathered. */
bool is_part(const llvm::LoadInst &load, unsigned width);

/** True for vectors that are one access for each lane when they are stored anywhere. */
bool is_stored_whole(const llvm::Type *type, unsigned width);

/** How far apart, in elements, the single elements of `size` bytes of neighbouring lanes may be for all that lies
 * between them to be loaded or stored (under masks) rather than each for itself. */
unsigned single_step(uint64_t size);

/** Most bytes that one access to consecutive memory is made for. */
inline constexpr uint64_t widest_access = 1024;

/** The numbers of `count` elements, `step` apart from `first` on. */
llvm::SmallVector<int, 64> every(unsigned step, unsigned first, unsigned count);

/** True when what all lanes do to one place is done to it by one operation. */
bool is_done_at_once(const ShapeAnalysis &analysis, const llvm::AtomicRMWInst &atomic);

/** Copies what an access to memory says of itself to one that is made from it. */
void keep_metadata(llvm::Instruction *to, const llvm::Instruction &from);

/** The same for an access that is made for all members of a group: what they agree on. */
void keep_group_metadata(llvm::Instruction *made, const AccessGroup &group);

/** What is known about the body and does not change from one copy of its vector form to the next. */
struct WidenInput {
  const ItemBody *body;
  const ShapeAnalysis *analysis;
  const Linearization *layout;
  const PrivateMemory *memory;
  unsigned width;
  VectorUnit unit;
  /** Stores to aligned addresses that pass the caches, or null. */
  const NonTemporalStores *nontemporal_stores;
  /** Vector forms of functions that the body calls. */
  FunctionVariants *functions;
  /** Lane 0 is on wherever all lanes of the body's beginning are that are on at all. */
  bool first_runs;
  /** Accesses that are made together, or null. */
  const AccessGroups *groups;
  /** What parameters stand for here, where it is not what the body says, or null. */
  const Places *places = nullptr;
  /** A branch that goes one way here, and which, or null. */
  const llvm::BasicBlock *known_branch = nullptr;
  unsigned known_successor = 0;
  /** Results that are known to fit, when all lanes are on, or null. */
  ExactValues *exact = nullptr;
};

/** Writes one vector form of a body: `width` work-items at once, lane 0 being the one with the lowest number.
 *
 * A uniform value becomes one scalar, a strided one the scalar of lane 0 (of which a vector is made where one is
 * wanted), anything else a vector for each leaf. Values of phis, and the masks of blocks, pass through slots in the
 * entry block that SROA turns into registers. */
class Widener {
 public:
  Widener(const WidenInput &input, llvm::Function &target);

  /** Says what a parameter of the body is that stands for no value from around: the scalar form of one that is uniform
   * or strided, the vectors of another. */
  void give_scalar(llvm::Argument *parameter, llvm::Value *scalar) { set_scalar(parameter, scalar); }
  void give_lanes(llvm::Argument *parameter, Components lanes) { set_lanes(parameter, std::move(lanes)); }

  /** Writes the blocks between `before`, whose end it completes, and `after`. `first` is the counter of lane 0; `mask`
   * tells the lanes that run, lane 0 among them when input.first_runs, null being all. */
  void write(llvm::BasicBlock *before, llvm::BasicBlock *after, llvm::Value *first, llvm::Value *mask);

  /** The last block written, which jumps to `after`. */
  llvm::BasicBlock *last() const { return last_; }
  /** The value of lane 0 at the end of what was written. */
  llvm::Value *first_lane(llvm::Value *value);
  /** Ends `end`, which comes behind what was written, with the return of the leaves of the body's result. */
  void return_lanes(llvm::BasicBlock *end);

 private:
  /* Values (widener_values.cpp). */
  llvm::Value *scalar(llvm::Value *value);
  const Components &lanes(llvm::Value *value);
  llvm::Value *lane(llvm::Value *value) { return lanes(value).front(); }
  void set_scalar(const llvm::Value *value, llvm::Value *scalar) { scalars_[value] = scalar; }
  void set_lanes(const llvm::Value *value, Components lanes) { lanes_[value] = std::move(lanes); }
  Components make_lanes(llvm::Value *value);
  llvm::Value *make_exact_lanes(llvm::Instruction &value, llvm::IRBuilder<> &builder);
  Components constant_lanes(llvm::Constant *constant);
  llvm::Value *expand(llvm::Value *first, Shape shape, llvm::IRBuilder<> &builder);
  llvm::Type *widen(llvm::Type *type) const;
  llvm::Value *outside(llvm::Argument *argument);
  llvm::Value *step_vector(llvm::Type *type, int64_t stride) const;

  /* Control flow (widener.cpp). */
  void make_blocks();
  void write_block(llvm::BasicBlock &block);
  void begin_block(llvm::BasicBlock &block);
  llvm::BasicBlock *skip_exit_edge(llvm::BasicBlock &block, llvm::BasicBlock *to);
  void keep_lanes(llvm::PHINode &phi, llvm::PHINode &before);
  void begin_phi(llvm::PHINode &phi);
  void end_block(llvm::BasicBlock &block);
  void write_edge(llvm::BasicBlock &from, llvm::BasicBlock &to, llvm::Value *edge_mask, bool is_only);
  void write_divergent_latch(llvm::BasicBlock &block, const LatchExit &latch);
  void write_uniform_branch(llvm::BasicBlock &block);
  void write_divergent_branch(llvm::BasicBlock &block);
  void forget_below(llvm::BasicBlock &block);
  llvm::BasicBlock *entry_of(const llvm::BasicBlock *block) const { return entries_.lookup(block); }
  llvm::AllocaInst *slot(llvm::Type *type, const llvm::Twine &name);
  const llvm::SmallVector<llvm::AllocaInst *, 4> &slots(llvm::PHINode &phi);
  llvm::Value *all_lanes() const;
  /** The current block's mask, all lanes when it is null. */
  llvm::Value *mask_or_all() const { return mask_ ? mask_ : all_lanes(); }
  llvm::Value *any_lane(llvm::Value *mask);
  llvm::Value *mask_and(llvm::Value *mask, llvm::Value *condition);

  /* Instructions (widener_instructions.cpp). */
  void write_instruction(llvm::Instruction &instruction);
  void write_scalar(llvm::Instruction &instruction);
  void write_strided(llvm::Instruction &instruction);
  llvm::Value *extend(llvm::Value *value, llvm::Type *type, bool is_signed,
                      llvm::DenseMap<llvm::Value *, llvm::Value *> &known);
  bool write_lanes(llvm::Instruction &instruction);
  bool write_elementwise(llvm::Instruction &instruction);
  bool write_division(llvm::BinaryOperator &operation);
  bool write_element_access(llvm::Instruction &instruction);
  bool write_bitcast(llvm::CastInst &cast);
  bool write_address(llvm::GetElementPtrInst &address);
  bool is_vector_offset(const llvm::Value *address) const;
  llvm::Value *offset_in_variable(llvm::GetElementPtrInst &address, bool &is_vector);
  bool write_select(llvm::SelectInst &select);

  /* Calls (widener_calls.cpp). */
  void prefetch_ahead(llvm::CallInst &call);
  bool write_call(llvm::CallInst &call);
  bool write_function(llvm::CallInst &call);
  void call_variant(llvm::CallInst &call, llvm::Function &form, llvm::ArrayRef<llvm::Value *> arguments);
  bool write_intrinsic(llvm::CallInst &call, llvm::Intrinsic::ID id);
  void write_serially(llvm::Instruction &instruction);
  void write_unrolled(llvm::Instruction &instruction);
  llvm::Value *first_on();
  bool write_atomic(llvm::AtomicRMWInst &atomic);
  llvm::Instruction *write_for_lane(llvm::Instruction &instruction, llvm::Value *index);
  llvm::Value *pick_lane(llvm::Value *value, llvm::Value *index);

  /* Operations of sub-groups, which are vectors (widener_sub_groups.cpp). */
  bool write_sub_group(llvm::CallInst &call);
  llvm::Value *ballot(llvm::Value *condition);
  llvm::Value *index_of_running(llvm::Value *index);
  void write_shuffle(llvm::CallInst &call);
  llvm::Value *shuffle(llvm::Value *component, llvm::Value *index);
  llvm::Value *fill_off_lanes(llvm::Value *value, Combination combination);
  llvm::Value *move_up(llvm::Value *lanes, llvm::Constant *filler, unsigned distance);
  llvm::Value *reduce(llvm::Value *all, Combination combination);
  llvm::Value *scan(llvm::Value *all, Combination combination, bool is_exclusive);
  llvm::Value *write_clustered(llvm::CallInst &call, Combination combination);

  /* Memory (widener_memory.cpp). */
  bool write_load(llvm::LoadInst &load);
  bool write_store(llvm::StoreInst &store);
  bool is_plain(llvm::Type *type) const;
  /** How lane 0's place is aligned, from which a row begins, when those of lanes that are on are aligned so. */
  llvm::Align contiguous_align(llvm::Align align, const llvm::Value *address) const;
  Components load_consecutive(llvm::LoadInst &load, llvm::ArrayRef<llvm::Type *> types, unsigned step);
  Components load_tested(llvm::LoadInst &load, llvm::ArrayRef<llvm::Type *> types, unsigned step,
                         const NoWrapChecks &no_wrap_checks);
  void store_tested(llvm::StoreInst &store, const Components &values, unsigned step,
                    const NoWrapChecks &no_wrap_checks);
  llvm::Value *test_extension(llvm::Instruction &extension, int64_t span);
  llvm::Value *test_clamp(llvm::MinMaxIntrinsic &limit, int64_t span);
  llvm::Value *test_aligned_block(llvm::Value *number, llvm::Value *mask, int64_t span);
  llvm::Value *test_masked_index(llvm::Instruction &place, int64_t span);
  llvm::Value *test_no_wrap(const NoWrapChecks &no_wrap_checks);
  NoWrapChecks no_wrap_checks_to_test(const llvm::Instruction &access, const llvm::Value *pointer) const;
  void store_consecutive(llvm::StoreInst &store, const Components &values, unsigned step);
  void store_uniform(llvm::StoreInst &store);
  bool load_variable(llvm::LoadInst &load, const PrivateVariable &variable);
  bool store_variable(llvm::StoreInst &store, const PrivateVariable &variable);
  llvm::Value *variable_address(const llvm::Value *pointer, const PrivateVariable &variable, uint64_t offset,
                                bool &is_vector);
  unsigned consecutive_step(llvm::Value *pointer, llvm::ArrayRef<llvm::Type *> components) const;
  llvm::Value *repeat_mask(llvm::Value *mask, unsigned step, unsigned slots);

  /* Accesses together (widener_groups.cpp). */
  const AccessGroup *group_of(const llvm::Instruction &access) const;
  llvm::Value *group_start(const AccessGroup &group, llvm::Align &align);
  llvm::Value *group_mask(const AccessGroup &group);
  void load_group(const AccessGroup &group);
  bool is_in_slots(const llvm::Value *value, unsigned step, unsigned operations) const;
  llvm::Value *in_slots(llvm::Value *value, unsigned step, unsigned slot);
  llvm::Value *interleave(const AccessGroup &group);
  void store_group(const AccessGroup &group);

  /* Elements side by side, of lanes that lie apart (widener_apart.cpp). */
  /** Numbers of 64 bits, or addresses, that grow from lane to lane by a step that all agree on. */
  struct Progression {
    llvm::Value *first, *step;
  };
  std::optional<Progression> sum_of(std::optional<Progression> left, std::optional<Progression> right, bool subtracts);
  std::optional<Progression> multiple_of(std::optional<Progression> number, llvm::Value *factor);
  std::optional<Progression> operation_progression(llvm::BinaryOperator &operation, unsigned depth);
  std::optional<Progression> address_progression(llvm::GetElementPtrInst &address, unsigned depth);
  std::optional<Progression> progression(llvm::Value *value, unsigned depth = 0);
  void for_each_address(llvm::Value *pointer, llvm::function_ref<void(unsigned, llvm::Value *)> access);
  llvm::SmallVector<llvm::Value *, 4> transpose(llvm::ArrayRef<llvm::Value *> vectors, unsigned size, unsigned unit);
  llvm::Align per_lane_align(llvm::Align align) const;
  llvm::SmallVector<llvm::Value *, 4> load_parts(llvm::Value *pointer, llvm::Type *element, unsigned count,
                                                 llvm::Align align, llvm::function_ref<void(llvm::Instruction *)> keep);
  void load_per_lane(const AccessGroup &group);
  void store_parts(llvm::ArrayRef<llvm::Value *> values, llvm::Value *pointer, llvm::Align align,
                   llvm::function_ref<void(llvm::Instruction *)> keep);
  void store_per_lane(const AccessGroup &group);

  /* Addresses apart (widener_gather.cpp). */
  /** What lanes access, and which of them do. */
  struct Reach {
    llvm::Value *addresses, *mask;
  };
  Reach reach(llvm::Value *addresses, bool at_once);
  llvm::CallInst *gather_from(llvm::Type *type, llvm::Value *addresses, llvm::Align align);
  llvm::CallInst *scatter_to(llvm::Value *value, llvm::Value *addresses, llvm::Align align);
  Components gather(llvm::LoadInst &load, llvm::ArrayRef<llvm::Type *> types);
  llvm::Value *gather_words(llvm::Type *type, llvm::Value *addresses);
  void scatter(llvm::StoreInst &store, const Components &values);
  void split_components(llvm::Value *joined, unsigned count, llvm::Type *type, Components &out);
  llvm::Value *combine_components(llvm::ArrayRef<llvm::Value *> components);

  const WidenInput &input_;
  const ShapeAnalysis &analysis_;
  const unsigned width_;
  llvm::Function &target_;
  llvm::LLVMContext &context_;
  const llvm::DataLayout &data_;
  llvm::IRBuilder<> builder_;
  llvm::BasicBlock *before_ = nullptr, *after_ = nullptr, *last_ = nullptr;
  llvm::Value *mask_ = nullptr, *top_mask_ = nullptr, *counter_ = nullptr;
  /** Blocks of the vector form: where control enters (a test, perhaps), and where the instructions are. */
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> entries_, bodies_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::Value *> masks_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::AllocaInst *> mask_slots_;
  llvm::DenseMap<const llvm::PHINode *, llvm::SmallVector<llvm::AllocaInst *, 4>> phi_slots_;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> scalars_;
  llvm::DenseMap<const llvm::Value *, Components> lanes_;
  llvm::DenseMap<const llvm::AllocaInst *, llvm::AllocaInst *> variables_;
  llvm::DenseMap<const AccessGroup *, llvm::Value *> loaded_groups_;
  /** Room for what lanes that are off load and store. */
  llvm::AllocaInst *nobodys_ = nullptr;
  /** Where vectors of addresses become single ones. */
  llvm::DenseMap<llvm::Type *, llvm::AllocaInst *> passages_;
};

}  // namespace quern

#endif
