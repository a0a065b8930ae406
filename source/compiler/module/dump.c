/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Files of QUERN_DUMP. */
#include "compiler/module/dump.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "base/options.h"
#include "compiler/module/emit.h"
#include "compiler/module/host.h"

static const struct {
  const char *word, *suffix;
} stages[] = {
#define DUMP_STAGE_ROW(name, suffix) {#name, suffix},
    DUMP_STAGE_LIST(DUMP_STAGE_ROW)
#undef DUMP_STAGE_ROW
};

bool dump_wanted(dump_stage_e stage) {
  const char *set = options_get()->dump;
  return *set && options_set_has(set, stages[stage].word);
}

void dump_bytes(dump_stage_e stage, const void *data, size_t size) {
  if (dump_wanted(stage)) host_get()->dump(false, stages[stage].suffix, data, size);
}

void dump_program(dump_stage_e stage, const void *data, size_t size) {
  if (!*options_get()->dump) return;
  /* The program has its number also where this stage of it is not wanted. */
  host_get()->dump(true, dump_wanted(stage) ? stages[stage].suffix : "", data, size);
}

void dump_ir(dump_stage_e stage, LLVMModuleRef module) {
  if (!dump_wanted(stage)) return;
  char *text = LLVMPrintModuleToString(module);
  dump_bytes(stage, text, strlen(text));
  LLVMDisposeMessage(text);
}

void dump_assembly(LLVMTargetMachineRef machine, LLVMModuleRef module) {
  LLVMModuleRef copy = LLVMCloneModule(module);
  LLVMMemoryBufferRef text = emit_code(machine, copy, LLVMAssemblyFile);
  if (text) {
    dump_bytes(dump_stage_asm, LLVMGetBufferStart(text), LLVMGetBufferSize(text));
    LLVMDisposeMemoryBuffer(text);
  }
  LLVMDisposeModule(copy);
}
