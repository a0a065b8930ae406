/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The course of an import: scan, everything outside of functions, function bodies, kernels, LLVM's own check. */
#include "compiler/spirv/importer.h"

#include <stdlib.h>

#include <llvm-c/Analysis.h>
#include <spirv-tools/libspirv.h>

#include "base/log.h"
#include "compiler/spirv/debug_info.h"

_Noreturn void import_fail(importer_t *im, const char *format, ...) {
  text_append(im->log, "error: SPIR-V");
  if (im->current) {
    text_appendf(im->log, " word %zu, Op%s", (size_t)(im->current->words - im->words),
                 spvOpcodeString(im->current->opcode));
    if (im->current->result) text_appendf(im->log, " %%%u", im->current->result);
  }
  text_append(im->log, ": ");
  va_list arguments;
  va_start(arguments, format);
  text_appendf_v(im->log, format, arguments);
  va_end(arguments);
  text_append(im->log, "\n");
  longjmp(im->failure, 1);
}

void import_warn(importer_t *im, const char *format, ...) {
  text_append(im->log, "warning: SPIR-V: ");
  va_list arguments;
  va_start(arguments, format);
  text_appendf_v(im->log, format, arguments);
  va_end(arguments);
  text_append(im->log, "\n");
}

void *import_alloc(importer_t *im, size_t count, size_t size) {
  size_t bytes;
  arena_block_t *block = NULL;
  if (!__builtin_mul_overflow(count, size, &bytes) && !__builtin_add_overflow(bytes, sizeof(*block), &bytes)) {
    block = calloc(1, bytes);
  }
  if (!block) import_fail(im, "out of memory");
  block->next = im->arena;
  im->arena = block;
  return block->data;
}

static void free_arena(importer_t *im) {
  for (arena_block_t *block = im->arena; block;) {
    arena_block_t *next = block->next;
    free(block);
    block = next;
  }
}

/* The first ones hold what stands outside of functions. */
enum { outside_group_count = 8 };
static const rules_t *const groups[] = {
    &module_rules,       &annotation_rules, &type_rules,      &constant_rules, &variable_rules,   &extension_rules,
    &pipe_storage_rules, &alias_rules,      &function_rules,  &control_rules,  &arithmetic_rules, &bit_rules,
    &relational_rules,   &conversion_rules, &composite_rules, &memory_rules,   &atomic_rules,     &barrier_rules,
    &group_rules,        &sub_group_rules,  &image_rules,     &pipe_rules,     &hint_rules,       &clock_rules,
};

static void index_rules(importer_t *im) {
  im->rules = import_alloc(im, import_opcode_count, sizeof(const rule_t *));
  for (size_t g = 0; g < sizeof(groups) / sizeof(groups[0]); g++) {
    for (size_t i = 0; i < groups[g]->count; i++) {
      im->rules[groups[g]->rules[i].opcode] = &groups[g]->rules[i];
      im->is_outside[groups[g]->rules[i].opcode] = g < outside_group_count;
    }
  }
}

LLVMValueRef import_value_of(importer_t *im, const instruction_t *in) {
  const rule_t *rule = (uint32_t)in->opcode < import_opcode_count ? im->rules[in->opcode] : NULL;
  if (!rule) import_fail(im, "instruction %u is not supported", (unsigned)in->opcode);
  if (in->count < rule->minimum) import_fail(im, "it has %u words, fewer than %u", in->count, rule->minimum);
  return rule->handler(im, in, rule->data);
}

bool is_constant_step(LLVMValueRef value) {
  return LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr;
}

/* Addresses of the same variable, at different places. */
static bool are_parts_of_one(LLVMValueRef a, LLVMValueRef b) {
  return is_constant_step(a) && is_constant_step(b) && LLVMGetOperand(a, 0) == LLVMGetOperand(b, 0);
}

/* LLVM walks through nested constants by recursion. One of the operands is a value (`deepest`). */
static void nest_constant(importer_t *im, uint32_t id) {
  import_id_t *entry = id_at(im, id);
  bool is_constant = entry->kind == id_value && entry->llvm.value && LLVMIsConstant(entry->llvm.value);
  if (!is_constant) return;
  LLVMValueRef value = entry->llvm.value;
  /* A variable's address says nothing of its value. */
  if (LLVMIsAGlobalValue(value) || LLVMGetNumOperands(value) == 0) return;
  LLVMValueRef operand = im->deepest->llvm.value;
  bool is_operation = LLVMIsAConstantExpr(value) && value != operand && !are_parts_of_one(value, operand);
  entry->depth = im->deepest->depth + is_operation;
  if (entry->depth > import_max_nesting) import_fail(im, "constants are nested more than %d deep", import_max_nesting);
}

void import_instruction(importer_t *im, const instruction_t *in) {
  const instruction_t *outer = im->current;
  im->current = in;
  im->deepest = NULL;
  LLVMValueRef value = import_value_of(im, in);
  /* Handlers of functions and variables define their ids themselves. */
  bool is_defined = in->result && !value && id_at(im, in->result)->kind != id_unknown;
  if (in->type && !is_defined) id_define_value(im, in->result, in->type, value);
  if (in->type && im->deepest) nest_constant(im, in->result);
  im->current = outer;
}

/* Instructions outside of functions fold into constants; one that does not lands here and is refused. */
static void make_scratch(importer_t *im) {
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(im->context), NULL, 0, false);
  im->scratch = LLVMAddFunction(im->module, "", type);
  LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(im->context, im->scratch, "");
  LLVMPositionBuilderAtEnd(im->builder, block);
}

static void import_globals(importer_t *im) {
  make_scratch(im);
  bool in_function = false;
  for (size_t at = 5; at < im->word_count;) {
    instruction_t in = read_instruction(im->words + at);
    im->current = &in;
    if (in.opcode == SpvOpFunction) {
      if (in_function) import_fail(im, "a function inside of a function");
      in_function = true;
    }
    if (!in_function && !im->is_outside[in.opcode & (import_opcode_count - 1)]) {
      import_fail(im, "this instruction stands in functions");
    }
    if (!in_function) import_instruction(im, &in);
    if (in.opcode == SpvOpFunctionEnd) {
      if (!in_function) import_fail(im, "no function to end");
      in_function = false;
    }
    at += in.count;
  }
  if (in_function) import_fail(im, "the last function does not end");
  im->current = NULL;
  LLVMDeleteFunction(im->scratch);
  im->scratch = NULL;
}

/* False, and why in `*message`, when LLVM finds something wrong. */
static bool verify(importer_t *im, char **message) {
  if (LLVMVerifyModule(im->module, LLVMReturnStatusAction, message)) return false;
  LLVMDisposeMessage(*message);
  return true;
}

/* Debug information that contradicts itself is no reason to refuse a program. */
static void check_module(importer_t *im) {
  char *message = NULL;
  if (verify(im, &message)) return;
  if (im->debug) {
    LLVMDisposeMessage(message);
    LLVMStripModuleDebugInfo(im->module);
    if (verify(im, &message)) {
      import_warn(im, "the debug information is inconsistent, and left out");
      return;
    }
  }
  text_appendf(im->log, "error: the SPIR-V module breaks a rule of control or data flow: %s\n", message);
  LLVMDisposeMessage(message);
  longjmp(im->failure, 1);
}

static void import_module(importer_t *im) {
  reader_scan(im);
  index_rules(im);
  import_globals(im);
  functions_import(im);
  kernels_make(im);
  debug_finish(im);
  check_module(im);
}

static void set_target(LLVMModuleRef module) {
  LLVMSetTarget(module, "spir64-unknown-unknown");
  LLVMSetDataLayout(module, "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1");
}

/* What SPIRV-Tools says of a module that was refused, beside the importer's own message. Packaged validators are older
 * than compilers that write SPIR-V, and crash on some modules: it is for whoever develops one, and asks for it. */
static void explain(const spirv_input_t *input) {
  if (!log_enabled(log_compiler)) return;
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  spv_diagnostic diagnostic = NULL;
  size_t count = input->size / sizeof(uint32_t);
  uint32_t *words = malloc(count * sizeof(*words) + 1);
  if (context && words) {
    for (size_t i = 0; i < count * sizeof(*words); i++) ((char *)words)[i] = ((const char *)input->data)[i];
    spv_const_binary_t binary = {words, count};
    spvValidate(context, &binary, &diagnostic);
    if (diagnostic && diagnostic->error) log_write(log_compiler, "spirv-val: %s", diagnostic->error);
  }
  free(words);
  spvDiagnosticDestroy(diagnostic);
  spvContextDestroy(context);
}

LLVMModuleRef spirv_import(LLVMContextRef context, const spirv_input_t *input, text_t *log) {
  importer_t *im = calloc(1, sizeof(*im));
  if (!im) return NULL;
  *im = (importer_t){.input = input, .log = log, .context = context, .contraction = true};
  im->entry_points_end = &im->entry_points;
  im->module = LLVMModuleCreateWithNameInContext("program.spv", context);
  im->builder = LLVMCreateBuilderInContext(context);
  set_target(im->module);
  im->layout = LLVMGetModuleDataLayout(im->module);
  LLVMModuleRef module = NULL;
  if (setjmp(im->failure) == 0) {
    import_module(im);
    module = im->module;
    debug_free(im);
  } else {
    debug_free(im);
    LLVMDisposeModule(im->module);
    explain(input);
  }
  LLVMDisposeBuilder(im->builder);
  free_arena(im);
  text_free(&im->symbol);
  free(im);
  return module;
}
