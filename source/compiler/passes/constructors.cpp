/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernel for the constructors of program-scope objects: those of C++ for OpenCL, and SPIR-V's initializers. */
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/passes.h"
#include "compiler/passes/work_items.hpp"

using namespace llvm;
using namespace quern;

namespace {

struct Constructor {
  uint64_t priority;
  Function *function;
};

/* The constructor of an entry of llvm.global_ctors; null for forms that neither Clang nor the importer writes. */
Function *called_function(const ConstantStruct *entry) {
  auto *function = dyn_cast<Function>(entry->getOperand(1)->stripPointerCasts());
  bool is_constructor =
      function && !function->isDeclaration() && function->arg_empty() && function->getReturnType()->isVoidTy();
  return is_constructor ? function : nullptr;
}

/* Reads llvm.global_ctors in order of priority. Constructors of one priority keep the order of the list, which is the
 * order of the definitions and of the linked modules. */
bool read_constructor_list(const GlobalVariable &list, SmallVectorImpl<Constructor> &out) {
  auto *entries = dyn_cast<ConstantArray>(list.getInitializer());
  for (unsigned i = 0; entries && i < entries->getNumOperands(); i++) {
    auto *entry = dyn_cast<ConstantStruct>(entries->getOperand(i));
    Function *function = entry ? called_function(entry) : nullptr;
    if (!function) return false;
    out.push_back({cast<ConstantInt>(entry->getOperand(0))->getZExtValue(), function});
  }
  stable_sort(out, [](const Constructor &a, const Constructor &b) { return a.priority < b.priority; });
  return true;
}

/* An unused kernel name: names in OpenCL C are identifiers, but names in SPIR-V may be any text. */
std::string free_kernel_name(const Module &module) {
  std::string name = "(constructors)";
  auto is_in_use = [&](const Function &function) { return source_name(function) == name; };
  while (any_of(module, is_in_use)) name += "'";
  return name;
}

/* Creates a kernel for one work-item that calls all constructors. */
Function *make_kernel(Module &module, ArrayRef<Constructor> constructors) {
  LLVMContext &context = module.getContext();
  auto *type = FunctionType::get(Type::getVoidTy(context), false);
  Function *kernel = Function::Create(type, GlobalValue::ExternalLinkage, free_kernel_name(module), module);
  kernel->setCallingConv(CallingConv::SPIR_KERNEL);
  kernel->setDoesNotThrow();
  kernel->setConvergent();
  IRBuilder<> builder(BasicBlock::Create(context, "", kernel));
  Metadata *one = ConstantAsMetadata::get(builder.getInt32(1));
  kernel->setMetadata("reqd_work_group_size", MDNode::get(context, {one, one, one}));
  for (const Constructor &constructor : constructors) {
    /* Clang gives constructors the kernel convention, for hosts that launch each by its name. */
    constructor.function->setCallingConv(CallingConv::SPIR_FUNC);
    builder.CreateCall(constructor.function)->setCallingConv(CallingConv::SPIR_FUNC);
  }
  builder.CreateRetVoid();
  return kernel;
}

}  // namespace

extern "C" compiler_result_t passes_gather_constructors(passes_t *passes, text_t *log) {
  Module &module = *unwrap(passes->module);
  /* Destructors are not supported: Clang 22 registers them without the object that they are for. */
  Function *registration = module.getFunction("__cxa_atexit");
  if (registration && !registration->use_empty()) {
    text_append(log,
                "error: a program-scope or static object has a destructor that would have to run when the program "
                "ends; such destructors are not supported (__opencl_cpp_global_destructor is not defined)\n");
    return compiler_error_link_failure;
  }
  GlobalVariable *list = module.getGlobalVariable("llvm.global_ctors");
  if (!list) return compiler_success;
  SmallVector<Constructor, 8> constructors;
  if (!read_constructor_list(*list, constructors)) {
    text_append(log, "error: a constructor of a program-scope object is not a function without parameters\n");
    return compiler_error_link_failure;
  }
  list->eraseFromParent();
  if (!constructors.empty()) passes->constructors = wrap(make_kernel(module, constructors));
  return compiler_success;
}
