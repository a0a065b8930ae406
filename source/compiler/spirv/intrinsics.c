/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * LLVM intrinsics as imported functions. */
#include "compiler/spirv/intrinsics.h"

#include <string.h>

static const char prefix[] = "llvm.";
enum { prefix_length = sizeof(prefix) - 1, max_types = 2, max_arguments = 3 };

typedef enum place_e { place_none, place_result, place_result_second, place_first, place_second } place_e;
typedef enum kind_e { kind_none, kind_int, kind_float, kind_int_vector, kind_float_vector } kind_e;

typedef struct overloaded_type_t {
  place_e place;
  kind_e kind;
} overloaded_type_t;

typedef LLVMValueRef (*build_t)(importer_t *im, LLVMTypeRef type, LLVMValueRef *arguments);

typedef struct intrinsic_t {
  /** Without the prefix and the types behind it. */
  const char *name;
  /** Null: a call of the intrinsic itself. */
  build_t build;
  overloaded_type_t types[max_types];
} intrinsic_t;

static LLVMValueRef call_mangled(importer_t *im, const char *start, const char *between, LLVMTypeRef number,
                                 LLVMTypeRef exponent, LLVMValueRef *arguments) {
  text_free(&im->symbol);
  text_append(&im->symbol, start);
  mangle_type(im, number, false, &im->symbol);
  text_append(&im->symbol, between);
  mangle_type(im, exponent, true, &im->symbol);
  return call_symbol(im, text_string(&im->symbol), number, arguments, 2);
}

static void need_i32(importer_t *im, LLVMTypeRef exponent) {
  need(im, scalar_type(exponent) == LLVMInt32TypeInContext(im->context), "the exponents of a builtin have 32 bits");
}

/* The builtin writes the exponent to memory. */
static LLVMValueRef call_frexp(importer_t *im, LLVMTypeRef type, LLVMValueRef *arguments) {
  LLVMTypeRef result = LLVMGetReturnType(type);
  LLVMTypeRef exponent = LLVMStructGetTypeAtIndex(result, 1);
  need_i32(im, exponent);
  LLVMValueRef memory = entry_alloca(im, exponent);
  LLVMValueRef passed[] = {arguments[0], memory};
  LLVMValueRef fraction = call_mangled(im, "_Z5frexp", "P", LLVMTypeOf(arguments[0]), exponent, passed);
  LLVMValueRef both = LLVMBuildInsertValue(im->builder, LLVMGetPoison(result), fraction, 0, "");
  return LLVMBuildInsertValue(im->builder, both, LLVMBuildLoad2(im->builder, exponent, memory, ""), 1, "");
}

static LLVMValueRef call_ldexp(importer_t *im, LLVMTypeRef type, LLVMValueRef *arguments) {
  (void)type;
  LLVMTypeRef exponent = LLVMTypeOf(arguments[1]);
  need_i32(im, exponent);
  return call_mangled(im, "_Z5ldexp", "", LLVMTypeOf(arguments[0]), exponent, arguments);
}

static const intrinsic_t intrinsics[] = {
#define TYPE(where, what) {place_##where, kind_##what}
#define NO_TYPE {place_none, kind_none}
#define INTRINSIC(name, ...) {name, NULL, {__VA_ARGS__}},
#define BUILTIN(name, build, ...) {name, build, {__VA_ARGS__}},
#include "compiler/spirv/intrinsics.def"
#undef TYPE
#undef NO_TYPE
#undef INTRINSIC
#undef BUILTIN
};

/* LLVM's number of the intrinsic that `name` begins with, and our line about it; null when there is none. */
static const intrinsic_t *find(const char *name, unsigned *out_id) {
  *out_id = LLVMLookupIntrinsicID(name, strlen(name));
  if (*out_id == 0) return NULL;
  size_t length;
  const char *base = LLVMIntrinsicGetName(*out_id, &length);
  for (size_t i = 0; i < sizeof(intrinsics) / sizeof(intrinsics[0]); i++) {
    const char *known = intrinsics[i].name;
    bool is_it = length == prefix_length + strlen(known) && !memcmp(base + prefix_length, known, strlen(known));
    if (is_it) return &intrinsics[i];
  }
  return NULL;
}

static LLVMTypeRef member(LLVMTypeRef type, unsigned index) {
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind) return index ? NULL : type;
  return index < LLVMCountStructElementTypes(type) ? LLVMStructGetTypeAtIndex(type, index) : NULL;
}

/* The type at a place of the signature; null when there is none. */
static LLVMTypeRef type_at_place(LLVMTypeRef type, place_e place) {
  unsigned count = LLVMCountParamTypes(type);
  LLVMTypeRef parameters[max_arguments] = {NULL};
  if (count > max_arguments) return NULL;
  LLVMGetParamTypes(type, parameters);
  switch (place) {
    case place_result: return member(LLVMGetReturnType(type), 0);
    case place_result_second: return member(LLVMGetReturnType(type), 1);
    case place_first: return parameters[0];
    case place_second: return parameters[1];
    default: return NULL;
  }
}

/* One bit is arithmetic's end, but votes among the components of a vector are asked for. */
static bool is_of_kind(LLVMTypeRef type, kind_e kind) {
  switch (kind) {
    case kind_int: return is_int(type) && !is_bool(type);
    case kind_float: return is_float(type);
    case kind_int_vector: return is_int(type) && is_vector(type);
    case kind_float_vector: return is_float(type) && is_vector(type);
    default: return false;
  }
}

/* The types that the name ends with; 0 when they are not of the kinds that the intrinsic has. */
static unsigned overloaded_types(const intrinsic_t *intrinsic, LLVMTypeRef type, LLVMTypeRef *out) {
  unsigned count = 0;
  for (; count < max_types && intrinsic->types[count].place != place_none; count++) {
    out[count] = type_at_place(type, intrinsic->types[count].place);
    if (!out[count] || !is_of_kind(out[count], intrinsic->types[count].kind)) return 0;
    if (!same_shape(out[count], out[0])) return 0;
  }
  return count;
}

/* Structs of modules have names, those of intrinsics do not. */
static bool have_same_members(LLVMTypeRef a, LLVMTypeRef b) {
  if (a == b) return true;
  bool are_structs = LLVMGetTypeKind(a) == LLVMStructTypeKind && LLVMGetTypeKind(b) == LLVMStructTypeKind;
  if (!are_structs || LLVMIsPackedStruct(a) || LLVMIsOpaqueStruct(a)) return false;
  unsigned count = LLVMCountStructElementTypes(a);
  if (count != LLVMCountStructElementTypes(b)) return false;
  for (unsigned i = 0; i < count; i++) {
    if (LLVMStructGetTypeAtIndex(a, i) != LLVMStructGetTypeAtIndex(b, i)) return false;
  }
  return true;
}

static bool is_signature(LLVMTypeRef type, LLVMTypeRef own) {
  unsigned count = LLVMCountParamTypes(own);
  LLVMTypeRef parameters[max_arguments], wanted[max_arguments];
  bool can_agree = count == LLVMCountParamTypes(type) && count <= max_arguments && !LLVMIsFunctionVarArg(type);
  if (!can_agree || !have_same_members(LLVMGetReturnType(type), LLVMGetReturnType(own))) return false;
  LLVMGetParamTypes(type, parameters);
  LLVMGetParamTypes(own, wanted);
  return !memcmp(parameters, wanted, count * sizeof(*wanted));
}

static bool is_full_name(importer_t *im, const char *name, unsigned id, LLVMTypeRef *types, unsigned count) {
  size_t length;
  char *full = LLVMIntrinsicCopyOverloadedName2(im->module, id, types, count, &length);
  bool is_it = length == strlen(name) && !memcmp(full, name, length);
  LLVMDisposeMessage(full);
  return is_it;
}

const char *intrinsic_name(importer_t *im, uint32_t id) {
  const decoration_t *decoration = id_decoration(im, id, SpvDecorationLinkageAttributes);
  if (!decoration) return NULL;
  const char *name = (const char *)decoration->operands;
  size_t room = (decoration->count - 1) * sizeof(uint32_t);
  if (room < prefix_length || memcmp(name, prefix, prefix_length) || !memchr(name, 0, room)) return NULL;
  bool is_import = decoration->operands[strlen(name) / sizeof(uint32_t) + 1] == SpvLinkageTypeImport;
  return is_import ? name : NULL;
}

LLVMValueRef intrinsic_declare(importer_t *im, uint32_t id, const char *name, LLVMTypeRef type) {
  unsigned number;
  LLVMTypeRef types[max_types];
  const intrinsic_t *intrinsic = find(name, &number);
  if (!intrinsic) import_fail(im, "the intrinsic '%s' is not supported", name);
  unsigned count = overloaded_types(intrinsic, type, types);
  bool agrees = count && is_signature(type, LLVMIntrinsicGetType(im->context, number, types, count)) &&
                is_full_name(im, name, number, types, count);
  if (!agrees) import_fail(im, "the intrinsic '%s' has another type", name);
  id_at(im, id)->intrinsic = intrinsic;
  return LLVMGetIntrinsicDeclaration(im->module, number, types, count);
}

static bool is_immediate(importer_t *im, LLVMValueRef callee, unsigned index) {
  (void)im;
  unsigned kind = LLVMGetEnumAttributeKindForName("immarg", strlen("immarg"));
  return LLVMGetEnumAttributeAtIndex(callee, index + 1, kind);
}

static LLVMValueRef with_type(importer_t *im, LLVMValueRef value, LLVMTypeRef wanted) {
  if (LLVMTypeOf(value) == wanted) return value;
  LLVMValueRef result = LLVMGetPoison(wanted);
  for (unsigned i = 0; i < LLVMCountStructElementTypes(wanted); i++) {
    result = LLVMBuildInsertValue(im->builder, result, LLVMBuildExtractValue(im->builder, value, i, ""), i, "");
  }
  return result;
}

LLVMValueRef intrinsic_call(importer_t *im, const instruction_t *in) {
  const import_id_t *entry = id_at(im, in->words[3]);
  LLVMValueRef callee = entry->llvm.value;
  LLVMTypeRef type = LLVMGlobalGetValueType(callee);
  unsigned count = in->count - 4;
  if (count != LLVMCountParams(callee)) import_fail(im, "%u arguments, not %u", count, LLVMCountParams(callee));
  LLVMValueRef arguments[max_arguments];
  for (unsigned i = 0; i < count; i++) {
    arguments[i] = operand_value(im, in, 4 + i);
    need_same(im, LLVMTypeOf(arguments[i]), LLVMTypeOf(LLVMGetParam(callee, i)));
    bool must_fold = is_immediate(im, callee, i);
    if (must_fold && !LLVMIsAConstantInt(arguments[i])) import_fail(im, "argument %u is no constant number", i);
  }
  LLVMTypeRef wanted = LLVMGetReturnType(type_llvm(im, entry->type));
  need_same(im, wanted, result_type(im, in));
  LLVMValueRef value = entry->intrinsic->build ? entry->intrinsic->build(im, type, arguments)
                                               : LLVMBuildCall2(im->builder, type, callee, arguments, count, "");
  if (is_float(wanted)) apply_fast_math(im, in->result, value);
  return with_type(im, value, wanted);
}
