/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The entry of a kernel: unpacks the arguments and runs the work-group function for a run of work-groups. */
#include "host/codegen/codegen.h"

#include "host/abi.h"

#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

enum { dimensions = 3, entry_args = 0, entry_ndrange, entry_memory, entry_first, entry_count };

/* What the pieces of one entry share. */
typedef struct entry_t {
  LLVMBuilderRef builder;
  LLVMContextRef context;
  LLVMTypeRef int64, byte, pointer;
  LLVMValueRef function;
  LLVMValueRef global_size[dimensions], local_size[dimensions], num_groups[dimensions];
} entry_t;

static LLVMValueRef address(entry_t *entry, LLVMValueRef base, uint64_t offset) {
  LLVMValueRef index = LLVMConstInt(entry->int64, offset, false);
  return LLVMBuildInBoundsGEP2(entry->builder, entry->byte, base, &index, 1, "");
}

/* Loads what cannot change while the entry runs. */
static LLVMValueRef load_invariant(entry_t *entry, LLVMTypeRef type, LLVMValueRef base, uint64_t offset,
                                   unsigned alignment) {
  LLVMValueRef load = LLVMBuildLoad2(entry->builder, type, address(entry, base, offset), "");
  LLVMSetAlignment(load, alignment);
  unsigned kind = LLVMGetMDKindIDInContext(entry->context, "invariant.load", strlen("invariant.load"));
  LLVMSetMetadata(load, kind, LLVMMetadataAsValue(entry->context, LLVMMDNodeInContext2(entry->context, NULL, 0)));
  return load;
}

static LLVMValueRef parameter(entry_t *entry, unsigned index) { return LLVMGetParam(entry->function, index); }

/* The value that the work-group function gets for argument `index`. */
static LLVMValueRef unpack(entry_t *entry, const host_arg_record_t *record, LLVMTypeRef type, bool by_reference,
                           LLVMValueRef local) {
  LLVMValueRef args = parameter(entry, entry_args);
  if (record->kind == host_arg_local) {
    LLVMValueRef offset = load_invariant(entry, entry->int64, args, record->offset, 8);
    return LLVMBuildInBoundsGEP2(entry->builder, entry->byte, local, &offset, 1, "");
  }
  if (by_reference) return address(entry, args, record->offset);
  return load_invariant(entry, type, args, record->offset, record->alignment);
}

static void load_sizes(entry_t *entry) {
  LLVMValueRef ndrange = parameter(entry, entry_ndrange);
  for (unsigned d = 0; d < dimensions; d++) {
    entry->global_size[d] =
        load_invariant(entry, entry->int64, ndrange, offsetof(host_ndrange_t, global_size) + 8 * d, 8);
    entry->local_size[d] =
        load_invariant(entry, entry->int64, ndrange, offsetof(host_ndrange_t, local_size) + 8 * d, 8);
    entry->num_groups[d] =
        load_invariant(entry, entry->int64, ndrange, offsetof(host_ndrange_t, num_groups) + 8 * d, 8);
  }
}

/* The last work-group of a dimension may be cut short: min(local, global - id * local). */
static LLVMValueRef actual_size(entry_t *entry, unsigned d, LLVMValueRef id) {
  LLVMBuilderRef builder = entry->builder;
  LLVMValueRef before = LLVMBuildNUWMul(builder, id, entry->local_size[d], "");
  LLVMValueRef left = LLVMBuildNUWSub(builder, entry->global_size[d], before, "");
  LLVMValueRef cut = LLVMBuildICmp(builder, LLVMIntULT, left, entry->local_size[d], "");
  return LLVMBuildSelect(builder, cut, left, entry->local_size[d], "group_size");
}

/* The id after `id` in x-fastest order. */
static void next_group(entry_t *entry, const LLVMValueRef *id, LLVMValueRef *next) {
  LLVMBuilderRef builder = entry->builder;
  LLVMValueRef zero = LLVMConstInt(entry->int64, 0, false);
  LLVMValueRef carry = LLVMConstInt(LLVMInt1TypeInContext(entry->context), 1, false);
  for (unsigned d = 0; d < dimensions; d++) {
    LLVMValueRef step = LLVMBuildZExt(builder, carry, entry->int64, "");
    LLVMValueRef up = LLVMBuildNUWAdd(builder, id[d], step, "");
    if (d + 1 == dimensions) {
      next[d] = up;
    } else {
      LLVMValueRef wraps = LLVMBuildICmp(builder, LLVMIntEQ, up, entry->num_groups[d], "");
      next[d] = LLVMBuildSelect(builder, wraps, zero, up, "");
      carry = wraps;
    }
  }
}

static void first_group(entry_t *entry, LLVMValueRef *id) {
  LLVMBuilderRef builder = entry->builder;
  LLVMValueRef first = parameter(entry, entry_first);
  id[0] = LLVMBuildURem(builder, first, entry->num_groups[0], "");
  LLVMValueRef rest = LLVMBuildUDiv(builder, first, entry->num_groups[0], "");
  id[1] = LLVMBuildURem(builder, rest, entry->num_groups[1], "");
  id[2] = LLVMBuildUDiv(builder, rest, entry->num_groups[1], "");
}

/* for (; count > 0; count--, advance) work_group(arguments..., id, size); */
static void build_loop(entry_t *entry, const kernel_work_t *kernel, LLVMValueRef *arguments, unsigned argument_count) {
  LLVMBuilderRef builder = entry->builder;
  LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
  LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(entry->context, entry->function, "groups");
  LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(entry->context, entry->function, "done");
  LLVMValueRef start[dimensions + 1], phis[dimensions + 1], next[dimensions + 1];
  first_group(entry, start);
  start[dimensions] = parameter(entry, entry_count);
  LLVMBuildBr(builder, body);

  LLVMPositionBuilderAtEnd(builder, body);
  for (unsigned i = 0; i <= dimensions; i++) phis[i] = LLVMBuildPhi(builder, entry->int64, "group");
  for (unsigned d = 0; d < dimensions; d++) {
    arguments[argument_count - 2 * dimensions + d] = phis[d];
    arguments[argument_count - dimensions + d] = actual_size(entry, d, phis[d]);
  }
  LLVMBuildCall2(builder, LLVMGlobalGetValueType(kernel->function), kernel->function, arguments, argument_count, "");
  next_group(entry, phis, next);
  LLVMValueRef one = LLVMConstInt(entry->int64, 1, false);
  next[dimensions] = LLVMBuildNUWSub(builder, phis[dimensions], one, "");
  LLVMValueRef more =
      LLVMBuildICmp(builder, LLVMIntNE, next[dimensions], LLVMConstInt(entry->int64, 0, false), "");
  LLVMBasicBlockRef latch = LLVMGetInsertBlock(builder);
  LLVMBuildCondBr(builder, more, body, done);
  for (unsigned i = 0; i <= dimensions; i++) {
    LLVMAddIncoming(phis[i], &start[i], &before, 1);
    LLVMAddIncoming(phis[i], &next[i], &latch, 1);
  }
  LLVMPositionBuilderAtEnd(builder, done);
  LLVMBuildRetVoid(builder);
}

static LLVMValueRef declare(entry_t *entry, LLVMModuleRef module, const char *kernel_name) {
  text_t name = {0};
  text_appendf(&name, "%s%s", HOST_ENTRY_PREFIX, kernel_name);
  LLVMTypeRef types[] = {entry->pointer, entry->pointer, entry->pointer, entry->int64, entry->int64};
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(entry->context), types, 5, false);
  LLVMValueRef function = LLVMAddFunction(module, text_string(&name), type);
  text_free(&name);
  for (unsigned i = entry_args; i <= entry_memory; i++) {
    for (const char *const *attribute = (const char *const[]){"noalias", "readonly", NULL}; *attribute; attribute++) {
      unsigned kind = LLVMGetEnumAttributeKindForName(*attribute, strlen(*attribute));
      LLVMAddAttributeAtIndex(function, i + 1, LLVMCreateEnumAttribute(entry->context, kind, 0));
    }
  }
  unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", strlen("nounwind"));
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(entry->context, nounwind, 0));
  return function;
}

/* The work-group function has one caller from here on: inlined, its invariant work is done once per run. */
static void make_inlined(LLVMContextRef context, LLVMValueRef function) {
  LLVMSetLinkage(function, LLVMInternalLinkage);
  unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", strlen("alwaysinline"));
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(context, kind, 0));
}

void host_entry_add(LLVMModuleRef module, const kernel_work_t *kernel, const host_args_layout_t *layout) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  entry_t entry = {.context = context,
                   .builder = LLVMCreateBuilderInContext(context),
                   .int64 = LLVMInt64TypeInContext(context),
                   .byte = LLVMInt8TypeInContext(context),
                   .pointer = LLVMPointerTypeInContext(context, 0)};
  entry.function = declare(&entry, module, kernel->name);
  LLVMPositionBuilderAtEnd(entry.builder, LLVMAppendBasicBlockInContext(context, entry.function, "entry"));
  load_sizes(&entry);

  unsigned count = LLVMCountParams(kernel->function);
  LLVMValueRef *arguments = calloc(count, sizeof(*arguments));
  LLVMValueRef memory = parameter(&entry, entry_memory);
  LLVMValueRef local = load_invariant(&entry, entry.pointer, memory, offsetof(host_group_memory_t, local), 8);
  local = LLVMBuildAddrSpaceCast(entry.builder, local, LLVMPointerTypeInContext(context, 3), "local");
  for (uint32_t i = 0; i < layout->count; i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel->function, i));
    bool by_reference = i < kernel->parameter_count && kernel->parameters[i].by_reference;
    arguments[i] = unpack(&entry, &layout->records[i], type, by_reference, local);
  }
  arguments[layout->count + work_group_ndrange] = parameter(&entry, entry_ndrange);
  arguments[layout->count + work_group_local] = local;
  arguments[layout->count + work_group_scratch] =
      load_invariant(&entry, entry.pointer, memory, offsetof(host_group_memory_t, scratch), 8);
  arguments[layout->count + work_group_memory] = memory;
  build_loop(&entry, kernel, arguments, count);
  free(arguments);
  LLVMDisposeBuilder(entry.builder);
  make_inlined(context, kernel->function);
}
