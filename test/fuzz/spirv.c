/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The SPIR-V importer against any bytes: an error with a reason, or a module. What it gives must also be serializable:
 * the next thing that happens to it. */
#include "compiler/spirv/spirv.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

/* One object per process, of a static of LLVM. */
const char *__lsan_default_suppressions(void) { return "leak:llvm::SmallVectorBase\n"; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const compiler_target_t target = {"host", "", ""};
  const compiler_specialization_t values[] = {{1, 4, 7}, {2, 1, 0}, {3, 8, UINT64_MAX}};
  text_t log = {0};
  LLVMContextRef context = LLVMContextCreate();
  spirv_input_t input = {.target = &target,
                         .data = data,
                         .size = size,
                         .specializations = values,
                         .specialization_count = sizeof(values) / sizeof(values[0])};
  LLVMModuleRef module = spirv_import(context, &input, &log);
  if (module) {
    LLVMDisposeMemoryBuffer(LLVMWriteBitcodeToMemoryBuffer(module));
    LLVMDisposeModule(module);
  } else if (!strstr(text_string(&log), "error: ")) {
    abort();
  }
  text_free(&log);
  LLVMContextDispose(context);
  return 0;
}
