/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The extended instruction set OpenCL.std: calls of OpenCL C builtins. */
#include <spirv/unified1/OpenCL.std.h>
#include <stdio.h>
#include <string.h>

#include "compiler/spirv/importer.h"

/* Words of OpExtInst before the operands. */
enum { first_operand = 5 };

typedef struct entry_t {
  const char *name, *arguments;
} entry_t;

static const entry_t entries[] = {
#define STD(instruction, builtin, arguments) [OpenCLstd_##instruction] = {#builtin, arguments},
#include "compiler/spirv/opencl_std.def"
#undef STD
};

static argument_e how_of(char letter) {
  switch (letter) {
    case 's':
    case 'S': return argument_signed;
    case 'c': return argument_const;
    default: return argument_plain;
  }
}

static LLVMValueRef call_entry(importer_t *im, const instruction_t *in, const entry_t *entry) {
  argument_t arguments[builtin_max_arguments];
  unsigned count = in->count - first_operand;
  if (count == 0 || count > 3) import_fail(im, "%s has %u operands", entry->name, count);
  const char *letter = entry->arguments;
  for (unsigned i = 0; i < count; i++) {
    arguments[i] = argument_at(im, in, first_operand + i, how_of(*letter));
    if (letter[1]) letter++;
  }
  LLVMValueRef value = call_builtin(im, entry->name, result_type(im, in), arguments, count);
  apply_fast_math(im, in->result, value);
  return value;
}

/* The format is a string; what follows is passed as it is. */
static LLVMValueRef call_printf(importer_t *im, const instruction_t *in) {
  unsigned count = in->count - first_operand;
  need(im, count > 0, "printf has a format");
  LLVMValueRef *arguments = import_alloc(im, count, sizeof(LLVMValueRef));
  for (unsigned i = 0; i < count; i++) arguments[i] = operand_value(im, in, first_operand + i);
  LLVMTypeRef format = LLVMTypeOf(arguments[0]);
  need(im, is_pointer(format), "the format of printf is a pointer");
  LLVMTypeRef result = LLVMInt32TypeInContext(im->context);
  need_same(im, result, result_type(im, in));
  LLVMTypeRef type = LLVMFunctionType(result, &format, 1, true);
  LLVMValueRef callee = LLVMGetNamedFunction(im->module, "printf");
  if (!callee) callee = LLVMAddFunction(im->module, "printf", type);
  LLVMSetFunctionCallConv(callee, LLVMSPIRFUNCCallConv);
  LLVMValueRef call = LLVMBuildCall2(im->builder, type, callee, arguments, count, "");
  LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
  return call;
}

enum { vector_of_n = 1, vector_rounds = 2, vector_has_count = 4, vector_of_half = 8 };

typedef struct vector_entry_t {
  uint32_t number;
  const char *name;
  unsigned flags;
} vector_entry_t;

static const vector_entry_t loads[] = {
    {OpenCLstd_Vloadn, "vload", vector_of_n | vector_has_count},
    {OpenCLstd_Vload_half, "vload_half", vector_of_half},
    {OpenCLstd_Vload_halfn, "vload_half", vector_of_n | vector_has_count | vector_of_half},
    {OpenCLstd_Vloada_halfn, "vloada_half", vector_of_n | vector_has_count | vector_of_half},
};

static const vector_entry_t stores[] = {
    {OpenCLstd_Vstoren, "vstore", vector_of_n},
    {OpenCLstd_Vstore_half, "vstore_half", vector_of_half},
    {OpenCLstd_Vstore_half_r, "vstore_half", vector_rounds | vector_of_half},
    {OpenCLstd_Vstore_halfn, "vstore_half", vector_of_n | vector_of_half},
    {OpenCLstd_Vstore_halfn_r, "vstore_half", vector_of_n | vector_rounds | vector_of_half},
    {OpenCLstd_Vstorea_halfn, "vstorea_half", vector_of_n | vector_of_half},
    {OpenCLstd_Vstorea_halfn_r, "vstorea_half", vector_of_n | vector_rounds | vector_of_half},
};

static const char *vector_name(importer_t *im, const instruction_t *in, const vector_entry_t *entry, unsigned count,
                               char *name, size_t size) {
  static const char *const modes[] = {"_rte", "_rtz", "_rtp", "_rtn"};
  const char *mode = "";
  if (entry->flags & vector_rounds) {
    uint32_t number = operand_word(im, in, first_operand + 3);
    need(im, number <= SpvFPRoundingModeRTN, "the rounding mode is not known");
    mode = modes[number];
  }
  if (entry->flags & vector_of_n && count > 1) {
    snprintf(name, size, "%s%u%s", entry->name, count, mode);
  } else {
    snprintf(name, size, "%s%s", entry->name, mode);
  }
  return name;
}

/* The pointer of a load or store of components of the given type, or of half. LLVM's SPIR-V back end gives it the type
 * that the memory has elsewhere in the function, whatever the instruction wants. */
static argument_t components_at(importer_t *im, const instruction_t *in, uint32_t index, const vector_entry_t *entry,
                                LLVMTypeRef type, argument_e how) {
  argument_t argument = argument_at(im, in, index, how);
  need(im, is_pointer(LLVMTypeOf(argument.value)), "a pointer is wanted");
  argument.pointee = entry->flags & vector_of_half ? LLVMHalfTypeInContext(im->context) : scalar_type(type);
  return argument;
}

static LLVMValueRef call_load(importer_t *im, const instruction_t *in, const vector_entry_t *entry) {
  char name[32];
  unsigned count = vector_size(result_type(im, in));
  if (entry->flags & vector_has_count) {
    need(im, operand_word(im, in, first_operand + 2) == count, "the number of components is wrong");
  }
  vector_name(im, in, entry, count, name, sizeof(name));
  argument_t arguments[] = {argument_at(im, in, first_operand, argument_plain),
                            components_at(im, in, first_operand + 1, entry, result_type(im, in), argument_const)};
  return call_builtin(im, name, result_type(im, in), arguments, 2);
}

static LLVMValueRef call_store(importer_t *im, const instruction_t *in, const vector_entry_t *entry) {
  char name[32];
  argument_t data = argument_at(im, in, first_operand, argument_plain);
  LLVMTypeRef type = LLVMTypeOf(data.value);
  argument_t arguments[] = {data, argument_at(im, in, first_operand + 1, argument_plain),
                            components_at(im, in, first_operand + 2, entry, type, argument_plain)};
  vector_name(im, in, entry, vector_size(type), name, sizeof(name));
  return call_builtin(im, name, result_type(im, in), arguments, 3);
}

LLVMValueRef import_opencl_std(importer_t *im, const instruction_t *in) {
  uint32_t number = in->words[4];
  for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
    if (loads[i].number == number) return call_load(im, in, &loads[i]);
  }
  for (size_t i = 0; i < sizeof(stores) / sizeof(stores[0]); i++) {
    if (stores[i].number == number) return call_store(im, in, &stores[i]);
  }
  if (number == OpenCLstd_Printf) return call_printf(im, in);
  bool is_known = number < sizeof(entries) / sizeof(entries[0]) && entries[number].name;
  if (!is_known) import_fail(im, "instruction %u of OpenCL.std is not known", number);
  return call_entry(im, in, &entries[number]);
}
