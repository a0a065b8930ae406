/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Widener: code generation for the vectorized item body. */
#ifndef COMPILER_PASSES_VECTORIZE_WIDEN_WIDENER_HPP
#define COMPILER_PASSES_VECTORIZE_WIDEN_WIDENER_HPP

#include <cassert>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/vectorize/analysis/access_groups.hpp"
#include "compiler/passes/vectorize/analysis/private_memory.hpp"
#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"
#include "compiler/passes/vectorize/analysis/vector_layout.hpp"
#include "compiler/passes/vectorize/function_variants.hpp"
#include "compiler/passes/vectorize/transform/linearize.hpp"
#include "compiler/passes/vectorize/transform/nontemporal_stores.hpp"
#include "compiler/passes/vectorize/transform/unmasked_version.hpp"

namespace quern {

/** The components of a value in order, one entry each. A vector, structure or array has one component per scalar
 * element; a scalar is its own component. The entries are scalars, or vectors of one element per lane for a
 * widened value. */
using Components = llvm::SmallVector<llvm::Value *, 4>;

/** Appends the scalar types of the components of `type` in order. */
void append_component_types(llvm::Type *type, llvm::SmallVectorImpl<llvm::Type *> &out);

/** Appends the components of a scalar (not widened) value, extracting them from vectors and aggregates. */
void append_components(llvm::Value *value, llvm::IRBuilder<> &builder, Components &out);

/** The number of adjacent components that are gathered or scattered as one element of 32 or 64 bits. `count` components
 * of `size` bytes are left to access. 1 when no combination fits. */
unsigned combined_components(unsigned count, uint64_t size);

/** True for a vector type that is stored by one vector store for each lane, after a transposition, instead of scatters.
 * It fills per_lane_bytes and has at most `width` elements. */
bool is_stored_per_lane(const llvm::Type *type, unsigned width);

/** Whether a scalar access of `size` bytes with this stride in bytes becomes one wide access that covers the gaps
 * (masked where needed). Otherwise it is gathered or scattered. */
bool is_dense(const llvm::Instruction &access, uint64_t size, uint64_t stride);

/** The shuffle indices first, first + step, first + 2 * step, ... (`count` of them). Compare llvm::createStrideMask. */
llvm::SmallVector<int, 64> strided_indices(unsigned step, unsigned first, unsigned count);

/** True when an atomic of all lanes on one uniform address becomes a reduction and one scalar atomic. It must not be
 * volatile and its operation must be a ReductionKind. */
bool is_reducible_atomic(const ShapeAnalysis &analysis, const llvm::AtomicRMWInst &atomic);

/** Whether a value, or a component of it, is converted to another type. */
bool is_converted(const llvm::Value &value);

/** Copies TBAA, alias scopes, noalias, nontemporal and invariant-load metadata to an access derived from `from`, and
 * whether it is volatile. */
void copy_access_metadata(llvm::Instruction *to, const llvm::Instruction &from);

/** The same for the wide access of a group: the metadata that all members agree on (llvm::propagateMetadata). Groups
 * that store what they load from gaps get none. */
void copy_group_metadata(llvm::Instruction *made, const AccessGroup &group);

/** The plan of the vector code: analyses and decisions shared by all Wideners of one body. All pointers are borrowed
 * and must outlive the Widener. */
struct WidenInput {
  const ItemBody *body;
  const ShapeAnalysis *analysis;
  const Linearization *linearization;
  const PrivateMemory *memory;
  unsigned width;
  VectorUnit unit;
  /** Stores to make non-temporal, or null. Their addresses are known to be aligned. */
  const NonTemporalStores *nontemporal_stores;
  /** Vector variants of the functions that the body calls. */
  FunctionVariants *functions;
  /** Lane 0 is active in the entry block's mask: blocks with the entry block's mask run with lane 0 active. */
  bool is_lane_zero_active;
  /** Interleave groups and per-lane groups of the body, or null. */
  const AccessGroups *groups;
  /** The layout of explicit vectors; null: SoA for all. */
  const VectorLayout *layout = nullptr;
  /** Values that replace ItemBody::outside for some parameters, or null. */
  const ArgumentValues *argument_values = nullptr;
  /** The block of an unswitched branch, or null: only successor `known_successor` is reached (compare
   * SimpleLoopUnswitch). */
  const llvm::BasicBlock *known_branch = nullptr;
  unsigned known_successor = 0;
  /** Values known not to overflow when all lanes are active; copies of them are recorded here. May be null. */
  NoWrapValues *no_wrap_values = nullptr;
};

/** Generates the vector code of one item body, for `width` work-items (lanes). Lane 0 is the one with the lowest ID.
 * This is whole-function vectorization (Karrenberg and Hack, CGO 2011) after partial control-flow linearization (Moll
 * and Hack, PLDI 2018). The LLVM counterpart is the execution of a VPlan.
 *
 * A uniform value becomes one scalar. A strided value becomes the scalar of lane 0, expanded to a vector on demand. A
 * varying value becomes one vector for each component, or one for all (VectorLayout). Values of phis and masks of
 * blocks pass through allocas in the entry block, which SROA promotes to registers. Every block of the body is
 * generated once, in the order of ShapeAnalysis::order. */
class Widener {
 public:
  /** `input` is kept by reference; `function` receives the code. Allocas go to the start of its entry block. */
  Widener(const WidenInput &input, llvm::Function &function);

  /** Sets the value of a parameter of the body that ItemBody::outside does not map. To be called before write(), with
   * the scalar of a uniform parameter, the value of lane 0 of a strided one, or the vectors of a varying one. */
  void bind_scalar(llvm::Argument *parameter, llvm::Value *scalar) { set_scalar(parameter, scalar); }
  void bind_vectors(llvm::Argument *parameter, Components components) { set_vectors(parameter, std::move(components)); }

  /** Generates the vector blocks between `before`, to which it adds the terminator, and `after`. `induction` is the
   * induction variable of the item loop for lane 0. `mask` has the active lanes, null when all are; at least one lane
   * must be active, and lane 0 when input.is_lane_zero_active. Call once. */
  void write(llvm::BasicBlock *before, llvm::BasicBlock *after, llvm::Value *induction, llvm::Value *mask);

  /** The generated block that branches to `after`. */
  llvm::BasicBlock *last() const { return last_; }
  /** The value of lane 0, extracted before the branch to `after`. */
  llvm::Value *first_lane(llvm::Value *value);
  /** Terminates `end`, a successor of the generated code, with a return of the body's result: void, one vector, or a
   * structure of one vector for each component. */
  void write_return(llvm::BasicBlock *end);

 private:
  /* Scalar and widened values (values.cpp). */
  /** The scalar of a uniform value, or the value of lane 0 of a strided one. */
  llvm::Value *scalar(llvm::Value *value);
  /** The widened value, one vector for each component. The reference is valid until the next call. */
  const Components &vectors(llvm::Value *value);
  /** The widened value of a scalar type. */
  llvm::Value *only_vector(llvm::Value *value) {
    const Components &components = vectors(value);
    assert(components.size() == 1 && "the value must have one component");
    return components.front();
  }
  void set_scalar(const llvm::Value *value, llvm::Value *scalar) { scalars_[value] = scalar; }
  void set_vectors(const llvm::Value *value, Components components) { vectors_[value] = std::move(components); }
  void set_insert_point_after(llvm::Value *made, const llvm::Value *value, llvm::IRBuilder<> &builder) const;
  Components make_vectors(llvm::Value *value);
  llvm::Value *make_wrapping_vector(llvm::Instruction &value, llvm::IRBuilder<> &builder);
  Components constant_vectors(llvm::Constant *constant);
  /** Expands lane 0 of a uniform or strided value to a vector. */
  llvm::Value *expand(llvm::Value *first, Shape shape, llvm::IRBuilder<> &builder);
  /** The vector type with one element of `type` for each lane. */
  llvm::Type *widen(llvm::Type *type) const;
  /** The value that a parameter of the body stands for. */
  llvm::Value *live_in(llvm::Argument *argument);
  llvm::Value *step_vector(llvm::Type *type, int64_t stride) const;

  /* Explicit vectors in the array-of-structures layout (aos_values.cpp). */
  bool is_aos(const llvm::Value *value) const { return input_.layout && input_.layout->is_aos(value); }
  llvm::FixedVectorType *aos_type(const llvm::Type &type) const;
  llvm::Value *repeat_lanes(llvm::Value *value);
  /** The components of all lanes, lane after lane, of a constant, a uniform value or one that has been written. */
  llvm::Value *aos_vector(llvm::Value *value);
  llvm::Value *aos_of_components(const llvm::Type &type, const Components &components);
  void make_aos(llvm::Value *value);
  Components components_here(llvm::Value *value);
  Components components_of_aos(llvm::Value *value);
  llvm::Value *extract_component(const llvm::ExtractElementInst &extract, unsigned index);
  llvm::Value *broadcast_to_components(llvm::Value *value, unsigned stride);
  llvm::Value *load_contiguous_aos(llvm::LoadInst &load);
  llvm::Value *load_aos(llvm::LoadInst &load);
  void store_contiguous_aos(llvm::StoreInst &store);
  void store_aos(llvm::StoreInst &store);
  llvm::Value *select_aos(llvm::SelectInst &select);
  llvm::Value *shuffle_aos(llvm::ShuffleVectorInst &shuffle);
  llvm::Value *componentwise_aos(llvm::Instruction &instruction);
  void write_aos(llvm::Instruction &instruction);

  /* Control flow, masks and phis (widener.cpp). */
  void make_blocks();
  void write_block(llvm::BasicBlock &block);
  void begin_block(llvm::BasicBlock &block);
  llvm::BasicBlock *make_skipped_exit(llvm::BasicBlock &block, llvm::BasicBlock *to);
  Components phi_vectors(const llvm::PHINode &phi, llvm::Value *value);
  llvm::Value *phi_mask(const llvm::PHINode &phi, llvm::Value *mask);
  void set_phi(const llvm::PHINode &phi, Components values);
  void blend_phi(llvm::PHINode &phi, llvm::PHINode &header_phi);
  void begin_phi(llvm::PHINode &phi);
  void end_block(llvm::BasicBlock &block);
  void write_edge(llvm::BasicBlock &from, llvm::BasicBlock &to, llvm::Value *edge_mask, bool is_only_edge);
  void write_divergent_latch(llvm::BasicBlock &block, const LatchExit &latch);
  void write_uniform_branch(llvm::BasicBlock &block);
  void write_divergent_branch(llvm::BasicBlock &block);
  void reset_slots_below(llvm::BasicBlock &block);
  /** The block to branch to for a block of the body. */
  llvm::BasicBlock *entry_of(const llvm::BasicBlock *block) const { return entries_.lookup(block); }
  /** A new alloca in the entry block. */
  llvm::AllocaInst *make_slot(llvm::Type *type, const llvm::Twine &name);
  /** The slots of a phi, one for each component; made on first use. */
  const llvm::SmallVector<llvm::AllocaInst *, 4> &phi_slots(llvm::PHINode &phi);
  llvm::Value *all_lanes() const;
  /** The mask of the current block; the all-true constant when mask_ is null. */
  llvm::Value *mask_or_all() const { return mask_ ? mask_ : all_lanes(); }
  /** i1: some lane of the mask is active (the test of BOSCC, Shin 2007). */
  llvm::Value *any_lane(llvm::Value *mask);
  /** The conjunction of a mask, null for all lanes, and a condition that may be poison on inactive lanes. */
  llvm::Value *mask_and(llvm::Value *mask, llvm::Value *condition);

  /* Instructions without memory accesses (instructions.cpp). */
  /* Functions that return bool return false where the instruction must be scalarized. */
  void write_instruction(llvm::Instruction &instruction);
  void write_scalar(llvm::Instruction &instruction);
  void write_strided(llvm::Instruction &instruction);
  llvm::Value *extend(llvm::Value *value, llvm::Type *type, bool is_signed,
                      llvm::DenseMap<llvm::Value *, llvm::Value *> &known);
  bool write_varying(llvm::Instruction &instruction);
  llvm::Instruction *make_elementwise(llvm::Instruction &instruction, llvm::ArrayRef<llvm::Value *> operands);
  bool write_elementwise(llvm::Instruction &instruction);
  bool write_element_access(llvm::Instruction &instruction);
  bool write_bitcast(llvm::CastInst &cast);
  bool write_address(llvm::GetElementPtrInst &address);
  bool is_vector_offset(const llvm::Value *address) const;
  llvm::Value *offset_in_variable(llvm::GetElementPtrInst &address, bool &is_vector);
  bool write_select(llvm::SelectInst &select);

  /* Divisions of integers (divisions.cpp). */
  /** `uniform_divisor`: the scalar that all lanes divide by, or null. */
  llvm::Value *divide(llvm::BinaryOperator &operation, llvm::Value *dividend, llvm::Value *divisor,
                      llvm::Value *uniform_divisor);
  bool write_division(llvm::BinaryOperator &operation);

  /* Calls, atomics and scalarized instructions (calls.cpp). */
  void prefetch_ahead(llvm::CallInst &call);
  bool write_call(llvm::CallInst &call);
  bool write_function(llvm::CallInst &call);
  void call_variant(llvm::CallInst &call, llvm::Function &variant, llvm::ArrayRef<llvm::Value *> arguments);
  llvm::CallInst *make_intrinsic(llvm::CallInst &call, llvm::Type &type, llvm::ArrayRef<llvm::Value *> arguments);
  bool write_intrinsic(llvm::CallInst &call, llvm::Intrinsic::ID id);
  /** Scalarizes an instruction in a loop over the active lanes. */
  void write_serially(llvm::Instruction &instruction);
  /** Scalarizes an instruction without a loop, for all lanes. */
  void write_unrolled(llvm::Instruction &instruction);
  llvm::Value *first_active_lane();
  bool write_atomic(llvm::AtomicRMWInst &atomic);
  llvm::Instruction *clone_for_lane(llvm::Instruction &instruction, llvm::Value *index);
  /** The scalar value of lane `index`. */
  llvm::Value *extract_lane(llvm::Value *value, llvm::Value *index);

  /* Sub-group operations; a sub-group is one vector (sub_groups.cpp). */
  bool write_sub_group(llvm::CallInst &call);
  llvm::Value *ballot(llvm::Value *condition);
  llvm::Value *wrap_lane_index(llvm::Value *index);
  void write_shuffle(llvm::CallInst &call);
  llvm::Value *shuffle(llvm::Value *component, llvm::Value *index);
  llvm::Value *fill_inactive_lanes(llvm::Value *value, ReductionKind combination);
  llvm::Value *shift_lanes_up(llvm::Value *value, llvm::Constant *filler, unsigned distance);
  llvm::Value *reduce(llvm::Value *all, ReductionKind combination);
  llvm::Value *scan(llvm::Value *all, ReductionKind combination, bool is_exclusive);
  llvm::Value *write_clustered(llvm::CallInst &call, ReductionKind combination);

  /* Loads and stores (memory.cpp). */
  bool write_load(llvm::LoadInst &load);
  bool write_store(llvm::StoreInst &store);
  bool has_no_padding(llvm::Type *type) const;
  /** The alignment of lane 0's address, at which a contiguous access starts, given `align` of the active lanes. Lane 0
   * may be inactive under a mask. */
  llvm::Align contiguous_align(llvm::Align align, const llvm::Value *address) const;
  Components load_consecutive(llvm::LoadInst &load, llvm::ArrayRef<llvm::Type *> types, unsigned step);
  bool is_block_uniform(const llvm::LoadInst &load) const;
  Components load_broadcast(llvm::LoadInst &load);
  /* Two versions of an access, one for lanes that follow each other, which the i1 tells. */
  Components load_checked(llvm::Value *is_contiguous, llvm::function_ref<Components()> load_contiguous,
                          llvm::function_ref<Components()> load_gathered);
  void store_checked(llvm::Value *is_contiguous, llvm::function_ref<void()> store_contiguous,
                     llvm::function_ref<void()> store_scattered);
  /* Volatile accesses (volatile_accesses.cpp). */
  bool is_wide_volatile(const llvm::Instruction &access) const;
  llvm::Value *is_access_of_all(const llvm::Instruction &access);
  void load_volatile(llvm::LoadInst &load);
  void store_volatile(llvm::StoreInst &store);
  /* Each test is an i1 that is true when the lanes from 0 to width - 1 are strided without wrapping. `span` is the
   * distance of the last lane from lane 0. */
  llvm::Value *test_extension(llvm::Instruction &extension, int64_t span);
  llvm::Value *extended_value(llvm::Instruction &extension);
  llvm::Value *test_clamp(llvm::MinMaxIntrinsic &clamp, int64_t span);
  llvm::Value *test_aligned_block(llvm::Value *index, llvm::Value *mask, int64_t span);
  llvm::Value *test_masked_index(llvm::Instruction &operation, int64_t span);
  llvm::Value *test_no_wrap(const NoWrapChecks &no_wrap_checks);
  NoWrapChecks required_no_wrap_checks(const llvm::Instruction &access, const llvm::Value *pointer) const;
  void store_consecutive(llvm::StoreInst &store, const Components &values, unsigned step);
  void mark_nontemporal(llvm::Instruction &made, const llvm::StoreInst &store);
  void store_uniform(llvm::StoreInst &store);
  bool load_variable(llvm::LoadInst &load, const PrivateVariable &variable);
  bool store_variable(llvm::StoreInst &store, const PrivateVariable &variable);
  llvm::Value *variable_address(const llvm::Value *pointer, const PrivateVariable &variable, uint64_t offset,
                                bool &is_vector);
  unsigned consecutive_step(const llvm::Instruction &access, llvm::ArrayRef<llvm::Type *> components) const;
  llvm::Value *replicate_mask(llvm::Value *mask, unsigned step, unsigned slots, unsigned begin, unsigned count);
  Components element_masks(unsigned step, unsigned slots);
  /** The type of a vector in memory, and the masks of its elements: none when all are active, one, or one for each of
   * the parts in which it is accessed. */
  struct WideAccess {
    llvm::FixedVectorType *type;
    Components masks;
  };
  struct WidePart {
    llvm::FixedVectorType *type;
    llvm::Value *address;
    llvm::Align align;
    llvm::SmallVector<int, 64> indices;
  };
  WideAccess wide_access(llvm::Type *element, unsigned step, unsigned slots);
  WidePart wide_part(const WideAccess &wide, unsigned part, llvm::Value *first, llvm::Align align);
  llvm::Value *load_wide(const WideAccess &wide, llvm::Value *first, llvm::Align align,
                         llvm::function_ref<void(llvm::Instruction *)> copy_metadata);
  void store_wide(const WideAccess &wide, llvm::Value *all, llvm::Value *first, llvm::Align align,
                  llvm::function_ref<void(llvm::Instruction *)> copy_metadata);

  /* Interleave groups (interleaved_accesses.cpp). */
  const AccessGroup *group_of(const llvm::Instruction &access) const;
  llvm::Value *group_start(const AccessGroup &group, llvm::Align &align);
  WideAccess wide_access(const AccessGroup &group);
  void load_group(const AccessGroup &group);
  /** An element of a vector, or a scalar; or none, if null. */
  struct Component {
    llvm::Value *value;
    unsigned index;
  };
  Component moved_from(Component component) const;
  bool is_interleaved(Component component, const llvm::Type *element, unsigned step, unsigned operations) const;
  bool is_interleaved_alike(Component left, Component right) const;
  llvm::Value *interleave_uniform(llvm::ArrayRef<Component> components, llvm::Type *element);
  llvm::Value *interleave_loaded(llvm::ArrayRef<Component> components, llvm::Type *element);
  llvm::Value *interleave_operations(llvm::ArrayRef<Component> components, llvm::Type *element);
  llvm::Value *interleaved_value(llvm::ArrayRef<Component> components, llvm::Type *element);
  llvm::Value *merge_components(llvm::Value *all, llvm::ArrayRef<Component> components, llvm::Type *element);
  llvm::Value *merge_slots(llvm::Value *all, llvm::Value *values, unsigned step,
                           llvm::function_ref<bool(unsigned)> is_replaced);
  llvm::Value *stored_elements(const AccessGroup &group, const Components &shuffled,
                               llvm::ArrayRef<Component> interleaved, unsigned count);
  void store_group(const AccessGroup &group);

  /* One vector access for each lane, with a transposition (per_lane_accesses.cpp). */
  /** 64-bit integers or addresses that grow from lane to lane by a uniform step known at run time. */
  struct Progression {
    llvm::Value *first, *step;
  };
  std::optional<Progression> sum_of(std::optional<Progression> left, std::optional<Progression> right, bool subtracts);
  std::optional<Progression> multiple_of(std::optional<Progression> value, llvm::Value *factor);
  std::optional<Progression> operation_progression(llvm::BinaryOperator &operation, unsigned depth);
  std::optional<Progression> address_progression(llvm::GetElementPtrInst &address, unsigned depth);
  std::optional<Progression> progression(llvm::Value *value, unsigned depth = 0);
  llvm::SmallVector<llvm::Value *, 16> affine_addresses(llvm::Value *pointer);
  llvm::SmallVector<llvm::Value *, 16> lane_addresses(llvm::Instruction &access);
  void load_per_lane(const AccessGroup &group);
  void store_per_lane(const AccessGroup &group);

  /* The parts of a register that hold elements of one lane (lane_slices.cpp). */
  Components transpose(llvm::ArrayRef<llvm::Value *> sources, unsigned size, unsigned unit);
  llvm::Align per_lane_align(llvm::Align align) const;
  unsigned slice_elements(const llvm::Type &element, unsigned step, unsigned slots) const;
  llvm::SmallVector<llvm::Value *, 16> slice_addresses(llvm::Value *first, uint64_t slices, uint64_t slice);
  Components load_slices(llvm::ArrayRef<llvm::Value *> addresses, llvm::Type *element, unsigned count,
                         llvm::Align align, llvm::function_ref<void(llvm::Instruction *)> copy_metadata);
  void store_slices(llvm::ArrayRef<llvm::Value *> values, llvm::ArrayRef<llvm::Value *> addresses, llvm::Align align,
                    llvm::function_ref<void(llvm::Instruction *)> copy_metadata);
  Components deinterleave_slice(llvm::Value *all, unsigned step, unsigned count, unsigned slice);
  Components deinterleave(llvm::Value *all, unsigned step, unsigned slots, unsigned count, bool converts = false);
  Components load_deinterleaved(llvm::Value *first, llvm::Type *element, unsigned step, unsigned slots, unsigned count,
                                llvm::Align align, llvm::function_ref<void(llvm::Instruction *)> copy_metadata);
  void store_with_gaps(const Components &values, llvm::Value *first, unsigned step, unsigned count, llvm::Align align,
                       llvm::function_ref<void(llvm::Instruction *)> copy_metadata);
  llvm::Value *interleave_slices(llvm::ArrayRef<llvm::Value *> values, unsigned count);
  llvm::Value *interleave(llvm::ArrayRef<llvm::Value *> values, unsigned step, unsigned count);

  /* Narrow elements as parts of words (element_words.cpp). */
  Components deinterleave_words(llvm::Value *all, unsigned step);
  llvm::Value *truncated_word(llvm::Value *value);
  llvm::Value *interleave_words(llvm::ArrayRef<llvm::Value *> values, unsigned step);

  /* Gathers and scatters (gather.cpp, narrow_gathers.cpp). */
  /** The operands of a gather or scatter. */
  struct MaskedAddresses {
    llvm::Value *addresses, *mask;
  };
  llvm::AllocaInst *scratch(bool is_store);
  MaskedAddresses redirect_inactive_lanes(llvm::Value *addresses, bool is_native, bool is_store);
  bool is_below_word(const llvm::Type &element) const;
  llvm::CallInst *gather_from(llvm::Type *type, llvm::Value *addresses, llvm::Align align);
  llvm::CallInst *scatter_to(llvm::Value *value, llvm::Value *addresses, llvm::Align align);
  Components gather(llvm::LoadInst &load, llvm::ArrayRef<llvm::Type *> types);
  llvm::Value *address_of_component(llvm::Value *addresses, uint64_t offset);
  llvm::Value *gather_component(const llvm::LoadInst &load, llvm::Type *type, llvm::Value *addresses, uint64_t offset);
  llvm::Value *load_lanes(const llvm::LoadInst &load, llvm::Type *type, llvm::ArrayRef<llvm::Value *> addresses,
                          uint64_t offset);
  void store_lanes(const llvm::StoreInst &store, llvm::Value *value, llvm::ArrayRef<llvm::Value *> addresses,
                   uint64_t offset);
  llvm::Value *gather_words(llvm::Type *type, llvm::Value *addresses);
  void scatter(llvm::StoreInst &store, const Components &values);
  void split_components(llvm::Value *combined, unsigned count, llvm::Type *type, Components &out);
  llvm::Value *combine_components(llvm::ArrayRef<llvm::Value *> components);

  const WidenInput &input_;
  const ShapeAnalysis &analysis_;
  const unsigned width_;
  llvm::Function &function_;
  llvm::LLVMContext &context_;
  const llvm::DataLayout &data_layout_;
  llvm::IRBuilder<> builder_;
  llvm::BasicBlock *before_ = nullptr, *after_ = nullptr, *last_ = nullptr;
  /** The masks of the current block and of the body's entry block, null when all lanes are active. */
  llvm::Value *mask_ = nullptr, *entry_mask_ = nullptr, *induction_ = nullptr;
  /** The generated blocks: the block that control enters (it may hold the test for an empty mask), and the block of the
   * instructions. */
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> entries_, bodies_;
  /** Masks by root block; null when all lanes are active. */
  llvm::DenseMap<const llvm::BasicBlock *, llvm::Value *> masks_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::AllocaInst *> mask_slots_;
  llvm::DenseMap<const llvm::PHINode *, llvm::SmallVector<llvm::AllocaInst *, 4>> phi_slots_;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> scalars_;
  llvm::DenseMap<const llvm::Value *, Components> vectors_;
  /** Values in AoS. One may be in `vectors_`, too. */
  llvm::DenseMap<const llvm::Value *, llvm::Value *> aos_vectors_;
  /** The allocas for all lanes of private variables. */
  llvm::DenseMap<const llvm::AllocaInst *, llvm::AllocaInst *> variables_;
  /** The wide vectors that load groups have loaded. */
  llvm::DenseMap<const AccessGroup *, llvm::Value *> loaded_groups_;
  /** The memory that inactive lanes load from, and that which they store to, or null. */
  llvm::AllocaInst *load_scratch_ = nullptr, *store_scratch_ = nullptr;
  /** Buffers through which a vector of addresses is split into scalars, by vector type. */
  llvm::DenseMap<llvm::Type *, llvm::AllocaInst *> address_buffers_;
};

}  // namespace quern

#endif
