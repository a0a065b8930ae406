/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Files of QUERN_DUMP. */
#include "compiler/module/dump.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <llvm-c/Core.h>

#include "base/log.h"
#include "base/options.h"
#include "base/text.h"

static const struct {
  const char *word, *suffix;
} stages[] = {
#define DUMP_STAGE_ROW(name, suffix) {#name, suffix},
    DUMP_STAGE_LIST(DUMP_STAGE_ROW)
#undef DUMP_STAGE_ROW
};

/* Number of the thread's latest program: a program is compiled and finalized by one thread at a time. */
static atomic_uint program_count;
static _Thread_local unsigned program_number;

bool dump_wanted(dump_stage_e stage) {
  const char *set = options_get()->dump;
  return *set && options_set_has(set, stages[stage].word);
}

void dump_bytes(dump_stage_e stage, const void *data, size_t size) {
  if (!dump_wanted(stage)) return;
  text_t path = {0};
  text_appendf(&path, "%s/quern-%d-%u%s", options_get()->dump_dir, (int)getpid(), program_number, stages[stage].suffix);
  FILE *file = fopen(text_string(&path), "wb");
  bool written = file && fwrite(data, 1, size, file) == size;
  if (file && fclose(file)) written = false;
  if (!written) log_warning("QUERN_DUMP cannot write %s: %s", text_string(&path), strerror(errno));
  text_free(&path);
}

void dump_program(dump_stage_e stage, const void *data, size_t size) {
  program_number = atomic_fetch_add(&program_count, 1) + 1;
  dump_bytes(stage, data, size);
}

void dump_ir(dump_stage_e stage, LLVMModuleRef module) {
  if (!dump_wanted(stage)) return;
  char *text = LLVMPrintModuleToString(module);
  dump_bytes(stage, text, strlen(text));
  LLVMDisposeMessage(text);
}

void dump_assembly(LLVMTargetMachineRef machine, LLVMModuleRef module) {
  LLVMModuleRef copy = LLVMCloneModule(module);
  LLVMMemoryBufferRef text = NULL;
  char *error = NULL;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, copy, LLVMAssemblyFile, &error, &text)) {
    log_warning("QUERN_DUMP: %s", error);
    LLVMDisposeMessage(error);
  } else {
    dump_bytes(dump_stage_asm, LLVMGetBufferStart(text), LLVMGetBufferSize(text));
    LLVMDisposeMemoryBuffer(text);
  }
  LLVMDisposeModule(copy);
}
