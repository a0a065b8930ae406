/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Names of program symbols, and the check for undefined symbols in a linked program. */
#include <llvm-c/Core.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/address_queries.hpp"
#include "compiler/passes/image_bounds.hpp"
#include "compiler/passes/opaque_types.hpp"
#include "compiler/passes/passes.h"
#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/symbol_names.h"
#include "compiler/passes/work_items.hpp"

using namespace llvm;
using namespace quern;

namespace {

bool is_lowered_later(const Function &function) {
  return function.isIntrinsic() || is_barrier(&function) || is_printf(&function) || is_address_query(&function) ||
         is_opaque_accessor(&function) || is_collective_memory(&function) || is_sub_group_function(&function) ||
         is_bounds_check(&function) || work_item_function(&function) != WorkItem::none;
}

void report(const GlobalValue &symbol, const char *what, text_t *log) {
  std::string name = demangle(symbol.getName().str());
  text_appendf(log, "error: undefined %s '%s'\n", what, name.c_str());
}

/* OpenCL C has no inline assembly, and LLVM may end the process for assembly that the target cannot parse. */
bool has_assembly(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    return call && call->isInlineAsm();
  });
}

/* Loaders align sections to pages only. Local variables are exempt: they are offsets. */
constexpr unsigned largest_alignment = 4096;

bool check_alignment(const GlobalObject &object, text_t *log) {
  const unsigned alignment = LLVMGetAlignment(wrap(&object));
  if (object.getAddressSpace() == 3 || alignment <= largest_alignment) return true;
  std::string name = demangle(object.getName().str());
  text_appendf(log, "error: '%s' requires an alignment of %u bytes, more than the page size of %u\n", name.c_str(),
               alignment, largest_alignment);
  return false;
}

/* __attribute__((used)) keeps unreferenced symbols for users outside the module, of which there are none. Kernels and
 * host-visible variables are retained anyway. An unreferenced function may contain a barrier without being part of a
 * kernel. */
void drop_used_lists(Module &module) {
  for (const char *name : {"llvm.used", "llvm.compiler.used"}) {
    if (GlobalVariable *list = module.getGlobalVariable(name)) list->eraseFromParent();
  }
}

void resolve_aliases(Module &module) {
  for (GlobalAlias &alias : make_early_inc_range(module.aliases())) {
    alias.replaceAllUsesWith(alias.getAliasee());
    alias.eraseFromParent();
  }
}

}  // namespace

extern "C" void passes_protect_names(LLVMModuleRef handle) {
  drop_used_lists(*unwrap(handle));
  resolve_aliases(*unwrap(handle));
  for (GlobalValue &value : unwrap(handle)->global_values()) {
    bool is_definition = !value.isDeclaration() && !value.hasLocalLinkage() && !value.getName().starts_with("llvm.");
    if (is_definition) value.setName(value.getName() + protected_suffix);
  }
}

bool quern::is_host_visible(const GlobalVariable &variable) {
  return variable.getAddressSpace() == 1 && !variable.isConstant() && !variable.isDeclaration() &&
         !variable.hasLocalLinkage() && variable.getName().ends_with(protected_suffix);
}

static StringRef host_name(const GlobalVariable &variable) {
  StringRef name = variable.getName();
  name.consume_back(protected_suffix);
  const MDNode *node = variable.getMetadata(HOST_NAME_METADATA);
  return node ? cast<MDString>(node->getOperand(0))->getString() : name;
}

extern "C" void passes_name_variables(passes_t *passes, const char *prefix) {
  for (GlobalVariable &variable : unwrap(passes->module)->globals()) {
    if (is_host_visible(variable)) variable.setName(prefix + host_name(variable).str());
  }
}

extern "C" compiler_result_t passes_check_symbols(LLVMModuleRef handle, bool (*has_symbol)(const char *name),
                                                  text_t *log) {
  compiler_result_t result = compiler_success;
  for (const GlobalObject &object : unwrap(handle)->global_objects()) {
    if (!check_alignment(object, log)) result = compiler_error_link_failure;
  }
  for (const Function &function : *unwrap(handle)) {
    if (has_assembly(function)) {
      std::string name = source_name(function).str();
      text_appendf(log, "error: '%s' has inline assembly, which OpenCL C does not support\n", name.c_str());
      result = compiler_error_link_failure;
    }
    if (!function.isDeclaration() || function.use_empty() || is_lowered_later(function)) continue;
    if (has_symbol(function.getName().str().c_str())) continue;
    report(function, "function", log);
    result = compiler_error_link_failure;
  }
  for (const GlobalVariable &variable : unwrap(handle)->globals()) {
    if (!variable.isDeclaration() || variable.use_empty()) continue;
    report(variable, "variable", log);
    result = compiler_error_link_failure;
  }
  return result;
}
