/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * QUERN_PRINT_AFTER, as an option of LLVM's. */
#include "compiler/passes/debug_options.h"

#include <pthread.h>
#include <string.h>

#include <llvm-c/Support.h>

#include "base/options.h"
#include "base/text.h"

static void apply(void) {
  const char *names = options_get()->print_after;
  if (!*names) return;
  text_t option = {0};
  if (!strcmp(names, "all"))
    text_append(&option, "-print-after-all");
  else
    text_appendf(&option, "-print-after=%s", names);
  const char *const options[] = {"quern", text_string(&option)};
  LLVMParseCommandLineOptions(sizeof(options) / sizeof(options[0]), options, NULL);
  text_free(&option);
}

void debug_options_apply(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, apply);
}
