/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Types of variables, for debuggers. */
#include <string.h>

#include "compiler/spirv/debug_info.h"

enum { max_depth = 64, max_members = 4096 };

/* DWARF's encodings by those of SPIR-V: unspecified, address, boolean, float, signed, signed char, unsigned, unsigned
 * char. */
static const LLVMDWARFTypeEncoding encodings[] = {0, 1, 2, 4, 5, 6, 7, 8};

static uint64_t bits(uint64_t size) { return size > IMPORT_MAX_SIZE * 8 ? 0 : size; }

static LLVMMetadataRef basic(importer_t *im, const debug_node_t *node) {
  const char *name = debug_text(im, node, 0);
  uint64_t encoding = debug_number(im, node, 2);
  if (encoding >= sizeof(encodings) / sizeof(encodings[0])) encoding = 0;
  if (!*name) name = "unnamed";
  return LLVMDIBuilderCreateBasicType(im->debug->builder, name, strlen(name), bits(debug_constant(im, node, 1)),
                                      encodings[encoding], LLVMDIFlagZero);
}

static LLVMMetadataRef pointer(importer_t *im, const debug_node_t *node) {
  LLVMMetadataRef to = debug_type(im, debug_operand(node, 0));
  return LLVMDIBuilderCreatePointerType(im->debug->builder, to, 64, 0, 0, "", 0);
}

static LLVMMetadataRef alias(importer_t *im, const debug_node_t *node) {
  const char *name = debug_text(im, node, 0);
  LLVMMetadataRef to = debug_type(im, debug_operand(node, 1)), file = debug_file(im, debug_operand(node, 2));
  if (!to || !*name) return to;
  return LLVMDIBuilderCreateTypedef(im->debug->builder, to, name, strlen(name), file,
                                    (unsigned)debug_number(im, node, 3), file, 0);
}

/* Arrays give the number of elements by ids, vectors by a number. */
static LLVMMetadataRef array(importer_t *im, const debug_node_t *node, bool is_vector_type) {
  LLVMMetadataRef element = debug_type(im, debug_operand(node, 0));
  if (!element) return NULL;
  uint64_t count = is_vector_type ? debug_number(im, node, 1) : debug_constant(im, node, 1);
  if (count > IMPORT_MAX_SIZE) return NULL;
  uint64_t size = bits(LLVMDITypeGetSizeInBits(element) * (is_vector_type && count == 3 ? 4 : count));
  LLVMMetadataRef range = LLVMDIBuilderGetOrCreateSubrange(im->debug->builder, 0, (int64_t)count);
  if (!is_vector_type) return LLVMDIBuilderCreateArrayType(im->debug->builder, size, 0, element, &range, 1);
  return LLVMDIBuilderCreateVectorType(im->debug->builder, size, 0, element, &range, 1);
}

/* The OpenCL set names the parent too. */
static LLVMMetadataRef member(importer_t *im, const debug_node_t *node) {
  uint32_t shift = node->is_shader ? 0 : 1;
  const char *name = debug_text(im, node, 0);
  LLVMMetadataRef type = debug_type(im, debug_operand(node, 1)), file = debug_file(im, debug_operand(node, 2));
  uint64_t offset = debug_constant(im, node, 5 + shift), size = debug_constant(im, node, 6 + shift);
  if (!type) return NULL;
  return LLVMDIBuilderCreateMemberType(im->debug->builder, file, name, strlen(name), file,
                                       (unsigned)debug_number(im, node, 3), bits(size), 0, bits(offset), LLVMDIFlagZero,
                                       type);
}

static LLVMMetadataRef composite(importer_t *im, const debug_node_t *node) {
  enum { first_member = 9 };
  const char *name = debug_text(im, node, 0);
  LLVMMetadataRef file = debug_file(im, debug_operand(node, 2));
  uint32_t count = node->count > first_member ? node->count - first_member : 0, made = 0;
  if (count > max_members) return NULL;
  LLVMMetadataRef *members = import_alloc(im, count + 1, sizeof(*members));
  for (uint32_t i = 0; i < count; i++) {
    debug_node_t part = debug_node(im, debug_operand(node, first_member + i));
    bool is_member = part.exists && part.number == NonSemanticShaderDebugInfo100DebugTypeMember;
    LLVMMetadataRef one = is_member ? member(im, &part) : NULL;
    if (one) members[made++] = one;
  }
  return LLVMDIBuilderCreateStructType(im->debug->builder, file, name, strlen(name), file,
                                       (unsigned)debug_number(im, node, 3), bits(debug_constant(im, node, 7)), 0,
                                       LLVMDIFlagZero, NULL, members, made, 0, NULL, "", 0);
}

static LLVMMetadataRef make(importer_t *im, const debug_node_t *node) {
  switch (node->number) {
    case NonSemanticShaderDebugInfo100DebugTypeBasic: return basic(im, node);
    case NonSemanticShaderDebugInfo100DebugTypePointer: return pointer(im, node);
    case NonSemanticShaderDebugInfo100DebugTypeQualifier: return debug_type(im, debug_operand(node, 0));
    case NonSemanticShaderDebugInfo100DebugTypeArray: return array(im, node, false);
    case NonSemanticShaderDebugInfo100DebugTypeVector: return array(im, node, true);
    case NonSemanticShaderDebugInfo100DebugTypedef: return alias(im, node);
    case NonSemanticShaderDebugInfo100DebugTypeComposite: return composite(im, node);
    default: return NULL;
  }
}

/* A type that is at work already is part of itself: there the chain is cut. */
LLVMMetadataRef debug_type(importer_t *im, uint32_t id) {
  debug_node_t node = debug_node(im, id);
  if (!node.exists) return NULL;
  import_id_t *entry = id_at(im, id);
  if (entry->llvm.metadata) return entry->llvm.metadata;
  if (entry->depth || im->debug_depth > max_depth) return NULL;
  entry->depth = 1;
  im->debug_depth++;
  entry->llvm.metadata = make(im, &node);
  im->debug_depth--;
  entry->depth = 0;
  return entry->llvm.metadata;
}

LLVMMetadataRef debug_function_type(importer_t *im, uint32_t id, LLVMMetadataRef file) {
  debug_node_t node = debug_node(im, id);
  bool is_function = node.exists && node.number == NonSemanticShaderDebugInfo100DebugTypeFunction;
  uint32_t count = is_function && node.count > 1 ? node.count - 1 : 1;
  if (count > max_members) count = 1;
  LLVMMetadataRef *types = import_alloc(im, count, sizeof(*types));
  for (uint32_t i = 0; is_function && i < count; i++) types[i] = debug_type(im, debug_operand(&node, 1 + i));
  return LLVMDIBuilderCreateSubroutineType(im->debug->builder, file, types, count, LLVMDIFlagZero);
}
