/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lowering of to_global, to_local and to_private. A CPU has one address space: the address itself tells the origin of a
 * generic pointer. */
#include "compiler/passes/address_queries.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Intrinsics.h>

using namespace llvm;

namespace quern {
namespace {

/* Bounds of a function's stack frame, as integers. They are read at the function's entry: to LLVM these intrinsics may
 * write memory, and between the program's own accesses they would prevent store-to-load forwarding. */
struct stack_frame_t {
  Value *low, *high;
};

stack_frame_t find_stack_frame(Function &function) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *low = builder.CreateStackSave();
  Value *frame = builder.CreateIntrinsic(Intrinsic::frameaddress, {builder.getPtrTy()}, {builder.getInt32(0)});
  Value *low_bits = builder.CreatePtrToInt(low, builder.getInt64Ty());
  Value *high_bits = builder.CreatePtrToInt(frame, builder.getInt64Ty());
  return {low_bits, high_bits};
}

class AddressQuery {
 public:
  AddressQuery(CallBase &call, const work_group_layout_t &layout, const stack_frame_t &stack)
      : function_(*call.getFunction()),
        layout_(layout),
        stack_(stack),
        builder_(&call),
        address_(builder_.CreatePtrToInt(call.getArgOperand(0), builder_.getInt64Ty())) {}

  Value *lower(StringRef name) {
    if (name == "__to_local") return is_local();
    if (name == "__to_private") return is_private();
    Value *is_in_local = is_local(), *is_in_private = is_private();
    return builder_.CreateNot(builder_.CreateOr(is_in_local, is_in_private));
  }

 private:
  Value *parameter(unsigned which) {
    return function_.getArg(function_.arg_size() - work_group_parameter_count + which);
  }

  Value *is_within(Value *base, unsigned size_offset) {
    Value *size = builder_.CreateAlignedLoad(
        builder_.getInt64Ty(),
        builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), parameter(work_group_memory), size_offset), Align(8));
    Value *distance = builder_.CreateSub(address_, builder_.CreatePtrToInt(base, builder_.getInt64Ty()));
    return builder_.CreateICmpULT(distance, size);
  }

  Value *is_local() { return is_within(parameter(work_group_local), layout_.memory.local_size); }

  /* Private memory is barrier context, or the stack frame of the entry, into which the kernel is inlined. */
  Value *is_private() {
    Value *is_above = builder_.CreateICmpUGE(address_, stack_.low);
    Value *is_on_stack = builder_.CreateAnd(is_above, builder_.CreateICmpULT(address_, stack_.high));
    return builder_.CreateOr(is_on_stack, is_within(parameter(work_group_scratch), layout_.memory.scratch_size));
  }

  Function &function_;
  const work_group_layout_t &layout_;
  const stack_frame_t &stack_;
  IRBuilder<> builder_;
  Value *address_;
};

}  // namespace

bool is_address_query(const Function *function) {
  if (!function || !function->isDeclaration()) return false;
  StringRef name = function->getName();
  return name == "__to_global" || name == "__to_local" || name == "__to_private";
}

void lower_address_queries(Function &function, const work_group_layout_t &layout) {
  SmallVector<CallBase *, 8> calls;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (call && is_address_query(call->getCalledFunction())) calls.push_back(call);
  }
  if (calls.empty()) return;
  stack_frame_t stack = find_stack_frame(function);
  for (CallBase *call : calls) {
    Value *matches = AddressQuery(*call, layout, stack).lower(call->getCalledFunction()->getName());
    IRBuilder<> builder(call);
    Value *pointer = builder.CreateAddrSpaceCast(call->getArgOperand(0), call->getType());
    call->replaceAllUsesWith(builder.CreateSelect(matches, pointer, Constant::getNullValue(call->getType())));
    call->eraseFromParent();
  }
}

}  // namespace quern
