/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The layout of the barrier context. */
#include "compiler/passes/barrier_context.hpp"

#include <algorithm>
#include <tuple>

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>

using namespace llvm;

namespace quern {

VariableUses find_variable_uses(ArrayRef<BasicBlock *> blocks, function_ref<bool(const Value *)> is_wanted) {
  VariableUses uses;
  for (BasicBlock *block : blocks) {
    for (Instruction &instruction : *block) {
      for (Use &operand : instruction.operands()) {
        if (is_wanted(operand.get())) uses[cast<AllocaInst>(operand.get())].push_back(&operand);
      }
    }
  }
  return uses;
}

/* Lifetime markers apply to allocas only; a variable in the context lives as long as the work-group. */
static void drop_lifetime_markers(AllocaInst &variable) {
  for (User *user : make_early_inc_range(variable.users())) {
    auto *marker = dyn_cast<CallBase>(user);
    if (marker && marker->isLifetimeStartOrEnd()) marker->eraseFromParent();
  }
}

void BarrierContext::lay_out(kernel_work_t &kernel, ArrayRef<AllocaInst *> variables) {
  for (AllocaInst *variable : variables) {
    drop_lifetime_markers(*variable);
    uint64_t size = variable->getDataLayout().getTypeAllocSize(variable->getAllocatedType()) *
                    cast<ConstantInt>(variable->getArraySize())->getZExtValue();
    uint64_t alignment = variable->getAlign().value();
    kernel.memory_alignment = std::max(kernel.memory_alignment, alignment);
    variables_.push_back({variable, alignment, variables_.size(), 0, alignTo(size, alignment)});
  }
  sort(variables_, [](const Variable &a, const Variable &b) {
    return std::tie(a.alignment, b.index) > std::tie(b.alignment, a.index);
  });
  uint64_t offset = kernel.collective_size;
  for (Variable &variable : variables_) {
    offset = alignTo(offset, variable.alloca->getAlign());
    variable.offset = offset;
    offset += variable.stride;
    places_[variable.alloca] = size_t(&variable - variables_.begin());
  }
  kernel.scratch_per_item = alignTo(offset, 16);
}

void BarrierContext::bind(ArrayRef<BasicBlock *> blocks, IRBuilder<> &builder,
                          function_ref<ContextPlace()> place) const {
  const VariableUses used = find_variable_uses(blocks, [&](const Value *value) { return places_.contains(value); });
  if (used.empty()) return;
  const ContextPlace own = place();
  for (auto &[alloca, uses] : used) {
    const Variable &variable = variables_[places_.lookup(alloca)];
    Value *base = builder.CreateGEP(builder.getInt8Ty(), own.memory,
                                    builder.CreateMul(own.capacity, builder.getInt64(variable.offset)));
    Value *address = builder.CreateGEP(builder.getInt8Ty(), base,
                                       builder.CreateMul(own.item, builder.getInt64(variable.stride), "", true, true));
    for (Use *use : uses) use->set(address);
  }
}

void BarrierContext::erase() {
  for (Variable &variable : variables_) {
    variable.alloca->replaceAllUsesWith(PoisonValue::get(variable.alloca->getType()));
    variable.alloca->eraseFromParent();
  }
  variables_.clear();
  places_.clear();
}

}  // namespace quern
