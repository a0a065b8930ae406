/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Entry points become kernels with the metadata that the Clang front end writes. */
#include <stdio.h>
#include <string.h>

#include "compiler/spirv/importer.h"

static LLVMMetadataRef number(importer_t *im, uint32_t value) { return LLVMValueAsMetadata(constant_u32(im, value)); }

static LLVMMetadataRef text(importer_t *im, const char *value) {
  return LLVMMDStringInContext2(im->context, value, strlen(value));
}

static void set_metadata(importer_t *im, LLVMValueRef kernel, const char *kind, LLVMMetadataRef *parts, size_t count) {
  unsigned id = LLVMGetMDKindIDInContext(im->context, kind, (unsigned)strlen(kind));
  LLVMGlobalSetMetadata(kernel, id, LLVMMDNodeInContext2(im->context, parts, count));
}

static const char *scalar_name(importer_t *im, LLVMTypeRef type) {
  (void)im;
  switch (LLVMGetTypeKind(type)) {
    case LLVMHalfTypeKind: return "half";
    case LLVMFloatTypeKind: return "float";
    case LLVMDoubleTypeKind: return "double";
    case LLVMIntegerTypeKind: break;
    default: return "";
  }
  switch (LLVMGetIntTypeWidth(type)) {
    case 1: return "bool";
    case 8: return "char";
    case 16: return "short";
    case 32: return "int";
    case 64: return "long";
    default: return "";
  }
}

/* The name of a type as far as SPIR-V knows it: integers have no sign. */
static void append_type_name(importer_t *im, uint32_t type, unsigned depth, text_t *out) {
  import_id_t *entry = id_at(im, type);
  if (entry->kind != id_type) return;
  SpvOp opcode = type_opcode(im, type);
  if (opcode == SpvOpTypePointer && depth < 4) {
    append_type_name(im, entry->definition[3], depth + 1, out);
    text_append(out, "*");
  } else if (opcode == SpvOpTypeVector) {
    text_appendf(out, "%s%u", scalar_name(im, LLVMGetElementType(entry->llvm.type)), entry->definition[3]);
  } else if (opcode == SpvOpTypeStruct || opcode == SpvOpTypeOpaque) {
    text_append(out, id_name(im, type));
  } else if (opcode == SpvOpTypeImage) {
    text_append(out, "image");
  } else if (opcode == SpvOpTypeSampler) {
    text_append(out, "sampler_t");
  } else {
    text_append(out, scalar_name(im, entry->llvm.type));
  }
}

/* The translator's names of the types of kernel `name`'s arguments, with a comma behind each; or "". */
static const char *find_type_names(importer_t *im, const char *name) {
  size_t length = strlen(name);
  for (const type_names_t *names = im->type_names; names; names = names->next) {
    const char *text = names->text + strlen("kernel_arg_type.");
    if (!strncmp(text, name, length) && text[length] == '.') return text + length + 1;
  }
  return "";
}

/* The first of `*names`, which is moved behind it; where none is left, as far as SPIR-V knows it. */
static LLVMMetadataRef type_name(importer_t *im, const char **names, uint32_t type, bool by_value) {
  text_t name = {0};
  const char *end = strchr(*names, ',');
  if (end) {
    text_append_bytes(&name, *names, (size_t)(end - *names));
    *names = end + 1;
  } else {
    *names = "";
    append_type_name(im, by_value ? type_pointee(im, type) : type, 0, &name);
  }
  LLVMMetadataRef node = LLVMMDStringInContext2(im->context, text_string(&name), name.length);
  text_free(&name);
  return node;
}

static bool has_attribute(importer_t *im, uint32_t parameter, uint32_t attribute) {
  for (decoration_t *d = id_at(im, parameter)->decorations; d; d = d->next) {
    if (d->kind == SpvDecorationFuncParamAttr && d->operands[0] == attribute) return true;
  }
  return false;
}

static LLVMMetadataRef access_name(importer_t *im, uint32_t type) {
  static const char *const names[] = {"read_only", "write_only", "read_write"};
  if (type_opcode(im, type) == SpvOpTypePipe) return text(im, names[type_at(im, type)->definition[2]]);
  if (type_opcode(im, type) != SpvOpTypeImage) return text(im, "none");
  const uint32_t *words = type_at(im, type)->definition;
  return text(im, names[(words[0] >> SpvWordCountShift) > 9 ? words[9] : 0]);
}

static LLVMMetadataRef qualifiers(importer_t *im, uint32_t parameter, uint32_t type) {
  text_t all = {0};
  bool is_address = type_opcode(im, type) == SpvOpTypePointer;
  bool is_constant = is_address && type_at(im, type)->definition[2] == SpvStorageClassUniformConstant;
  bool is_restrict = id_decoration(im, parameter, SpvDecorationRestrict) ||
                     has_attribute(im, parameter, SpvFunctionParameterAttributeNoAlias);
  bool is_const = is_constant || has_attribute(im, parameter, SpvFunctionParameterAttributeNoWrite);
  bool is_volatile = id_decoration(im, parameter, SpvDecorationVolatile) != NULL;
  if (is_address && is_restrict) text_append(&all, "restrict ");
  if (is_address && is_const) text_append(&all, "const ");
  if (is_address && is_volatile) text_append(&all, "volatile ");
  if (type_opcode(im, type) == SpvOpTypePipe) text_append(&all, "pipe ");
  LLVMMetadataRef node = LLVMMDStringInContext2(im->context, text_string(&all), all.length ? all.length - 1 : 0);
  text_free(&all);
  return node;
}

/* The ids of a function's parameters are the results of the instructions behind it. */
static const uint32_t *next_parameter(importer_t *im, const uint32_t *words) {
  const uint32_t *end = im->words + im->word_count;
  do {
    words += words[0] >> SpvWordCountShift;
    need(im, words < end && (words[0] & SpvOpCodeMask) != SpvOpFunctionEnd, "the kernel lacks parameters");
  } while ((words[0] & SpvOpCodeMask) != SpvOpFunctionParameter);
  return words;
}

enum { argument_kinds = 6 };

static void describe_arguments(importer_t *im, LLVMValueRef kernel, const char *name, uint32_t function) {
  static const char *const kinds[argument_kinds] = {"kernel_arg_addr_space", "kernel_arg_access_qual",
                                                    "kernel_arg_type",       "kernel_arg_base_type",
                                                    "kernel_arg_type_qual",  "kernel_arg_name"};
  unsigned count = LLVMCountParams(kernel);
  LLVMMetadataRef *parts = import_alloc(im, (size_t)(count + 1) * argument_kinds, sizeof(*parts));
  const uint32_t *words = id_at(im, function)->definition;
  const char *type_names = find_type_names(im, name);
  for (unsigned i = 0; i < count; i++) {
    words = next_parameter(im, words);
    uint32_t type = words[1], parameter = words[2];
    bool is_address = type_opcode(im, type) == SpvOpTypePointer;
    bool by_value = is_address && has_attribute(im, parameter, SpvFunctionParameterAttributeByVal);
    bool is_object = type_opcode(im, type) == SpvOpTypeImage || type_opcode(im, type) == SpvOpTypePipe;
    unsigned space = is_address ? LLVMGetPointerAddressSpace(type_llvm(im, type)) : is_object ? space_global : 0;
    parts[i] = number(im, by_value ? 0 : space);
    parts[count + i] = access_name(im, type);
    parts[2 * count + i] = parts[3 * count + i] = type_name(im, &type_names, type, by_value);
    parts[4 * count + i] = qualifiers(im, parameter, type);
    parts[5 * count + i] = text(im, id_name(im, parameter));
  }
  for (unsigned k = 0; k < argument_kinds; k++) set_metadata(im, kernel, kinds[k], parts + (size_t)k * count, count);
}

static void set_size(importer_t *im, LLVMValueRef kernel, const char *kind, const instruction_t *mode, bool are_ids) {
  LLVMMetadataRef parts[3];
  if (mode->count < 6) import_fail(im, "a work-group size has three dimensions");
  for (unsigned i = 0; i < 3; i++) {
    uint64_t size = are_ids ? constant_number(im, mode->words[3 + i]) : mode->words[3 + i];
    need(im, size > 0 && size <= UINT32_MAX, "a work-group size is out of range");
    parts[i] = number(im, (uint32_t)size);
  }
  set_metadata(im, kernel, kind, parts, 3);
}

/* VecTypeHint: components in the upper half, kind of type in the lower one. */
static void set_vector_hint(importer_t *im, LLVMValueRef kernel, const instruction_t *mode) {
  LLVMContextRef c = im->context;
  uint32_t hint = operand_word(im, mode, 3), kind = hint & 0xffff, count = hint >> 16;
  LLVMTypeRef types[] = {LLVMInt8TypeInContext(c),  LLVMInt16TypeInContext(c), LLVMInt32TypeInContext(c),
                         LLVMInt64TypeInContext(c), LLVMHalfTypeInContext(c),  LLVMFloatTypeInContext(c),
                         LLVMDoubleTypeInContext(c)};
  need(im, kind < sizeof(types) / sizeof(types[0]) && count <= 16, "the type hint is not one of OpenCL");
  LLVMTypeRef type = vector_of(types[kind], count < 2 ? 1 : count);
  LLVMMetadataRef parts[] = {LLVMValueAsMetadata(LLVMGetUndef(type)), number(im, 1)};
  set_metadata(im, kernel, "vec_type_hint", parts, 2);
}

/* One mode for single and double precision; half is another matter (passes/prepare.cpp reads the attribute). */
static void flush_denormals(importer_t *im, LLVMValueRef kernel, const instruction_t *mode) {
  static const char attribute[] = "quern-flush-denormals";
  uint32_t width = operand_word(im, mode, 3);
  if (width != 32 && width != 64) import_fail(im, "denormals of %u bits cannot be flushed", width);
  LLVMAttributeRef value = LLVMCreateStringAttribute(im->context, attribute, sizeof(attribute) - 1, "", 0);
  LLVMAddAttributeAtIndex(kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, value);
}

static bool preserves_denormals(const execution_mode_t *modes) {
  for (; modes; modes = modes->next) {
    bool is_wide = modes->instruction.count > 3 && modes->instruction.words[3] > 16;
    if (modes->instruction.words[2] == SpvExecutionModeDenormPreserve && is_wide) return true;
  }
  return false;
}

static void apply_mode(importer_t *im, LLVMValueRef kernel, const instruction_t *mode) {
  switch ((uint32_t)mode->words[2]) {
    case SpvExecutionModeLocalSize: set_size(im, kernel, "reqd_work_group_size", mode, false); break;
    case SpvExecutionModeLocalSizeId: set_size(im, kernel, "reqd_work_group_size", mode, true); break;
    case SpvExecutionModeLocalSizeHint: set_size(im, kernel, "work_group_size_hint", mode, false); break;
    case SpvExecutionModeLocalSizeHintId: set_size(im, kernel, "work_group_size_hint", mode, true); break;
    case SpvExecutionModeVecTypeHint: set_vector_hint(im, kernel, mode); break;
    case SpvExecutionModeSubgroupSize: {
      LLVMMetadataRef size = number(im, operand_word(im, mode, 3));
      set_metadata(im, kernel, "intel_reqd_sub_group_size", &size, 1);
      break;
    }
    case SpvExecutionModeSubgroupsPerWorkgroup: {
      LLVMMetadataRef count = number(im, operand_word(im, mode, 3));
      set_metadata(im, kernel, "reqd_num_sub_groups", &count, 1);
      break;
    }
    case SpvExecutionModeSubgroupsPerWorkgroupId: {
      uint64_t value = constant_number(im, operand_word(im, mode, 3));
      need(im, value <= UINT32_MAX, "a number of sub-groups is out of range");
      LLVMMetadataRef count = number(im, (uint32_t)value);
      set_metadata(im, kernel, "reqd_num_sub_groups", &count, 1);
      break;
    }
    case SpvExecutionModeDenormFlushToZero: flush_denormals(im, kernel, mode); break;
    case SpvExecutionModeFinalizer: import_fail(im, "nothing runs when a program ends: there are no finalizers");
    case SpvExecutionModeInitializer:
    case SpvExecutionModeContractionOff:
    case SpvExecutionModeDenormPreserve:
    case SpvExecutionModeSignedZeroInfNanPreserve:
    case SpvExecutionModeRoundingModeRTE:
    case SpvExecutionModeMaxWorkgroupSizeINTEL:
    case SpvExecutionModeMaxWorkDimINTEL:
    case SpvExecutionModeNoGlobalOffsetINTEL:
    case SpvExecutionModeNumSIMDWorkitemsINTEL:
    case SpvExecutionModeSchedulerTargetFmaxMhzINTEL:
    case newer_mode_maximum_registers_intel:
    case newer_mode_maximum_registers_id_intel:
    case newer_mode_named_maximum_registers_intel:
    case newer_mode_fast_math_default: break; /* what is so anyway, hints, and what the module has looked at */
    default: import_fail(im, "execution mode %u is not supported", mode->words[2]);
  }
}

/* Takes the kernel's name from any other function that has it: an import means the kernel's body, and a function of
 * this name is only called from within. */
static void free_name(importer_t *im, LLVMValueRef body, const char *name) {
  LLVMValueRef other = LLVMGetNamedFunction(im->module, name);
  if (!other || other == body) return;
  if (LLVMGetFunctionCallConv(other) == LLVMSPIRKERNELCallConv) import_fail(im, "kernel '%s' is there twice", name);
  LLVMSetValueName2(other, "", 0);
  if (!LLVMIsDeclaration(other)) {
    LLVMSetLinkage(other, LLVMInternalLinkage);
    return;
  }
  bool is_same = LLVMGlobalGetValueType(other) == LLVMGlobalGetValueType(body);
  if (!is_same) import_fail(im, "kernel '%s' is imported with another type", name);
  LLVMReplaceAllUsesWith(other, body);
  unused_declaration_t *unused = import_alloc(im, 1, sizeof(*unused));
  *unused = (unused_declaration_t){im->unused_declarations, other};
  im->unused_declarations = unused;
}

static void copy_attributes(LLVMValueRef from, LLVMValueRef to) {
  for (unsigned place = 0; place <= LLVMCountParams(from) + 1; place++) {
    LLVMAttributeIndex index = place <= LLVMCountParams(from) ? place : (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    LLVMAttributeRef attributes[32];
    if (LLVMGetAttributeCountAtIndex(from, index) > 32) continue;
    unsigned count = LLVMGetAttributeCountAtIndex(from, index);
    LLVMGetAttributesAtIndex(from, index, attributes);
    for (unsigned i = 0; i < count; i++) LLVMAddAttributeAtIndex(to, index, attributes[i]);
  }
}

/* Kernels cannot be called in LLVM. A function that is, or is the body of several, gets kernels that call it. */
static LLVMValueRef make_caller(importer_t *im, LLVMValueRef body) {
  LLVMTypeRef type = LLVMGlobalGetValueType(body);
  LLVMValueRef caller = LLVMAddFunction(im->module, "", type);
  unsigned count = LLVMCountParams(body);
  LLVMValueRef *arguments = import_alloc(im, count + 1, sizeof(LLVMValueRef));
  copy_attributes(body, caller);
  LLVMSetLinkage(body, LLVMInternalLinkage);
  LLVMGetParams(caller, arguments);
  LLVMPositionBuilderAtEnd(im->builder, LLVMAppendBasicBlockInContext(im->context, caller, ""));
  LLVMValueRef call = LLVMBuildCall2(im->builder, type, body, arguments, count, "");
  LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
  for (unsigned i = 1; i <= count; i++) {
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(body, i, kind);
    if (attribute) LLVMAddCallSiteAttribute(call, i, attribute);
  }
  LLVMBuildRetVoid(im->builder);
  return caller;
}

static LLVMValueRef kernel_body(importer_t *im, const entry_point_t *point) {
  import_id_t *entry = id_at(im, point->function);
  if (entry->kind != id_function) import_fail(im, "kernel '%s' has no function", point->name);
  /* By its own words: an import may stand for a function of the same name. */
  if (!function_has_body(im, entry->definition)) import_fail(im, "kernel '%s' has no body", point->name);
  LLVMValueRef body = entry->llvm.value;
  bool is_void = LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(body))) == LLVMVoidTypeKind;
  if (!is_void) import_fail(im, "kernel '%s' returns a value", point->name);
  return body;
}

static void apply_modes(importer_t *im, const execution_mode_t *modes, LLVMValueRef kernel) {
  bool preserves = preserves_denormals(modes);
  for (const execution_mode_t *mode = modes; mode; mode = mode->next) {
    im->current = &mode->instruction;
    if (mode->instruction.words[2] == SpvExecutionModeDenormFlushToZero && preserves)
      import_fail(im, "denormals of 32 and 64 bits are flushed together");
    apply_mode(im, kernel, &mode->instruction);
    im->current = NULL;
  }
}

static void make_kernel(importer_t *im, const entry_point_t *point) {
  const import_id_t *entry = id_at(im, point->function);
  LLVMValueRef body = kernel_body(im, point);
  free_name(im, body, point->name);
  bool is_shared = entry->parts > 1 || LLVMGetFirstUse(body);
  if (is_shared) LLVMSetValueName2(body, "", 0);
  LLVMValueRef kernel = is_shared ? make_caller(im, body) : body;
  LLVMSetValueName2(kernel, point->name, strlen(point->name));
  LLVMSetLinkage(kernel, LLVMExternalLinkage);
  LLVMSetFunctionCallConv(kernel, LLVMSPIRKERNELCallConv);
  describe_arguments(im, kernel, point->name, point->function);
  apply_modes(im, entry->modes, kernel);
}

static bool is_initializer(importer_t *im, const entry_point_t *point) {
  const execution_mode_t *mode = id_at(im, point->function)->modes;
  while (mode && mode->instruction.words[2] != SpvExecutionModeInitializer) mode = mode->next;
  return mode;
}

/* The element of llvm.global_ctors for an initializer: its priority, the function, and no object that it is part of. */
static LLVMValueRef make_initializer(importer_t *im, const entry_point_t *point) {
  LLVMValueRef body = kernel_body(im, point);
  if (LLVMCountParams(body)) import_fail(im, "initializer '%s' has parameters", point->name);
  apply_modes(im, id_at(im, point->function)->modes, body);
  LLVMValueRef parts[] = {LLVMConstInt(LLVMInt32TypeInContext(im->context), 65535, false), body,
                          LLVMConstNull(LLVMPointerTypeInContext(im->context, 0))};
  return LLVMConstStructInContext(im->context, parts, 3, false);
}

/* As Clang lists constructors of program-scope objects. */
static void list_initializers(importer_t *im, LLVMValueRef *initializers, unsigned count) {
  if (count == 0) return;
  LLVMTypeRef type = LLVMTypeOf(initializers[0]);
  LLVMValueRef list = LLVMAddGlobal(im->module, LLVMArrayType2(type, count), "llvm.global_ctors");
  LLVMSetInitializer(list, LLVMConstArray2(type, initializers, count));
  LLVMSetLinkage(list, LLVMAppendingLinkage);
}

/* Counts what is to be described, and the entry points. */
static unsigned count_entry_points(importer_t *im) {
  unsigned count = 0, described = 0;
  for (const entry_point_t *point = im->entry_points; point; point = point->next, count++) {
    const import_id_t *entry = id_at(im, point->function);
    if (entry->kind == id_function) described += LLVMCountParams(entry->llvm.value);
    const execution_mode_t *mode = entry->modes;
    for (; mode && described <= import_max_described; mode = mode->next) described++;
    if (described > import_max_described) import_fail(im, "the entry points have too many parameters and modes");
  }
  return count;
}

void kernels_make(importer_t *im) {
  unsigned count = count_entry_points(im);
  LLVMValueRef *initializers = import_alloc(im, count + 1, sizeof(LLVMValueRef));
  count = 0;
  for (const entry_point_t *point = im->entry_points; point; point = point->next) {
    if (is_initializer(im, point)) {
      initializers[count++] = make_initializer(im, point);
    } else {
      make_kernel(im, point);
    }
  }
  list_initializers(im, initializers, count);
  for (unused_declaration_t *unused = im->unused_declarations; unused; unused = unused->next) {
    LLVMDeleteFunction(unused->function);
  }
}
