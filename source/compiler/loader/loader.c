/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Forwards to the compiler: in a process of its own (compiler/service), or, where there can be none, in this one. */
#include <dlfcn.h>
#include <fenv.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/build_id.h"
#include "base/log.h"
#include "base/options.h"
#include "base/own_path.h"
#include "base/text.h"
#include "compiler/interface.h"
#include "compiler/loader/dump_files.h"
#include "compiler/loader/large_stack.h"
#include "compiler/service/client.h"

#define COMPILER_LIBRARY "libquern-compiler.so"

/* The process has one compiler library; it is never closed, since code may run in it at exit. Null until it is open.
 * Two threads may open it at once: they get the same one, and neither holds a lock that a fork could leave behind. */
static _Atomic(const compiler_interface_t *) library;

/* How the application's system calls were restricted when it loaded the driver (PR_GET_SECCOMP). */
static int calls_were_restricted;

__attribute__((constructor)) static void look_at_calls(void) { calls_were_restricted = prctl(PR_GET_SECCOMP); }

static bool own_working_folder(text_t *out) {
  char folder[PATH_MAX];
  if (!getcwd(folder, sizeof folder)) return false;
  text_append(out, folder);
  return !out->failed;
}

static void append_library_beside(const char *driver, text_t *path) {
  const char *slash = strrchr(driver, '/');
  if (slash) text_append_bytes(path, driver, (size_t)(slash + 1 - driver));
  text_append(path, COMPILER_LIBRARY);
}

/* What the environment says, else the file beside the driver, so that it works from wherever it was put. The driver may
 * have been loaded through a link to it alone, as a program's libOpenCL.so.1. */
static void library_path(text_t *path) {
  const char *chosen = options_get()->compiler_path, *real = own_real_path();
  if (*chosen) {
    text_append(path, chosen);
    return;
  }
  append_library_beside(own_path(), path);
  if (path->failed || !*real || !strcmp(real, own_path()) || !access(path->data, F_OK)) return;
  text_free(path);
  append_library_beside(real, path);
}

/* ------------------------------------------------------------ in this process */

static const compiler_host_t own_host = {
    .working_folder = own_working_folder,
    .file_status = include_file_status,
    .file_read = include_file_read,
    .dump = dump_file_write,
};

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
  interface->attach(&own_host);
  log_write(log_loader, "opened %s", path);
  return interface;
}

/* A failure is not remembered: descriptors or memory may be short for a moment, or the library not there yet. */
static const compiler_interface_t *library_get(text_t *reason) {
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
  const compiler_interface_t *opened = library_get(&reason);
  text_free(&reason);
  return opened;
}

/* ------------------------------------------------------------ in a process of its own */

/* Found out once; empty where it is not to be used. */
static struct {
  pthread_once_t once;
  text_t library, program;
} service = {.once = PTHREAD_ONCE_INIT};

/* The program lies in libexec beside the library's folder, where both are installed and where both are built. Only what
 * does not depend on the working directory is started. */
static void find_program(void) {
  static const char *const places[] = {SERVICE_INSTALLED_PROGRAM, SERVICE_BUILT_PROGRAM};
  library_path(&service.library);
  const char *library_file = text_string(&service.library), *slash = strrchr(library_file, '/');
  if (*library_file != '/' || service.library.failed) return;
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    text_free(&service.program);
    text_append_bytes(&service.program, library_file, (size_t)(slash + 1 - library_file));
    text_append(&service.program, places[i]);
    if (!service.program.failed && !access(service.program.data, X_OK)) break;
  }
  if (service.program.failed) text_free(&service.program);
  service_set(&(service_paths_t){text_string(&service.program), library_file}, &own_host);
}

/* An application that has restricted its system calls since it loaded the driver may be ended by one that starts a
 * process; what restricts it from its beginning, as containers do, let it start. */
static bool is_restricted_now(void) { return prctl(PR_GET_SECCOMP) != calls_were_restricted; }

static bool wants_service(void) {
  if (options_set_has(options_get()->compiler, "in-process") || is_restricted_now()) return false;
  pthread_once(&service.once, find_program);
  if (!service.program.length) return false;
  /* One that was started may have been so in another root. */
  return !access(text_string(&service.program), X_OK) || pool_is_running();
}

/* ------------------------------------------------------------ presence */

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

void compiler_before_fork(void) { pool_lock(); }

void compiler_after_fork(bool is_child) {
  if (is_child) pool_forget();
  pool_unlock();
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

/* ------------------------------------------------------------ modules */

/* A module, and who compiles it. */
struct compiler_module_s {
  const compiler_interface_t *compiler;
  compiler_module_t inner;
  compiler_target_t target;
};

/* LLVM computes constants with the host's own operations: the application's rounding must not get into code, nor its
 * traps end a build. Threads that the library creates begin with what their creator has. */
static fenv_t modes_enter(void) {
  fenv_t modes;
  fegetenv(&modes);
  fesetenv(FE_DFL_ENV);
  return modes;
}

/* Puts back what modes_enter found, with the flags of exceptions. */
static void modes_leave(const fenv_t *modes) { fesetenv(modes); }

/* A call of the interface with its arguments, which calls of other threads can make. */
typedef struct call_t {
  compiler_result_t (*function)(const struct call_t *call);
  const compiler_interface_t *compiler;
  compiler_module_t module;
  /** What most take: source, SPIR-V, a blob or IR; options, a kernel's name or a pipeline; a list. */
  const void *data;
  size_t size;
  const char *text;
  const void *list;
  size_t count;
  bool verify_each;
  const char **out_text;
  compiler_result_t result;
} call_t;

static void call_body(void *data) {
  call_t *call = data;
  call->result = call->function(call);
}

/* LLVM's recursion needs no stack where another process compiles. */
static compiler_result_t call_run(compiler_module_t module, call_t call) {
  call.compiler = module->compiler;
  call.module = module->inner;
  if (call.compiler == &service_interface) return call.function(&call);
  const fenv_t modes = modes_enter();
  large_stack_run(call_body, &call);
  modes_leave(&modes);
  return call.result;
}

static compiler_result_t create_in(const compiler_interface_t *compiler, const compiler_target_t *target,
                                   compiler_module_t module) {
  module->compiler = compiler;
  module->target = *target;
  return compiler->module_create(target, &module->inner);
}

static compiler_result_t create_here(const compiler_target_t *target, compiler_module_t module, text_t *reason) {
  const fenv_t modes = modes_enter();
  const compiler_interface_t *opened = library_get(reason);
  const compiler_result_t result = opened ? create_in(opened, target, module) : compiler_error_unavailable;
  modes_leave(&modes);
  return result;
}

compiler_result_t compiler_module_create(const compiler_target_t *target, compiler_module_t *out_module,
                                         char **out_reason) {
  text_t reason = {0};
  if (out_reason) *out_reason = NULL;
  if (!target || !out_module) return compiler_error_invalid_value;
  compiler_module_t module = calloc(1, sizeof *module);
  if (!module) return compiler_error_out_of_memory;
  compiler_result_t result = compiler_error_unavailable;
  if (wants_service()) result = create_in(&service_interface, target, module);
  if (result == compiler_error_unavailable) result = create_here(target, module, &reason);
  if (result == compiler_success) {
    *out_module = module;
  } else {
    free(module);
  }
  if (out_reason) {
    *out_reason = reason.data;
  } else {
    text_free(&reason);
  }
  return result;
}

void compiler_module_destroy(compiler_module_t module) {
  if (!module) return;
  module->compiler->module_destroy(module->inner);
  free(module);
}

static compiler_result_t compile_opencl_c(const call_t *call) {
  return call->compiler->module_compile_opencl_c(call->module, call->data, call->size, call->text, call->list,
                                                 call->count);
}

compiler_result_t compiler_module_compile_opencl_c(compiler_module_t module, const char *source, size_t length,
                                                   const char *options, const compiler_header_t *headers,
                                                   size_t header_count) {
  return call_run(module, (call_t){.function = compile_opencl_c,
                                   .data = source,
                                   .size = length,
                                   .text = options,
                                   .list = headers,
                                   .count = header_count});
}

static compiler_result_t compile_spirv(const call_t *call) {
  return call->compiler->module_compile_spirv(call->module, call->data, call->size, call->text, call->list,
                                              call->count);
}

compiler_result_t compiler_module_compile_spirv(compiler_module_t module, const void *data, size_t size,
                                                const char *options, const compiler_specialization_t *specializations,
                                                size_t specialization_count) {
  return call_run(module, (call_t){.function = compile_spirv,
                                   .data = data,
                                   .size = size,
                                   .text = options,
                                   .list = specializations,
                                   .count = specialization_count});
}

static compiler_result_t link_inputs(const call_t *call) {
  return call->compiler->module_link(call->module, call->list, call->count, call->text);
}

/* In the same process, or both in this one. */
static bool is_beside(compiler_module_t module, compiler_module_t other) {
  if (module->compiler != other->compiler) return false;
  return module->compiler != &service_interface || service_is_same_process(module->inner, other->inner);
}

/* An input that lives elsewhere, as its process has ended or another build has one, comes as an object. A thread with
 * modules in one process gets no other one, unless that ended meanwhile. */
static compiler_result_t bring_input(compiler_module_t module, compiler_module_t input, compiler_module_t *out_inner,
                                     compiler_module_t *out_copy) {
  const void *data;
  size_t size;
  *out_inner = input->inner;
  if (is_beside(module, input)) return compiler_success;
  compiler_result_t result = compiler_module_serialize(input, &data, &size);
  if (result == compiler_success) result = compiler_module_create(&module->target, out_copy, NULL);
  if (result == compiler_success) result = compiler_module_deserialize(*out_copy, data, size);
  if (result == compiler_success && !is_beside(module, *out_copy)) result = compiler_error_internal;
  if (result == compiler_success) *out_inner = (*out_copy)->inner;
  return result;
}

compiler_result_t compiler_module_link(compiler_module_t module, const compiler_module_t *inputs, size_t input_count,
                                       const char *options) {
  compiler_module_t *inner = calloc(input_count + 1, sizeof(compiler_module_t));
  compiler_module_t *copies = calloc(input_count + 1, sizeof(compiler_module_t));
  compiler_result_t result = inner && copies ? compiler_success : compiler_error_out_of_memory;
  for (size_t i = 0; i < input_count && result == compiler_success; i++) {
    result = bring_input(module, inputs[i], &inner[i], &copies[i]);
  }
  if (result == compiler_success) {
    result = call_run(module, (call_t){.function = link_inputs, .list = inner, .count = input_count, .text = options});
  }
  for (size_t i = 0; copies && i < input_count; i++) compiler_module_destroy(copies[i]);
  free(copies);
  free(inner);
  return result;
}

static compiler_result_t specialize(const call_t *call) {
  return call->compiler->module_specialize(call->module, call->text, call->list, call->count);
}

compiler_result_t compiler_module_specialize(compiler_module_t module, const char *kernel,
                                             const compiler_known_argument_t *known, size_t known_count) {
  return call_run(module, (call_t){.function = specialize, .text = kernel, .list = known, .count = known_count});
}

static compiler_result_t finalize(const call_t *call) { return call->compiler->module_finalize(call->module); }

compiler_result_t compiler_module_finalize(compiler_module_t module) {
  return call_run(module, (call_t){.function = finalize});
}

compiler_module_kind_e compiler_module_kind(compiler_module_t module) {
  return module->compiler->module_kind(module->inner);
}

const char *compiler_module_log(compiler_module_t module) { return module->compiler->module_log(module->inner); }

void compiler_module_dependencies(compiler_module_t module, compiler_dependencies_t *out) {
  module->compiler->module_dependencies(module->inner, out);
}

compiler_result_t compiler_module_executable_binary(compiler_module_t module, const void **out_data, size_t *out_size) {
  return module->compiler->module_executable_binary(module->inner, out_data, out_size);
}

compiler_result_t compiler_module_program_info(compiler_module_t module, const void **out_data, size_t *out_size) {
  return module->compiler->module_program_info(module->inner, out_data, out_size);
}

compiler_result_t compiler_module_portable(compiler_module_t module, const void **out_data, size_t *out_size) {
  return module->compiler->module_portable(module->inner, out_data, out_size);
}

compiler_result_t compiler_module_serialize(compiler_module_t module, const void **out_data, size_t *out_size) {
  const fenv_t modes = modes_enter();
  const compiler_result_t result = module->compiler->module_serialize(module->inner, out_data, out_size);
  modes_leave(&modes);
  return result;
}

static compiler_result_t deserialize(const call_t *call) {
  return call->compiler->module_deserialize(call->module, call->data, call->size);
}

compiler_result_t compiler_module_deserialize(compiler_module_t module, const void *data, size_t size) {
  return call_run(module, (call_t){.function = deserialize, .data = data, .size = size});
}

/* ------------------------------------------------------------ for who works on the compiler */

/* These are about the library itself, in this process. */

static compiler_result_t run_passes(const call_t *call) {
  return call->compiler->module_run_passes(call->module, call->data, call->size, call->text, call->verify_each,
                                           call->out_text);
}

compiler_result_t compiler_module_run_passes(compiler_module_t module, const char *ir, size_t length,
                                             const char *passes, bool verify_each, const char **out_ir) {
  if (module->compiler == &service_interface) return compiler_error_unavailable;
  return call_run(module, (call_t){.function = run_passes,
                                   .data = ir,
                                   .size = length,
                                   .text = passes,
                                   .verify_each = verify_each,
                                   .out_text = out_ir});
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
