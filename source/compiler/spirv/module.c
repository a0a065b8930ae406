/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What a module says about itself: capabilities, extensions, entry points, names, sources. */
#include <string.h>

#include "compiler/spirv/debug_info.h"
#include "compiler/spirv/importer.h"

typedef struct known_capability_t {
  uint32_t number;
  const char *name;
  bool is_supported;
} known_capability_t;

static const known_capability_t capabilities[] = {
#define CAPABILITY(number, name, is_supported) {number, #name, is_supported},
#include "compiler/spirv_capabilities.def"
#undef CAPABILITY
};

static const char *const extensions[] = {
#define EXTENSION(name) #name,
#include "compiler/spirv_extensions.def"
#undef EXTENSION
};

static LLVMValueRef capability(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  uint32_t number = in->words[1];
  for (size_t i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]); i++) {
    if (capabilities[i].number != number) continue;
    if (!capabilities[i].is_supported) import_fail(im, "capability %s is not supported", capabilities[i].name);
    im->capabilities[number] = true;
    /* What may be fused is then said of each operation, or by defaults that nobody must use. */
    if (number == newer_capability_float_controls_2) im->contraction = false;
    return NULL;
  }
  import_fail(im, "capability %u is not known", number);
}

static LLVMValueRef extension(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  const char *name = read_string(im, in, 1, NULL);
  for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++) {
    if (!strcmp(name, extensions[i])) return NULL;
  }
  import_fail(im, "extension %s is not supported", name);
}

static LLVMValueRef extended_set(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  const char *name = read_string(im, in, 2, NULL);
  import_id_t *entry = id_at(im, in->words[1]);
  entry->kind = id_set;
  if (!strcmp(name, "OpenCL.std")) {
    entry->parts = set_opencl_std;
  } else if (!strcmp(name, "OpenCL.DebugInfo.100")) {
    entry->parts = set_opencl_debug;
  } else if (!strcmp(name, "NonSemantic.Shader.DebugInfo.100")) {
    entry->parts = set_shader_debug;
  } else if (!strncmp(name, "NonSemantic.", strlen("NonSemantic.")) || !strcmp(name, "SPIRV.debug")) {
    entry->parts = set_ignored;
  } else {
    import_fail(im, "the set of instructions '%s' is not supported", name);
  }
  return NULL;
}

static LLVMValueRef memory_model(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  if (in->words[1] != SpvAddressingModelPhysical64)
    import_fail(im, "the addressing model of this device is Physical64");
  if (in->words[2] != SpvMemoryModelOpenCL) import_fail(im, "the memory model of this device is OpenCL");
  return NULL;
}

static LLVMValueRef entry_point(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  if (in->words[1] != SpvExecutionModelKernel) import_fail(im, "execution model %u is not Kernel", in->words[1]);
  entry_point_t *point = import_alloc(im, 1, sizeof(*point));
  point->function = in->words[2];
  point->name = read_string(im, in, 3, NULL);
  need(im, *point->name != 0, "a kernel has a name");
  id_at(im, point->function)->parts++;
  *im->entry_points_end = point;
  im->entry_points_end = &point->next;
  return NULL;
}

static LLVMValueRef execution_mode(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  execution_mode_t *mode = import_alloc(im, 1, sizeof(*mode));
  import_id_t *entry = id_at(im, in->words[1]);
  mode->instruction = *in;
  mode->next = entry->modes;
  entry->modes = mode;
  /* Where defaults are given, products are contracted that say so; Clang 22 gives them without the capability. */
  bool gives_defaults = in->words[2] == newer_mode_fast_math_default;
  if (gives_defaults || in->words[2] == SpvExecutionModeContractionOff) im->contraction = false;
  return NULL;
}

/* They are searched one by one. */
enum { max_type_names = 4096 };

static LLVMValueRef string(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  import_id_t *entry = id_at(im, in->words[1]);
  entry->kind = id_string;
  entry->name = read_string(im, in, 2, NULL);
  if (strncmp(entry->name, "kernel_arg_type.", strlen("kernel_arg_type."))) return NULL;
  if (im->type_name_count++ >= max_type_names) return NULL;
  type_names_t *names = import_alloc(im, 1, sizeof(*names));
  *names = (type_names_t){im->type_names, entry->name};
  im->type_names = names;
  return NULL;
}

static LLVMValueRef name(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  id_at(im, in->words[1])->name = read_string(im, in, 2, NULL);
  return NULL;
}

static LLVMValueRef ignore(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)im, (void)in, (void)data;
  return NULL;
}

static LLVMValueRef line(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  debug_line(im, in);
  return NULL;
}

static const rule_t table[] = {
    {SpvOpNop, 1, ignore, 0},
    {SpvOpCapability, 2, capability, 0},
    {SpvOpExtension, 2, extension, 0},
    {SpvOpExtInstImport, 3, extended_set, 0},
    {SpvOpMemoryModel, 3, memory_model, 0},
    {SpvOpEntryPoint, 4, entry_point, 0},
    {SpvOpExecutionMode, 3, execution_mode, 0},
    {SpvOpExecutionModeId, 3, execution_mode, 0},
    {SpvOpString, 3, string, 0},
    {SpvOpName, 3, name, 0},
    {SpvOpMemberName, 4, ignore, 0},
    {SpvOpSource, 3, ignore, 0},
    {SpvOpSourceContinued, 2, ignore, 0},
    {SpvOpSourceExtension, 2, ignore, 0},
    {SpvOpModuleProcessed, 2, ignore, 0},
    {SpvOpLine, 4, line, 0},
    {SpvOpNoLine, 1, line, 0},
};
RULES(module_rules, table);
