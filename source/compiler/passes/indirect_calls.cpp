/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Calls through pointers of functions that need the work-group. */
#include "compiler/passes/indirect_calls.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/CallPromotionUtils.h>

using namespace llvm;

namespace quern {

/* On functions whose address is taken and that need the work-group. */
static constexpr const char *group_function_attribute = "quern-called-indirectly";

/* Each direct call becomes a copy of its callee, in every kernel that comes by. */
static constexpr unsigned max_direct_calls = 1024;

namespace {

/* Finds the functions that need the work-group, and makes indirect calls direct, which may add to them. */
class IndirectCalls {
 public:
  IndirectCalls(Module &module, function_ref<bool(Function &)> needs_group);
  /* False when there are too many. */
  bool make_direct();

 private:
  void add(Function &function);
  bool make_direct(Function &callee);

  Module &module_;
  SetVector<Function *> group_functions_;
  SmallVector<CallBase *, 16> indirect_;
  unsigned direct_calls_ = 0;
};

IndirectCalls::IndirectCalls(Module &module, function_ref<bool(Function &)> needs_group) : module_(module) {
  for (Function &function : module_) {
    if (function.isDeclaration()) continue;
    if (needs_group(function)) add(function);
    for (Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      if (call && call->isIndirectCall()) indirect_.push_back(call);
    }
  }
}

/* With those that call it. */
void IndirectCalls::add(Function &first) {
  SmallVector<Function *, 16> left = {&first};
  while (!left.empty()) {
    Function *function = left.pop_back_val();
    if (!group_functions_.insert(function)) continue;
    for (User *user : function->users()) {
      auto *call = dyn_cast<CallBase>(user);
      if (call && call->getCalledOperand() == function) left.push_back(call->getFunction());
    }
  }
}

/* `call` stays the indirect one. */
bool IndirectCalls::make_direct(Function &callee) {
  for (CallBase *call : indirect_) {
    if (call->getFunctionType() != callee.getFunctionType() || !isLegalToPromote(*call, &callee)) continue;
    if (++direct_calls_ > max_direct_calls) return false;
    promoteCallWithIfThenElse(*call, &callee);
    add(*call->getFunction());
  }
  return true;
}

/* The set grows while it is walked. */
bool IndirectCalls::make_direct() {
  for (unsigned i = 0; i < group_functions_.size(); i++) {
    Function &function = *group_functions_[i];
    if (function.getCallingConv() == CallingConv::SPIR_KERNEL || !function.hasAddressTaken()) continue;
    function.addFnAttr(group_function_attribute);
    function.setUnnamedAddr(GlobalValue::UnnamedAddr::None);
    if (!make_direct(function)) return false;
  }
  return true;
}

}  // namespace

compiler_result_t call_group_functions_directly(Module &module, function_ref<bool(Function &)> needs_group,
                                                text_t *log) {
  if (IndirectCalls(module, needs_group).make_direct()) return compiler_success;
  text_appendf(log, "error: too many calls through pointers may be of functions that use work-item functions\n");
  return compiler_error_link_failure;
}

static void trap(Function &function) {
  function.removeFnAttr(Attribute::AlwaysInline);
  function.addFnAttr(Attribute::NoInline);
  function.deleteBody();
  function.setLinkage(GlobalValue::InternalLinkage);
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  builder.CreateCall(Intrinsic::getOrInsertDeclaration(function.getParent(), Intrinsic::trap));
  builder.CreateUnreachable();
}

void trap_in_group_functions(Module &module) {
  for (Function &function : module) {
    if (!function.isDeclaration() && function.hasFnAttribute(group_function_attribute)) trap(function);
  }
}

}  // namespace quern
