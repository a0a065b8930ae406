/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * How much stack kernels need. */
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "base/memory.h"
#include "host/abi.h"
#include "host/codegen/codegen.h"

/* Of one variable; what is allocated at run time is not known. */
static uint64_t variable_size(LLVMTargetDataRef layout, LLVMValueRef variable) {
  LLVMValueRef count = LLVMGetOperand(variable, 0);
  uint64_t size = LLVMABISizeOfType(layout, LLVMGetAllocatedType(variable)), alignment = LLVMGetAlignment(variable);
  if (!LLVMIsAConstantInt(count)) return 0;
  return align_up(size * LLVMConstIntGetZExtValue(count), 16) + (alignment > 16 ? alignment : 0);
}

static uint64_t variables_size(LLVMTargetDataRef layout, LLVMValueRef function) {
  uint64_t size = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef it = LLVMGetFirstInstruction(block); it; it = LLVMGetNextInstruction(it)) {
      if (LLVMIsAAllocaInst(it)) size += variable_size(layout, it);
    }
  }
  return size;
}

static bool has_prefix(const char *name, const char *prefix) { return !strncmp(name, prefix, strlen(prefix)); }

static const char *skip_prefix(const char *name, const char *prefix) {
  return has_prefix(name, prefix) ? name + strlen(prefix) : name;
}

/* The entry that the function is, or is a piece of, as its symbol: with the prefixes of its version. */
static const char *find_symbol(LLVMValueRef function) {
  static const char piece[] = PASSES_PIECE_ATTRIBUTE;
  LLVMAttributeRef entry =
      LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, piece, sizeof(piece) - 1);
  return entry ? LLVMGetStringAttributeValue(entry, &(unsigned){0}) : LLVMGetValueName2(function, &(size_t){0});
}

enum { version_single = 1, version_distinct = 2, version_count = 4 };

uint64_t host_stack_size(LLVMModuleRef module, LLVMValueRef entry) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  const char *entry_name = LLVMGetValueName2(entry, &(size_t){0});
  uint64_t versions[version_count] = {0}, own = 0, functions = 0;
  for (LLVMValueRef it = LLVMGetFirstFunction(module); it; it = LLVMGetNextFunction(it)) {
    const char *symbol = find_symbol(it), *other = skip_prefix(symbol, HOST_SINGLE_PREFIX);
    const char *name = skip_prefix(other, HOST_DISTINCT_PREFIX);
    if (!strcmp(name, entry_name)) {
      const unsigned version = (other != symbol ? version_single : 0) | (name != other ? version_distinct : 0);
      versions[version] += variables_size(layout, it);
    } else if (!has_prefix(name, HOST_ENTRY_PREFIX)) {
      functions += variables_size(layout, it);
    }
  }
  for (unsigned i = 0; i < version_count; i++) {
    if (versions[i] > own) own = versions[i];
  }
  return own + functions;
}
