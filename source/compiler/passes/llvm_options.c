/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * LLVM's own options, for compile time. */
#include "compiler/passes/llvm_options.h"

#include <pthread.h>
#include <stddef.h>

#include <llvm-c/Support.h>

static void apply(void) {
  static const char *const options[] = {
      "quern",
      /* A quarter of code generation, and addresses of a base and a scaled index make most of its work needless. */
      "-disable-lsr",
      /* A second vector loop for the rest of the first costs more to compile than it saves: local sizes are mostly
       * multiples of the vector width. */
      "-enable-epilogue-vectorization=false",
      /* A tenth of code generation; the CPU schedules by itself. */
      "-enable-misched=false",
      /* Copies and fills of private arrays are to become registers, which a call of memcpy prevents. */
      "-disable-loop-idiom-all",
      /* Several steps look at each pair of a block's successors. */
      "-max-jump-table-size=512",
  };
  LLVMParseCommandLineOptions(sizeof(options) / sizeof(options[0]), options, NULL);
}

void llvm_options_apply(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, apply);
}
