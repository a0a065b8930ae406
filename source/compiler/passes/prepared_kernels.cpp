/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What a prepared module says of its kernels. */
#include "compiler/passes/prepared_kernels.hpp"

#include <string.h>

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/passes/address_spaces.hpp"
#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/work_items.hpp"

using namespace llvm;

namespace quern {

/* Of work-group collectives, for each work-item (prepare.cpp). */
static constexpr uint64_t collective_bytes = 16;

static bool is_pointer(const Type *type, unsigned space) {
  return type->isPointerTy() && type->getPointerAddressSpace() == space;
}

bool has_work_group_parameters(const Function &function) {
  if (function.arg_size() < work_group_parameter_count) return false;
  for (unsigned i = 0; i < work_group_parameter_count; i++) {
    const Type *type = function.getArg(unsigned(function.arg_size()) - work_group_parameter_count + i)->getType();
    const bool fits = i >= work_group_id_x ? type->isIntegerTy(64)
                                           : is_pointer(type, i == work_group_local ? local_space : private_space);
    if (!fits) return false;
  }
  return true;
}

static bool is_prepared_kernel(const Function &function) {
  return !function.isDeclaration() && !function.hasLocalLinkage() && has_work_group_parameters(function);
}

static kernel_work_t describe(Function &function) {
  kernel_work_t kernel = {};
  kernel.function = wrap(&function);
  kernel.name = strdup(source_name(function).str().c_str());
  kernel.symbol = strdup(function.getName().str().c_str());
  const Argument *scratch =
      function.getArg(unsigned(function.arg_size()) - work_group_parameter_count + work_group_scratch);
  /* Other pointers lead there as well where collectives use it. */
  if (!scratch->hasNoAliasAttr()) kernel.collective_size = collective_bytes;
  for (unsigned i = 0; i < 3; i++)
    kernel.reqd_local_size[i] = uint32_t(number_operand(function, "reqd_work_group_size", i));
  kernel.reqd_sub_group_size = uint32_t(number_operand(function, "intel_reqd_sub_group_size", 0));
  kernel.uses_sub_groups = any_of(instructions(function), [](const Instruction &instruction) {
    return sub_group_call(&instruction).kind != SubGroup::none;
  });
  return kernel;
}

compiler_result_t find_prepared_kernels(Module &module, passes_t &work) {
  work.kernels = static_cast<kernel_work_t *>(calloc(module.size() + 1, sizeof(kernel_work_t)));
  if (!work.kernels) return compiler_error_out_of_memory;
  for (Function &function : module) {
    if (!is_prepared_kernel(function)) continue;
    kernel_work_t &kernel = work.kernels[work.kernel_count];
    kernel = describe(function);
    kernel.index = work.kernel_count++;
    if (!kernel.name || !kernel.symbol) return compiler_error_out_of_memory;
  }
  return compiler_success;
}

}  // namespace quern
