/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Writing and reading of serialized objects. */
#include "compiler/module/object.h"

#include <string.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>

#include "base/hash.h"

#define OBJECT_MAGIC 0x4a424f51u /* "QOBJ" */
#define OBJECT_VERSION 1u

typedef struct object_head_t {
  uint32_t magic;
  uint32_t version;
  uint32_t kind;
  uint32_t optimize;
  uint32_t denorms_are_zero;
  uint32_t language_version;
  uint64_t bitcode_size;
  /** Of everything but this word. */
  uint64_t hash;
} object_head_t;

static uint64_t object_hash(object_head_t head, const void *bitcode) {
  head.hash = hash_bytes(bitcode, head.bitcode_size);
  return hash_bytes(&head, sizeof(head));
}

bool object_write(LLVMModuleRef ir, const object_flags_t *flags, compiler_module_kind_e kind, text_t *out) {
  LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(ir);
  if (!bitcode) return false;
  object_head_t head = {.magic = OBJECT_MAGIC,
                        .version = OBJECT_VERSION,
                        .kind = (uint32_t)kind,
                        .optimize = flags->optimize,
                        .denorms_are_zero = flags->denorms_are_zero,
                        .language_version = flags->language_version,
                        .bitcode_size = LLVMGetBufferSize(bitcode)};
  head.hash = object_hash(head, LLVMGetBufferStart(bitcode));
  text_append_bytes(out, (const char *)&head, sizeof(head));
  text_append_bytes(out, LLVMGetBufferStart(bitcode), head.bitcode_size);
  LLVMDisposeMemoryBuffer(bitcode);
  return !out->failed;
}

static bool head_is_valid(const object_head_t *head, const void *bitcode, size_t bitcode_size) {
  bool known = head->kind == compiler_module_object || head->kind == compiler_module_library;
  return head->magic == OBJECT_MAGIC && head->version == OBJECT_VERSION && known &&
         head->bitcode_size == bitcode_size && head->hash == object_hash(*head, bitcode);
}

static LLVMModuleRef parse(LLVMContextRef context, const char *bitcode, size_t size) {
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode, size, "object");
  LLVMModuleRef ir = NULL;
  if (LLVMParseBitcodeInContext2(context, buffer, &ir)) ir = NULL;
  LLVMDisposeMemoryBuffer(buffer);
  return ir;
}

LLVMModuleRef object_read(LLVMContextRef context, const void *data, size_t size, object_flags_t *out_flags,
                          compiler_module_kind_e *out_kind) {
  object_head_t head;
  if (size < sizeof(head)) return NULL;
  memcpy(&head, data, sizeof(head));
  const char *bitcode = (const char *)data + sizeof(head);
  if (!head_is_valid(&head, bitcode, size - sizeof(head))) return NULL;
  LLVMModuleRef ir = parse(context, bitcode, head.bitcode_size);
  if (!ir) return NULL;
  *out_flags = (object_flags_t){head.optimize != 0, head.denorms_are_zero != 0, head.language_version};
  *out_kind = (compiler_module_kind_e)head.kind;
  return ir;
}
