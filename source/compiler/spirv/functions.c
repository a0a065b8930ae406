/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Functions: all are declared first; then, for each, its labels become blocks, its instructions code, and its phis get
 * their values. */
#include <string.h>

#include "compiler/spirv/debug_info.h"
#include "compiler/spirv/importer.h"
#include "compiler/spirv/intrinsics.h"
#include "compiler/spirv/linkage.h"

static void add_attribute(importer_t *im, LLVMValueRef function, unsigned place, const char *name, uint64_t value) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, place, LLVMCreateEnumAttribute(im->context, kind, value));
}

static void add_type_attribute(importer_t *im, LLVMValueRef function, unsigned place, const char *name,
                               LLVMTypeRef type) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, place, LLVMCreateTypeAttribute(im->context, kind, type));
}

static void apply_control(importer_t *im, LLVMValueRef function, uint32_t control) {
  add_attribute(im, function, LLVMAttributeFunctionIndex, "nounwind", 0);
  add_attribute(im, function, LLVMAttributeFunctionIndex, "convergent", 0);
  if (control & SpvFunctionControlOptNoneINTELMask) {
    add_attribute(im, function, LLVMAttributeFunctionIndex, "optnone", 0);
    control |= SpvFunctionControlDontInlineMask;
  }
  if (control & SpvFunctionControlDontInlineMask) {
    add_attribute(im, function, LLVMAttributeFunctionIndex, "noinline", 0);
  } else if (control & SpvFunctionControlInlineMask) {
    add_attribute(im, function, LLVMAttributeFunctionIndex, "inlinehint", 0);
  }
}

static void apply_parameter_attribute(importer_t *im, LLVMValueRef function, unsigned place, uint32_t id,
                                      uint32_t attribute) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, place - 1));
  bool is_address = is_pointer(type);
  switch (attribute) {
    case SpvFunctionParameterAttributeZext:
      if (is_int(type) && !is_vector(type)) add_attribute(im, function, place, "zeroext", 0);
      break;
    case SpvFunctionParameterAttributeSext:
      if (is_int(type) && !is_vector(type)) add_attribute(im, function, place, "signext", 0);
      break;
    case SpvFunctionParameterAttributeByVal:
      need(im, is_address, "ByVal is for pointers");
      add_type_attribute(im, function, place, "byval", type_data(im, type_pointee(im, id_at(im, id)->type)));
      break;
    case SpvFunctionParameterAttributeSret:
      need(im, is_address && place == 1, "Sret is for the first parameter, a pointer");
      add_type_attribute(im, function, place, "sret", type_data(im, type_pointee(im, id_at(im, id)->type)));
      break;
    case SpvFunctionParameterAttributeNoAlias:
      if (is_address) add_attribute(im, function, place, "noalias", 0);
      break;
    case SpvFunctionParameterAttributeNoWrite:
      if (is_address) add_attribute(im, function, place, "readonly", 0);
      break;
    case SpvFunctionParameterAttributeNoReadWrite:
      if (is_address) add_attribute(im, function, place, "readnone", 0);
      break;
    default: break; /* NoCapture and newer ones are hints */
  }
}

static void apply_parameter(importer_t *im, LLVMValueRef function, unsigned place, uint32_t id) {
  bool has[8] = {false};
  for (decoration_t *d = id_at(im, id)->decorations; d; d = d->next) {
    if (d->kind == SpvDecorationFuncParamAttr && d->operands[0] < 8) has[d->operands[0]] = true;
  }
  bool is_passed_twice = has[SpvFunctionParameterAttributeByVal] && has[SpvFunctionParameterAttributeSret];
  need(im, !is_passed_twice, "a parameter is ByVal or Sret, not both");
  /* LLVM takes one of each pair. */
  if (has[SpvFunctionParameterAttributeNoReadWrite]) has[SpvFunctionParameterAttributeNoWrite] = false;
  if (has[SpvFunctionParameterAttributeSext]) has[SpvFunctionParameterAttributeZext] = false;
  for (uint32_t attribute = 0; attribute < 8; attribute++) {
    if (has[attribute]) apply_parameter_attribute(im, function, place, id, attribute);
  }
  bool is_address = is_pointer(LLVMTypeOf(LLVMGetParam(function, place - 1)));
  unsigned alignment = decorated_alignment(im, id);
  if (is_address && alignment) add_attribute(im, function, place, "align", alignment);
  if (is_address && id_decoration(im, id, SpvDecorationRestrict)) add_attribute(im, function, place, "noalias", 0);
  const char *name = id_name(im, id);
  LLVMSetValueName2(LLVMGetParam(function, place - 1), name, strlen(name));
}

/* Reads the OpFunctionParameter instructions behind OpFunction. */
static void define_parameters(importer_t *im, LLVMValueRef function, const uint32_t *words) {
  unsigned count = LLVMCountParams(function), at = 0;
  const uint32_t *end = im->words + im->word_count;
  instruction_t in = read_instruction(words);
  im->current = &in;
  for (const uint32_t *w = words + (words[0] >> SpvWordCountShift); w < end; w += w[0] >> SpvWordCountShift) {
    in = read_instruction(w);
    if (in.opcode == SpvOpLine || in.opcode == SpvOpNoLine || in.opcode == SpvOpNop) continue;
    if (in.opcode != SpvOpFunctionParameter) break;
    if (at == count) import_fail(im, "the function has more parameters than its type");
    LLVMValueRef parameter = LLVMGetParam(function, at++);
    id_define_value(im, in.result, in.type, parameter);
    apply_parameter(im, function, at, in.result);
  }
  if (at != count) import_fail(im, "the function has %u parameters, its type %u", at, count);
  im->current = NULL;
}

bool function_has_body(importer_t *im, const uint32_t *words) {
  const uint32_t *end = im->words + im->word_count;
  for (const uint32_t *w = words; w < end; w += w[0] >> SpvWordCountShift) {
    uint32_t opcode = w[0] & SpvOpCodeMask;
    if (opcode == SpvOpLabel) return true;
    if (opcode == SpvOpFunctionEnd) return false;
  }
  return false;
}

static LLVMValueRef create(importer_t *im, uint32_t id, LLVMTypeRef type, bool is_defined) {
  const char *name = "";
  linkage_e linkage = linkage_of(im, id, &name);
  need(im, is_defined || linkage == linkage_import, "a function without a body is imported");
  need(im, !is_defined || linkage != linkage_import, "an imported function has no body");
  LLVMValueRef existing = linkage == linkage_none ? NULL : LLVMGetNamedFunction(im->module, name);
  if (existing && is_defined) import_fail(im, "function '%s' is there twice", name);
  if (existing && LLVMGlobalGetValueType(existing) != type) import_fail(im, "function '%s' is of another type", name);
  if (existing) return existing;
  LLVMValueRef function = LLVMAddFunction(im->module, linkage_local_name(im, id), type);
  linkage_apply(im, id, function);
  LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
  return function;
}

LLVMValueRef function_declare(importer_t *im, uint32_t id) {
  import_id_t *entry = id_at(im, id);
  if (entry->kind == id_function) return entry->llvm.value;
  if (!entry->definition || (entry->definition[0] & SpvOpCodeMask) != SpvOpFunction) {
    import_fail(im, "%%%u is no function", id);
  }
  instruction_t in = read_instruction(entry->definition);
  const instruction_t *outer = im->current;
  im->current = &in;
  need(im, in.count >= 5, "too few words");
  LLVMTypeRef type = type_of_kind(im, in.words[4], SpvOpTypeFunction, "a function type")->llvm.type;
  need_same(im, LLVMGetReturnType(type), result_type(im, &in));
  bool is_defined = function_has_body(im, in.words);
  const char *intrinsic = is_defined ? NULL : intrinsic_name(im, id);
  LLVMValueRef function = intrinsic ? intrinsic_declare(im, id, intrinsic, type) : create(im, id, type, is_defined);
  entry->kind = id_function;
  entry->type = in.words[4];
  entry->llvm.value = function;
  if (is_defined) {
    apply_control(im, function, in.words[3]);
    linkage_keep_address(im, id, function);
  }
  im->current = outer;
  return function;
}

/* Returns the end of the body, and how many blocks it has. */
static const uint32_t *make_blocks(importer_t *im, const uint32_t *words, size_t *count) {
  *count = 0;
  const uint32_t *w = words;
  for (; (w[0] & SpvOpCodeMask) != SpvOpFunctionEnd; w += w[0] >> SpvWordCountShift) {
    if ((w[0] & SpvOpCodeMask) != SpvOpLabel) continue;
    import_id_t *entry = id_at(im, w[1]);
    entry->kind = id_block;
    entry->llvm.block = LLVMAppendBasicBlockInContext(im->context, im->function, id_name(im, w[1]));
    if (!im->entry) im->entry = entry->llvm.block;
    ++*count;
  }
  return w;
}

/* LLVM wants a value for each edge, SPIR-V has one for each block: several cases of a switch may come here. */
static void add_incoming(importer_t *im, LLVMValueRef phi, LLVMValueRef value, LLVMBasicBlockRef from) {
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(from);
  unsigned count = LLVMGetNumSuccessors(terminator);
  for (unsigned i = 0; i < count; i++) {
    if (im->phi_edges++ > import_max_phi_edges) import_fail(im, "too many edges and phis");
    if (LLVMGetSuccessor(terminator, i) == LLVMGetInstructionParent(phi)) LLVMAddIncoming(phi, &value, &from, 1);
  }
}

static void finish_phi(importer_t *im, const pending_phi_t *pending) {
  const instruction_t *in = &pending->instruction;
  im->current = in;
  for (uint32_t i = 3; i + 1 < in->count; i += 2) {
    LLVMBasicBlockRef block = operand_block(im, in, i + 1);
    /* A constant sampler or a built-in needs instructions of its own. */
    LLVMPositionBuilderBefore(im->builder, LLVMGetBasicBlockTerminator(block));
    LLVMValueRef value = operand_value(im, in, i);
    need_same(im, LLVMTypeOf(value), LLVMTypeOf(pending->phi));
    add_incoming(im, pending->phi, value, block);
  }
}

static void import_block(importer_t *im, const block_words_t *block) {
  for (const uint32_t *w = block->begin; w < block->end; w += w[0] >> SpvWordCountShift) {
    instruction_t in = read_instruction(w);
    im->current = &in;
    bool needs_block = in.opcode != SpvOpLabel && in.opcode != SpvOpLine && in.opcode != SpvOpNoLine;
    if (needs_block && !im->block) import_fail(im, "it stands behind the end of a block");
    import_instruction(im, &in);
  }
  im->current = NULL;
}

/* Words of the body: from the first label to OpFunctionEnd. */
static void import_body(importer_t *im, uint32_t id, const uint32_t *words) {
  im->function = id_at(im, id)->llvm.value;
  im->function_id = id;
  im->entry = im->block = NULL;
  im->phis = NULL;
  size_t count;
  const uint32_t *end = make_blocks(im, words, &count);
  const block_words_t *blocks = blocks_in_order(im, words, end, count);
  debug_begin_function(im);
  for (size_t i = 0; i < count; i++) import_block(im, &blocks[i]);
  if (im->block) import_fail(im, "the last block of a function does not end");
  for (pending_phi_t *phi = im->phis; phi; phi = phi->next) finish_phi(im, phi);
  debug_end_function(im);
  im->function = NULL;
}

static const uint32_t *skip_parameters(const uint32_t *words) {
  const uint32_t *w = words + (words[0] >> SpvWordCountShift);
  while ((w[0] & SpvOpCodeMask) != SpvOpLabel && (w[0] & SpvOpCodeMask) != SpvOpFunctionEnd) {
    w += w[0] >> SpvWordCountShift;
  }
  return w;
}

typedef void (*visit_t)(importer_t *im, const uint32_t *words);

static void for_each_function(importer_t *im, visit_t visit) {
  for (size_t at = 5; at < im->word_count; at += im->words[at] >> SpvWordCountShift) {
    if ((im->words[at] & SpvOpCodeMask) == SpvOpFunction) visit(im, im->words + at);
  }
}

static void declare(importer_t *im, const uint32_t *words) { function_declare(im, words[2]); }

static void describe(importer_t *im, const uint32_t *words) {
  if (function_has_body(im, words)) define_parameters(im, id_at(im, words[2])->llvm.value, words);
}

static void import(importer_t *im, const uint32_t *words) {
  if (function_has_body(im, words)) import_body(im, words[2], skip_parameters(words));
}

void functions_import(importer_t *im) {
  for_each_function(im, declare);
  for_each_function(im, describe); /* calls repeat what is said of parameters, also those of functions further down */
  for_each_function(im, import);
}

static LLVMValueRef call(importer_t *im, LLVMValueRef callee, LLVMTypeRef type, const instruction_t *in,
                         uint32_t first) {
  unsigned count = in->count - first;
  if (count != LLVMCountParamTypes(type)) import_fail(im, "%u arguments, not %u", count, LLVMCountParamTypes(type));
  need_same(im, LLVMGetReturnType(type), result_type(im, in));
  LLVMTypeRef *types = import_alloc(im, count + 1, sizeof(LLVMTypeRef));
  LLVMValueRef *arguments = import_alloc(im, count + 1, sizeof(LLVMValueRef));
  LLVMGetParamTypes(type, types);
  for (unsigned i = 0; i < count; i++) {
    arguments[i] = operand_value(im, in, first + i);
    need_same(im, LLVMTypeOf(arguments[i]), types[i]);
  }
  LLVMValueRef value = LLVMBuildCall2(im->builder, type, callee, arguments, count, "");
  LLVMSetInstructionCallConv(value, LLVMSPIRFUNCCallConv);
  return value;
}

/* What a parameter is passed as must be said at the call too. */
static void copy_by_value(importer_t *im, LLVMValueRef callee, LLVMValueRef instruction) {
  static const char *const names[] = {"byval", "sret"};
  for (unsigned place = 1; place <= LLVMCountParams(callee); place++) {
    for (size_t n = 0; n < 2; n++) {
      unsigned kind = LLVMGetEnumAttributeKindForName(names[n], strlen(names[n]));
      LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(callee, place, kind);
      if (attribute) LLVMAddCallSiteAttribute(instruction, place, attribute);
    }
  }
  (void)im;
}

static LLVMValueRef function_call(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef callee = function_declare(im, in->words[3]);
  if (id_at(im, in->words[3])->intrinsic) return intrinsic_call(im, in);
  LLVMTypeRef type = type_llvm(im, id_at(im, in->words[3])->type);
  LLVMValueRef value = call(im, callee, type, in, 4);
  if (LLVMGlobalGetValueType(callee) == type) copy_by_value(im, callee, value);
  return value;
}

static LLVMValueRef function_pointer_call(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  uint32_t pointee;
  LLVMValueRef callee = operand_pointer(im, in, 3, &pointee);
  LLVMTypeRef type = type_of_kind(im, pointee, SpvOpTypeFunction, "a function type")->llvm.type;
  return call(im, callee, type, in, 4);
}

static LLVMValueRef skip(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)im, (void)in, (void)data;
  return NULL;
}

static const rule_t table[] = {
    {SpvOpFunctionParameter, 3, skip, 0},
    {SpvOpFunctionEnd, 1, skip, 0},
    {SpvOpFunctionCall, 4, function_call, 0},
    {SpvOpFunctionPointerCallINTEL, 4, function_pointer_call, 0},
};
RULES(function_rules, table);
