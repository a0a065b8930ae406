/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Split of a prepared program into parts that are compiled by several threads. */
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/passes.h"
#include "compiler/passes/work_items.hpp"

using namespace llvm;
using namespace quern;

extern "C" size_t passes_kernel_size(const kernel_work_t *kernel) {
  return unwrap<Function>(kernel->function)->getInstructionCount();
}

/* All parts would have variables, and functions whose addresses are compared, of their own. */
extern "C" bool passes_can_split(const passes_t *passes) {
  const Module &module = *unwrap(passes->module);
  const bool shares_variables = any_of(module.globals(), [](const GlobalVariable &variable) {
    return !variable.isConstant() && !variable.isDeclaration() && !variable.use_empty();
  });
  const bool shares_functions =
      any_of(module, [](const Function &function) { return !function.isDeclaration() && function.hasAddressTaken(); });
  return !shares_variables && !shares_functions;
}

/* Deletes a kernel. Later passes delete functions that only this kernel used. */
static void drop_kernel(Function *function) {
  if (function && function->use_empty()) function->eraseFromParent();
}

extern "C" compiler_result_t passes_take_part(const passes_t *from, LLVMModuleRef ir, const size_t *part_of,
                                              size_t part, passes_t *out) {
  Module &module = *unwrap(ir);
  *out = {};
  out->module = ir;
  out->target = from->target;
  out->target_passes = from->target_passes;
  out->optimize = from->optimize;
  out->kernels = static_cast<kernel_work_t *>(calloc(from->kernel_count + 1, sizeof(kernel_work_t)));
  if (!out->kernels) return compiler_error_out_of_memory;
  for (size_t i = 0; i < from->kernel_count; i++) {
    const kernel_work_t &kernel = from->kernels[i];
    /* Look-up by name, since kernel.function belongs to another thread's module. */
    Function *function = module.getFunction(kernel.symbol);
    if (part_of[i] != part) {
      drop_kernel(function);
      continue;
    }
    kernel_work_t &copy = out->kernels[out->kernel_count++];
    copy = kernel; /* borrows names and parameters */
    copy.function = wrap(function);
  }
  /* The kernels of a program that can be split use none of its writable variables; the first part defines them. */
  for (GlobalVariable &variable : module.globals()) {
    if (part > 0 && is_host_visible(variable)) variable.setLinkage(GlobalValue::InternalLinkage);
  }
  return compiler_success;
}

extern "C" void passes_free_part(passes_t *part) {
  free(part->kernels);
  *part = {};
}
