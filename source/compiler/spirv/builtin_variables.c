/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Built-in variables become calls of OpenCL C's work-item functions. */
#include "compiler/spirv/builtin_variables.h"

#include "compiler/spirv/debug_info.h"

/* `result` is the OpenCL C type of the function, or of its components: 'm' for size_t, 'j' for uint. Where there are
 * three the function is called for each dimension. */
typedef struct builtin_variable_t {
  SpvBuiltIn builtin;
  const char *symbol;
  unsigned components;
  char result;
} builtin_variable_t;

static const builtin_variable_t variables[] = {
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

struct builtin_copy_t {
  struct builtin_copy_t *next;
  uint32_t id;
  LLVMValueRef copy;
};

static const builtin_variable_t *find(SpvBuiltIn builtin) {
  for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
    if (variables[i].builtin == builtin) return &variables[i];
  }
  return NULL;
}

/* It is a value of its own kind: of the pointer type, but nothing until a function asks. */
void builtin_variable_define(importer_t *im, const instruction_t *in) {
  const decoration_t *decoration = id_decoration(im, in->result, SpvDecorationBuiltIn);
  if (!decoration) import_fail(im, "a variable of class Input is no built-in");
  const builtin_variable_t *variable = find((SpvBuiltIn)decoration->operands[0]);
  if (!variable) import_fail(im, "built-in variable %u is not supported", decoration->operands[0]);
  LLVMTypeRef type = type_data(im, type_pointee(im, in->type));
  bool fits = is_int(type) && !is_bool(type) && vector_size(type) == variable->components;
  need(im, fits, "the type of the built-in variable is wrong");
  import_id_t *entry = id_at(im, in->result);
  entry->kind = id_value;
  entry->type = in->type;
  entry->builtin = variable;
}

bool is_builtin_variable(importer_t *im, uint32_t id) { return im->function && id_at(im, id)->builtin; }

static bool per_dimension(const builtin_variable_t *variable) { return variable->components == 3; }

static LLVMValueRef call(importer_t *im, const builtin_variable_t *variable, LLVMTypeRef wanted, unsigned dimension) {
  LLVMTypeRef result =
      variable->result == 'm' ? LLVMInt64TypeInContext(im->context) : LLVMInt32TypeInContext(im->context);
  if (!per_dimension(variable)) result = vector_of(result, variable->components);
  LLVMValueRef argument = constant_u32(im, dimension);
  LLVMValueRef value = call_symbol(im, variable->symbol, result, &argument, per_dimension(variable));
  return LLVMBuildIntCast2(im->builder, value, wanted, false, "");
}

LLVMValueRef builtin_variable_load(importer_t *im, uint32_t id) {
  const builtin_variable_t *variable = id_at(im, id)->builtin;
  LLVMTypeRef type = type_data(im, type_pointee(im, id_at(im, id)->type));
  if (!per_dimension(variable)) return call(im, variable, type, 0);
  LLVMValueRef vector = LLVMGetPoison(type);
  for (unsigned i = 0; i < 3; i++) {
    LLVMValueRef value = call(im, variable, scalar_type(type), i);
    vector = LLVMBuildInsertElement(im->builder, vector, value, constant_u32(im, i), "");
  }
  return vector;
}

LLVMValueRef builtin_variable_pointer(importer_t *im, uint32_t id) {
  for (struct builtin_copy_t *copy = im->builtin_copies; copy; copy = copy->next) {
    if (copy->id == id) return copy->copy;
  }
  LLVMBasicBlockRef here = LLVMGetInsertBlock(im->builder);
  LLVMValueRef first = LLVMGetFirstInstruction(im->entry);
  if (first) {
    LLVMPositionBuilderBefore(im->builder, first);
  } else {
    LLVMPositionBuilderAtEnd(im->builder, im->entry);
  }
  struct builtin_copy_t *copy = import_alloc(im, 1, sizeof(*copy));
  LLVMTypeRef type = type_data(im, type_pointee(im, id_at(im, id)->type));
  copy->copy = LLVMBuildAlloca(im->builder, type, "");
  LLVMBuildStore(im->builder, builtin_variable_load(im, id), copy->copy);
  copy->id = id;
  copy->next = im->builtin_copies;
  im->builtin_copies = copy;
  LLVMPositionBuilderAtEnd(im->builder, here);
  debug_restore(im);
  return copy->copy;
}
