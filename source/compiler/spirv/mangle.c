/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Names of OpenCL C builtins as the Clang front end mangles them (Itanium C++ ABI, section 5.1), and calls of them. */
#include <stdio.h>
#include <string.h>

#include "compiler/spirv/importer.h"

/* Each argument adds three types at most that a later one may refer to. */
enum { max_seen = 3 * builtin_max_arguments };

typedef struct mangler_t {
  importer_t *im;
  text_t *out;
  /** Types that a later one may stand for, in full. */
  char *seen[max_seen];
  size_t seen_count;
} mangler_t;

/* Writes a reference when the type was there before. */
static bool refer(mangler_t *m, const char *type) {
  for (size_t i = 0; i < m->seen_count; i++) {
    if (strcmp(m->seen[i], type)) continue;
    text_append(m->out, "S");
    if (i > 0) text_appendf(m->out, "%c", (int)(i <= 10 ? '0' + (i - 1) : 'A' + (i - 11)));
    text_append(m->out, "_");
    return true;
  }
  return false;
}

static void remember(mangler_t *m, const char *type) {
  if (m->seen_count == max_seen) import_fail(m->im, "the builtin has too many types");
  char *copy = import_alloc(m->im, strlen(type) + 1, 1);
  strcpy(copy, type);
  m->seen[m->seen_count++] = copy;
}

static const char *image_name(importer_t *im, const uint32_t *words) {
  bool is_depth = words[4] == 1, is_array = words[5] == 1;
  switch (words[3]) {
    case SpvDim1D: return is_array ? "image1d_array" : "image1d";
    case SpvDimBuffer: return "image1d_buffer";
    case SpvDim3D: return "image3d";
    case SpvDim2D: break;
    default: import_fail(im, "the image type is not one of OpenCL");
  }
  static const char *const names[] = {"image2d", "image2d_depth", "image2d_array", "image2d_array_depth"};
  return names[(is_array ? 2 : 0) + (is_depth ? 1 : 0)];
}

/* The longest name of a type: that of an image, with qualifiers. */
enum { max_type_name = 96 };

static void print_source_name(char *out, const char *name) {
  snprintf(out, max_type_name, "%zu%s", strlen(name), name);
}

static void print_image(importer_t *im, uint32_t type, char *out) {
  static const char *const suffixes[] = {"ro", "wo", "rw"};
  const uint32_t *words = type_at(im, type)->definition;
  unsigned access = (words[0] >> SpvWordCountShift) > 9 ? words[9] : 0;
  char name[max_type_name / 2];
  snprintf(name, sizeof(name), "ocl_%s_%s", image_name(im, words), suffixes[access]);
  print_source_name(out, name);
}

static const char *scalar_code(importer_t *im, LLVMTypeRef type, bool is_signed) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMHalfTypeKind: return "Dh";
    case LLVMFloatTypeKind: return "f";
    case LLVMDoubleTypeKind: return "d";
    default: break;
  }
  switch (is_int(type) ? LLVMGetIntTypeWidth(type) : 0) {
    case 1: return "b";
    case 8: return is_signed ? "c" : "h";
    case 16: return is_signed ? "s" : "t";
    case 32: return is_signed ? "i" : "j";
    case 64: return is_signed ? "l" : "m";
    default: import_fail(im, "there is no builtin for this type");
  }
}

void mangle_type(importer_t *im, LLVMTypeRef type, bool is_signed, text_t *out) {
  if (is_vector(type)) text_appendf(out, "Dv%u_", vector_size(type));
  text_append(out, scalar_code(im, scalar_type(type), is_signed));
}

/* A type that is no pointer, in full. */
static void print_plain(importer_t *im, uint32_t type, bool is_signed, char *out) {
  LLVMTypeRef llvm = type_llvm(im, type);
  switch (type_opcode(im, type)) {
    case SpvOpTypeVector:
      snprintf(out, max_type_name, "Dv%u_%s", vector_size(llvm), scalar_code(im, LLVMGetElementType(llvm), is_signed));
      break;
    case SpvOpTypeImage: print_image(im, type, out); break;
    case SpvOpTypeSampler: print_source_name(out, "ocl_sampler"); break;
    case SpvOpTypeEvent: print_source_name(out, "ocl_event"); break;
    default: snprintf(out, max_type_name, "%s", scalar_code(im, llvm, is_signed));
  }
}

static void mangle_printed(mangler_t *m, const char *full, bool can_refer) {
  if (can_refer && refer(m, full)) return;
  text_append(m->out, full);
  if (can_refer) remember(m, full);
}

static void mangle_plain(mangler_t *m, uint32_t type, bool is_signed) {
  char full[max_type_name];
  print_plain(m->im, type, is_signed, full);
  unsigned opcode = type_opcode(m->im, type);
  mangle_printed(
      m, full,
      opcode == SpvOpTypeVector || opcode == SpvOpTypeImage || opcode == SpvOpTypeSampler || opcode == SpvOpTypeEvent);
}

/* A vector that is passed with another number of components than its type in the module has. */
static void mangle_fitted(mangler_t *m, const argument_t *argument) {
  char full[max_type_name];
  const char *code = scalar_code(m->im, scalar_type(LLVMTypeOf(argument->value)), argument->how & argument_signed);
  const unsigned count = argument->components;
  if (count > 1) {
    snprintf(full, sizeof(full), "Dv%u_%s", count, code);
  } else {
    snprintf(full, sizeof(full), "%s", code);
  }
  mangle_printed(m, full, count > 1);
}

/* The type behind a pointer; of an array that of its elements, since no builtin takes arrays, and LLVM's SPIR-V back
 * end passes a variable as it is where the first element is meant. */
static uint32_t pointed_type(importer_t *im, uint32_t pointer) {
  uint32_t type = type_pointee(im, pointer);
  while (type_opcode(im, type) == SpvOpTypeArray) type = type_at(im, type)->definition[2];
  return type;
}

/* What a pointer points to: a number, which nothing refers to later, or the type that the module has there. */
static void mangle_pointee(mangler_t *m, const argument_t *argument, const char *plain) {
  if (argument->pointee) {
    text_append(m->out, plain);
  } else {
    mangle_plain(m, pointed_type(m->im, argument->type), argument->how & argument_signed);
  }
}

/* "P", then address space and qualifiers, then what it points to. */
static void mangle_pointer(mangler_t *m, const argument_t *argument) {
  char plain[max_type_name], space[16] = "", full[2 * max_type_name];
  unsigned number = LLVMGetPointerAddressSpace(type_llvm(m->im, argument->type));
  bool is_signed = argument->how & argument_signed;
  if (number) snprintf(space, sizeof(space), "U3AS%u", number);
  const char *constant = argument->how & argument_const ? "K" : "";
  if (argument->pointee) {
    snprintf(plain, sizeof(plain), "%s", scalar_code(m->im, argument->pointee, is_signed));
  } else {
    print_plain(m->im, pointed_type(m->im, argument->type), is_signed, plain);
  }
  snprintf(full, sizeof(full), "P%s%s%s", space, constant, plain);
  const char *qualified = full + 1;
  if (refer(m, full)) return;
  text_append(m->out, "P");
  if (!number && !*constant) {
    mangle_pointee(m, argument, plain);
  } else if (!refer(m, qualified)) {
    text_appendf(m->out, "%s%s", space, constant);
    mangle_pointee(m, argument, plain);
    remember(m, qualified);
  }
  remember(m, full);
}

void mangle(importer_t *im, const char *name, const argument_t *arguments, unsigned count, text_t *out) {
  mangler_t m = {.im = im, .out = out};
  text_appendf(out, "_Z%zu%s", strlen(name), name);
  for (unsigned i = 0; i < count; i++) {
    if (type_opcode(im, arguments[i].type) == SpvOpTypePointer) {
      mangle_pointer(&m, &arguments[i]);
    } else if (arguments[i].components) {
      mangle_fitted(&m, &arguments[i]);
    } else {
      mangle_plain(&m, arguments[i].type, arguments[i].how & argument_signed);
    }
  }
  if (count == 0) text_append(out, "v");
}

LLVMValueRef call_builtin(importer_t *im, const char *name, LLVMTypeRef result, const argument_t *arguments,
                          unsigned count) {
  LLVMValueRef values[builtin_max_arguments];
  if (im->scratch) import_fail(im, "'%s' cannot be called outside of functions", name);
  for (unsigned i = 0; i < count; i++) values[i] = arguments[i].value;
  text_free(&im->symbol);
  mangle(im, name, arguments, count, &im->symbol);
  return call_symbol(im, text_string(&im->symbol), result, values, count);
}
