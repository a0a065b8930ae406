/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Work-group functions: a loop nest over the work-items around each region between barriers. */
#include <tuple>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "base/options.h"
#include "compiler/passes/divergence.hpp"
#include "compiler/passes/group_stride_loops.hpp"
#include "compiler/passes/passes.h"
#include "compiler/passes/regions.hpp"
#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/values_across_barriers.hpp"
#include "compiler/passes/vectorize/item_loop.hpp"
#include "compiler/passes/work_items.hpp"

using namespace llvm;
using namespace quern;

namespace {

constexpr unsigned dimensions = 3;

/* Where a per-work-item variable lies in the barrier context: an array over the group's work-items per variable. */
struct ContextVariable {
  AllocaInst *alloca;
  uint64_t alignment;
  /** Place in the kernel: the layout is the same in every build. */
  size_t order;
  uint64_t offset;
  uint64_t stride;
};

/* The loops around one region. */
struct ItemLoops {
  BasicBlock *before;
  BasicBlock *body;
  BasicBlock *latch;
  BasicBlock *after;
  Value *local_id[dimensions];
  /** Number in the work-group of the first work-item of the innermost loop, and of this one in that loop. */
  Value *row, *counter;
};

class WorkGroupBuilder {
 public:
  WorkGroupBuilder(kernel_work_t &kernel, const work_group_layout_t &layout)
      : kernel_(kernel),
        function_(*unwrap<Function>(kernel.function)),
        linearization_(layout),
        context_(function_.getContext()),
        int64_(Type::getInt64Ty(context_)) {}

  /** False, and a message, when the kernel keeps what has no place in the barrier context. */
  bool run(text_t *log);

 private:
  Argument *parameter(unsigned which) const {
    return function_.getArg(function_.arg_size() - work_group_parameter_count + which);
  }
  Value *ndrange_field(IRBuilder<> &builder, unsigned offset, unsigned dimension) const;
  void forget_attributes();
  void load_sizes();
  Value *test_y_range(IRBuilder<> &builder);
  void place_context(ArrayRef<AllocaInst *> variables);
  ItemLoops make_loops(BasicBlock *before);
  ItemLoops make_linear_loop(BasicBlock *before);
  void add_loops(const Regions &regions, BasicBlock *head);
  void copy_region(const Regions &regions, BasicBlock *head, const ItemLoops &loops);
  void leave_region(const BlockSet &region, ValueToValueMapTy &map, const ItemLoops &loops);
  void bind_context(ArrayRef<BasicBlock *> blocks, const ItemLoops &loops);
  void bind_uniform_slots(ArrayRef<BasicBlock *> blocks, const ItemLoops &loops);
  void lower_work_item_calls(ArrayRef<BasicBlock *> blocks, const ItemLoops &loops);
  Value *work_item_value(WorkItem which, unsigned dimension, const ItemLoops &loops, IRBuilder<> &builder);
  Value *work_item_value_any(WorkItem which, Value *dimension, const ItemLoops &loops, IRBuilder<> &builder);

  kernel_work_t &kernel_;
  Function &function_;
  const work_group_layout_t &linearization_;
  LLVMContext &context_;
  Type *int64_;
  Value *group_base_[dimensions];
  Value *enqueued_size_[dimensions];
  /** EnclosingInduction of each loop; the last is null when rows of y and z are one loop. */
  Value *level_size_[dimensions];
  SmallVector<ContextVariable, 16> context_variables_;
  SmallVector<AllocaInst *, 16> uniform_slots_;
  /** For each head, where its region is entered. */
  DenseMap<BasicBlock *, BasicBlock *> entries_;
  /** Null when only rows along x are needed; else tells whether they are what to run. */
  Value *has_y_loop_ = nullptr;
  BasicBlock *exit_ = nullptr;
};

Value *WorkGroupBuilder::ndrange_field(IRBuilder<> &builder, unsigned offset, unsigned dimension) const {
  Value *address =
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), parameter(work_group_ndrange), offset + 8 * dimension);
  LoadInst *load = builder.CreateAlignedLoad(int64_, address, Align(8));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context_, {}));
  return load;
}

/* True when some work-item asks for its position in dimension y or z. */
bool asks_beyond_x(Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    WorkItem which = work_item_call(&instruction);
    bool position = which == WorkItem::global_id || which == WorkItem::local_id;
    return position && constant_dimension(cast<CallBase>(instruction)) != 0;
  });
}

/* Vectors of sub-groups lie in rows along x when full ones fill each row, or there is one row; else they follow the
 * work-items' linear order, and so must the loop. */
Value *WorkGroupBuilder::test_y_range(IRBuilder<> &builder) {
  const uint32_t *size = kernel_.reqd_local_size;
  if (!kernel_.uses_sub_groups || (size[0] && size[1] * size[2] == 1)) return nullptr;
  FunctionCallee width = function_.getParent()->getOrInsertFunction("__quern_sub_group_width", builder.getInt32Ty());
  mark_sub_group_function(*cast<Function>(width.getCallee()));
  Value *mask = builder.CreateSub(builder.CreateZExt(builder.CreateCall(width), int64_), builder.getInt64(1));
  Value *rest = builder.CreateAnd(parameter(work_group_size_x), mask);
  Value *rows = builder.CreateMul(parameter(work_group_size_y), parameter(work_group_size_z));
  return builder.CreateOr(builder.CreateICmpEQ(rest, builder.getInt64(0)),
                          builder.CreateICmpEQ(rows, builder.getInt64(1)), "runs_rows");
}

/* Values of the group that every region may use, at the end of the entry block. */
void WorkGroupBuilder::load_sizes() {
  IRBuilder<> builder(function_.getEntryBlock().getTerminator());
  for (unsigned d = 0; d < dimensions; d++) {
    enqueued_size_[d] = kernel_.reqd_local_size[0] ? static_cast<Value *>(builder.getInt64(kernel_.reqd_local_size[d]))
                                                   : ndrange_field(builder, linearization_.ndrange.local_size, d);
    Value *first = builder.CreateMul(parameter(work_group_id_x + d), enqueued_size_[d], "", true, true);
    group_base_[d] =
        builder.CreateAdd(first, ndrange_field(builder, linearization_.ndrange.global_offset, d), "group_base");
    level_size_[d] = parameter(work_group_size_x + d);
  }
  if (!asks_beyond_x(function_)) {
    level_size_[1] = builder.CreateMul(level_size_[1], level_size_[2], "rows", true, true);
    level_size_[2] = nullptr;
  }
  has_y_loop_ = test_y_range(builder);
}

/* Lifetime markers are for the stack; a variable in the context lives as long as the work-group. */
void drop_lifetime_markers(AllocaInst &variable) {
  for (User *user : make_early_inc_range(variable.users())) {
    auto *marker = dyn_cast<CallBase>(user);
    if (marker && marker->isLifetimeStartOrEnd()) marker->eraseFromParent();
  }
}

/* Largest alignment first, so that each array stays aligned whatever the number of work-items. */
void WorkGroupBuilder::place_context(ArrayRef<AllocaInst *> variables) {
  const DataLayout &layout = function_.getDataLayout();
  for (AllocaInst *variable : variables) {
    drop_lifetime_markers(*variable);
    uint64_t size = layout.getTypeAllocSize(variable->getAllocatedType()) *
                    cast<ConstantInt>(variable->getArraySize())->getZExtValue();
    uint64_t alignment = variable->getAlign().value();
    kernel_.memory_alignment = std::max(kernel_.memory_alignment, alignment);
    context_variables_.push_back({variable, alignment, context_variables_.size(), 0, alignTo(size, alignment)});
  }
  sort(context_variables_, [](const ContextVariable &a, const ContextVariable &b) {
    return std::tie(a.alignment, b.order) > std::tie(b.alignment, a.order);
  });
  uint64_t offset = kernel_.collective_size;
  for (ContextVariable &variable : context_variables_) {
    offset = alignTo(offset, variable.alloca->getAlign());
    variable.offset = offset;
    offset += variable.stride;
  }
  kernel_.scratch_per_item = alignTo(offset, 16);
}

/* for (z) for (y) for (x) body: each loop runs at least once, a work-group is never empty. Where no work-item asks for
 * y or z, the two outer loops are one over the rows: less code, and quicker to compile. */
ItemLoops WorkGroupBuilder::make_loops(BasicBlock *before) {
  ItemLoops loops = {};
  auto block = [&](const char *name) { return BasicBlock::Create(context_, name, &function_); };
  loops.before = before;
  BasicBlock *outer = loops.before;
  BasicBlock *latches[dimensions];
  PHINode *counters[dimensions];
  const int levels = level_size_[2] ? 3 : 2;
  for (int d = levels - 1; d >= 0; d--) {
    BasicBlock *header = block("region.items");
    latches[d] = block("region.next");
    IRBuilder<>(outer).CreateBr(header);
    counters[d] = IRBuilder<>(header).CreatePHI(int64_, 2, "local_id");
    counters[d]->addIncoming(ConstantInt::get(int64_, 0), outer);
    loops.local_id[d] = counters[d];
    outer = header;
  }
  loops.body = outer;
  loops.latch = latches[0];
  loops.after = block("region.after");
  for (int d = 0; d < levels; d++) {
    IRBuilder<> builder(latches[d]);
    Value *next = builder.CreateAdd(counters[d], builder.getInt64(1), "", true, true);
    counters[d]->addIncoming(next, latches[d]);
    BasicBlock *done = d + 1 < levels ? latches[d + 1] : loops.after;
    builder.CreateCondBr(builder.CreateICmpULT(next, level_size_[d]), counters[d]->getParent(), done);
  }
  if (levels == 2) loops.local_id[2] = ConstantInt::get(int64_, 0);
  if (context_variables_.empty() && !kernel_.uses_sub_groups) return loops;
  IRBuilder<> builder(loops.body);
  Value *row = builder.CreateMul(loops.local_id[2], parameter(work_group_size_y), "", true, true);
  row = builder.CreateAdd(row, loops.local_id[1]);
  loops.row = builder.CreateMul(row, parameter(work_group_size_x), "row", true, true);
  loops.counter = counters[0];
  return loops;
}

/* for (item) body: the rows one behind the other. Numbers in a work-group fit in 32 bits, which divide quicker. */
ItemLoops WorkGroupBuilder::make_linear_loop(BasicBlock *before) {
  ItemLoops loops = {};
  auto block = [&](const char *name) { return BasicBlock::Create(context_, name, &function_); };
  loops.before = before;
  loops.body = block("linear.items");
  loops.latch = block("linear.next");
  loops.after = block("linear.after");
  Type *narrow = Type::getInt32Ty(context_);
  IRBuilder<> builder(loops.before);
  Value *size[dimensions];
  for (unsigned d = 0; d < dimensions; d++) size[d] = parameter(work_group_size_x + d);
  Value *count = builder.CreateMul(builder.CreateMul(size[0], size[1], "", true, true), size[2], "count", true, true);
  Value *width = builder.CreateTrunc(size[0], narrow), *height = builder.CreateTrunc(size[1], narrow);
  builder.CreateBr(loops.body);
  builder.SetInsertPoint(loops.body);
  PHINode *counter = builder.CreatePHI(int64_, 2, "item");
  Value *item = builder.CreateTrunc(counter, narrow);
  Value *row = builder.CreateUDiv(item, width);
  loops.local_id[0] = builder.CreateZExt(builder.CreateURem(item, width), int64_, "local_id");
  if (level_size_[2]) {
    loops.local_id[1] = builder.CreateZExt(builder.CreateURem(row, height), int64_);
    loops.local_id[2] = builder.CreateZExt(builder.CreateUDiv(row, height), int64_);
  } else {
    loops.local_id[1] = builder.CreateZExt(row, int64_);
    loops.local_id[2] = builder.getInt64(0);
  }
  loops.row = builder.getInt64(0);
  loops.counter = counter;
  builder.SetInsertPoint(loops.latch);
  Value *next = builder.CreateAdd(counter, builder.getInt64(1), "", true, true);
  counter->addIncoming(builder.getInt64(0), loops.before);
  counter->addIncoming(next, loops.latch);
  builder.CreateCondBr(builder.CreateICmpULT(next, count), loops.body, loops.after);
  return loops;
}

/* Work-items that end a region jump to the latch; where several stops can follow, they say which. All say the same. */
void WorkGroupBuilder::leave_region(const BlockSet &region, ValueToValueMapTy &map, const ItemLoops &loops) {
  SmallSetVector<BasicBlock *, 4> cut_points;
  for (BasicBlock *block : region) {
    for (BasicBlock *next : successors(block)) {
      if (!region.contains(next)) cut_points.insert(next);
    }
  }
  AllocaInst *chosen = nullptr;
  if (cut_points.size() > 1) {
    BasicBlock &entry = function_.getEntryBlock();
    chosen = IRBuilder<>(&entry, entry.begin()).CreateAlloca(Type::getInt32Ty(context_), nullptr, "next_region");
  }
  for (auto [index, cut_point] : enumerate(cut_points)) {
    BasicBlock *leave = BasicBlock::Create(context_, "leave", &function_);
    IRBuilder<> builder(leave);
    if (chosen) builder.CreateStore(builder.getInt32(index), chosen);
    builder.CreateBr(loops.latch);
    map[cut_point] = leave;
  }
  IRBuilder<> builder(loops.after);
  auto next_of = [&](BasicBlock *cut_point) { return cut_point == exit_ ? exit_ : entries_[cut_point]; };
  if (cut_points.empty()) {
    builder.CreateUnreachable();
  } else if (cut_points.size() == 1) {
    builder.CreateBr(next_of(cut_points[0]));
  } else {
    Value *index = builder.CreateLoad(builder.getInt32Ty(), chosen);
    SwitchInst *jump = builder.CreateSwitch(index, next_of(cut_points[0]), cut_points.size() - 1);
    for (unsigned i = 1; i < cut_points.size(); i++) jump->addCase(builder.getInt32(i), next_of(cut_points[i]));
  }
}

/* The address of this work-item's copy of each variable that the blocks use. */
void WorkGroupBuilder::bind_context(ArrayRef<BasicBlock *> blocks, const ItemLoops &loops) {
  if (context_variables_.empty()) return;
  IRBuilder<> builder(loops.body->getTerminator());
  Value *item = builder.CreateAdd(loops.row, loops.counter, "item", true, true);
  Value *capacity = builder.CreateMul(builder.CreateMul(enqueued_size_[0], enqueued_size_[1]), enqueued_size_[2]);
  SmallPtrSet<BasicBlock *, 32> inside(blocks.begin(), blocks.end());
  for (ContextVariable &variable : context_variables_) {
    Value *base = builder.CreateGEP(builder.getInt8Ty(), parameter(work_group_scratch),
                                    builder.CreateMul(capacity, builder.getInt64(variable.offset)));
    Value *address = builder.CreateGEP(builder.getInt8Ty(), base,
                                       builder.CreateMul(item, builder.getInt64(variable.stride), "", true, true));
    variable.alloca->replaceUsesWithIf(
        address, [&](Use &use) { return inside.contains(cast<Instruction>(use.getUser())->getParent()); });
  }
}

/* Each turn of the loops starts from what a uniform slot held before the first: a work-item that has gone through the
 * region must not be seen by the next. What the last one leaves is what all would. */
void WorkGroupBuilder::bind_uniform_slots(ArrayRef<BasicBlock *> blocks, const ItemLoops &loops) {
  SmallPtrSet<BasicBlock *, 32> inside(blocks.begin(), blocks.end());
  for (AllocaInst *slot : uniform_slots_) {
    SmallVector<Use *, 8> uses;
    bool writes = false;
    for (Use &use : slot->uses()) {
      auto *user = cast<Instruction>(use.getUser());
      if (!inside.contains(user->getParent())) continue;
      uses.push_back(&use);
      writes |= isa<StoreInst>(user);
    }
    if (uses.empty()) continue;
    BasicBlock &entry = function_.getEntryBlock();
    Type *type = slot->getAllocatedType();
    AllocaInst *own = IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
    Value *before = IRBuilder<>(loops.before->getTerminator()).CreateLoad(type, slot);
    IRBuilder<>(loops.body, loops.body->getFirstInsertionPt()).CreateStore(before, own);
    for (Use *use : uses) use->set(own);
    if (!writes) continue;
    IRBuilder<> builder(loops.latch, loops.latch->getFirstInsertionPt());
    builder.CreateStore(builder.CreateLoad(type, own), slot);
  }
}

Value *WorkGroupBuilder::work_item_value(WorkItem which, unsigned d, const ItemLoops &loops, IRBuilder<> &builder) {
  bool outside = d >= dimensions;
  switch (which) {
    case WorkItem::global_id:
      return outside ? builder.getInt64(0) : builder.CreateAdd(group_base_[d], loops.local_id[d], "global_id", true);
    case WorkItem::local_id: return outside ? builder.getInt64(0) : loops.local_id[d];
    case WorkItem::group_id:
      return outside ? static_cast<Value *>(builder.getInt64(0)) : parameter(work_group_id_x + d);
    case WorkItem::global_size:
      return outside ? builder.getInt64(1) : ndrange_field(builder, linearization_.ndrange.global_size, d);
    case WorkItem::local_size:
      return outside ? static_cast<Value *>(builder.getInt64(1)) : parameter(work_group_size_x + d);
    case WorkItem::enqueued_local_size: return outside ? builder.getInt64(1) : enqueued_size_[d];
    case WorkItem::num_groups:
      return outside ? builder.getInt64(1) : ndrange_field(builder, linearization_.ndrange.num_groups, d);
    case WorkItem::global_offset:
      return outside ? builder.getInt64(0) : ndrange_field(builder, linearization_.ndrange.global_offset, d);
    default: llvm_unreachable("not a work-item function with a dimension");
  }
}

/* A dimension that is known only at run time chooses among the three. */
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
        cast<CallBase>(instruction).setArgOperand(0, loops.row);
        cast<CallBase>(instruction).setArgOperand(1, loops.counter);
      }
      WorkItem which = work_item_call(&instruction);
      if (which == WorkItem::none) continue;
      IRBuilder<> builder(&instruction);
      Value *value;
      if (which == WorkItem::work_dim) {
        value = builder.CreateAlignedLoad(
            builder.getInt32Ty(),
            builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), parameter(work_group_ndrange),
                                               linearization_.ndrange.work_dim),
            Align(4));
      } else {
        value = work_item_value_any(which, cast<CallBase>(instruction).getArgOperand(0), loops, builder);
      }
      instruction.replaceAllUsesWith(value);
      instruction.eraseFromParent();
    }
  }
}

/* A copied block keeps the phi entries of predecessors that were copied with it. */
void prune_phis(BasicBlock &block, const SmallPtrSetImpl<BasicBlock *> &inside) {
  for (PHINode &phi : make_early_inc_range(block.phis())) {
    for (unsigned i = phi.getNumIncomingValues(); i-- > 0;) {
      if (!inside.contains(phi.getIncomingBlock(i))) phi.removeIncomingValue(i, false);
    }
    if (phi.getNumIncomingValues() > 0) continue;
    phi.replaceAllUsesWith(PoisonValue::get(phi.getType()));
    phi.eraseFromParent();
  }
}

/* Copies the region behind `head` into the loops. */
void WorkGroupBuilder::copy_region(const Regions &regions, BasicBlock *head, const ItemLoops &loops) {
  BlockSet region = regions.region(head);
  ValueToValueMapTy map;
  leave_region(region, map, loops);
  SmallVector<BasicBlock *, 32> copies;
  for (BasicBlock *block : region) {
    BasicBlock *copy = CloneBasicBlock(block, map, "", &function_);
    map[block] = copy;
    copies.push_back(copy);
  }
  remapInstructionsInBlocks(copies, map);
  SmallPtrSet<BasicBlock *, 32> inside(copies.begin(), copies.end());
  for (BasicBlock *copy : copies) prune_phis(*copy, inside);
  IRBuilder<>(loops.body).CreateBr(copies.front());
  bind_context(copies, loops);
  bind_uniform_slots(copies, loops);
  lower_work_item_calls(copies, loops);
  mark_item_loop(loops.latch->getTerminator());
  /* Sub-groups are not merged, and in their linear order there are no rows. */
  if (level_size_[2] && !has_y_loop_)
    mark_y_loop(cast<PHINode>(loops.local_id[1])->getIncomingBlock(1)->getTerminator());
}

/* One nest of loops for the region, or two to choose from. */
void WorkGroupBuilder::add_loops(const Regions &regions, BasicBlock *head) {
  BasicBlock *rows = entries_[head];
  if (has_y_loop_) {
    rows = BasicBlock::Create(context_, "rows", &function_);
    BasicBlock *linear = BasicBlock::Create(context_, "linear", &function_);
    IRBuilder<>(entries_[head]).CreateCondBr(has_y_loop_, rows, linear);
    copy_region(regions, head, make_linear_loop(linear));
  }
  copy_region(regions, head, make_loops(rows));
}

/* What the scalar passes found out about the work-group's parameters was true of a function that did not use them;
 * inlined into the entry, it would become a lie about calls that get a pointer to barrier context. */
void WorkGroupBuilder::forget_attributes() {
  AttributeMask found;
  for (Attribute::AttrKind kind : {Attribute::ReadNone, Attribute::ReadOnly, Attribute::WriteOnly, Attribute::Captures,
                                   Attribute::Initializes, Attribute::NoFree}) {
    found.addAttribute(kind);
  }
  for (unsigned i = 0; i < work_group_parameter_count; i++) {
    function_.removeParamAttrs(parameter(i)->getArgNo(), found);
  }
  function_.removeFnAttr(Attribute::Memory);
}

bool WorkGroupBuilder::run(text_t *log) {
  forget_attributes();
  Regions regions(function_);
  exit_ = regions.exit();
  VariablesAcrossBarriers kept;
  if (regions.has_barriers()) kept = keep_values_across_barriers(function_, regions, Divergence(function_));
  /* OpenCL C has none; SPIR-V and Clang's builtins do. */
  if (any_of(kept.per_item, [](const AllocaInst *variable) { return !variable->isStaticAlloca(); })) {
    text_appendf(log, "error: kernel '%s' keeps what alloca made, or an array of variable length, across a barrier\n",
                 kernel_.name);
    return false;
  }
  place_context(kept.per_item);
  uniform_slots_ = kept.uniform;
  load_sizes();

  SmallVector<BasicBlock *, 64> originals;
  for (BasicBlock &block : function_) {
    if (&block != &function_.getEntryBlock() && &block != exit_) originals.push_back(&block);
  }
  for (BasicBlock *head : regions.region_entries())
    entries_[head] = BasicBlock::Create(context_, "region.before", &function_);
  for (BasicBlock *head : regions.region_entries()) add_loops(regions, head);
  function_.getEntryBlock().getTerminator()->setSuccessor(0, entries_[&function_.getEntryBlock()]);
  DeleteDeadBlocks(originals);
  for (ContextVariable &variable : context_variables_) {
    variable.alloca->replaceAllUsesWith(PoisonValue::get(variable.alloca->getType()));
    variable.alloca->eraseFromParent();
  }
  return true;
}

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

/* Work-items that take turns together do so in vectors, along x alone, and in sub-groups of any size. */
static void stride_in_group(const passes_t &passes, const kernel_work_t &kernel) {
  if (!passes.optimize || !options_get()->vectorize || kernel.uses_sub_groups || kernel.reqd_sub_group_size) return;
  Function &function = *unwrap<Function>(kernel.function);
  if (!asks_beyond_x(function)) interchange_group_stride_loops(function, kernel.reqd_local_size[0]);
}

extern "C" compiler_result_t passes_make_work_groups(passes_t *passes, text_t *log) {
  for (size_t i = 0; i < passes->kernel_count; i++) {
    kernel_work_t &kernel = passes->kernels[i];
    stride_in_group(*passes, kernel);
    if (!WorkGroupBuilder(kernel, passes->layout).run(log)) return compiler_error_link_failure;
    kernel.private_size = kernel.scratch_per_item + stack_size(*unwrap<Function>(kernel.function));
    std::string problem;
    raw_string_ostream stream(problem);
    if (verifyFunction(*unwrap<Function>(kernel.function), &stream)) {
      text_appendf(log, "error: kernel '%s' broke in the work-group pass: %s\n", kernel.name, problem.c_str());
      return compiler_error_internal;
    }
  }
  return compiler_success;
}
