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

#include "compiler/passes/crossing.hpp"
#include "compiler/passes/divergence.hpp"
#include "compiler/passes/passes.h"
#include "compiler/passes/regions.hpp"
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
};

class WorkGroupBuilder {
 public:
  WorkGroupBuilder(kernel_work_t &kernel, const work_group_layout_t &layout)
      : kernel_(kernel),
        function_(*unwrap<Function>(kernel.function)),
        layout_(layout),
        context_(function_.getContext()),
        int64_(Type::getInt64Ty(context_)) {}

  void run();

 private:
  Argument *parameter(unsigned which) const {
    return function_.getArg(function_.arg_size() - work_group_parameter_count + which);
  }
  Value *ndrange_field(IRBuilder<> &builder, unsigned offset, unsigned dimension) const;
  void forget_attributes();
  void load_sizes();
  void place_context(ArrayRef<AllocaInst *> variables);
  ItemLoops make_loops(const Twine &name);
  void copy_region(const Regions &regions, BasicBlock *head);
  void leave_region(const BlockSet &region, ValueToValueMapTy &map, const ItemLoops &loops);
  void bind_context(ArrayRef<BasicBlock *> blocks, const ItemLoops &loops);
  void bind_uniform_slots(ArrayRef<BasicBlock *> blocks, const ItemLoops &loops);
  void lower_work_item_calls(ArrayRef<BasicBlock *> blocks, const ItemLoops &loops);
  Value *work_item_value(WorkItem which, unsigned dimension, const ItemLoops &loops, IRBuilder<> &builder);
  Value *work_item_value_any(WorkItem which, Value *dimension, const ItemLoops &loops, IRBuilder<> &builder);

  kernel_work_t &kernel_;
  Function &function_;
  const work_group_layout_t &layout_;
  LLVMContext &context_;
  Type *int64_;
  Value *group_base_[dimensions];
  Value *enqueued_size_[dimensions];
  /** Turns of each loop; the last is null when rows of y and z are one loop. */
  Value *level_size_[dimensions];
  SmallVector<ContextVariable, 16> context_variables_;
  SmallVector<AllocaInst *, 16> uniform_slots_;
  DenseMap<BasicBlock *, ItemLoops> loops_of_;
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

/* Values of the group that every region may use, at the end of the entry block. */
void WorkGroupBuilder::load_sizes() {
  IRBuilder<> builder(function_.getEntryBlock().getTerminator());
  for (unsigned d = 0; d < dimensions; d++) {
    enqueued_size_[d] = kernel_.reqd_local_size[0] ? static_cast<Value *>(builder.getInt64(kernel_.reqd_local_size[d]))
                                                   : ndrange_field(builder, layout_.ndrange.local_size, d);
    Value *first = builder.CreateMul(parameter(work_group_id_x + d), enqueued_size_[d], "", true, true);
    group_base_[d] = builder.CreateAdd(first, ndrange_field(builder, layout_.ndrange.global_offset, d), "group_base");
    level_size_[d] = parameter(work_group_size_x + d);
  }
  if (!asks_beyond_x(function_)) {
    level_size_[1] = builder.CreateMul(level_size_[1], level_size_[2], "rows", true, true);
    level_size_[2] = nullptr;
  }
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
ItemLoops WorkGroupBuilder::make_loops(const Twine &name) {
  ItemLoops loops;
  auto block = [&](const char *suffix) { return BasicBlock::Create(context_, name + suffix, &function_); };
  loops.before = block(".before");
  BasicBlock *outer = loops.before;
  BasicBlock *latches[dimensions];
  PHINode *counters[dimensions];
  const int levels = level_size_[2] ? 3 : 2;
  for (int d = levels - 1; d >= 0; d--) {
    BasicBlock *header = block(".items");
    latches[d] = block(".next");
    IRBuilder<>(outer).CreateBr(header);
    counters[d] = IRBuilder<>(header).CreatePHI(int64_, 2, "local_id");
    counters[d]->addIncoming(ConstantInt::get(int64_, 0), outer);
    loops.local_id[d] = counters[d];
    outer = header;
  }
  loops.body = outer;
  loops.latch = latches[0];
  loops.after = block(".after");
  for (int d = 0; d < levels; d++) {
    IRBuilder<> builder(latches[d]);
    Value *next = builder.CreateAdd(counters[d], builder.getInt64(1), "", true, true);
    counters[d]->addIncoming(next, latches[d]);
    BasicBlock *done = d + 1 < levels ? latches[d + 1] : loops.after;
    builder.CreateCondBr(builder.CreateICmpULT(next, level_size_[d]), counters[d]->getParent(), done);
  }
  if (levels == 2) loops.local_id[2] = ConstantInt::get(int64_, 0);
  return loops;
}

/* Work-items that end a region jump to the latch; where several stops can follow, they say which. All say the same. */
void WorkGroupBuilder::leave_region(const BlockSet &region, ValueToValueMapTy &map, const ItemLoops &loops) {
  SmallSetVector<BasicBlock *, 4> stops;
  for (BasicBlock *block : region) {
    for (BasicBlock *next : successors(block)) {
      if (!region.contains(next)) stops.insert(next);
    }
  }
  AllocaInst *chosen = nullptr;
  if (stops.size() > 1) {
    BasicBlock &entry = function_.getEntryBlock();
    chosen = IRBuilder<>(&entry, entry.begin()).CreateAlloca(Type::getInt32Ty(context_), nullptr, "next_region");
  }
  for (auto [index, stop] : enumerate(stops)) {
    BasicBlock *leave = BasicBlock::Create(context_, "leave", &function_);
    IRBuilder<> builder(leave);
    if (chosen) builder.CreateStore(builder.getInt32(index), chosen);
    builder.CreateBr(loops.latch);
    map[stop] = leave;
  }
  IRBuilder<> builder(loops.after);
  auto next_of = [&](BasicBlock *stop) { return stop == exit_ ? exit_ : loops_of_[stop].before; };
  if (stops.empty()) {
    builder.CreateUnreachable();
  } else if (stops.size() == 1) {
    builder.CreateBr(next_of(stops[0]));
  } else {
    Value *index = builder.CreateLoad(builder.getInt32Ty(), chosen);
    SwitchInst *jump = builder.CreateSwitch(index, next_of(stops[0]), stops.size() - 1);
    for (unsigned i = 1; i < stops.size(); i++) jump->addCase(builder.getInt32(i), next_of(stops[i]));
  }
}

/* The address of this work-item's copy of each variable that the blocks use. */
void WorkGroupBuilder::bind_context(ArrayRef<BasicBlock *> blocks, const ItemLoops &loops) {
  if (context_variables_.empty()) return;
  IRBuilder<> builder(loops.body, loops.body->getFirstInsertionPt());
  Value *row = builder.CreateAdd(builder.CreateMul(loops.local_id[2], parameter(work_group_size_y), "", true, true),
                                 loops.local_id[1]);
  Value *item = builder.CreateAdd(builder.CreateMul(row, parameter(work_group_size_x), "", true, true),
                                  loops.local_id[0], "item", true, true);
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
      return outside ? builder.getInt64(1) : ndrange_field(builder, layout_.ndrange.global_size, d);
    case WorkItem::local_size:
      return outside ? static_cast<Value *>(builder.getInt64(1)) : parameter(work_group_size_x + d);
    case WorkItem::enqueued_local_size: return outside ? builder.getInt64(1) : enqueued_size_[d];
    case WorkItem::num_groups:
      return outside ? builder.getInt64(1) : ndrange_field(builder, layout_.ndrange.num_groups, d);
    case WorkItem::global_offset:
      return outside ? builder.getInt64(0) : ndrange_field(builder, layout_.ndrange.global_offset, d);
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

/* Copies the region behind `head` into its loops. */
void WorkGroupBuilder::copy_region(const Regions &regions, BasicBlock *head) {
  const ItemLoops loops = loops_of_[head];
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

void WorkGroupBuilder::run() {
  forget_attributes();
  Regions regions(function_);
  exit_ = regions.exit();
  CrossingVariables kept;
  if (regions.has_barriers()) kept = keep_crossing_values(function_, regions, Divergence(function_));
  place_context(kept.per_item);
  uniform_slots_ = kept.uniform;
  load_sizes();

  SmallVector<BasicBlock *, 64> originals;
  for (BasicBlock &block : function_) {
    if (&block != &function_.getEntryBlock() && &block != exit_) originals.push_back(&block);
  }
  for (BasicBlock *head : regions.heads()) loops_of_[head] = make_loops("region");

  for (BasicBlock *head : regions.heads()) copy_region(regions, head);
  function_.getEntryBlock().getTerminator()->setSuccessor(0, loops_of_[&function_.getEntryBlock()].before);
  DeleteDeadBlocks(originals);
  for (ContextVariable &variable : context_variables_) {
    variable.alloca->replaceAllUsesWith(PoisonValue::get(variable.alloca->getType()));
    variable.alloca->eraseFromParent();
  }
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

extern "C" compiler_result_t passes_make_work_groups(passes_t *passes, text_t *log) {
  for (size_t i = 0; i < passes->kernel_count; i++) {
    kernel_work_t &kernel = passes->kernels[i];
    WorkGroupBuilder(kernel, passes->layout).run();
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
