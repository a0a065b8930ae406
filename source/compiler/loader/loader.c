/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Opens libquern-compiler.so at the first build and forwards to it. */
#include <dlfcn.h>
#include <fenv.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/build_id.h"
#include "base/log.h"
#include "base/options.h"
#include "base/own_path.h"
#include "base/text.h"
#include "compiler/interface.h"

#define COMPILER_LIBRARY "libquern-compiler.so"

/* The process has one compiler library; it is never closed, since code may run in it at exit. Null until it is open.
 * Two threads may open it at once: they get the same one, and neither holds a lock that a fork could leave behind. */
static _Atomic(const compiler_interface_t *) library;

/* What the environment says, else the file beside the driver, so that it works from wherever it was put. */
static void library_path(text_t *path) {
  const char *chosen = options_get()->compiler_path;
  if (*chosen) {
    text_append(path, chosen);
    return;
  }
  const char *own = own_path(), *slash = strrchr(own, '/');
  if (slash) text_append_bytes(path, own, (size_t)(slash + 1 - own));
  text_append(path, COMPILER_LIBRARY);
}

static const compiler_interface_t *open_library(const char *path, text_t *reason) {
  /* RTLD_LOCAL and RTLD_DEEPBIND are not enough against a foreign LLVM: the library hides every symbol itself. */
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    text_appendf(reason, "no compiler: tried %s: %s", path, dlerror());
    return NULL;
  }
  const compiler_interface_t *interface = dlsym(handle, COMPILER_INTERFACE_SYMBOL);
  if (!interface || interface->version != COMPILER_INTERFACE_VERSION) {
    text_appendf(reason, "no compiler: %s is not the compiler library of this driver's version", path);
    dlclose(handle);
    return NULL;
  }
  log_write(log_loader, "opened %s", path);
  return interface;
}

/* A failure is not remembered: descriptors or memory may be short for a moment, or the library not there yet. */
static const compiler_interface_t *compiler_get(text_t *reason) {
  const compiler_interface_t *opened = atomic_load(&library);
  if (opened) return opened;
  text_t path = {0};
  library_path(&path);
  opened = path.failed ? NULL : open_library(text_string(&path), reason);
  if (opened) {
    atomic_store(&library, opened);
  } else {
    log_write(log_error, "%s", text_string(reason));
  }
  text_free(&path);
  return opened;
}

/* For those who have no use for the reason. */
static const compiler_interface_t *get_without_reason(void) {
  text_t reason = {0};
  const compiler_interface_t *opened = compiler_get(&reason);
  text_free(&reason);
  return opened;
}

bool compiler_open(char **out_reason) {
  text_t reason = {0};
  const bool is_open = compiler_get(&reason) != NULL;
  *out_reason = reason.data;
  return is_open;
}

bool compiler_is_present(void) {
  text_t path = {0};
  library_path(&path);
  bool is_present = !path.failed && strchr(path.data, '/') && access(path.data, R_OK) == 0;
  text_free(&path);
  return is_present;
}

char *compiler_identity(void) {
  text_t path = {0}, identity = {0};
  library_path(&path);
  bool done = !path.failed && build_id_append(own_path(), &identity);
  text_append(&identity, " ");
  done = done && build_id_append(text_string(&path), &identity);
  text_free(&path);
  if (done) return identity.data;
  text_free(&identity);
  return NULL;
}

const char *compiler_result_text(compiler_result_t result) {
  switch (result) {
#define COMPILER_RESULT_CASE(name, text) \
  case name: return text;
    COMPILER_RESULT_LIST(COMPILER_RESULT_CASE)
#undef COMPILER_RESULT_CASE
  }
  return "unknown result";
}

/* LLVM computes constants with the host's own operations: the application's rounding must not get into code, nor its
 * traps end a build. Threads that the library creates begin with what their creator has. */
static fenv_t modes_enter(void) {
  fenv_t modes;
  fegetenv(&modes);
  fesetenv(FE_DFL_ENV);
  return modes;
}

/* Puts back what modes_enter found, with the flags of exceptions. */
static compiler_result_t modes_leave(const fenv_t *modes, compiler_result_t result) {
  fesetenv(modes);
  return result;
}

compiler_result_t compiler_module_create(const compiler_target_t *target, compiler_module_t *out_module) {
  const fenv_t modes = modes_enter();
  const compiler_interface_t *opened = get_without_reason();
  return modes_leave(&modes, opened ? opened->module_create(target, out_module) : compiler_error_unavailable);
}

/* A module exists only where the library does: from here on it is open. */

void compiler_module_destroy(compiler_module_t module) {
  if (module) library->module_destroy(module);
}

compiler_result_t compiler_module_compile_opencl_c(compiler_module_t module, const char *source, size_t length,
                                                   const char *options, const compiler_header_t *headers,
                                                   size_t header_count) {
  const fenv_t modes = modes_enter();
  return modes_leave(&modes, library->module_compile_opencl_c(module, source, length, options, headers, header_count));
}

compiler_result_t compiler_module_compile_spirv(compiler_module_t module, const void *data, size_t size,
                                                const char *options, const compiler_specialization_t *specializations,
                                                size_t specialization_count) {
  const fenv_t modes = modes_enter();
  return modes_leave(&modes,
                     library->module_compile_spirv(module, data, size, options, specializations, specialization_count));
}

compiler_result_t compiler_module_link(compiler_module_t module, const compiler_module_t *inputs, size_t input_count,
                                       const char *options) {
  const fenv_t modes = modes_enter();
  return modes_leave(&modes, library->module_link(module, inputs, input_count, options));
}

compiler_result_t compiler_module_specialize(compiler_module_t module, const char *kernel,
                                             const compiler_known_argument_t *known, size_t known_count) {
  const fenv_t modes = modes_enter();
  return modes_leave(&modes, library->module_specialize(module, kernel, known, known_count));
}

compiler_result_t compiler_module_finalize(compiler_module_t module) {
  const fenv_t modes = modes_enter();
  return modes_leave(&modes, library->module_finalize(module));
}

compiler_module_kind_e compiler_module_kind(compiler_module_t module) { return library->module_kind(module); }

const char *compiler_module_log(compiler_module_t module) { return library->module_log(module); }

void compiler_module_dependencies(compiler_module_t module, compiler_dependencies_t *out) {
  library->module_dependencies(module, out);
}

compiler_result_t compiler_module_executable_binary(compiler_module_t module, const void **out_data, size_t *out_size) {
  return library->module_executable_binary(module, out_data, out_size);
}

compiler_result_t compiler_module_program_info(compiler_module_t module, const void **out_data, size_t *out_size) {
  return library->module_program_info(module, out_data, out_size);
}

compiler_result_t compiler_module_portable(compiler_module_t module, const void **out_data, size_t *out_size) {
  return library->module_portable(module, out_data, out_size);
}

compiler_result_t compiler_module_serialize(compiler_module_t module, const void **out_data, size_t *out_size) {
  const fenv_t modes = modes_enter();
  return modes_leave(&modes, library->module_serialize(module, out_data, out_size));
}

compiler_result_t compiler_module_deserialize(compiler_module_t module, const void *data, size_t size) {
  const fenv_t modes = modes_enter();
  return modes_leave(&modes, library->module_deserialize(module, data, size));
}

compiler_result_t compiler_module_run_passes(compiler_module_t module, const char *ir, size_t length,
                                             const char *passes, bool verify_each, const char **out_ir) {
  const fenv_t modes = modes_enter();
  return modes_leave(&modes, library->module_run_passes(module, ir, length, passes, verify_each, out_ir));
}

char *compiler_statistics(void) {
  text_t statistics = {0};
  const compiler_interface_t *opened = get_without_reason();
  if (opened) opened->write_statistics(&statistics);
  return statistics.data;
}

char *compiler_pass_names(const char *target) {
  text_t names = {0};
  const compiler_interface_t *opened = get_without_reason();
  if (opened) opened->write_pass_names(target, &names);
  return names.data;
}
