/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels whose work-groups have one work-item. Programs that choose a local size of 1 on CPUs have such, and kernels
 * written for it. */
#include "compiler/passes/single_item_groups.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/MathExtras.h>

#include "compiler/passes/address_queries.hpp"
#include "compiler/passes/local_memory.hpp"
#include "compiler/passes/passes.h"
#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/work_items.hpp"

using namespace llvm;

namespace quern {
namespace {

constexpr const char *known_size = "quern-known-local-memory";

/* Local memory that a kernel may have, in bytes: each lane of a vector gets a copy, and all should stay in the cache
 * of the first level. */
constexpr uint64_t max_private_bytes = 4096;

bool has_single_items(const Function &kernel) {
  for (unsigned d = 0; d < 3; d++) {
    if (number_operand(kernel, "reqd_work_group_size", d) != 1) return false;
  }
  return true;
}

/* The bytes behind a local pointer argument; false when that is not known. */
bool read_size(const Argument &parameter, uint64_t &bytes) {
  Attribute size = parameter.getParent()->getAttributes().getParamAttr(parameter.getArgNo(), known_size);
  return size.isValid() && !size.getValueAsString().getAsInteger(10, bytes);
}

/* False when the size of some is not known. */
bool count_local_bytes(Function &kernel, uint64_t &total) {
  total = local_variable_bytes(kernel);
  for (const Argument &parameter : kernel.args()) {
    uint64_t bytes = 0;
    if (!is_local_pointer(parameter)) continue;
    if (!read_size(parameter, bytes)) return false;
    total = SaturatingAdd(total, bytes);
  }
  return true;
}

/* A barrier of a wider scope orders what the work-item does for other groups (OpenCL C section 6.15.8). */
bool is_barrier_beyond_group(const CallBase &barrier) {
  constexpr uint64_t memory_scope_work_group = 1;
  if (barrier.arg_size() < 2) return false;
  auto *scope = dyn_cast<ConstantInt>(barrier.getArgOperand(1));
  return !scope || scope->getZExtValue() > memory_scope_work_group;
}

bool needs_group(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  if (!call) return false;
  const Function *callee = call->getCalledFunction();
  return is_sub_group_function(callee) || is_address_query(callee) ||
         (is_barrier(callee) && is_barrier_beyond_group(*call));
}

/* A work-item function of the same type as the call's, with the same argument. */
Value *call_instead(IRBuilder<> &builder, CallBase &call, StringRef name) {
  Function &callee = *call.getCalledFunction();
  Module &module = *callee.getParent();
  FunctionCallee other = module.getOrInsertFunction(name, callee.getFunctionType(), callee.getAttributes());
  cast<Function>(other.getCallee())->setCallingConv(callee.getCallingConv());
  CallInst *result = builder.CreateCall(other, {call.getArgOperand(0)});
  result->setCallingConv(call.getCallingConv());
  return result;
}

/* What a question for the group has as its answer when its work-item is alone; null for other calls. The answers hold
 * in dimensions beyond those of the ND-range too. */
Value *answer(CallBase &call) {
  IRBuilder<> builder(&call);
  switch (work_item_call(&call)) {
    case WorkItem::local_id: return ConstantInt::get(call.getType(), 0);
    case WorkItem::local_size:
    case WorkItem::enqueued_local_size: return ConstantInt::get(call.getType(), 1);
    case WorkItem::num_groups: return call_instead(builder, call, "_Z15get_global_sizej");
    case WorkItem::group_id: {
      Value *id = call_instead(builder, call, "_Z13get_global_idj");
      return builder.CreateSub(id, call_instead(builder, call, "_Z17get_global_offsetj"));
    }
    default: return nullptr;
  }
}

AllocaInst *create_memory(Function &kernel, uint64_t bytes, Align alignment, StringRef name) {
  IRBuilder<> builder(&*kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  AllocaInst *memory = builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), bytes), nullptr, name);
  memory->setAlignment(alignment);
  return memory;
}

/* What is stored behind one call is loaded behind another: all get the same memory. */
void make_collective_memory_private(Function &kernel) {
  const Align alignment(collective_bytes_per_item);
  AllocaInst *memory = create_memory(kernel, collective_bytes_per_item, alignment, "collective");
  if (!replace_collective_memory(kernel, *memory)) memory->eraseFromParent();
}

void lower_group_functions(Function &kernel) {
  for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call) continue;
    Value *value = answer(*call);
    if (value) call->replaceAllUsesWith(value);
    if (value || is_barrier(call->getCalledFunction())) call->eraseFromParent();
  }
}

void make_arguments_private(Function &kernel) {
  for (Argument &parameter : kernel.args()) {
    uint64_t bytes = 0;
    if (!is_local_pointer(parameter) || !read_size(parameter, bytes)) continue;
    AllocaInst *memory = create_memory(kernel, bytes, Align(PASSES_MEMORY_ALIGNMENT), parameter.getName());
    IRBuilder<> builder(memory->getNextNode());
    parameter.replaceAllUsesWith(builder.CreateAddrSpaceCast(memory, parameter.getType()));
  }
}

void make_private(Function &kernel) {
  lower_group_functions(kernel);
  make_collective_memory_private(kernel);
  make_local_variables_private(kernel);
  make_arguments_private(kernel);
}

}  // namespace

void make_local_memory_private(Module &module) {
  for (Function &kernel : module) {
    uint64_t bytes = 0;
    if (kernel.isDeclaration() || kernel.getCallingConv() != CallingConv::SPIR_KERNEL) continue;
    if (!has_single_items(kernel) || !count_local_bytes(kernel, bytes) || bytes > max_private_bytes) continue;
    if (none_of(instructions(kernel), needs_group)) make_private(kernel);
  }
}

}  // namespace quern

using namespace quern;

extern "C" bool passes_know_local_memory(LLVMModuleRef module, const char *kernel, uint32_t index, uint64_t bytes) {
  Function *function = unwrap(module)->getFunction(kernel);
  if (!function || index >= function->arg_size() || !is_local_pointer(*function->getArg(index))) return false;
  function->addParamAttr(index, Attribute::get(function->getContext(), known_size, std::to_string(bytes)));
  return true;
}
