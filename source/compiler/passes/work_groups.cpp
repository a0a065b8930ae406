/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Work-group functions: a loop nest over the work-items around each region between barriers. */
#include <cassert>
#include <optional>

#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "base/options.h"
#include "compiler/passes/barrier_context.hpp"
#include "compiler/passes/divergence.hpp"
#include "compiler/passes/group_independence.hpp"
#include "compiler/passes/group_stride_loops.hpp"
#include "compiler/passes/image_bounds.hpp"
#include "compiler/passes/passes.h"
#include "compiler/passes/phis_across_barriers.hpp"
#include "compiler/passes/regions.hpp"
#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/uniform_branches.hpp"
#include "compiler/passes/values_across_barriers.hpp"
#include "compiler/passes/vector_dimension.hpp"
#include "compiler/passes/vectorize/item_loop.hpp"
#include "compiler/passes/work_items.hpp"

using namespace llvm;
using namespace quern;

namespace {

constexpr unsigned dimensions = 3;
/* The dimensions of the nested loops from the innermost one outwards, by the dimension of the innermost one. The last
 * id is mostly the last index of an array. */
constexpr unsigned loop_orders[dimensions][dimensions] = {{0, 1, 2}, {1, 0, 2}, {2, 1, 0}};
constexpr const char *nest_names[dimensions] = {"along_x", "along_y", "along_z"};

/* The loop nest over the work-items around one region. */
struct ItemLoops {
  BasicBlock *preheader;
  BasicBlock *body;
  BasicBlock *latch;
  BasicBlock *exit;
  Value *local_id[dimensions];
  /** Linear local id of the first work-item of the innermost loop, and induction variable of that loop. The sum is the
   * work-item's linear local id, in which dimensions have changed places as the loops have (loop_orders). */
  Value *first_linear_id, *induction_phi;
  /** The dimension of the y loop, which is the loop around the innermost one. */
  unsigned outer_dimension = loop_orders[0][1];
};

/* The most rounds of cut_at_uniform_branches(). */
constexpr unsigned max_cutting_rounds = 8;

class WorkGroupBuilder {
 public:
  /** `innermost`: the dimension of the innermost loops. Must be 0 for kernels with sub-groups. */
  WorkGroupBuilder(kernel_work_t &kernel, const work_group_layout_t &layout, VectorDimension innermost)
      : kernel_(kernel),
        function_(*unwrap<Function>(kernel.function)),
        layout_(layout),
        innermost_(innermost),
        context_(function_.getContext()),
        int64_(Type::getInt64Ty(context_)) {}

  /** Returns false, with a message in `log`, when a variable without static size is live across a barrier. */
  bool run(text_t *log);

 private:
  Argument *parameter(unsigned which) const {
    return function_.getArg(function_.arg_size() - work_group_parameter_count + which);
  }
  Value *ndrange_field(IRBuilder<> &builder, unsigned offset, unsigned dimension) const;
  void drop_parameter_attributes();
  void load_sizes();
  Value *can_use_nested_loops(IRBuilder<> &builder);
  Value *is_inside_images();
  ItemLoops make_loops(BasicBlock *preheader, unsigned innermost = 0);
  ItemLoops make_linear_loop(BasicBlock *preheader);
  void add_loops(const Regions &regions, BasicBlock *region_entry);
  SmallVector<BasicBlock *, 32> copy_blocks(const BlockSet &region, ValueToValueMapTy &map);
  SmallVector<BasicBlock *, 32> copy_region(const Regions &regions, BasicBlock *region_entry, const ItemLoops &loops);
  BasicBlock *copy_checked_region(const Regions &regions, BasicBlock *region_entry, BasicBlock *begin);
  void copy_group_region(const BlockSet &region, BasicBlock *preheader);
  BasicBlock *next_block(BasicBlock *cut_point) const {
    return cut_point == exit_ ? exit_ : entries_.lookup(cut_point);
  }
  void connect_exits(const BlockSet &region, ValueToValueMapTy &map, const ItemLoops &loops);
  void bind_context(ArrayRef<BasicBlock *> blocks, const ItemLoops &loops);
  void bind_uniform_slots(ArrayRef<BasicBlock *> blocks, const ItemLoops &loops);
  void lower_work_item_calls(ArrayRef<BasicBlock *> blocks, const ItemLoops &loops);
  Value *work_item_value(WorkItem which, unsigned dimension, const ItemLoops &loops, IRBuilder<> &builder);
  Value *work_item_value_any(WorkItem which, Value *dimension, const ItemLoops &loops, IRBuilder<> &builder);

  kernel_work_t &kernel_;
  Function &function_;
  const work_group_layout_t &layout_;
  const VectorDimension innermost_;
  LLVMContext &context_;
  Type *int64_;
  Value *group_base_[dimensions];
  Value *enqueued_size_[dimensions];
  /** Trip count of each loop; the last is null when y and z are one loop. */
  Value *trip_count_[dimensions];
  /** What the work-items of a group keep across barriers. */
  BarrierContext variables_;
  /** Slots of values that are the same for the group. */
  DenseSet<const Value *> uniform_slots_;
  /** For each region entry, the block that precedes the loops of its region. */
  DenseMap<BasicBlock *, BasicBlock *> entries_;
  /** Null when each region has nested loops only. Else i1: whether to run them, rather than the linear loop. */
  Value *use_nested_loops_ = nullptr;
  /** Null when regions have one nest of loops. Else i1: whether to run the nest whose innermost loop is over the vector
   * dimension, rather than that over x. */
  Value *use_vector_dimension_ = nullptr;
  /** Null when all bounds checks are left. Else i1: whether the group does without those that are marked. */
  Value *is_inside_images_ = nullptr;
  BasicBlock *exit_ = nullptr;
};

Value *WorkGroupBuilder::ndrange_field(IRBuilder<> &builder, unsigned offset, unsigned dimension) const {
  Value *address =
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), parameter(work_group_ndrange), offset + 8 * dimension);
  LoadInst *load = builder.CreateAlignedLoad(int64_, address, Align(8));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context_, {}));
  return load;
}

/* Whether the kernel uses a local or global id in dimension y or z. */
bool uses_y_or_z(const Function &function) {
  return reads_id(function, [](int dimension) { return dimension != 0; });
}

/* Returns the condition under which sub-groups lie along x, so that the nested loops can run them. Either the width of
 * a sub-group divides the size in x, or y and z have one work-item, or each line along x is a sub-group (follows_lines
 * in builtins/sub_group.clh). Otherwise sub-groups follow the linear order of the work-items, and the linear loop must
 * run. Null when the nested loops are always right. */
Value *WorkGroupBuilder::can_use_nested_loops(IRBuilder<> &builder) {
  const uint32_t *size = kernel_.reqd_local_size;
  if (!kernel_.uses_sub_groups || (size[0] && size[1] * size[2] == 1)) return nullptr;
  FunctionCallee width = function_.getParent()->getOrInsertFunction("__quern_sub_group_width", builder.getInt32Ty());
  mark_sub_group_function(*cast<Function>(width.getCallee()));
  Value *lanes = builder.CreateZExt(builder.CreateCall(width), int64_);
  Value *mask = builder.CreateSub(lanes, builder.getInt64(1));
  Value *remainder = builder.CreateAnd(parameter(work_group_size_x), mask);
  Value *yz_size = builder.CreateMul(parameter(work_group_size_y), parameter(work_group_size_z));
  Value *has_no_remainder = builder.CreateICmpEQ(remainder, builder.getInt64(0));
  Value *has_one_line = builder.CreateICmpEQ(yz_size, builder.getInt64(1));
  Value *use_nested_loops = builder.CreateOr(has_no_remainder, has_one_line);
  if (kernel_.reqd_sub_group_size) return use_nested_loops;
  Value *line = enqueued_size_[0];
  Value *is_power = builder.CreateICmpEQ(builder.CreateUnaryIntrinsic(Intrinsic::ctpop, line), builder.getInt64(1));
  Value *is_short = builder.CreateAnd(is_power, builder.CreateICmpULT(line, lanes));
  Value *line_count = builder.CreateMul(enqueued_size_[1], enqueued_size_[2]);
  is_short = builder.CreateAnd(is_short, builder.CreateICmpUGT(line, builder.getInt64(1)));
  is_short = builder.CreateAnd(is_short, builder.CreateICmpULE(line_count, builder.getInt64(most_sub_group_lines)));
  return builder.CreateOr(use_nested_loops, is_short, "use_nested_loops");
}

/* Whether all image writes that can be told of are inside of their images. With barriers, parts of coordinates would be
 * values across barriers, which change. */
Value *WorkGroupBuilder::is_inside_images() {
  IRBuilder<> builder(function_.getEntryBlock().getTerminator());
  auto uniform = [&](WorkItem which, unsigned d, IRBuilder<> &at) { return work_item_value(which, d, {}, at); };
  GroupPosition position = {{}, {}, uniform};
  for (unsigned d = 0; d < dimensions; d++) {
    position.base[d] = group_base_[d];
    position.size[d] = parameter(work_group_size_x + d);
  }
  return write_bounds_condition(function_, position, builder);
}

/* Computes the values of the group that every region may use, at the end of the entry block. */
void WorkGroupBuilder::load_sizes() {
  IRBuilder<> builder(function_.getEntryBlock().getTerminator());
  for (unsigned d = 0; d < dimensions; d++) {
    enqueued_size_[d] = kernel_.reqd_local_size[0] ? static_cast<Value *>(builder.getInt64(kernel_.reqd_local_size[d]))
                                                   : ndrange_field(builder, layout_.ndrange.local_size, d);
    Value *group_start = builder.CreateMul(parameter(work_group_id_x + d), enqueued_size_[d], "", true, true);
    group_base_[d] =
        builder.CreateAdd(group_start, ndrange_field(builder, layout_.ndrange.global_offset, d), "group_base");
    trip_count_[d] = parameter(work_group_size_x + d);
    /* Of a work-group at the end of an ND-range that the required size does not divide, it may be less. */
    const uint32_t most = kernel_.reqd_local_size[d];
    if (most) trip_count_[d] = builder.CreateBinaryIntrinsic(Intrinsic::umin, trip_count_[d], builder.getInt64(most));
  }
  if (!uses_y_or_z(function_)) {
    trip_count_[1] = builder.CreateMul(trip_count_[1], trip_count_[2], "yz_size", true, true);
    trip_count_[2] = nullptr;
  }
  use_nested_loops_ = can_use_nested_loops(builder);
  if (innermost_.is_by_local_size) {
    Value *size = parameter(work_group_size_x + innermost_.dimension);
    use_vector_dimension_ = builder.CreateICmpUGE(size, builder.getInt64(min_lanes));
  }
}

/* Creates for (z) for (y) for (x) body, or the order that has dimension `innermost` as its innermost loop. Each loop
 * has at least one iteration, since a work-group is never empty. When the kernel does not use y or z, the two outer
 * loops are one loop: less code, and faster to compile. */
ItemLoops WorkGroupBuilder::make_loops(BasicBlock *preheader, unsigned innermost) {
  assert((!innermost || trip_count_[2]) && "the kernel uses y or z");
  ItemLoops loops = {};
  const unsigned (&dimension_of)[dimensions] = loop_orders[innermost];
  loops.outer_dimension = dimension_of[1];
  auto block = [&](const char *name) { return BasicBlock::Create(context_, name, &function_); };
  loops.preheader = preheader;
  BasicBlock *outer_block = loops.preheader;
  BasicBlock *latches[dimensions];
  PHINode *induction_phis[dimensions];
  const int levels = trip_count_[2] ? 3 : 2;
  for (int level = levels - 1; level >= 0; level--) {
    const unsigned d = dimension_of[level];
    BasicBlock *header = block("region.header");
    latches[d] = block("region.latch");
    IRBuilder<>(outer_block).CreateBr(header);
    induction_phis[d] = IRBuilder<>(header).CreatePHI(int64_, 2, "local_id");
    induction_phis[d]->addIncoming(ConstantInt::get(int64_, 0), outer_block);
    loops.local_id[d] = induction_phis[d];
    outer_block = header;
  }
  loops.body = outer_block;
  loops.latch = latches[innermost];
  loops.exit = block("region.exit");
  for (int level = 0; level < levels; level++) {
    const unsigned d = dimension_of[level];
    IRBuilder<> builder(latches[d]);
    Value *next = builder.CreateAdd(induction_phis[d], builder.getInt64(1), "", true, true);
    induction_phis[d]->addIncoming(next, latches[d]);
    BasicBlock *exit = level + 1 < levels ? latches[dimension_of[level + 1]] : loops.exit;
    builder.CreateCondBr(builder.CreateICmpULT(next, trip_count_[d]), induction_phis[d]->getParent(), exit);
  }
  if (levels == 2) loops.local_id[2] = ConstantInt::get(int64_, 0);
  if (variables_.is_empty() && !kernel_.uses_sub_groups) return loops;
  IRBuilder<> builder(loops.body);
  const unsigned middle = dimension_of[1], outermost = dimension_of[2];
  Value *outer_id = builder.CreateMul(loops.local_id[outermost], parameter(work_group_size_x + middle), "", true, true);
  outer_id = builder.CreateAdd(outer_id, loops.local_id[middle]);
  loops.first_linear_id =
      builder.CreateMul(outer_id, parameter(work_group_size_x + innermost), "first_linear_id", true, true);
  loops.induction_phi = induction_phis[innermost];
  return loops;
}

/* Creates for (item) body, over the linear local ids. These fit in 32 bits, for which division is faster. */
ItemLoops WorkGroupBuilder::make_linear_loop(BasicBlock *preheader) {
  ItemLoops loops = {};
  auto block = [&](const char *name) { return BasicBlock::Create(context_, name, &function_); };
  loops.preheader = preheader;
  loops.body = block("linear.header");
  loops.latch = block("linear.latch");
  loops.exit = block("linear.exit");
  Type *narrow = Type::getInt32Ty(context_);
  IRBuilder<> builder(loops.preheader);
  Value *size[dimensions];
  for (unsigned d = 0; d < dimensions; d++) size[d] = parameter(work_group_size_x + d);
  Value *count = builder.CreateMul(builder.CreateMul(size[0], size[1], "", true, true), size[2], "count", true, true);
  Value *width = builder.CreateTrunc(size[0], narrow), *height = builder.CreateTrunc(size[1], narrow);
  builder.CreateBr(loops.body);
  builder.SetInsertPoint(loops.body);
  PHINode *induction_phi = builder.CreatePHI(int64_, 2, "item");
  Value *item = builder.CreateTrunc(induction_phi, narrow);
  Value *yz_id = builder.CreateUDiv(item, width);
  loops.local_id[0] = builder.CreateZExt(builder.CreateURem(item, width), int64_, "local_id");
  if (trip_count_[2]) {
    loops.local_id[1] = builder.CreateZExt(builder.CreateURem(yz_id, height), int64_);
    loops.local_id[2] = builder.CreateZExt(builder.CreateUDiv(yz_id, height), int64_);
  } else {
    loops.local_id[1] = builder.CreateZExt(yz_id, int64_);
    loops.local_id[2] = builder.getInt64(0);
  }
  loops.first_linear_id = builder.getInt64(0);
  loops.induction_phi = induction_phi;
  builder.SetInsertPoint(loops.latch);
  Value *next = builder.CreateAdd(induction_phi, builder.getInt64(1), "", true, true);
  induction_phi->addIncoming(builder.getInt64(0), loops.preheader);
  induction_phi->addIncoming(next, loops.latch);
  builder.CreateCondBr(builder.CreateICmpULT(next, count), loops.body, loops.exit);
  return loops;
}

/* Maps the cut points after a region to blocks that branch to the latch. When there are several, each work-item stores
 * the index of the one it reached, which is the same for all, and a switch after the loops selects the next region. */
void WorkGroupBuilder::connect_exits(const BlockSet &region, ValueToValueMapTy &map, const ItemLoops &loops) {
  SmallSetVector<BasicBlock *, 4> cut_points;
  for (BasicBlock *block : region) {
    for (BasicBlock *next : successors(block)) {
      if (!region.contains(next)) cut_points.insert(next);
    }
  }
  AllocaInst *next_region = nullptr;
  if (cut_points.size() > 1) {
    BasicBlock &entry = function_.getEntryBlock();
    next_region = IRBuilder<>(&entry, entry.begin()).CreateAlloca(Type::getInt32Ty(context_), nullptr, "next_region");
  }
  for (auto [index, cut_point] : enumerate(cut_points)) {
    BasicBlock *exiting = BasicBlock::Create(context_, "exiting", &function_);
    IRBuilder<> builder(exiting);
    if (next_region) builder.CreateStore(builder.getInt32(index), next_region);
    builder.CreateBr(loops.latch);
    map[cut_point] = exiting;
  }
  IRBuilder<> builder(loops.exit);
  if (cut_points.empty()) {
    builder.CreateUnreachable();
  } else if (cut_points.size() == 1) {
    builder.CreateBr(next_block(cut_points[0]));
  } else {
    Value *index = builder.CreateLoad(builder.getInt32Ty(), next_region);
    SwitchInst *jump = builder.CreateSwitch(index, next_block(cut_points[0]), cut_points.size() - 1);
    for (unsigned i = 1; i < cut_points.size(); i++) jump->addCase(builder.getInt32(i), next_block(cut_points[i]));
  }
}

/* Replaces the context variables in the blocks by the work-item's own. */
void WorkGroupBuilder::bind_context(ArrayRef<BasicBlock *> blocks, const ItemLoops &loops) {
  IRBuilder<> builder(loops.body->getTerminator());
  variables_.bind(blocks, builder, [&] {
    Value *item = builder.CreateAdd(loops.first_linear_id, loops.induction_phi, "item", true, true);
    Value *capacity = builder.CreateMul(builder.CreateMul(enqueued_size_[0], enqueued_size_[1]), enqueued_size_[2]);
    return ContextPlace{parameter(work_group_scratch), capacity, item};
  });
}

/* Gives the blocks a copy of each uniform slot, initialized in every iteration from the contents before the loops: a
 * work-item must not see the stores of an earlier one. The latch writes the copy back; all store the same value. */
void WorkGroupBuilder::bind_uniform_slots(ArrayRef<BasicBlock *> blocks, const ItemLoops &loops) {
  auto is_slot = [&](const Value *value) { return uniform_slots_.contains(value); };
  for (auto &[slot, uses] : find_variable_uses(blocks, is_slot)) {
    BasicBlock &entry = function_.getEntryBlock();
    Type *type = slot->getAllocatedType();
    AllocaInst *item_slot = IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
    Value *initial_value = IRBuilder<>(loops.preheader->getTerminator()).CreateLoad(type, slot);
    IRBuilder<>(loops.body, loops.body->getFirstInsertionPt()).CreateStore(initial_value, item_slot);
    for (Use *use : uses) use->set(item_slot);
    if (none_of(uses, [](const Use *use) { return isa<StoreInst>(use->getUser()); })) continue;
    IRBuilder<> builder(loops.latch, loops.latch->getFirstInsertionPt());
    builder.CreateStore(builder.CreateLoad(type, item_slot), slot);
  }
}

Value *WorkGroupBuilder::work_item_value(WorkItem which, unsigned d, const ItemLoops &loops, IRBuilder<> &builder) {
  bool is_out_of_range = d >= dimensions;
  switch (which) {
    case WorkItem::global_id:
      return is_out_of_range ? builder.getInt64(0)
                             : builder.CreateAdd(group_base_[d], loops.local_id[d], "global_id", true);
    case WorkItem::local_id: return is_out_of_range ? builder.getInt64(0) : loops.local_id[d];
    case WorkItem::group_id:
      return is_out_of_range ? static_cast<Value *>(builder.getInt64(0)) : parameter(work_group_id_x + d);
    case WorkItem::global_size:
      return is_out_of_range ? builder.getInt64(1) : ndrange_field(builder, layout_.ndrange.global_size, d);
    case WorkItem::local_size:
      return is_out_of_range ? static_cast<Value *>(builder.getInt64(1)) : parameter(work_group_size_x + d);
    case WorkItem::enqueued_local_size: return is_out_of_range ? builder.getInt64(1) : enqueued_size_[d];
    case WorkItem::num_groups:
      return is_out_of_range ? builder.getInt64(1) : ndrange_field(builder, layout_.ndrange.num_groups, d);
    case WorkItem::global_offset:
      return is_out_of_range ? builder.getInt64(0) : ndrange_field(builder, layout_.ndrange.global_offset, d);
    default: llvm_unreachable("not a work-item function with a dimension");
  }
}

/* A dimension that is known only at run time becomes selects among the three. */
Value *WorkGroupBuilder::work_item_value_any(WorkItem which, Value *dimension, const ItemLoops &loops,
                                             IRBuilder<> &builder) {
  if (auto *constant = dyn_cast<ConstantInt>(dimension)) {
    return work_item_value(which, unsigned(std::min<uint64_t>(constant->getZExtValue(), dimensions)), loops, builder);
  }
  Value *value = work_item_value(which, dimensions, loops, builder);
  for (unsigned d = 0; d < dimensions; d++) {
    Value *is_this = builder.CreateICmpEQ(dimension, builder.getInt32(d));
    value = builder.CreateSelect(is_this, work_item_value(which, d, loops, builder), value);
  }
  return value;
}

void WorkGroupBuilder::lower_work_item_calls(ArrayRef<BasicBlock *> blocks, const ItemLoops &loops) {
  for (BasicBlock *block : blocks) {
    for (Instruction &instruction : make_early_inc_range(*block)) {
      if (sub_group_call(&instruction).kind == SubGroup::first) {
        cast<CallBase>(instruction).setArgOperand(0, loops.first_linear_id);
        cast<CallBase>(instruction).setArgOperand(1, loops.induction_phi);
      }
      WorkItem which = work_item_call(&instruction);
      if (which == WorkItem::none) continue;
      IRBuilder<> builder(&instruction);
      Value *value;
      if (which == WorkItem::work_dim) {
        value =
            builder.CreateAlignedLoad(builder.getInt32Ty(),
                                      builder.CreateConstInBoundsGEP1_64(
                                          builder.getInt8Ty(), parameter(work_group_ndrange), layout_.ndrange.work_dim),
                                      Align(4));
      } else {
        value = work_item_value_any(which, cast<CallBase>(instruction).getArgOperand(0), loops, builder);
      }
      instruction.replaceAllUsesWith(value);
      instruction.eraseFromParent();
    }
  }
}

/* Removes the phi entries for predecessors that were not copied with the block. */
void prune_phis(BasicBlock &block, const SmallPtrSetImpl<BasicBlock *> &copied) {
  for (PHINode &phi : make_early_inc_range(block.phis())) {
    for (unsigned i = phi.getNumIncomingValues(); i-- > 0;) {
      if (!copied.contains(phi.getIncomingBlock(i))) phi.removeIncomingValue(i, false);
    }
    if (phi.getNumIncomingValues() > 0) continue;
    phi.replaceAllUsesWith(PoisonValue::get(phi.getType()));
    phi.eraseFromParent();
  }
}

/* Copies the blocks of a region; `map` has what stands for the cut points behind it. */
SmallVector<BasicBlock *, 32> WorkGroupBuilder::copy_blocks(const BlockSet &region, ValueToValueMapTy &map) {
  SmallVector<BasicBlock *, 32> copies;
  for (BasicBlock *block : region) {
    BasicBlock *copy = CloneBasicBlock(block, map, "", &function_);
    map[block] = copy;
    copies.push_back(copy);
  }
  remapInstructionsInBlocks(copies, map);
  SmallPtrSet<BasicBlock *, 32> copied(copies.begin(), copies.end());
  for (BasicBlock *copy : copies) prune_phis(*copy, copied);
  return copies;
}

/* Copies a region that the group runs once: no loops around it, and its branches lead to the next regions. */
void WorkGroupBuilder::copy_group_region(const BlockSet &region, BasicBlock *preheader) {
  ValueToValueMapTy map;
  for (BasicBlock *block : region) {
    for (BasicBlock *next : successors(block)) {
      if (!region.contains(next)) map[next] = next_block(next);
    }
  }
  const SmallVector<BasicBlock *, 32> copies = copy_blocks(region, map);
  IRBuilder<>(preheader).CreateBr(copies.front());
  lower_work_item_calls(copies, ItemLoops());
}

/* Copies the region after `region_entry` into the loops. Returns the copies of its blocks. */
SmallVector<BasicBlock *, 32> WorkGroupBuilder::copy_region(const Regions &regions, BasicBlock *region_entry,
                                                            const ItemLoops &loops) {
  BlockSet region = regions.region(region_entry);
  ValueToValueMapTy map;
  connect_exits(region, map, loops);
  const SmallVector<BasicBlock *, 32> copies = copy_blocks(region, map);
  IRBuilder<>(loops.body).CreateBr(copies.front());
  bind_context(copies, loops);
  bind_uniform_slots(copies, loops);
  lower_work_item_calls(copies, loops);
  mark_item_loop(loops.latch->getTerminator());
  /* Sub-groups are not unrolled and jammed over y, and the linear loop has no y loop. */
  if (trip_count_[2] && !use_nested_loops_)
    mark_y_loop(cast<PHINode>(loops.local_id[loops.outer_dimension])->getIncomingBlock(1)->getTerminator());
  return copies;
}

/* Deletes what is computed again behind cut points, and was used there only. Variables stay: the
 * context has been planned for them. */
void delete_unused_values(Function &function) {
  auto is_unused = [](Instruction &one) { return !isa<AllocaInst>(one) && isInstructionTriviallyDead(&one); };
  SmallVector<Instruction *, 16> unused;
  for (Instruction &instruction : instructions(function)) {
    if (is_unused(instruction)) unused.push_back(&instruction);
  }
  while (!unused.empty()) {
    Instruction *instruction = unused.pop_back_val();
    const SmallSetVector<Value *, 4> operands(instruction->op_begin(), instruction->op_end());
    instruction->eraseFromParent();
    for (Value *operand : operands) {
      if (auto *other = dyn_cast<Instruction>(operand); other && is_unused(*other)) unused.push_back(other);
    }
  }
}

/* Creates the nested loops for groups that need all bounds checks; the others go on in the block that it returns. */
BasicBlock *WorkGroupBuilder::copy_checked_region(const Regions &regions, BasicBlock *region_entry, BasicBlock *begin) {
  BasicBlock *checked = BasicBlock::Create(context_, "checked", &function_);
  BasicBlock *inside = BasicBlock::Create(context_, "inside", &function_);
  IRBuilder<>(begin).CreateCondBr(is_inside_images_, inside, checked);
  const ItemLoops loops = make_loops(checked);
  keep_bounds_checks(copy_region(regions, region_entry, loops));
  mark_border_loop(loops.latch->getTerminator());
  return inside;
}

/* Creates the nested loops of a region, and other ones too where a runtime condition selects some of them. */
void WorkGroupBuilder::add_loops(const Regions &regions, BasicBlock *region_entry) {
  BasicBlock *nested = entries_[region_entry];
  if (is_inside_images_) nested = copy_checked_region(regions, region_entry, nested);
  const BlockSet region = regions.region(region_entry);
  if (regions.has_barriers() && is_group_region(region, [&](const Value *one) { return uniform_slots_.contains(one); }))
    return copy_group_region(region, nested);
  if (use_nested_loops_) {
    BasicBlock *begin = std::exchange(nested, BasicBlock::Create(context_, "nested", &function_));
    BasicBlock *linear = BasicBlock::Create(context_, "linear", &function_);
    IRBuilder<>(begin).CreateCondBr(use_nested_loops_, nested, linear);
    copy_region(regions, region_entry, make_linear_loop(linear));
  } else if (use_vector_dimension_) {
    BasicBlock *begin = std::exchange(nested, BasicBlock::Create(context_, nest_names[0], &function_));
    BasicBlock *along = BasicBlock::Create(context_, nest_names[innermost_.dimension], &function_);
    IRBuilder<>(begin).CreateCondBr(use_vector_dimension_, along, nested);
    copy_region(regions, region_entry, make_loops(along, innermost_.dimension));
  }
  copy_region(regions, region_entry, make_loops(nested, use_vector_dimension_ ? 0 : innermost_.dimension));
}

/* Drops attributes that scalar passes inferred for the work-group's parameters while the function did not use them.
 * After inlining into the entry they would be false for calls that get a pointer to barrier context. */
void WorkGroupBuilder::drop_parameter_attributes() {
  AttributeMask attributes;
  for (Attribute::AttrKind kind : {Attribute::ReadNone, Attribute::ReadOnly, Attribute::WriteOnly, Attribute::Captures,
                                   Attribute::Initializes, Attribute::NoFree}) {
    attributes.addAttribute(kind);
  }
  for (unsigned i = 0; i < work_group_parameter_count; i++) {
    function_.removeParamAttrs(parameter(i)->getArgNo(), attributes);
  }
  function_.removeFnAttr(Attribute::Memory);
}

bool WorkGroupBuilder::run(text_t *log) {
  drop_parameter_attributes();
  Regions regions(function_);
  exit_ = regions.exit();
  VariablesAcrossBarriers variables;
  if (regions.has_barriers()) {
    replace_redundant_phis(function_);
    form_lcssa_between_barriers(function_, regions);
    std::optional<Divergence> divergence(std::in_place, function_, &regions);
    if (divide_inductions(function_, regions, *divergence)) divergence.emplace(function_, &regions);
    /* With a branch cut, another one before it may decide on the next barrier, too. */
    for (unsigned round = 0; round < max_cutting_rounds && cut_at_uniform_branches(regions, *divergence); round++)
      divergence.emplace(function_, &regions);
    variables = spill_values_across_barriers(function_, regions, *divergence);
    delete_unused_values(function_);
  }
  /* OpenCL C has no dynamic allocas; SPIR-V and Clang's builtins do. */
  if (any_of(variables.per_item, [](const AllocaInst *variable) { return !variable->isStaticAlloca(); })) {
    text_appendf(log, "error: kernel '%s' uses a dynamic alloca or a variable-length array across a barrier\n",
                 kernel_.name);
    return false;
  }
  variables_.lay_out(kernel_, variables.per_item);
  uniform_slots_.insert(variables.uniform.begin(), variables.uniform.end());
  load_sizes();
  if (!regions.has_barriers() && !kernel_.uses_sub_groups) is_inside_images_ = is_inside_images();

  SmallVector<BasicBlock *, 64> originals;
  for (BasicBlock &block : function_) {
    if (&block != &function_.getEntryBlock() && &block != exit_) originals.push_back(&block);
  }
  for (BasicBlock *region_entry : regions.region_entries())
    entries_[region_entry] = BasicBlock::Create(context_, "region.preheader", &function_);
  for (BasicBlock *region_entry : regions.region_entries()) add_loops(regions, region_entry);
  function_.getEntryBlock().getTerminator()->setSuccessor(0, entries_[&function_.getEntryBlock()]);
  DeleteDeadBlocks(originals);
  variables_.erase();
  return true;
}

/* Bytes of the allocas of known size. */
uint64_t stack_size(const Function &function) {
  uint64_t size = 0;
  for (const Instruction &instruction : instructions(function)) {
    auto *variable = dyn_cast<AllocaInst>(&instruction);
    if (!variable) continue;
    if (auto bytes = variable->getAllocationSize(function.getDataLayout())) size += bytes->getFixedValue();
  }
  return size;
}

}  // namespace

/* Interchanges group-stride loops. The interchange needs vectors of work-items along x only, and no particular sub-
 * groups. */
static void interchange_loops(const passes_t &passes, const kernel_work_t &kernel) {
  if (!passes.optimize || !options_get()->vectorize || kernel.uses_sub_groups || kernel.reqd_sub_group_size) return;
  Function &function = *unwrap<Function>(kernel.function);
  if (!uses_y_or_z(function)) interchange_group_stride_loops(function, kernel.reqd_local_size[0]);
}

/* Sub-groups lie along x. Without vectors either order will do. */
static VectorDimension vector_dimension(const passes_t &passes, const kernel_work_t &kernel) {
  if (!passes.optimize || !options_get()->vectorize || kernel.uses_sub_groups || kernel.reqd_sub_group_size) return {};
  return choose_vector_dimension(*unwrap<Function>(kernel.function), kernel.reqd_local_size, kernel.ignores_groups);
}

static bool reads_group_id(Function &function) {
  return any_of(instructions(function),
                [](const Instruction &one) { return work_item_call(&one) == WorkItem::group_id; });
}

/* A required local size of 1 binds launches, not the runtime, if the kernel cannot tell. The program's information has
 * been written. */
static void forget_single_items(kernel_work_t &kernel) {
  if (ignores_groups(kernel)) std::fill_n(kernel.reqd_local_size, 3, 0);
}

extern "C" compiler_result_t passes_make_work_groups(passes_t *passes, text_t *log) {
  for (size_t i = 0; i < passes->kernel_count; i++) {
    kernel_work_t &kernel = passes->kernels[i];
    forget_single_items(kernel);
    kernel.ignores_groups = ignores_groups(kernel);
    const VectorDimension innermost = vector_dimension(*passes, kernel);
    kernel.vector_dimension = innermost.dimension;
    kernel.groups_follow_lanes = !reads_group_id(*unwrap<Function>(kernel.function));
    kernel.min_lanes = innermost.is_by_local_size ? min_lanes : 0;
    interchange_loops(*passes, kernel);
    if (!WorkGroupBuilder(kernel, passes->target.layout, innermost).run(log)) return compiler_error_link_failure;
    kernel.private_size = kernel.scratch_per_item + stack_size(*unwrap<Function>(kernel.function));
    std::string problem;
    raw_string_ostream stream(problem);
    if (verifyFunction(*unwrap<Function>(kernel.function), &stream)) {
      text_appendf(log, "error: kernel '%s' is invalid IR after the work-group pass: %s\n", kernel.name,
                   problem.c_str());
      return compiler_error_internal;
    }
  }
  pin_sub_group_local_ids(*unwrap(passes->module));
  lower_bounds_checks(*unwrap(passes->module));
  return compiler_success;
}
