/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Constructors of program-scope objects (C++ for OpenCL). */
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/passes.h"

using namespace llvm;

/* Clang lists those that are left when the front end has initialised what is constant. */
extern "C" compiler_result_t passes_check_constructors(LLVMModuleRef handle, text_t *log) {
  GlobalVariable *list = unwrap(handle)->getGlobalVariable("llvm.global_ctors");
  if (!list || isa<ConstantAggregateZero>(list->getInitializer())) return compiler_success;
  text_append(log,
              "error: a program-scope object has a constructor that would have to run before the kernels; such objects "
              "must be initialised by constants (constexpr constructors)\n");
  return compiler_error_link_failure;
}
