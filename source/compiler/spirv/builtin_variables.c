/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Built-in variables become calls of OpenCL C's work-item functions. */
#include "compiler/spirv/builtin_variables.h"

#include "compiler/spirv/debug_info.h"

/* `result` is the OpenCL C type of the function, or of its components: 'm' for size_t, 'j' for uint. Where there are
 * three the function is called for each dimension. */
typedef struct work_item_function_t {
  SpvBuiltIn builtin;
  const char *symbol;
  unsigned components;
  char result;
} work_item_function_t;

static const work_item_function_t functions[] = {
    {SpvBuiltInNumWorkgroups, "_Z14get_num_groupsj", 3, 'm'},
    {SpvBuiltInWorkgroupSize, "_Z14get_local_sizej", 3, 'm'},
    {SpvBuiltInWorkgroupId, "_Z12get_group_idj", 3, 'm'},
    {SpvBuiltInLocalInvocationId, "_Z12get_local_idj", 3, 'm'},
    {SpvBuiltInGlobalInvocationId, "_Z13get_global_idj", 3, 'm'},
    {SpvBuiltInLocalInvocationIndex, "_Z19get_local_linear_idv", 1, 'm'},
    {SpvBuiltInWorkDim, "_Z12get_work_dimv", 1, 'j'},
    {SpvBuiltInGlobalSize, "_Z15get_global_sizej", 3, 'm'},
    {SpvBuiltInEnqueuedWorkgroupSize, "_Z23get_enqueued_local_sizej", 3, 'm'},
    {SpvBuiltInGlobalOffset, "_Z17get_global_offsetj", 3, 'm'},
    {SpvBuiltInSubgroupSize, "_Z18get_sub_group_sizev", 1, 'j'},
    {SpvBuiltInSubgroupMaxSize, "_Z22get_max_sub_group_sizev", 1, 'j'},
    {SpvBuiltInNumSubgroups, "_Z18get_num_sub_groupsv", 1, 'j'},
    {SpvBuiltInNumEnqueuedSubgroups, "_Z27get_enqueued_num_sub_groupsv", 1, 'j'},
    {SpvBuiltInSubgroupId, "_Z16get_sub_group_idv", 1, 'j'},
    {SpvBuiltInSubgroupLocalInvocationId, "_Z22get_sub_group_local_idv", 1, 'j'},
    {SpvBuiltInSubgroupEqMask, "_Z21get_sub_group_eq_maskv", 4, 'j'},
    {SpvBuiltInSubgroupGeMask, "_Z21get_sub_group_ge_maskv", 4, 'j'},
    {SpvBuiltInSubgroupGtMask, "_Z21get_sub_group_gt_maskv", 4, 'j'},
    {SpvBuiltInSubgroupLeMask, "_Z21get_sub_group_le_maskv", 4, 'j'},
    {SpvBuiltInSubgroupLtMask, "_Z21get_sub_group_lt_maskv", 4, 'j'},
    {SpvBuiltInGlobalLinearId, "_Z20get_global_linear_idv", 1, 'm'},
};

/* Where its address is asked for, a function has a copy: the last function that did, and its copy. */
struct builtin_variable_t {
  const work_item_function_t *function;
  uint32_t copied_in;
  LLVMValueRef copy;
};

static const work_item_function_t *find(SpvBuiltIn builtin) {
  for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
    if (functions[i].builtin == builtin) return &functions[i];
  }
  return NULL;
}

/* It is a value of its own kind: of the pointer type, but nothing until a function asks. */
void builtin_variable_define(importer_t *im, const instruction_t *in) {
  const decoration_t *decoration = id_decoration(im, in->result, SpvDecorationBuiltIn);
  if (!decoration) import_fail(im, "a variable of class Input is no built-in");
  const work_item_function_t *function = find((SpvBuiltIn)decoration->operands[0]);
  if (!function) import_fail(im, "built-in variable %u is not supported", decoration->operands[0]);
  LLVMTypeRef type = type_data(im, type_pointee(im, in->type));
  bool fits = is_int(type) && !is_bool(type) && vector_size(type) == function->components;
  need(im, fits, "the type of the built-in variable is wrong");
  import_id_t *entry = id_at(im, in->result);
  entry->kind = id_value;
  entry->type = in->type;
  entry->builtin = import_alloc(im, 1, sizeof(*entry->builtin));
  entry->builtin->function = function;
}

bool is_builtin_variable(importer_t *im, uint32_t id) { return im->function && id_at(im, id)->builtin; }

static bool per_dimension(const work_item_function_t *function) { return function->components == 3; }

static LLVMValueRef call(importer_t *im, const work_item_function_t *function, LLVMTypeRef wanted, unsigned dimension) {
  LLVMTypeRef result =
      function->result == 'm' ? LLVMInt64TypeInContext(im->context) : LLVMInt32TypeInContext(im->context);
  if (!per_dimension(function)) result = vector_of(result, function->components);
  LLVMValueRef argument = constant_u32(im, dimension);
  LLVMValueRef value = call_symbol(im, function->symbol, result, &argument, per_dimension(function));
  return LLVMBuildIntCast2(im->builder, value, wanted, false, "");
}

LLVMValueRef builtin_variable_load(importer_t *im, uint32_t id) {
  const work_item_function_t *function = id_at(im, id)->builtin->function;
  LLVMTypeRef type = type_data(im, type_pointee(im, id_at(im, id)->type));
  if (!per_dimension(function)) return call(im, function, type, 0);
  LLVMValueRef vector = LLVMGetPoison(type);
  for (unsigned i = 0; i < 3; i++) {
    LLVMValueRef value = call(im, function, scalar_type(type), i);
    vector = LLVMBuildInsertElement(im->builder, vector, value, constant_u32(im, i), "");
  }
  return vector;
}

static LLVMValueRef make_copy(importer_t *im, uint32_t id) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(im->builder);
  LLVMValueRef first = LLVMGetFirstInstruction(im->entry);
  if (first) {
    LLVMPositionBuilderBefore(im->builder, first);
  } else {
    LLVMPositionBuilderAtEnd(im->builder, im->entry);
  }
  LLVMValueRef copy = LLVMBuildAlloca(im->builder, type_data(im, type_pointee(im, id_at(im, id)->type)), "");
  LLVMBuildStore(im->builder, builtin_variable_load(im, id), copy);
  /* The optimiser takes the cast away with the memory, whatever address space the module names. */
  copy = LLVMBuildAddrSpaceCast(im->builder, copy, type_llvm(im, id_at(im, id)->type), "");
  LLVMPositionBuilderAtEnd(im->builder, here);
  debug_restore(im);
  return copy;
}

LLVMValueRef builtin_variable_pointer(importer_t *im, uint32_t id) {
  struct builtin_variable_t *variable = id_at(im, id)->builtin;
  if (variable->copied_in != im->function_id) {
    variable->copy = make_copy(im, id);
    variable->copied_in = im->function_id;
  }
  return variable->copy;
}
