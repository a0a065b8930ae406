/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Spilling or rematerialization of SSA values that are live across barriers. A value is live across a barrier when one
 * of its live-in blocks (liveness.hpp) is a cut point. */
#include "compiler/passes/values_across_barriers.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/liveness.hpp"
#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/work_items.hpp"

using namespace llvm;

namespace quern {
namespace {

/* Most instructions that are rematerialized for one value: of any kind, and of those that are not affine. */
constexpr unsigned max_rematerialized = 24, max_not_affine = 8;

/* Most values that are reloaded to rematerialize one. */
constexpr unsigned max_inputs = 2;

/* Most pairs of values that are tested for interference before two groups share a slot. */
constexpr unsigned max_pairs_compared = 16;

bool is_cheap_intrinsic(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call) return false;
  switch (call->getIntrinsicID()) {
    case Intrinsic::abs:
    case Intrinsic::fabs:
    case Intrinsic::fma:
    case Intrinsic::fmuladd:
    case Intrinsic::maxnum:
    case Intrinsic::minnum:
    case Intrinsic::smax:
    case Intrinsic::smin:
    case Intrinsic::umax:
    case Intrinsic::umin: return true;
    default: return false;
  }
}

/* Whether the operation is pure and cheap. Divisions and freezes are not rematerialized; a second freeze could give
 * another value. */
bool is_rematerializable_operation(const Instruction &instruction) {
  const bool is_pure =
      isa<BinaryOperator, UnaryOperator, CastInst, GetElementPtrInst, CmpInst, SelectInst>(instruction) ||
      is_cheap_intrinsic(instruction) || work_item_call(&instruction) != WorkItem::none ||
      is_sub_group_position(sub_group_call(&instruction).kind);
  if (!is_pure || instruction.mayHaveSideEffects()) return false;
  const unsigned opcode = instruction.getOpcode();
  return !instruction.isIntDivRem() && opcode != Instruction::FDiv && opcode != Instruction::FRem;
}

/* What may still be rematerialized for a value. */
class RematerializationBudget {
 public:
  /** Whether there is room for the operation, which is taken then. Affine operations on ids with uniform factors take
   * less: they are scalar code for a vector of work-items, and addresses that are computed from them are contiguous,
   * where those from reloaded values are gathered. */
  bool take(const Instruction &operation, const Divergence &divergence);

 private:
  unsigned any_ = max_rematerialized, not_affine_ = max_not_affine;
};

bool is_affine_operation(const Instruction &operation, const Divergence &divergence) {
  switch (operation.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Trunc:
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::GetElementPtr: return true;
    case Instruction::Mul:
      return divergence.is_uniform(operation.getOperand(0)) || divergence.is_uniform(operation.getOperand(1));
    case Instruction::Shl: return divergence.is_uniform(operation.getOperand(1));
    default: return work_item_call(&operation) != WorkItem::none;
  }
}

bool RematerializationBudget::take(const Instruction &operation, const Divergence &divergence) {
  if (any_ == 0) return false;
  any_--;
  if (is_affine_operation(operation, divergence)) return true;
  if (not_affine_ == 0) return false;
  not_affine_--;
  return true;
}

/* Disjoint groups of values that share a slot; at first each value is a group of its own. llvm::EquivalenceClasses is
 * not used: its allocator would be instantiated here a second time, and AddressSanitizer reports what one copy of it
 * does as an error of the other. */
class SlotCoalescing {
 public:
  ArrayRef<const Instruction *> members(const Instruction *value) { return groups_[group_of(value)]; }
  bool in_same_group(const Instruction *one, const Instruction *other) { return group_of(one) == group_of(other); }
  void merge_groups(const Instruction *one, const Instruction *other);
  /** Index of the value's group; adds a group for a new value. */
  unsigned group_of(const Instruction *value);

 private:
  DenseMap<const Instruction *, unsigned> group_index_;
  SmallVector<SmallVector<const Instruction *, 2>, 8> groups_;
};

unsigned SlotCoalescing::group_of(const Instruction *value) {
  auto [entry, is_new] = group_index_.try_emplace(value, unsigned(groups_.size()));
  if (is_new) groups_.push_back({value});
  return entry->second;
}

void SlotCoalescing::merge_groups(const Instruction *one, const Instruction *other) {
  const unsigned target_group = group_of(one), source_group = group_of(other);
  for (const Instruction *member : groups_[source_group]) {
    group_index_[member] = target_group;
    groups_[target_group].push_back(member);
  }
  groups_[source_group].clear();
}

class BarrierSpiller {
 public:
  BarrierSpiller(Function &function, const Regions &regions, const Divergence &divergence)
      : function_(function), regions_(regions), divergence_(divergence) {}

  VariablesAcrossBarriers run();

 private:
  /** Divergent values from which an expression is computed, and which cannot be computed again. */
  using Inputs = SmallSetVector<Instruction *, 4>;

  LiveBlocks blocks_reached_from_cut_points(const Instruction &value, const LiveBlocks &live) const;
  bool collect_inputs(Value *value, bool is_root, RematerializationBudget &budget, Inputs &inputs) const;
  bool can_rematerialize(Value *value) const;
  bool can_use_inputs(const Instruction &value, const Inputs &inputs) const;
  bool is_uniform_for_group(const Value *value) const;
  bool is_live_across_cut_point(const LiveBlocks &live) const;
  bool is_carried_by_phi(const Instruction &value) const;
  void choose_values_kept_per_item(ArrayRef<Instruction *> values);
  Value *rematerialize(Value *value, Instruction *before);
  bool can_coalesce(const Instruction &value, const Instruction &other);
  void coalesce_slots(PHINode &phi);
  AllocaInst *get_or_create_slot(Instruction &value);
  Value *create_reload(Instruction &value, Instruction *before);
  void find_slot_of_incoming(PHINode &phi);
  void note_unchanged_edges(PHINode &phi);
  bool may_store_on_edges(const PHINode &phi) const;
  void store_on_edges(PHINode &phi, ArrayRef<bool> is_unchanged);
  void spill_or_rematerialize(Instruction &value);
  bool is_local_to_region(const AllocaInst &alloca) const;
  void find_owners();

  Function &function_;
  const Regions &regions_;
  const Divergence &divergence_;
  VariablesAcrossBarriers variables_;
  /** Values of the kernel as it was analysed: divergence of new instructions is not known. */
  DenseSet<const Value *> originals_;
  /** Divergent values that have a slot, and those among them that are reloaded to compute others. */
  DenseSet<const Value *> kept_per_item_, inputs_;
  /** Values that share a slot. */
  SlotCoalescing coalescing_;
  /** Phis that are not kept themselves, but whose value their incoming values' slot has. */
  DenseSet<const Value *> follows_slot_;
  /** Slots of the values that have been spilled, and of the groups by index. */
  DenseMap<const Value *, AllocaInst *> slots_;
  DenseMap<unsigned, AllocaInst *> group_slots_;
  /** What stores a value in its slot where it is defined. */
  DenseMap<const Value *, StoreInst *> slot_stores_;
  /** Divergent phis with the incoming edges on which their slot has their value already, as it is that of the incoming
   * value. */
  MapVector<PHINode *, SmallVector<bool, 4>> unchanged_edges_;
  /** The entries of the regions that a block belongs to. */
  DenseMap<const BasicBlock *, SmallVector<const BasicBlock *, 1>> owners_;
  DenseSet<const BasicBlock *> cyclic_;
};

/* Live-in blocks of the value that are reachable from a cut point without passing the definition. Uses in them need a
 * reload or a rematerialized copy. */
LiveBlocks BarrierSpiller::blocks_reached_from_cut_points(const Instruction &value, const LiveBlocks &live) const {
  LiveBlocks reached;
  SmallVector<BasicBlock *, 16> stack;
  for (BasicBlock *block : live) {
    if (regions_.is_cut_point(block)) stack.push_back(block);
  }
  while (!stack.empty()) {
    BasicBlock *block = stack.pop_back_val();
    if (!reached.insert(block).second) continue;
    for (BasicBlock *next : successors(block)) {
      if (next != value.getParent() && live.contains(next)) stack.push_back(next);
    }
  }
  return reached;
}

/* Whether the value is uniform and all work-items execute its definition. One slot for the group is then cheaper than
 * a slot per work-item for a divergent value computed from it. */
bool BarrierSpiller::is_uniform_for_group(const Value *value) const {
  return originals_.contains(value) && divergence_.is_uniform(value) &&
         divergence_.is_executed_uniformly(cast<Instruction>(value)->getParent());
}

/* Whether operations within the budget compute the value from its inputs, which are collected. Uniform operands of a
 * divergent value count as free: they can be reloaded from the group's slot. */
bool BarrierSpiller::collect_inputs(Value *value, bool is_root, RematerializationBudget &budget, Inputs &inputs) const {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || isa<AllocaInst>(value)) return true;
  const bool is_divergent = originals_.contains(value) && divergence_.is_divergent(value);
  if (!is_root && kept_per_item_.contains(value)) return inputs.insert(instruction), true;
  if (!is_rematerializable_operation(*instruction))
    return !is_root && is_divergent && (inputs.insert(instruction), true);
  if (!budget.take(*instruction, divergence_)) return false;
  return all_of(instruction->operands(), [&](const Use &operand) {
    return (is_divergent && is_uniform_for_group(operand)) || collect_inputs(operand, false, budget, inputs);
  });
}

/* Whether the value is computed without any input. */
bool BarrierSpiller::can_rematerialize(Value *value) const {
  RematerializationBudget budget;
  Inputs inputs;
  return collect_inputs(value, true, budget, inputs) && inputs.empty();
}

/* Clones the value's expression in front of `before`. A uniform operand that takes more than the budget is
 * spilled and reloaded, and so are inputs. */
Value *BarrierSpiller::rematerialize(Value *value, Instruction *before) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || isa<AllocaInst>(instruction)) return value;
  if (kept_per_item_.contains(value) || (is_uniform_for_group(value) && !can_rematerialize(value))) {
    return create_reload(*instruction, before);
  }
  Instruction *copy = instruction->clone();
  for (Use &operand : copy->operands()) {
    if (isa<Instruction>(operand.get())) operand.set(rematerialize(operand.get(), before));
  }
  copy->insertBefore(before->getIterator());
  return copy;
}

bool BarrierSpiller::is_live_across_cut_point(const LiveBlocks &live) const {
  return any_of(live, [&](BasicBlock *block) { return regions_.is_cut_point(block); });
}

/* Whether the value is a phi or goes into one, like a sum of a loop. It shares its slot with other values of the loop
 * (coalesce_slots), and must not be asked for when the next one is there. */
bool BarrierSpiller::is_carried_by_phi(const Instruction &value) const {
  return isa<PHINode>(value) || any_of(value.users(), [](const User *user) { return isa<PHINode>(user); });
}

/* Whether it is better to keep the inputs than the value: they are kept in any case, or they are one that is smaller,
 * as the index of an address is. The vectorizer knows more of an address that is computed from its index. */
bool BarrierSpiller::can_use_inputs(const Instruction &value, const Inputs &inputs) const {
  if (inputs.size() > max_inputs) return false;
  const DataLayout &layout = function_.getDataLayout();
  auto size = [&](const Instruction *of) { return layout.getTypeStoreSize(of->getType()).getFixedValue(); };
  if (inputs.size() == 1 && size(inputs[0]) < size(&value)) return true;
  return all_of(inputs, [&](const Instruction *input) {
    return kept_per_item_.contains(input) && (inputs_.contains(input) || !is_carried_by_phi(*input));
  });
}

/* Divergent values of operations that are not rematerialized come first: then it is known for the others which of
 * their inputs are kept in any case. */
void BarrierSpiller::choose_values_kept_per_item(ArrayRef<Instruction *> values) {
  SmallVector<Instruction *, 32> computed;
  for (Instruction *value : values) {
    if (divergence_.is_uniform(value) || !is_live_across_cut_point(live_blocks(*value))) continue;
    if (is_rematerializable_operation(*value)) {
      computed.push_back(value);
    } else {
      kept_per_item_.insert(value);
    }
  }
  for (Instruction *value : computed) {
    RematerializationBudget budget;
    Inputs inputs;
    if (collect_inputs(value, true, budget, inputs) && can_use_inputs(*value, inputs)) {
      kept_per_item_.insert(inputs.begin(), inputs.end());
      inputs_.insert(inputs.begin(), inputs.end());
    } else {
      kept_per_item_.insert(value);
    }
  }
}

/* Whether no member of one value's group is live at the definition of a member of the other's group. */
bool BarrierSpiller::can_coalesce(const Instruction &value, const Instruction &other) {
  unsigned pairs = 0;
  coalescing_.group_of(&other); /* adds the group if needed: the references below stay valid */
  for (const Instruction *one : coalescing_.members(&value)) {
    const LiveBlocks live = live_blocks(*one);
    for (const Instruction *two : coalescing_.members(&other)) {
      if (pairs++ == max_pairs_compared || is_live_at_definition(*one, live, *two)) return false;
      if (is_live_at_definition(*two, live_blocks(*two), *one)) return false;
    }
  }
  return true;
}

/* Lets a phi share a slot with its incoming values. Then a value carried by a loop with barriers, like a sum, is not
 * copied between the phi's slot and the slot of the next value in each iteration. */
void BarrierSpiller::coalesce_slots(PHINode &phi) {
  auto has_own_slot = [&](const Instruction &value) {
    return kept_per_item_.contains(&value) && !inputs_.contains(&value);
  };
  if (!has_own_slot(phi)) return;
  for (Value *incoming : phi.incoming_values()) {
    auto *value = dyn_cast<Instruction>(incoming);
    if (!value || !has_own_slot(*value)) continue;
    if (!coalescing_.in_same_group(&phi, value) && can_coalesce(phi, *value)) coalescing_.merge_groups(&phi, value);
  }
}

/* Lets the incoming values of a phi that is not kept share a slot, which has the phi's value then. */
void BarrierSpiller::find_slot_of_incoming(PHINode &phi) {
  if (kept_per_item_.contains(&phi) || divergence_.is_uniform(&phi)) return;
  const bool all_are_kept = all_of(phi.incoming_values(), [&](const Value *incoming) {
    return kept_per_item_.contains(incoming) && !inputs_.contains(incoming);
  });
  if (!all_are_kept) return;
  for (Value *incoming : phi.incoming_values()) {
    auto *value = cast<Instruction>(incoming);
    if (coalescing_.in_same_group(&phi, value)) continue;
    if (!can_coalesce(phi, *value)) return;
    coalescing_.merge_groups(&phi, value);
  }
  follows_slot_.insert(&phi);
}

/* The type in which a value is kept per work-item. A boolean is a byte there: neighbouring work-items have their bytes
 * side by side, and vectors load and store those as they do other integers. Vectors of i1 would be bits in memory. */
Type *slot_type(Type *type) { return type->isIntOrIntVectorTy(1) ? type->getWithNewBitWidth(8) : type; }

StoreInst *create_store(Value *value, AllocaInst &slot, IRBuilder<> &builder) {
  Type *type = slot.getAllocatedType();
  return builder.CreateStore(type == value->getType() ? value : builder.CreateZExt(value, type), &slot);
}

/* The alloca that holds the value from its definition on. */
AllocaInst *BarrierSpiller::get_or_create_slot(Instruction &value) {
  AllocaInst *&slot = slots_[&value];
  if (slot) return slot;
  BasicBlock &entry = function_.getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  AllocaInst *&group_slot = group_slots_[coalescing_.group_of(&value)];
  if (!group_slot) {
    const bool is_per_item = divergence_.is_divergent(&value);
    group_slot = builder.CreateAlloca(is_per_item ? slot_type(value.getType()) : value.getType(), nullptr, "slot");
    (is_per_item ? variables_.per_item : variables_.uniform).push_back(group_slot);
  }
  slot = group_slot;
  if (isa<PHINode>(value)) {
    builder.SetInsertPoint(value.getParent(), value.getParent()->getFirstInsertionPt());
  } else {
    builder.SetInsertPoint(value.getNextNode());
  }
  slot_stores_[&value] = create_store(&value, *slot, builder);
  return slot;
}

/* The contents of the value's slot, as a value of its type. */
Value *BarrierSpiller::create_reload(Instruction &value, Instruction *before) {
  AllocaInst *slot = get_or_create_slot(value);
  IRBuilder<> builder(before);
  Value *contents = builder.CreateLoad(slot->getAllocatedType(), slot, "reload");
  return contents->getType() == value.getType() ? contents : builder.CreateIsNotNull(contents);
}

/* Replaces the uses of a value that are reached from a cut point by reloads or rematerialized copies. */
void BarrierSpiller::spill_or_rematerialize(Instruction &value) {
  LiveBlocks live = live_blocks(value);
  if (!is_live_across_cut_point(live)) return;
  LiveBlocks reached = blocks_reached_from_cut_points(value, live);
  SmallVector<Use *, 16> uses;
  for (Use &use : value.uses()) {
    if (reached.contains(block_of(use))) uses.push_back(&use);
  }
  const bool is_kept = divergence_.is_divergent(&value) ? kept_per_item_.contains(&value) : !can_rematerialize(&value);
  auto value_before = [&](Instruction *place) {
    return is_kept ? create_reload(value, place) : rematerialize(&value, place);
  };
  /* One reload per incoming block: a phi must have the same value in all its entries for one block. */
  DenseMap<BasicBlock *, Value *> reloads;
  for (Use *use : uses) {
    auto *user = cast<Instruction>(use->getUser());
    if (isa<PHINode>(user)) {
      Value *&reload = reloads[block_of(*use)];
      if (!reload) reload = value_before(block_of(*use)->getTerminator());
      use->set(reload);
    } else {
      use->set(value_before(user));
    }
  }
}

/* Before values are replaced by reloads: which incoming values of a phi have its slot. */
void BarrierSpiller::note_unchanged_edges(PHINode &phi) {
  if (!kept_per_item_.contains(&phi)) return;
  SmallVector<bool, 4> is_unchanged;
  for (const Value *incoming : phi.incoming_values()) {
    auto *value = dyn_cast<Instruction>(incoming);
    const bool has_slot = value && (kept_per_item_.contains(value) || follows_slot_.contains(value));
    is_unchanged.push_back(value == &phi || (has_slot && coalescing_.in_same_group(&phi, value)));
  }
  if (is_contained(is_unchanged, true)) unchanged_edges_[&phi] = std::move(is_unchanged);
}

/* Whether nothing but stores to slots stands between the phis of the block and its cut point, and each work-item comes
 * to it on the same edge, or by a guard on its id: there a store under the guard is no store under a mask, where the
 * item loop is bounded by the guard. */
bool BarrierSpiller::may_store_on_edges(const PHINode &phi) const {
  const BasicBlock *block = phi.getParent(), *next = block->getSingleSuccessor();
  if (!next || !regions_.is_cut_point(const_cast<BasicBlock *>(next)) ||
      regions_.is_cut_point(const_cast<BasicBlock *>(block)))
    return false;
  const bool has_slot_stores_only =
      all_of(make_range(block->getFirstNonPHIIt(), block->end()), [&](const Instruction &one) {
        auto *store = dyn_cast<StoreInst>(&one);
        return one.isTerminator() || isa<ZExtInst>(one) || (store && isa<AllocaInst>(store->getPointerOperand()));
      });
  return has_slot_stores_only && all_of(predecessors(block), [&](const BasicBlock *from) {
           auto *branch = dyn_cast<BranchInst>(from->getTerminator());
           if (!branch || regions_.is_cut_point(const_cast<BasicBlock *>(from)) || count(successors(from), block) != 1)
             return false;
           if (!branch->isConditional() || divergence_.is_uniform(branch->getCondition())) return true;
           auto *guard = dyn_cast<ICmpInst>(branch->getCondition());
           return guard &&
                  (divergence_.is_uniform(guard->getOperand(0)) || divergence_.is_uniform(guard->getOperand(1))) &&
                  is_recomputed_across_cut_points(*guard, divergence_);
         });
}

/* Moves the store of a phi's value to the edges where it changes. All reloads for phis are in front of these. */
void BarrierSpiller::store_on_edges(PHINode &phi, ArrayRef<bool> is_unchanged) {
  StoreInst *store = slot_stores_.lookup(&phi);
  if (!store || !may_store_on_edges(phi)) return;
  BasicBlock *block = phi.getParent();
  for (unsigned i = 0; i < phi.getNumIncomingValues(); i++) {
    if (is_unchanged[i]) continue;
    BasicBlock *from = phi.getIncomingBlock(i);
    if (!from->getSingleSuccessor()) {
      BasicBlock *edge = BasicBlock::Create(function_.getContext(), "edge", &function_, block);
      from->getTerminator()->replaceSuccessorWith(block, edge);
      block->replacePhiUsesWith(from, edge);
      from = edge;
      IRBuilder<>(edge).CreateBr(block);
    }
    IRBuilder<> builder(from->getTerminator());
    create_store(phi.getIncomingValue(i), *slots_.lookup(&phi), builder);
  }
  store->eraseFromParent();
}

/* Kind of use of an alloca's address: access to its memory, derived pointer, or escape. */
enum class AddressUse { access, derived, escapes };

AddressUse address_use(const Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  if (isa<GetElementPtrInst>(user) || isa<PHINode>(user) || isa<SelectInst>(user)) return AddressUse::derived;
  if (isa<BitCastInst>(user) || isa<AddrSpaceCastInst>(user)) return AddressUse::derived;
  if (isa<LoadInst>(user) || isa<ICmpInst>(user) || isa<MemIntrinsic>(user)) return AddressUse::access;
  if (user->isLifetimeStartOrEnd()) return AddressUse::access;
  bool is_pointer = isa<StoreInst>(user) && use.getOperandNo() == StoreInst::getPointerOperandIndex();
  return is_pointer ? AddressUse::access : AddressUse::escapes;
}

/* Collects the blocks that use the variable or a pointer derived from it. Returns false when its address escapes. */
bool collect_users(const AllocaInst &alloca, DenseSet<const BasicBlock *> &blocks) {
  SmallVector<const Value *, 16> stack = {&alloca};
  SmallPtrSet<const Value *, 16> seen;
  while (!stack.empty()) {
    const Value *pointer = stack.pop_back_val();
    if (!seen.insert(pointer).second) continue;
    for (const Use &use : pointer->uses()) {
      blocks.insert(block_of(use));
      blocks.insert(cast<Instruction>(use.getUser())->getParent());
      AddressUse kind = address_use(use);
      if (kind == AddressUse::escapes) return false;
      if (kind == AddressUse::derived) stack.push_back(use.getUser());
    }
  }
  return true;
}

/* Finds the regions that each block belongs to, and the blocks that may run more than once. */
void BarrierSpiller::find_owners() {
  for (BasicBlock *region_entry : regions_.region_entries()) {
    for (BasicBlock *block : regions_.region(region_entry)) owners_[block].push_back(region_entry);
  }
  for (auto component = scc_begin(&function_); !component.isAtEnd(); ++component) {
    if (component.hasCycle()) cyclic_.insert(component->begin(), component->end());
  }
}

/* Whether one region has all uses of the private variable and runs at most once. The work-items can then share one
 * copy, since they run the region one after the other. */
bool BarrierSpiller::is_local_to_region(const AllocaInst &alloca) const {
  DenseSet<const BasicBlock *> users;
  if (!collect_users(alloca, users)) return !regions_.has_barriers();
  SmallPtrSet<const BasicBlock *, 4> used_in;
  for (const BasicBlock *user : users) {
    if (auto found = owners_.find(user); found != owners_.end())
      used_in.insert(found->second.begin(), found->second.end());
  }
  return used_in.empty() || (used_in.size() == 1 && !cyclic_.contains(*used_in.begin()));
}

VariablesAcrossBarriers BarrierSpiller::run() {
  SmallVector<AllocaInst *, 16> variables;
  SmallVector<Instruction *, 64> values;
  for (Instruction &instruction : instructions(function_)) {
    if (auto *alloca = dyn_cast<AllocaInst>(&instruction)) {
      variables.push_back(alloca);
    } else if (!instruction.use_empty()) {
      values.push_back(&instruction);
    }
  }
  originals_.insert(values.begin(), values.end());
  choose_values_kept_per_item(values);
  for (Instruction *value : values) {
    if (auto *phi = dyn_cast<PHINode>(value)) coalesce_slots(*phi);
  }
  for (Instruction *value : values) {
    if (auto *phi = dyn_cast<PHINode>(value)) find_slot_of_incoming(*phi);
  }
  for (Instruction *value : values) {
    if (auto *phi = dyn_cast<PHINode>(value)) note_unchanged_edges(*phi);
  }
  for (Instruction *value : values) spill_or_rematerialize(*value);
  for (auto &[phi, is_unchanged] : unchanged_edges_) store_on_edges(*phi, is_unchanged);
  if (!variables.empty()) find_owners();
  for (AllocaInst *variable : variables) {
    if (!is_local_to_region(*variable)) variables_.per_item.push_back(variable);
  }
  return variables_;
}

}  // namespace

VariablesAcrossBarriers spill_values_across_barriers(Function &function, const Regions &regions,
                                                     const Divergence &divergence) {
  return BarrierSpiller(function, regions, divergence).run();
}

static bool is_recomputed(const Value *value, const Divergence &divergence, RematerializationBudget &budget) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || divergence.is_uniform(value)) return true;
  if (!is_rematerializable_operation(*instruction) || !budget.take(*instruction, divergence)) return false;
  return all_of(instruction->operands(),
                [&](const Use &operand) { return is_recomputed(operand, divergence, budget); });
}

bool is_recomputed_across_cut_points(const Instruction &value, const Divergence &divergence) {
  RematerializationBudget budget;
  return is_recomputed(&value, divergence, budget);
}

}  // namespace quern
