/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Debug information: OpLine, and the sets OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo.100, become DWARF.
 *
 * It is never a reason to refuse a module: what makes no sense is left out. */
#ifndef COMPILER_SPIRV_DEBUG_INFO_H
#define COMPILER_SPIRV_DEBUG_INFO_H

#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include <llvm-c/DebugInfo.h>

#include "compiler/spirv/importer.h"

typedef struct debug_t {
  LLVMDIBuilderRef builder;
  /** Null until something has a source. */
  LLVMMetadataRef unit;
  /** Of the function at work; null when it has none. */
  LLVMMetadataRef subprogram;
  /** Where the instructions at hand come from. */
  LLVMMetadataRef scope, inlined_at;
  /** The DebugFunction that `scope` is in; 0 without one. */
  uint32_t scope_function;
  unsigned line, column;
} debug_t;

/** An instruction of a debug set, with literals and ids read alike. */
typedef struct debug_node_t {
  bool exists;
  uint32_t number;
  const uint32_t *operands;
  uint32_t count;
  /** Numbers are ids of constants. */
  bool is_shader;
} debug_node_t;

/** Sees an instruction of one of the sets. */
void debug_instruction(importer_t *im, const instruction_t *in, set_e set);
/** OpLine, OpNoLine. */
void debug_line(importer_t *im, const instruction_t *in);
/** Begins with the function at work; ends with it. */
void debug_begin_function(importer_t *im);
void debug_end_function(importer_t *im);
/** Sets the builder's location again after it stood elsewhere. */
void debug_restore(importer_t *im);
/** Completes what was made; frees the builder in any case. */
void debug_finish(importer_t *im);
void debug_free(importer_t *im);

/** For debug_types.c and debug_info.c: nodes and their parts; all give something harmless for what is not there. */
debug_node_t debug_node(importer_t *im, uint32_t id);
uint32_t debug_operand(const debug_node_t *node, uint32_t index);
/** A number, which the OpenCL set writes as a literal. */
uint64_t debug_number(importer_t *im, const debug_node_t *node, uint32_t index);
/** A number that both sets write as the id of a constant. */
uint64_t debug_constant(importer_t *im, const debug_node_t *node, uint32_t index);
const char *debug_text(importer_t *im, const debug_node_t *node, uint32_t index);
LLVMMetadataRef debug_file(importer_t *im, uint32_t source);

/** The DWARF type of a node; null for void and for what is not known. */
LLVMMetadataRef debug_type(importer_t *im, uint32_t id);
LLVMMetadataRef debug_function_type(importer_t *im, uint32_t id, LLVMMetadataRef file);

#endif
