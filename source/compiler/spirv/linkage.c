/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Linkage attributes. */
#include "compiler/spirv/linkage.h"

#include <stdio.h>
#include <string.h>

#include "compiler/function_address.h"
#include "compiler/passes/symbol_names.h"

/* LLVM gives names of the one form a meaning of its own, and we those of the other. */
static void check_name(importer_t *im, const char *name) {
  bool is_ours = !strncmp(name, FUNCTION_ADDRESS_PREFIX, strlen(FUNCTION_ADDRESS_PREFIX));
  if (is_ours || !strncmp(name, "llvm.", strlen("llvm."))) import_fail(im, "'%s' is no name for linkage", name);
}

linkage_e linkage_of(importer_t *im, uint32_t id, const char **name) {
  const decoration_t *decoration = id_decoration(im, id, SpvDecorationLinkageAttributes);
  if (!decoration) return linkage_none;
  const char *bytes = (const char *)decoration->operands;
  size_t room = (decoration->count - 1) * sizeof(uint32_t);
  if (!memchr(bytes, 0, room)) import_fail(im, "the name of linkage does not end");
  check_name(im, bytes);
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

void linkage_keep_address(importer_t *im, uint32_t id, LLVMValueRef function) {
  const char *name = "";
  if (!id_decoration(im, id, SpvDecorationReferencedIndirectlyINTEL)) return;
  if (linkage_of(im, id, &name) != linkage_export) return;
  size_t size = strlen(FUNCTION_ADDRESS_PREFIX) + strlen(name) + 1;
  char *symbol = import_alloc(im, size, 1);
  snprintf(symbol, size, FUNCTION_ADDRESS_PREFIX "%s", name);
  LLVMValueRef variable = LLVMAddGlobalInAddressSpace(im->module, LLVMTypeOf(function), symbol, space_global);
  LLVMSetInitializer(variable, function);
  /* One of several modules' definitions stays. LLVM's linker would leave out a "once" one that nobody asks for. */
  if (is_once(im, id, name)) LLVMSetLinkage(variable, LLVMWeakODRLinkage);
}

/* What the host may do is the application's own concern; the name is ours. */
static const char *host_name(importer_t *im, uint32_t id) {
  const decoration_t *decoration = id_decoration(im, id, (SpvDecoration)newer_decoration_host_access_intel);
  if (!decoration) decoration = id_decoration(im, id, (SpvDecoration)newer_decoration_early_host_access_intel);
  if (!decoration) return "";
  const char *name = (const char *)(decoration->operands + 1);
  if (!memchr(name, 0, (decoration->count - 1) * sizeof(uint32_t))) import_fail(im, "the host's name does not end");
  check_name(im, name);
  return name;
}

void linkage_apply_host_access(importer_t *im, uint32_t id, LLVMValueRef variable) {
  const char *name = host_name(im, id);
  if (!*name) return;
  unsigned kind = LLVMGetMDKindIDInContext(im->context, HOST_NAME_METADATA, strlen(HOST_NAME_METADATA));
  LLVMMetadataRef text = LLVMMDStringInContext2(im->context, name, strlen(name));
  LLVMGlobalSetMetadata(variable, kind, LLVMMDNodeInContext2(im->context, &text, 1));
  if (LLVMGetLinkage(variable) != LLVMInternalLinkage) return;
  LLVMSetValueName2(variable, name, strlen(name));
  LLVMSetLinkage(variable, LLVMExternalLinkage);
}
