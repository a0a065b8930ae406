/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * How much stack kernels need. */
#include <assert.h>
#include <stdlib.h>
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

/* The variables of an entry, of one of its versions, or of a piece of that. */
typedef struct entry_variables_t {
  const char *name;
  unsigned version;
  uint64_t size;
} entry_variables_t;

static int compare_names(const void *a, const void *b) {
  const entry_variables_t *left = a, *right = b;
  return strcmp(left->name, right->name);
}

static size_t function_count(LLVMModuleRef module) {
  size_t count = 0;
  for (LLVMValueRef it = LLVMGetFirstFunction(module); it; it = LLVMGetNextFunction(it)) count++;
  return count;
}

/* Appends what `function` has to the entries' variables, or adds it to those of functions that any entry may call. */
static void note_function(LLVMTargetDataRef layout, LLVMValueRef function, entry_variables_t *entries, size_t *count,
                          uint64_t *functions) {
  const char *symbol = find_symbol(function), *other = skip_prefix(symbol, HOST_SINGLE_PREFIX);
  const char *name = skip_prefix(other, HOST_DISTINCT_PREFIX);
  const unsigned version = (other != symbol ? version_single : 0) | (name != other ? version_distinct : 0);
  const uint64_t size = variables_size(layout, function);
  if (has_prefix(name, HOST_ENTRY_PREFIX)) {
    entries[(*count)++] = (entry_variables_t){name, version, size};
  } else {
    *functions += size;
  }
}

/* The most that a version of the entry has, of entries that are sorted by name. */
static uint64_t largest_version(const entry_variables_t *entries, size_t count, const char *name) {
  uint64_t versions[version_count] = {0}, largest = 0;
  const entry_variables_t key = {.name = name};
  const entry_variables_t *found = bsearch(&key, entries, count, sizeof(*entries), compare_names);
  assert(found && "every kernel has an entry");
  while (found > entries && !strcmp(found[-1].name, name)) found--;
  for (; found < entries + count && !strcmp(found->name, name); found++) versions[found->version] += found->size;
  for (unsigned i = 0; i < version_count; i++) {
    if (versions[i] > largest) largest = versions[i];
  }
  return largest;
}

bool host_stack_sizes(LLVMModuleRef module, const kernel_work_t *kernels, size_t kernel_count, uint64_t *out) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  entry_variables_t *entries = calloc(function_count(module) + 1, sizeof(*entries));
  if (!entries) return false;
  size_t count = 0;
  uint64_t functions = 0;
  for (LLVMValueRef it = LLVMGetFirstFunction(module); it; it = LLVMGetNextFunction(it)) {
    note_function(layout, it, entries, &count, &functions);
  }
  qsort(entries, count, sizeof(*entries), compare_names);
  for (size_t i = 0; i < kernel_count; i++) {
    const char *name = LLVMGetValueName2(kernels[i].function, &(size_t){0});
    out[i] = largest_version(entries, count, name) + functions;
  }
  free(entries);
  return true;
}
