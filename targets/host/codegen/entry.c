/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The entry of a kernel: unpacks the arguments and runs the work-group function for a run of work-groups. */
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "host/abi.h"
#include "host/codegen/codegen.h"

enum { dimensions = 3, entry_args = 0, entry_ndrange, entry_memory, entry_first, entry_count };

/* What the pieces of one entry share. */
typedef struct entry_t {
  LLVMBuilderRef builder;
  LLVMContextRef context;
  LLVMTypeRef int64, byte, pointer;
  LLVMValueRef function;
} entry_t;

static void add_attribute(LLVMContextRef context, LLVMValueRef function, LLVMAttributeIndex index, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, index, LLVMCreateEnumAttribute(context, kind, 0));
}

static LLVMValueRef address(entry_t *entry, LLVMValueRef base, uint64_t offset) {
  LLVMValueRef index = LLVMConstInt(entry->int64, offset, false);
  return LLVMBuildInBoundsGEP2(entry->builder, entry->byte, base, &index, 1, "");
}

static void set_metadata(entry_t *entry, LLVMValueRef instruction, const char *name, LLVMMetadataRef *operands,
                         size_t count) {
  unsigned kind = LLVMGetMDKindIDInContext(entry->context, name, (unsigned)strlen(name));
  LLVMSetMetadata(instruction, kind,
                  LLVMMetadataAsValue(entry->context, LLVMMDNodeInContext2(entry->context, operands, count)));
}

static void add_metadata(entry_t *entry, LLVMValueRef instruction, const char *name) {
  set_metadata(entry, instruction, name, NULL, 0);
}

/* Loads what cannot change while the entry runs. */
static LLVMValueRef load_invariant(entry_t *entry, LLVMTypeRef type, LLVMValueRef base, uint64_t offset,
                                   unsigned alignment) {
  LLVMValueRef load = LLVMBuildLoad2(entry->builder, type, address(entry, base, offset), "");
  LLVMSetAlignment(load, alignment);
  add_metadata(entry, load, "invariant.load");
  return load;
}

static LLVMValueRef parameter(entry_t *entry, unsigned index) { return LLVMGetParam(entry->function, index); }

/* The value that the work-group function gets for argument `index`. */
static LLVMValueRef unpack(entry_t *entry, const host_arg_record_t *record, uint32_t index, LLVMTypeRef type,
                           bool by_reference, LLVMValueRef local) {
  LLVMValueRef args = parameter(entry, entry_args);
  if (record->kind == host_arg_local) {
    LLVMValueRef offset = load_invariant(entry, entry->int64, args, record->offset, 8);
    return LLVMBuildInBoundsGEP2(entry->builder, entry->byte, local, &offset, 1, "");
  }
  if (by_reference) return address(entry, args, record->offset);
  LLVMValueRef value = load_invariant(entry, type, args, record->offset, record->alignment);
  if (record->kind == host_arg_buffer) {
    LLVMMetadataRef number = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(entry->context), index, false));
    set_metadata(entry, value, PASSES_ARGUMENT_METADATA, &number, 1);
  }
  return value;
}

/* A function of the runtime (host/abi.h). */
static LLVMValueRef runtime_function(entry_t *entry, const char *name, LLVMTypeRef type) {
  LLVMModuleRef module = LLVMGetGlobalParent(entry->function);
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  if (function) return function;
  function = LLVMAddFunction(module, name, type);
  add_attribute(entry->context, function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "nounwind");
  return function;
}

static LLVMValueRef load_group(entry_t *entry, LLVMValueRef group, uint64_t offset) {
  return LLVMBuildLoad2(entry->builder, entry->int64, address(entry, group, offset), "group");
}

/* host_group_first(...); do work_group(arguments..., id, size); while (host_group_next(...));
 * Going on to the next work-group is a call: generated for every kernel, it would be a third of a small kernel's code
 * and time to compile. */
static void build_loop(entry_t *entry, const kernel_work_t *kernel, LLVMValueRef *arguments, unsigned argument_count) {
  LLVMBuilderRef builder = entry->builder;
  LLVMTypeRef void_type = LLVMVoidTypeInContext(entry->context), int32 = LLVMInt32TypeInContext(entry->context);
  LLVMTypeRef first_types[] = {entry->pointer, entry->int64, entry->int64, entry->pointer};
  LLVMTypeRef next_types[] = {entry->pointer, entry->pointer};
  LLVMTypeRef first_type = LLVMFunctionType(void_type, first_types, 4, false);
  LLVMTypeRef next_type = LLVMFunctionType(int32, next_types, 2, false);
  LLVMValueRef ndrange = parameter(entry, entry_ndrange);
  LLVMTypeRef group_type = LLVMArrayType2(entry->int64, sizeof(host_group_t) / sizeof(uint64_t));
  LLVMValueRef group = LLVMBuildAlloca(builder, group_type, "group");
  LLVMValueRef first_arguments[] = {ndrange, parameter(entry, entry_first), parameter(entry, entry_count), group};
  LLVMValueRef next_arguments[] = {ndrange, group};
  LLVMBuildCall2(builder, first_type, runtime_function(entry, "__quern_first_group", first_type), first_arguments, 4,
                 "");
  LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(entry->context, entry->function, "groups");
  LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(entry->context, entry->function, "done");
  LLVMBuildBr(builder, body);

  LLVMPositionBuilderAtEnd(builder, body);
  for (unsigned d = 0; d < dimensions; d++) {
    arguments[argument_count - 2 * dimensions + d] = load_group(entry, group, offsetof(host_group_t, id) + 8 * d);
    arguments[argument_count - dimensions + d] = load_group(entry, group, offsetof(host_group_t, size) + 8 * d);
  }
  add_metadata(entry, arguments[argument_count - 2 * dimensions], PASSES_GROUP_METADATA);
  LLVMBuildCall2(builder, LLVMGlobalGetValueType(kernel->function), kernel->function, arguments, argument_count, "");
  LLVMValueRef more = LLVMBuildCall2(builder, next_type, runtime_function(entry, "__quern_next_group", next_type),
                                     next_arguments, 2, "");
  LLVMValueRef again = LLVMBuildICmp(builder, LLVMIntNE, more, LLVMConstInt(int32, 0, false), "");
  LLVMBuildCondBr(builder, again, body, done);
  LLVMPositionBuilderAtEnd(builder, done);
  LLVMBuildRetVoid(builder);
}

static void add_text_attribute(LLVMContextRef context, LLVMValueRef function, LLVMAttributeIndex index,
                               const char *name, const char *value) {
  LLVMAttributeRef attribute =
      LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), value, (unsigned)strlen(value));
  LLVMAddAttributeAtIndex(function, index, attribute);
}

static LLVMValueRef declare(entry_t *entry, LLVMModuleRef module, const char *kernel_name) {
  text_t name = {0};
  text_appendf(&name, "%s%s", HOST_ENTRY_PREFIX, kernel_name);
  LLVMTypeRef types[] = {entry->pointer, entry->pointer, entry->pointer, entry->int64, entry->int64};
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(entry->context), types, 5, false);
  LLVMValueRef function = LLVMAddFunction(module, text_string(&name), type);
  text_free(&name);
  for (unsigned i = entry_args; i <= entry_memory; i++) {
    add_attribute(entry->context, function, i + 1, "noalias");
    add_attribute(entry->context, function, i + 1, "readonly");
  }
  add_text_attribute(entry->context, function, entry_ndrange + 1, PASSES_NDRANGE_ATTRIBUTE, "");
  const LLVMAttributeIndex all = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  add_attribute(entry->context, function, all, "nounwind");
  /* LLVM's own choice for most CPUs is half of their registers. Those that lower their clock for whole ones (Skylake to
   * Cascade Lake, by an eighth) still do 1.1 to 1.8 times as much. */
  add_text_attribute(entry->context, function, all, "prefer-vector-width", "512");
  return function;
}

void host_entry_probe_stacks(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  const LLVMAttributeIndex all = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
    if (!LLVMIsDeclaration(function)) add_text_attribute(context, function, all, "probe-stack", "inline-asm");
  }
}

/* The work-group function has one caller from here on: inlined, its invariant work is done once per run. */
static void make_inlined(LLVMContextRef context, LLVMValueRef function) {
  LLVMSetLinkage(function, LLVMInternalLinkage);
  add_attribute(context, function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "alwaysinline");
}

/* Inlined, the work-group function's code is the entry's; so is what debuggers know of it. */
static void move_debug_information(LLVMContextRef context, LLVMValueRef from, LLVMValueRef to) {
  LLVMMetadataRef subprogram = LLVMGetSubprogram(from);
  if (!subprogram) return;
  LLVMSetSubprogram(to, subprogram);
  LLVMGlobalEraseMetadata(from, LLVMGetMDKindIDInContext(context, "dbg", 3));
}

LLVMValueRef host_entry_add(LLVMModuleRef module, const kernel_work_t *kernel, const host_args_layout_t *layout) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  entry_t entry = {.context = context,
                   .builder = LLVMCreateBuilderInContext(context),
                   .int64 = LLVMInt64TypeInContext(context),
                   .byte = LLVMInt8TypeInContext(context),
                   .pointer = LLVMPointerTypeInContext(context, 0)};
  entry.function = declare(&entry, module, kernel->name);
  LLVMPositionBuilderAtEnd(entry.builder, LLVMAppendBasicBlockInContext(context, entry.function, "entry"));

  unsigned count = LLVMCountParams(kernel->function);
  LLVMValueRef *arguments = calloc(count, sizeof(*arguments));
  LLVMValueRef memory = parameter(&entry, entry_memory);
  LLVMValueRef local = load_invariant(&entry, entry.pointer, memory, offsetof(host_group_memory_t, local), 8);
  local = LLVMBuildAddrSpaceCast(entry.builder, local, LLVMPointerTypeInContext(context, 3), "local");
  for (uint32_t i = 0; i < layout->count; i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel->function, i));
    bool by_reference = i < kernel->parameter_count && kernel->parameters[i].by_reference;
    arguments[i] = unpack(&entry, &layout->records[i], i, type, by_reference, local);
  }
  arguments[layout->count + work_group_ndrange] = parameter(&entry, entry_ndrange);
  arguments[layout->count + work_group_local] = local;
  arguments[layout->count + work_group_scratch] =
      load_invariant(&entry, entry.pointer, memory, offsetof(host_group_memory_t, scratch), 8);
  arguments[layout->count + work_group_memory] = memory;
  build_loop(&entry, kernel, arguments, count);
  free(arguments);
  LLVMDisposeBuilder(entry.builder);
  move_debug_information(context, kernel->function, entry.function);
  make_inlined(context, kernel->function);
  return entry.function;
}
