/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Linkage attributes. */
#include "compiler/spirv/linkage.h"

#include <stdio.h>
#include <string.h>

linkage_e linkage_of(importer_t *im, uint32_t id, const char **name) {
  const decoration_t *decoration = id_decoration(im, id, SpvDecorationLinkageAttributes);
  if (!decoration) return linkage_none;
  const char *bytes = (const char *)decoration->operands;
  size_t room = (decoration->count - 1) * sizeof(uint32_t);
  if (!memchr(bytes, 0, room)) import_fail(im, "the name of linkage does not end");
  /* LLVM gives names of this form a meaning of its own. */
  if (!strncmp(bytes, "llvm.", strlen("llvm."))) import_fail(im, "'%s' is no name for linkage", bytes);
  *name = bytes;
  uint32_t type = decoration->operands[strlen(bytes) / sizeof(uint32_t) + 1];
  switch (type) {
    case SpvLinkageTypeExport:
    case SpvLinkageTypeLinkOnceODR: return linkage_export;
    case SpvLinkageTypeImport: return linkage_import;
    default: import_fail(im, "linkage type %u is not known", type);
  }
}

const char *linkage_local_name(importer_t *im, uint32_t id) {
  const char *name = id_name(im, id);
  if (!*name || !strncmp(name, "llvm.", strlen("llvm."))) return "";
  size_t size = strlen(name) + 16;
  char *local = import_alloc(im, size, 1);
  snprintf(local, size, "%s.%u", name, id);
  return local;
}

static bool is_once(importer_t *im, uint32_t id, const char *name) {
  const decoration_t *decoration = id_decoration(im, id, SpvDecorationLinkageAttributes);
  return decoration->operands[strlen(name) / sizeof(uint32_t) + 1] == SpvLinkageTypeLinkOnceODR;
}

linkage_e linkage_apply(importer_t *im, uint32_t id, LLVMValueRef value) {
  const char *name = "";
  linkage_e linkage = linkage_of(im, id, &name);
  if (linkage == linkage_none) {
    LLVMSetLinkage(value, LLVMInternalLinkage);
    return linkage;
  }
  LLVMSetValueName2(value, name, strlen(name));
  if (linkage == linkage_export && is_once(im, id, name)) LLVMSetLinkage(value, LLVMLinkOnceODRLinkage);
  return linkage;
}
