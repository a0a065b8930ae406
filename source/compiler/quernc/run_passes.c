/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Passes alone, through the compiler library's interface. */
#include "compiler/quernc/run_passes.h"

#define CL_TARGET_OPENCL_VERSION 300
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#include "compiler/compiler.h"

/* Whose code generator compiles. */
static const char target_name[] = "host";

void run_passes_find_library(void) {
  Dl_info driver;
  if (!dladdr((void *)(uintptr_t)&clGetPlatformIDs, &driver) || !driver.dli_fname) return;
  const char *slash = strrchr(driver.dli_fname, '/');
  if (!slash) return;
  text_t path = {0};
  text_append_bytes(&path, driver.dli_fname, (size_t)(slash + 1 - driver.dli_fname));
  text_append(&path, "libquern-compiler.so");
  setenv("QUERN_COMPILER_PATH", text_string(&path), 0);
  text_free(&path);
}

bool run_passes(const text_t *ir, const char *passes, bool verify_each, text_t *out) {
  const compiler_target_t target = {.name = target_name, .extensions = "", .features = ""};
  compiler_module_t module = NULL;
  compiler_result_t result = compiler_module_create(&target, &module, NULL);
  if (result == compiler_success) {
    const char *text = "";
    result = compiler_module_run_passes(module, text_string(ir), ir->length, passes, verify_each, &text);
    fputs(compiler_module_log(module), stderr);
    text_append(out, text);
    compiler_module_destroy(module);
  }
  if (result != compiler_success) fprintf(stderr, "quernc: %s\n", compiler_result_text(result));
  return result == compiler_success && !out->failed;
}

bool run_passes_print_names(void) {
  char *names = compiler_pass_names(target_name);
  if (names) fputs(names, stdout);
  free(names);
  return names;
}
