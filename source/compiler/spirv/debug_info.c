/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Functions, scopes, lines and variables, for debuggers. */
#include "compiler/spirv/debug_info.h"

#include <string.h>

/* Words of OpExtInst before the operands; nesting of scopes. */
enum { first_operand = 5, max_scopes = 64 };

debug_node_t debug_node(importer_t *im, uint32_t id) {
  debug_node_t node = {.exists = false};
  import_id_t *entry = id && id < im->bound ? id_at(im, id) : NULL;
  if (!entry || entry->kind != id_debug) return node;
  uint32_t count = entry->definition[0] >> SpvWordCountShift;
  node = (debug_node_t){true, entry->definition[4], entry->definition + first_operand, count - first_operand,
                        entry->parts == set_shader_debug};
  return node;
}

uint32_t debug_operand(const debug_node_t *node, uint32_t index) {
  return index < node->count ? node->operands[index] : 0;
}

uint64_t debug_constant(importer_t *im, const debug_node_t *node, uint32_t index) {
  uint32_t id = debug_operand(node, index);
  uint64_t number = 0;
  if (id && id < im->bound && !constant_number_known(im, id, &number)) return 0;
  return number;
}

uint64_t debug_number(importer_t *im, const debug_node_t *node, uint32_t index) {
  return node->is_shader ? debug_constant(im, node, index) : debug_operand(node, index);
}

static const char *text_of(importer_t *im, uint32_t id) {
  import_id_t *entry = id && id < im->bound ? id_at(im, id) : NULL;
  return entry && entry->kind == id_string && entry->name ? entry->name : "";
}

const char *debug_text(importer_t *im, const debug_node_t *node, uint32_t index) {
  return text_of(im, debug_operand(node, index));
}

static LLVMMetadataRef file_named(importer_t *im, const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  size_t folder = slash ? (size_t)(slash - path) : 0;
  return LLVMDIBuilderCreateFile(im->debug->builder, name, strlen(name), path, folder);
}

LLVMMetadataRef debug_file(importer_t *im, uint32_t source) {
  debug_node_t node = debug_node(im, source);
  bool is_source = node.exists && node.number == NonSemanticShaderDebugInfo100DebugSource;
  return file_named(im, is_source ? debug_text(im, &node, 0) : "");
}

/* Makes the unit that all is in: its file is the first one met. */
static void open_unit(importer_t *im, LLVMMetadataRef file) {
  debug_t *debug = im->debug;
  if (debug->unit) return;
  debug->unit = LLVMDIBuilderCreateCompileUnit(debug->builder, LLVMDWARFSourceLanguageOpenCL, file, "Quern", 5, true,
                                               "", 0, 0, "", 0, LLVMDWARFEmissionFull, 0, false, false, "", 0, "", 0);
  LLVMMetadataRef version = LLVMValueAsMetadata(constant_u32(im, LLVMDebugMetadataVersion()));
  LLVMAddModuleFlag(im->module, LLVMModuleFlagBehaviorWarning, "Debug Info Version", strlen("Debug Info Version"),
                    version);
  LLVMAddModuleFlag(im->module, LLVMModuleFlagBehaviorWarning, "Dwarf Version", strlen("Dwarf Version"),
                    LLVMValueAsMetadata(constant_u32(im, 4)));
}

static void open_debug(importer_t *im) {
  if (im->debug) return;
  im->debug = import_alloc(im, 1, sizeof(*im->debug));
  im->debug->builder = LLVMCreateDIBuilder(im->module);
}

static LLVMMetadataRef make_subprogram(importer_t *im, const char *name, LLVMMetadataRef file, LLVMMetadataRef type,
                                       unsigned line) {
  open_unit(im, file);
  return LLVMDIBuilderCreateFunction(im->debug->builder, file, name, strlen(name), "", 0, file, line, type, false, true,
                                     line, LLVMDIFlagPrototyped, true);
}

static LLVMMetadataRef subprogram_of(importer_t *im, uint32_t id) {
  debug_node_t node = debug_node(im, id);
  import_id_t *entry = id_at(im, id);
  if (entry->llvm.metadata) return entry->llvm.metadata;
  LLVMMetadataRef file = debug_file(im, debug_operand(&node, 2));
  LLVMMetadataRef type = debug_function_type(im, debug_operand(&node, 1), file);
  entry->llvm.metadata =
      make_subprogram(im, debug_text(im, &node, 0), file, type, (unsigned)debug_number(im, &node, 3));
  return entry->llvm.metadata;
}

/* The operand of a scope that names its parent. */
static uint32_t parent_of(const debug_node_t *node) {
  switch (node->number) {
    case NonSemanticShaderDebugInfo100DebugLexicalBlock: return debug_operand(node, 3);
    case NonSemanticShaderDebugInfo100DebugLexicalBlockDiscriminator: return debug_operand(node, 2);
    default: return 0;
  }
}

/* The function that a scope is in; 0 when it is in none. */
static uint32_t function_of(importer_t *im, uint32_t id) {
  for (int depth = 0; depth < max_scopes; depth++) {
    debug_node_t node = debug_node(im, id);
    if (!node.exists) return 0;
    if (node.number == NonSemanticShaderDebugInfo100DebugFunction) return id;
    id = parent_of(&node);
  }
  return 0;
}

/* Of a scope for which function_of knows a function. */
static LLVMMetadataRef scope_of(importer_t *im, uint32_t id) {
  debug_node_t node = debug_node(im, id);
  if (node.number == NonSemanticShaderDebugInfo100DebugFunction) return subprogram_of(im, id);
  LLVMMetadataRef parent = scope_of(im, parent_of(&node));
  if (node.number != NonSemanticShaderDebugInfo100DebugLexicalBlock) return parent;
  import_id_t *entry = id_at(im, id);
  if (!entry->llvm.metadata) {
    entry->llvm.metadata =
        LLVMDIBuilderCreateLexicalBlock(im->debug->builder, parent, debug_file(im, debug_operand(&node, 0)),
                                        (unsigned)debug_number(im, &node, 1), (unsigned)debug_number(im, &node, 2));
  }
  return entry->llvm.metadata;
}

static LLVMMetadataRef inlined_at(importer_t *im, uint32_t id, int depth) {
  debug_node_t node = debug_node(im, id);
  bool is_place = node.exists && node.number == NonSemanticShaderDebugInfo100DebugInlinedAt && depth < max_scopes;
  if (!is_place || !function_of(im, debug_operand(&node, 1))) return NULL;
  LLVMMetadataRef outer = inlined_at(im, debug_operand(&node, 2), depth + 1);
  return LLVMDIBuilderCreateDebugLocation(im->context, (unsigned)debug_number(im, &node, 0), 0,
                                          scope_of(im, debug_operand(&node, 1)), outer);
}

void debug_restore(importer_t *im) {
  debug_t *debug = im->debug;
  if (!debug) return;
  LLVMMetadataRef location = NULL;
  if (debug->subprogram && im->function) {
    location =
        LLVMDIBuilderCreateDebugLocation(im->context, debug->line, debug->column, debug->scope, debug->inlined_at);
  }
  LLVMSetCurrentDebugLocation2(im->builder, location);
}

static void attach(importer_t *im, LLVMMetadataRef subprogram, uint32_t debug_function) {
  debug_t *debug = im->debug;
  LLVMSetSubprogram(im->function, subprogram);
  debug->subprogram = debug->scope = subprogram;
  debug->scope_function = debug_function;
  debug->line = LLVMDISubprogramGetLine(subprogram);
  debug->column = 0;
  debug_restore(im);
}

/* A function's description belongs to one function alone. */
static void define_function(importer_t *im, uint32_t id) {
  debug_node_t node = debug_node(im, id);
  bool is_function = node.exists && node.number == NonSemanticShaderDebugInfo100DebugFunction;
  if (!is_function || im->debug->subprogram || id_at(im, id)->size) return;
  id_at(im, id)->size = 1;
  attach(im, subprogram_of(im, id), id);
}

void debug_begin_function(importer_t *im) {
  if (!im->debug) return;
  im->debug->subprogram = im->debug->scope = im->debug->inlined_at = NULL;
  im->debug->scope_function = 0;
  debug_restore(im);
  uint32_t described = id_at(im, im->function_id)->debug;
  if (described) define_function(im, described);
}

void debug_end_function(importer_t *im) {
  if (!im->debug) return;
  im->debug->subprogram = NULL;
  debug_restore(im);
}

static void set_scope(importer_t *im, const debug_node_t *node) {
  debug_t *debug = im->debug;
  uint32_t scope = debug_operand(node, 0), function = function_of(im, scope);
  if (!debug->subprogram || !function) return;
  LLVMMetadataRef place = inlined_at(im, debug_operand(node, 1), 0);
  bool is_own = subprogram_of(im, function) == debug->subprogram;
  if (is_own == (place != NULL)) return;
  debug->scope = scope_of(im, scope);
  debug->scope_function = function;
  debug->inlined_at = place;
  debug_restore(im);
}

static void leave_scope(importer_t *im) {
  im->debug->scope = im->debug->subprogram;
  im->debug->inlined_at = NULL;
  debug_restore(im);
}

static void set_line(importer_t *im, uint64_t line, uint64_t column) {
  im->debug->line = line > UINT32_MAX ? 0 : (unsigned)line;
  im->debug->column = column > UINT16_MAX ? 0 : (unsigned)column;
  debug_restore(im);
}

/* A function that nothing describes gets a description when its first line comes. */
void debug_line(importer_t *im, const instruction_t *in) {
  if (!im->function) return;
  if (in->opcode == SpvOpNoLine) {
    if (im->debug && im->debug->subprogram) set_line(im, 0, 0);
    return;
  }
  open_debug(im);
  if (!im->debug->subprogram) {
    size_t length;
    const char *name = LLVMGetValueName2(im->function, &length);
    LLVMMetadataRef file = file_named(im, text_of(im, in->words[1]));
    LLVMMetadataRef none = NULL;
    LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(im->debug->builder, file, &none, 1, LLVMDIFlagZero);
    attach(im, make_subprogram(im, name, file, type, in->words[2]), 0);
  }
  set_line(im, in->words[2], in->words[3]);
}

static LLVMMetadataRef make_variable(importer_t *im, const debug_node_t *node) {
  LLVMDIBuilderRef builder = im->debug->builder;
  const char *name = debug_text(im, node, 0);
  LLVMMetadataRef scope = scope_of(im, debug_operand(node, 5)), file = debug_file(im, debug_operand(node, 2));
  LLVMMetadataRef type = debug_type(im, debug_operand(node, 1));
  unsigned line = (unsigned)debug_number(im, node, 3);
  uint64_t argument = node->count > 7 ? debug_number(im, node, 7) : 0;
  if (!type || argument > UINT16_MAX) return NULL;
  if (!argument) {
    return LLVMDIBuilderCreateAutoVariable(builder, scope, name, strlen(name), file, line, type, false, LLVMDIFlagZero,
                                           0);
  }
  return LLVMDIBuilderCreateParameterVariable(builder, scope, name, strlen(name), (unsigned)argument, file, line, type,
                                              false, LLVMDIFlagZero);
}

/* DebugDeclare: where the variable is; DebugValue: what it is from here on. */
static void place_variable(importer_t *im, const debug_node_t *node, bool is_value) {
  debug_node_t local = debug_node(im, debug_operand(node, 0));
  uint32_t storage = debug_operand(node, 1);
  bool is_local = local.exists && local.number == NonSemanticShaderDebugInfo100DebugLocalVariable;
  if (!is_local || !im->debug->subprogram || !im->block || !storage || storage >= im->bound) return;
  uint32_t function = function_of(im, debug_operand(&local, 5));
  import_id_t *entry = id_at(im, storage);
  bool is_here = function && function == im->debug->scope_function && entry->kind == id_value && entry->llvm.value;
  if (!is_here || (!is_value && !is_pointer(LLVMTypeOf(entry->llvm.value)))) return;
  import_id_t *cached = id_at(im, debug_operand(node, 0));
  if (!cached->llvm.metadata) cached->llvm.metadata = make_variable(im, &local);
  if (!cached->llvm.metadata) return;
  LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(im->builder);
  LLVMMetadataRef expression = LLVMDIBuilderCreateExpression(im->debug->builder, NULL, 0);
  if (is_value) {
    LLVMDIBuilderInsertDbgValueRecordAtEnd(im->debug->builder, entry->llvm.value, cached->llvm.metadata, expression,
                                           location, im->block);
  } else {
    LLVMDIBuilderInsertDeclareRecordAtEnd(im->debug->builder, entry->llvm.value, cached->llvm.metadata, expression,
                                          location, im->block);
  }
}

static void inside_function(importer_t *im, const debug_node_t *node) {
  switch (node->number) {
    case NonSemanticShaderDebugInfo100DebugFunctionDefinition: define_function(im, debug_operand(node, 0)); break;
    case NonSemanticShaderDebugInfo100DebugScope: set_scope(im, node); break;
    case NonSemanticShaderDebugInfo100DebugNoScope: leave_scope(im); break;
    case NonSemanticShaderDebugInfo100DebugLine:
      set_line(im, debug_number(im, node, 1), debug_number(im, node, 3));
      break;
    case NonSemanticShaderDebugInfo100DebugNoLine: set_line(im, 0, 0); break;
    case NonSemanticShaderDebugInfo100DebugDeclare: place_variable(im, node, false); break;
    case NonSemanticShaderDebugInfo100DebugValue: place_variable(im, node, true); break;
    default: break;
  }
}

/* The OpenCL set names the function in its description. */
static void link_function(importer_t *im, const debug_node_t *node, uint32_t id) {
  uint32_t function = debug_operand(node, 9);
  bool is_link = node->number == NonSemanticShaderDebugInfo100DebugFunction && !node->is_shader;
  if (is_link && function && function < im->bound) id_at(im, function)->debug = id;
}

void debug_instruction(importer_t *im, const instruction_t *in, set_e set) {
  import_id_t *entry = id_at(im, in->result);
  entry->kind = id_debug;
  entry->parts = set;
  entry->llvm.metadata = NULL;
  open_debug(im);
  debug_node_t node = debug_node(im, in->result);
  link_function(im, &node, in->result);
  if (im->function) inside_function(im, &node);
}

void debug_finish(importer_t *im) {
  if (im->debug && im->debug->unit) LLVMDIBuilderFinalize(im->debug->builder);
}

void debug_free(importer_t *im) {
  if (im->debug) LLVMDisposeDIBuilder(im->debug->builder);
}
