/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Variables of modules and functions, and linkage. */
#include <string.h>

#include "compiler/spirv/builtin_variables.h"
#include "compiler/spirv/debug_info.h"
#include "compiler/spirv/linkage.h"

static void set_alignment(importer_t *im, uint32_t id, LLVMValueRef variable) {
  unsigned alignment = decorated_alignment(im, id);
  if (alignment) LLVMSetAlignment(variable, alignment);
}

static void count_bytes(importer_t *im, uint32_t pointee) {
  im->variable_bytes += type_at(im, pointee)->size;
  if (im->variable_bytes > IMPORT_MAX_SIZE) import_fail(im, "the module's variables are too large together");
}

/* Values of more parts than this are copied as memory; LLVM takes others apart. */
enum { max_stored_parts = 64 };

/* A constant that is copied from, as Clang makes it for initial values. */
static LLVMValueRef constant_memory(importer_t *im, uint32_t type, LLVMValueRef value) {
  count_bytes(im, type);
  LLVMValueRef memory = LLVMAddGlobalInAddressSpace(im->module, LLVMTypeOf(value), "", space_constant);
  LLVMSetInitializer(memory, value);
  LLVMSetGlobalConstant(memory, true);
  LLVMSetLinkage(memory, LLVMPrivateLinkage);
  LLVMSetUnnamedAddress(memory, LLVMGlobalUnnamedAddr);
  LLVMSetAlignment(memory, LLVMABIAlignmentOfType(im->layout, LLVMTypeOf(value)));
  return memory;
}

static void initialize(importer_t *im, LLVMValueRef variable, uint32_t type, LLVMValueRef value) {
  need_same(im, LLVMTypeOf(value), type_llvm(im, type));
  if (!LLVMIsConstant(value) || type_at(im, type)->parts <= max_stored_parts) {
    LLVMBuildStore(im->builder, value, variable);
    return;
  }
  if (LLVMIsUndef(value)) return;
  unsigned alignment = LLVMGetAlignment(variable);
  LLVMTypeRef llvm = LLVMTypeOf(value);
  LLVMValueRef size = LLVMConstInt(LLVMInt64TypeInContext(im->context), LLVMABISizeOfType(im->layout, llvm), false);
  if (LLVMIsNull(value)) {
    LLVMBuildMemSet(im->builder, variable, LLVMConstNull(LLVMInt8TypeInContext(im->context)), size, alignment);
  } else {
    LLVMValueRef from = constant_memory(im, type, value);
    LLVMBuildMemCpy(im->builder, variable, alignment, from, LLVMGetAlignment(from), size);
  }
}

LLVMValueRef entry_alloca(importer_t *im, LLVMTypeRef type) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(im->builder);
  LLVMValueRef first = LLVMGetFirstInstruction(im->entry);
  if (first) {
    LLVMPositionBuilderBefore(im->builder, first);
  } else {
    LLVMPositionBuilderAtEnd(im->builder, im->entry);
  }
  LLVMValueRef memory = LLVMBuildAlloca(im->builder, type, "");
  LLVMPositionBuilderAtEnd(im->builder, here);
  debug_restore(im);
  return memory;
}

static LLVMValueRef function_variable(importer_t *im, const instruction_t *in, uint32_t pointee) {
  LLVMTypeRef type = type_data(im, pointee);
  need(im, im->function && im->block, "a variable of class Function stands in a function");
  LLVMValueRef variable = entry_alloca(im, type);
  set_alignment(im, in->result, variable);
  if (in->count > 4) initialize(im, variable, pointee, operand_value(im, in, 4));
  return variable;
}

static LLVMValueRef initial_value(importer_t *im, const instruction_t *in, LLVMTypeRef type, bool is_local) {
  if (in->count <= 4) return is_local ? LLVMGetUndef(type) : LLVMConstNull(type);
  LLVMValueRef value = operand_value(im, in, 4);
  need(im, LLVMIsConstant(value), "an initial value is constant");
  if (LLVMTypeOf(value) == type) return value;
  /* LLVM's own back end initialises pointers with a null integer. */
  if (LLVMIsNull(value) && is_pointer(type) && is_int(LLVMTypeOf(value))) return LLVMConstNull(type);
  /* A variable may be initialised by another one, which stands for its address. */
  import_fail(im, "the initial value is of another type");
}

static LLVMValueRef module_variable(importer_t *im, const instruction_t *in, uint32_t pointee) {
  LLVMTypeRef type = type_data(im, pointee);
  uint32_t storage = in->words[3];
  bool is_local = storage == SpvStorageClassWorkgroup;
  count_bytes(im, pointee);
  LLVMValueRef variable = LLVMAddGlobalInAddressSpace(im->module, type, linkage_local_name(im, in->result),
                                                      type_address_space(im, storage));
  linkage_e linkage = linkage_apply(im, in->result, variable);
  if (type_address_space(im, storage) == space_global) linkage_apply_host_access(im, in->result, variable);
  if (linkage != linkage_import) LLVMSetInitializer(variable, initial_value(im, in, type, is_local));
  bool is_constant = storage == SpvStorageClassUniformConstant || id_decoration(im, in->result, SpvDecorationConstant);
  LLVMSetGlobalConstant(variable, is_constant && !is_local);
  set_alignment(im, in->result, variable);
  return variable;
}

static LLVMValueRef variable(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  uint32_t pointee = type_pointee(im, in->type);
  if (type_at(im, in->type)->definition[2] != in->words[3])
    import_fail(im, "the storage class is not that of its type");
  switch (in->words[3]) {
    case SpvStorageClassFunction: return function_variable(im, in, pointee);
    case SpvStorageClassUniformConstant:
    case SpvStorageClassCrossWorkgroup:
    case SpvStorageClassDeviceOnlyINTEL:
    case SpvStorageClassHostOnlyINTEL:
    case SpvStorageClassWorkgroup: return module_variable(im, in, pointee);
    default: import_fail(im, "variables of storage class %u are not supported", in->words[3]);
  }
}

/* Older translators put built-in variables into the class UniformConstant, as if imported; or into that of the address
 * space that a program's headers declare them in, CrossWorkgroup. */
static bool is_builtin(importer_t *im, const instruction_t *in) {
  bool may_be = in->words[3] == SpvStorageClassUniformConstant || in->words[3] == SpvStorageClassCrossWorkgroup;
  return in->words[3] == SpvStorageClassInput || (may_be && id_decoration(im, in->result, SpvDecorationBuiltIn));
}

static LLVMValueRef any_variable(importer_t *im, const instruction_t *in, uint32_t data) {
  if (is_builtin(im, in)) {
    builtin_variable_define(im, in);
  } else {
    id_define_value(im, in->result, in->type, variable(im, in, data));
  }
  return NULL;
}

static const rule_t table[] = {{SpvOpVariable, 4, any_variable, 0}};
RULES(variable_rules, table);
