/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Reader of case files: makes an assembly text of each case. */
#include "case_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The parts of a module while a case is read. */
typedef struct draft_t {
  case_t *out;
  char *capabilities, *extensions, *modes, *decorations, *globals, *body;
  bool is_module;
} draft_t;

static void append(char **text, const char *first, const char *second) {
  size_t length = *text ? strlen(*text) : 0;
  char *longer = realloc(*text, length + strlen(first) + strlen(second) + 2);
  if (!longer) abort();
  sprintf(longer + length, "%s%s\n", first, second);
  *text = longer;
}

static const char *or_empty(const char *text) { return text ? text : ""; }

static const struct {
  const char *name;
  size_t size;
  char kind;
} scalars[] = {{"uchar", 1, 'i'}, {"ushort", 2, 'i'}, {"uint", 4, 'i'},  {"ulong", 8, 'i'},
               {"half", 2, 'i'},  {"float", 4, 'f'},  {"double", 8, 'd'}};

/* "v4float": components and kind; 0 when it is none. */
static char parse_type(case_buffer_t *buffer, const char *type) {
  const char *scalar = type;
  buffer->components = 1;
  if (type[0] == 'v' && type[1] >= '0' && type[1] <= '9') {
    char *end;
    buffer->components = strtoul(type + 1, &end, 10);
    scalar = end;
  }
  snprintf(buffer->type, sizeof(buffer->type), "%s", type);
  for (size_t i = 0; i < sizeof(scalars) / sizeof(scalars[0]); i++) {
    if (strcmp(scalar, scalars[i].name)) continue;
    buffer->size = scalars[i].size;
    return scalars[i].kind;
  }
  return 0;
}

static uint64_t parse_bits(const char *word, char kind) {
  bool is_hex = strncmp(word, "0x", 2) == 0;
  uint64_t bits = 0;
  if (kind == 'i' || is_hex) return word[0] == '-' ? (uint64_t)strtoll(word, NULL, 0) : strtoull(word, NULL, 0);
  float single = strtof(word, NULL);
  double wide = strtod(word, NULL);
  if (kind == 'f') memcpy(&bits, &single, sizeof(single));
  if (kind == 'd') memcpy(&bits, &wide, sizeof(wide));
  return bits;
}

static size_t element_stride(const case_buffer_t *buffer) {
  return buffer->size * (buffer->components == 3 ? 4 : buffer->components);
}

static cl_mem_object_type image_kind(const char *name) {
  static const struct {
    const char *name;
    cl_mem_object_type kind;
  } kinds[] = {{"1d", CL_MEM_OBJECT_IMAGE1D},
               {"1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY},
               {"2d", CL_MEM_OBJECT_IMAGE2D},
               {"2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY},
               {"3d", CL_MEM_OBJECT_IMAGE3D}};
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
    if (!strcmp(name, kinds[i].name)) return kinds[i].kind;
  }
  return 0;
}

/* "%t 2d 2x1": what an image has besides a buffer; `rest` is moved behind it. */
static bool parse_image(case_buffer_t *buffer, char **rest) {
  char kind[16];
  int length = 0;
  size_t *size = buffer->image_size;
  if (sscanf(*rest, "%31s %15s %n", buffer->image_type, kind, &length) != 2) return false;
  buffer->image_kind = image_kind(kind);
  *rest += length;
  for (size_t i = 0; i < 3; i++) size[i] = 1;
  for (size_t i = 0; i < 3; i++) {
    size[i] = strtoul(*rest, rest, 10);
    if (**rest != 'x') break;
    ++*rest;
  }
  return buffer->image_kind && size[0] && size[1] && size[2];
}

static char *after(char *line, const char *word) {
  size_t length = strlen(word);
  return strncmp(line, word, length) == 0 ? line + length : NULL;
}

/* "uint 1 2 3", or "uint 1 2 to 3 4" when the kernel changes what is there. */
static bool parse_buffer(case_t *out, char *rest, bool is_checked) {
  if (out->buffer_count == case_max_buffers) return false;
  case_buffer_t *buffer = &out->buffers[out->buffer_count++];
  char *image = after(rest, "image ");
  if (image && !parse_image(buffer, &image)) return false;
  char *save = NULL, *word = strtok_r(image ? image : rest, " ", &save);
  char kind = word ? parse_type(buffer, word) : 0;
  if (!kind) return false;
  size_t count = 0;
  bool is_after = false;
  while ((word = strtok_r(NULL, " ", &save))) {
    if (!strcmp(word, "to")) {
      buffer->value_count = count;
      count = 0;
      is_after = true;
      continue;
    }
    if (count == case_max_values) return false;
    (is_after || is_checked ? buffer->after : buffer->before)[count++] = parse_bits(word, kind);
  }
  if (is_after && count != buffer->value_count) return false;
  buffer->value_count = count;
  buffer->is_checked = is_checked || is_after;
  return count > 0 && count % buffer->components == 0;
}

static bool parse_setting(case_t *out, char *rest) {
  char type[16];
  unsigned id;
  char value[64];
  case_buffer_t as = {.size = 0};
  if (out->setting_count == case_max_settings || sscanf(rest, "%u %15s %63s", &id, type, value) != 3) return false;
  char kind = parse_type(&as, type);
  if (!kind) return false;
  out->settings[out->setting_count++] = (case_setting_t){id, as.size, parse_bits(value, kind)};
  return true;
}

static bool parse_line(draft_t *draft, char *line) {
  case_t *out = draft->out;
  char *rest;
  if ((rest = after(line, "in "))) return parse_buffer(out, rest, false);
  if ((rest = after(line, "out "))) return parse_buffer(out, rest, true);
  if ((rest = after(line, "from "))) return parse_buffer(out, rest, false);
  if ((rest = after(line, "set "))) return parse_setting(out, rest);
  if ((rest = after(line, "items "))) return (out->items = strtoul(rest, NULL, 10)) > 0;
  if ((rest = after(line, "group "))) return (out->group = strtoul(rest, NULL, 10)) > 0;
  if ((rest = after(line, "refuse "))) return (out->refusal = strdup(rest)) != NULL;
  if (!strcmp(line, "module")) return draft->is_module = true;
  if ((rest = after(line, "capability "))) {
    append(&draft->capabilities, "OpCapability ", rest);
  } else if ((rest = after(line, "extension "))) {
    char quoted[256];
    snprintf(quoted, sizeof(quoted), "OpExtension \"%s\"", rest);
    append(&draft->extensions, quoted, "");
  } else if ((rest = after(line, "mode: "))) {
    append(&draft->modes, rest, "");
  } else if ((rest = after(line, "decorate: "))) {
    append(&draft->decorations, rest, "");
  } else if ((rest = after(line, "global: "))) {
    append(&draft->globals, rest, "");
  } else {
    append(&draft->body, line, "");
  }
  return true;
}

/* The type of the kernel's parameter. */
static const char *parameter_type(const case_buffer_t *buffer, char *out, size_t size) {
  if (buffer->image_kind) return buffer->image_type;
  snprintf(out, size, "%%pg_%s", buffer->type);
  return out;
}

/* The head of the kernel: parameters, the work-item's number, its elements. */
static void append_head(const case_t *out, char **text) {
  char line[256], name[32], types[512] = "";
  for (size_t i = 0; i < out->buffer_count; i++) {
    strcat(strcat(types, " "), parameter_type(&out->buffers[i], name, sizeof(name)));
  }
  append(text, "%kernel_type = OpTypeFunction %void", types);
  append(text, "%k = OpFunction %void None %kernel_type", "");
  for (size_t i = 0; i < out->buffer_count; i++) {
    const char *type = parameter_type(&out->buffers[i], name, sizeof(name));
    snprintf(line, sizeof(line), "%%b%zu = OpFunctionParameter %s", i, type);
    append(text, line, "");
  }
  append(text, "%first_block = OpLabel", "");
}

static void append_elements(const case_t *out, char **text) {
  char line[256];
  append(text, "%gid = OpLoad %v3ulong %GlobalInvocationId Aligned 32", "");
  append(text, "%i = OpCompositeExtract %ulong %gid 0", "");
  for (size_t i = 0; i < out->buffer_count; i++) {
    if (out->buffers[i].image_kind) continue;
    const char *type = out->buffers[i].type;
    size_t stride = element_stride(&out->buffers[i]);
    snprintf(line, sizeof(line), "%%p%zu = OpInBoundsPtrAccessChain %%pg_%s %%b%zu %%i", i, type, i);
    append(text, line, "");
    snprintf(line, sizeof(line), "%%x%zu = OpLoad %%%s %%p%zu Aligned %zu", i, type, i, stride);
    append(text, line, "");
  }
}

/* Variables come first in a function. */
static bool is_variable(const char *line) { return strstr(line, "= OpVariable %pf_") != NULL; }

static void append_body(const char *body, bool variables, char **text) {
  char *copy = strdup(or_empty(body)), *save = NULL;
  for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
    if (is_variable(line) == variables) append(text, line, "");
  }
  free(copy);
}

static const char usual_capabilities[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpCapability Int8\nOpCapability Int16\n"
    "OpCapability Int64\nOpCapability Float16Buffer\nOpCapability Float64\nOpCapability GenericPointer\n"
    "OpCapability Vector16\n";

static void finish(draft_t *draft, const char *prelude) {
  case_t *out = draft->out;
  if (draft->is_module) {
    out->text = draft->body;
    draft->body = NULL;
  } else {
    /* The prelude has three parts: up to the entry point, decorations, and the types. */
    const char *modes = strstr(prelude, "; modes\n"), *types = strstr(prelude, "; types\n");
    char *head = strndup(prelude, (size_t)(modes - prelude));
    char *decorations = strndup(modes, (size_t)(types - modes));
    append(&out->text, usual_capabilities, or_empty(draft->capabilities));
    append(&out->text, or_empty(draft->extensions), head);
    append(&out->text, or_empty(draft->modes), decorations);
    append(&out->text, or_empty(draft->decorations), types);
    append(&out->text, or_empty(draft->globals), "");
    append_head(out, &out->text);
    append_body(draft->body, true, &out->text);
    append_elements(out, &out->text);
    append_body(draft->body, false, &out->text);
    append(&out->text, "OpReturn\nOpFunctionEnd", "");
    free(head);
    free(decorations);
  }
  if (!out->items && out->buffer_count) out->items = out->buffers[0].value_count / out->buffers[0].components;
  if (!out->items) out->items = 1;
  free(draft->capabilities);
  free(draft->extensions);
  free(draft->modes);
  free(draft->decorations);
  free(draft->globals);
  free(draft->body);
}

static char *read_whole(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  char *text = NULL;
  size_t capacity = 0;
  if (getdelim(&text, &capacity, EOF, file) < 0) {
    free(text);
    text = NULL;
  }
  fclose(file);
  return text;
}

static char *read_prelude(const char *path) {
  char beside[4096];
  const char *slash = strrchr(path, '/');
  snprintf(beside, sizeof(beside), "%.*sprelude.spvasm", slash ? (int)(slash + 1 - path) : 0, path);
  return read_whole(beside);
}

static case_t *add_case(case_file_t *file, const char *name) {
  case_t *cases = realloc(file->cases, (file->count + 1) * sizeof(*cases));
  if (!cases) abort();
  file->cases = cases;
  cases[file->count] = (case_t){.name = strdup(name)};
  return &cases[file->count++];
}

bool case_file_read(const char *path, case_file_t *out) {
  char *text = read_whole(path), *prelude = read_prelude(path), *save = NULL;
  draft_t draft = {.out = NULL};
  bool is_good = text && prelude;
  *out = (case_file_t){0};
  for (char *line = is_good ? strtok_r(text, "\n", &save) : NULL; line && is_good; line = strtok_r(NULL, "\n", &save)) {
    char *name = after(line, "== ");
    if (name) {
      if (draft.out) finish(&draft, prelude);
      draft = (draft_t){.out = add_case(out, name)};
    } else if (line[0] != ';' && draft.out) {
      is_good = parse_line(&draft, line);
    }
    if (!is_good) fprintf(stderr, "%s: in case %s: %s\n", path, draft.out->name, line);
  }
  if (is_good && draft.out) finish(&draft, prelude);
  free(text);
  free(prelude);
  return is_good && out->count > 0;
}

void case_file_free(case_file_t *file) {
  for (size_t i = 0; i < file->count; i++) {
    free(file->cases[i].name);
    free(file->cases[i].text);
    free(file->cases[i].refusal);
  }
  free(file->cases);
}
