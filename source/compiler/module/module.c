/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Compiler modules: the life of a program from source to executable, and the library's exported table. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/options.h"
#include "compiler/codegen.h"
#include "compiler/frontend/frontend.h"
#include "compiler/interface.h"
#include "compiler/module/diagnostics.h"
#include "compiler/module/dump.h"
#include "compiler/module/fatal.h"
#include "compiler/module/generate.h"
#include "compiler/module/host.h"
#include "compiler/module/local_size.h"
#include "compiler/module/object.h"
#include "compiler/module/run_passes.h"
#include "compiler/options/build_options.h"
#include "compiler/passes/debug_options.h"
#include "compiler/passes/llvm_options.h"
#include "compiler/passes/passes.h"
#include "compiler/spirv/spirv.h"

struct compiler_module_s {
  compiler_target_t target;
  compiler_module_kind_e kind;
  /** One context per module: modules of different threads share nothing. */
  LLVMContextRef context;
  /** Objects and libraries. */
  LLVMModuleRef ir;
  object_flags_t flags;
  /** After a fatal error: what LLVM has is left alone (module/fatal.h). */
  bool has_given_up;
  text_t log;
  frontend_dependencies_t dependencies;
  /** Serialized object: made on demand; of an executable that from which it was made, where that may be of use. After
   * passes alone: the IR in text form. */
  text_t blob;
  /** Kernels but one are gone, and of that more is known than of its program. */
  bool is_special;
  /** Executables. */
  executable_t executable;
};

static pthread_once_t installed = PTHREAD_ONCE_INIT;

static compiler_result_t module_create(const compiler_target_t *target, compiler_module_t *out_module) {
  if (!target || !out_module || !codegen_find(target->name)) return compiler_error_invalid_value;
  compiler_module_t module = calloc(1, sizeof(*module));
  if (!module) return compiler_error_out_of_memory;
  pthread_once(&installed, fatal_install);
  llvm_options_apply();
  debug_options_apply();
  module->target = *target;
  module->context = LLVMContextCreate();
  LLVMContextSetDiscardValueNames(module->context, !*options_get()->dump);
  *out_module = module;
  return compiler_success;
}

static void module_destroy(compiler_module_t module) {
  if (!module) return;
  if (module->ir && !module->has_given_up) LLVMDisposeModule(module->ir);
  if (!module->has_given_up) LLVMContextDispose(module->context);
  text_free(&module->log);
  text_free(&module->dependencies.files);
  text_free(&module->blob);
  executable_free(&module->executable);
  free(module);
}

static object_flags_t flags_of(const build_options_t *options) {
  return (object_flags_t){.optimize = options->optimize,
                          .denorms_are_zero = options->denorms_are_zero,
                          .language_version = options->language_version};
}

/* The option string with what the environment adds. */
static compiler_result_t parse_options(compiler_module_t module, const char *options, build_stage_e stage,
                                       build_options_t *out) {
  text_t all = {0};
  text_append(&all, options ? options : "");
  const char *extra = options_get()->extra_build_options;
  if (stage == build_stage_compile && *extra) text_appendf(&all, " %s", extra);
  compiler_result_t result =
      all.failed ? compiler_error_out_of_memory : build_options_parse(text_string(&all), stage, out, &module->log);
  text_free(&all);
  return result;
}

/* Afterwards the module is good for nothing but its log. */
static void give_up(compiler_module_t module) {
  module->has_given_up = true;
  module->ir = NULL;
  module->kind = compiler_module_empty;
}

/* What a front end or importer has put into the module is an object. */
static compiler_result_t become_object(compiler_module_t module, const build_options_t *options) {
  if (!module->ir) return compiler_error_compile_failure;
  dump_ir(dump_stage_ir, module->ir);
  module->flags = flags_of(options);
  module->kind = compiler_module_object;
  return compiler_success;
}

typedef struct front_end_run_t {
  compiler_module_t module;
  const frontend_input_t *input;
} front_end_run_t;

static void run_front_end(void *data) {
  front_end_run_t *run = data;
  compiler_module_t module = run->module;
  module->ir = frontend_compile(module->context, run->input, &module->dependencies, &module->log);
}

static compiler_result_t module_compile_opencl_c(compiler_module_t module, const char *source, size_t length,
                                                 const char *options, const compiler_header_t *headers,
                                                 size_t header_count) {
  if (module->kind != compiler_module_empty || module->has_given_up) return compiler_error_invalid_value;
  build_options_t parsed = {0};
  compiler_result_t result = parse_options(module, options, build_stage_compile, &parsed);
  if (result != compiler_success) goto done;
  uint64_t begin = clock_now_ns();
  frontend_input_t input = {&module->target, source, length, &parsed, headers, header_count};
  dump_program(dump_stage_source, source, length);
  front_end_run_t run = {module, &input};
  if (!fatal_run(run_front_end, &run, &module->log)) give_up(module);
  log_write(log_compiler, "front end: %.1f ms", (double)(clock_now_ns() - begin) * 1e-6);
  result = become_object(module, &parsed);
done:
  build_options_free(&parsed);
  return result;
}

static compiler_result_t module_compile_spirv(compiler_module_t module, const void *data, size_t size,
                                              const char *options, const compiler_specialization_t *specializations,
                                              size_t specialization_count) {
  if (module->kind != compiler_module_empty || module->has_given_up) return compiler_error_invalid_value;
  build_options_t parsed = {0};
  compiler_result_t result = parse_options(module, options, build_stage_compile, &parsed);
  if (result != compiler_success) goto done;
  uint64_t begin = clock_now_ns();
  spirv_input_t input = {.target = &module->target,
                         .data = data,
                         .size = size,
                         .specializations = specializations,
                         .specialization_count = specialization_count,
                         .exact_division = parsed.exact_division};
  dump_program(dump_stage_spirv, data, size);
  module->ir = spirv_import(module->context, &input, &module->log);
  log_write(log_compiler, "SPIR-V: %.1f ms", (double)(clock_now_ns() - begin) * 1e-6);
  result = become_object(module, &parsed);
done:
  build_options_free(&parsed);
  return result;
}

/* A copy of an input's IR in the context of `module`: contexts cannot share. */
static LLVMModuleRef copy_ir(compiler_module_t module, compiler_module_t input) {
  text_t bitcode = {0};
  LLVMModuleRef copy = NULL;
  if (object_write(input->ir, &input->flags, input->kind, &bitcode)) {
    object_flags_t flags;
    compiler_module_kind_e kind;
    copy = object_read(module->context, bitcode.data, bitcode.length, &flags, &kind);
  }
  text_free(&bitcode);
  return copy;
}

static bool is_linkable(compiler_module_t input) {
  return input->kind == compiler_module_object || input->kind == compiler_module_library;
}

static compiler_result_t link_inputs(compiler_module_t module, const compiler_module_t *inputs, size_t input_count) {
  module->flags = inputs[0]->flags;
  for (size_t i = 0; i < input_count; i++) {
    LLVMModuleRef copy = copy_ir(module, inputs[i]);
    if (!copy) return compiler_error_out_of_memory;
    module->flags.optimize &= inputs[i]->flags.optimize;
    if (!module->ir) {
      module->ir = copy;
    } else if (LLVMLinkModules2(module->ir, copy)) {
      return compiler_error_link_failure;
    }
  }
  return compiler_success;
}

static compiler_result_t module_link(compiler_module_t module, const compiler_module_t *inputs, size_t input_count,
                                     const char *options) {
  if (module->kind != compiler_module_empty || module->has_given_up || input_count == 0) {
    return compiler_error_invalid_value;
  }
  for (size_t i = 0; i < input_count; i++) {
    if (!is_linkable(inputs[i])) return compiler_error_invalid_value;
  }
  build_options_t parsed = {0};
  compiler_result_t result = parse_options(module, options, build_stage_link, &parsed);
  if (result != compiler_success) goto done;
  diagnostics_t diagnostics = {.log = &module->log};
  diagnostics_begin(module->context, &diagnostics);
  result = link_inputs(module, inputs, input_count);
  diagnostics_end(module->context);
  if (result != compiler_success) goto done;
  module->flags.optimize &= parsed.optimize;
  module->flags.denorms_are_zero |= parsed.denorms_are_zero;
  module->kind = parsed.create_library ? compiler_module_library : compiler_module_object;
done:
  build_options_free(&parsed);
  return result;
}

/* `is_only`: nothing else is known. */
static bool know(compiler_module_t module, const char *kernel, const compiler_known_argument_t *known, bool is_only) {
  const compiler_codegen_t *codegen = codegen_find(module->target.name);
  image_description_t image = {0};
  switch (known->kind) {
    case compiler_known_sampler:
      return passes_know_sampler(module->ir, kernel, known->index, codegen->sampler_bits(&known->sampler));
    case compiler_known_local_size:
      return local_size_is_allowed(module->ir, known->local_size) &&
             (local_size_know(module->ir, kernel, known->local_size) || !is_only);
    case compiler_known_local_memory:
      return passes_know_local_memory(module->ir, kernel, known->index, known->local_memory);
    case compiler_known_image: break;
  }
  return codegen->describe_format(known->format, &image) && passes_know_image(module->ir, kernel, known->index, &image);
}

static compiler_result_t module_specialize(compiler_module_t module, const char *kernel,
                                           const compiler_known_argument_t *known, size_t known_count) {
  if (module->kind != compiler_module_object) return compiler_error_invalid_value;
  if (!passes_keep_kernel(module->ir, kernel)) return compiler_error_invalid_value;
  for (size_t i = 0; i < known_count; i++) {
    if (!know(module, kernel, &known[i], known_count == 1)) return compiler_error_invalid_value;
  }
  module->is_special = true;
  return compiler_success;
}

/* Without it the executable is as good, and stays general. */
static void keep_portable(compiler_module_t module) {
  text_free(&module->blob);
  if (module->is_special || !module->flags.optimize) return;
  if (!passes_have_images(module->ir) && !passes_have_local_memory(module->ir) &&
      !passes_have_group_functions(module->ir))
    return;
  if (!object_write(module->ir, &module->flags, compiler_module_object, &module->blob)) text_free(&module->blob);
}

static compiler_result_t module_finalize(compiler_module_t module) {
  if (module->kind != compiler_module_object) return compiler_error_invalid_value;
  keep_portable(module);
  compiler_result_t result = generate_executable(codegen_find(module->target.name), module->ir, &module->flags,
                                                 &module->executable, &module->log);
  if (module->executable.has_given_up) {
    give_up(module);
    return result;
  }
  LLVMDisposeModule(module->ir);
  module->ir = NULL;
  module->kind = result == compiler_success ? compiler_module_executable : compiler_module_empty;
  return result;
}

static compiler_module_kind_e module_kind(compiler_module_t module) { return module->kind; }

static const char *module_log(compiler_module_t module) { return text_string(&module->log); }

static void module_dependencies(compiler_module_t module, compiler_dependencies_t *out) {
  const frontend_dependencies_t *dependencies = &module->dependencies;
  *out = (compiler_dependencies_t){.is_repeatable = !dependencies->uses_time && !dependencies->files.failed,
                                   .data = dependencies->files.data,
                                   .size = dependencies->files.length};
}

static compiler_result_t module_executable_binary(compiler_module_t module, const void **out_data, size_t *out_size) {
  if (module->kind != compiler_module_executable) return compiler_error_invalid_value;
  *out_data = module->executable.binary.data;
  *out_size = module->executable.binary.length;
  return compiler_success;
}

static compiler_result_t module_program_info(compiler_module_t module, const void **out_data, size_t *out_size) {
  if (module->kind != compiler_module_executable) return compiler_error_invalid_value;
  *out_data = module->executable.info;
  *out_size = module->executable.info_size;
  return compiler_success;
}

static compiler_result_t module_portable(compiler_module_t module, const void **out_data, size_t *out_size) {
  if (module->kind != compiler_module_executable) return compiler_error_invalid_value;
  *out_data = module->blob.data;
  *out_size = module->blob.length;
  return compiler_success;
}

static compiler_result_t module_serialize(compiler_module_t module, const void **out_data, size_t *out_size) {
  if (!is_linkable(module)) return compiler_error_invalid_value;
  if (!module->blob.length && !object_write(module->ir, &module->flags, module->kind, &module->blob)) {
    text_free(&module->blob);
    return compiler_error_out_of_memory;
  }
  *out_data = module->blob.data;
  *out_size = module->blob.length;
  return compiler_success;
}

static compiler_result_t module_deserialize(compiler_module_t module, const void *data, size_t size) {
  if (module->kind != compiler_module_empty || module->has_given_up) return compiler_error_invalid_value;
  diagnostics_t diagnostics = {.log = &module->log};
  diagnostics_begin(module->context, &diagnostics);
  module->ir = object_read(module->context, data, size, &module->flags, &module->kind);
  diagnostics_end(module->context);
  return module->ir ? compiler_success : compiler_error_invalid_binary;
}

typedef struct passes_run_t {
  compiler_module_t module;
  const pass_input_t *input;
  compiler_result_t result;
} passes_run_t;

static void run_pipeline(void *data) {
  passes_run_t *run = data;
  compiler_module_t module = run->module;
  run->result = run_passes(codegen_find(module->target.name), module->context, run->input, &module->blob, &module->log);
}

static compiler_result_t module_run_passes(compiler_module_t module, const char *ir, size_t length, const char *passes,
                                           bool verify_each, const char **out_ir) {
  if (module->kind != compiler_module_empty || module->has_given_up) return compiler_error_invalid_value;
  LLVMContextSetDiscardValueNames(module->context, false);
  text_free(&module->blob);
  const pass_input_t input = {ir, length, passes, verify_each};
  passes_run_t run = {module, &input, compiler_error_internal};
  if (!fatal_run(run_pipeline, &run, &module->log)) give_up(module);
  *out_ir = text_string(&module->blob);
  return run.result;
}

static void own_process(const char *options, size_t options_size) {
  options_take(options, options_size);
  fatal_own_process();
}

static void write_pass_names(const char *target, text_t *out) {
  const compiler_codegen_t *codegen = codegen_find(target);
  passes_write_names(codegen ? codegen->passes : NULL, out);
}

extern const compiler_interface_t quern_compiler_interface;
__attribute__((visibility("default"))) const compiler_interface_t quern_compiler_interface = {
    .version = COMPILER_INTERFACE_VERSION,
    .attach = host_set,
    .own_process = own_process,
    .module_create = module_create,
    .module_destroy = module_destroy,
    .module_compile_opencl_c = module_compile_opencl_c,
    .module_compile_spirv = module_compile_spirv,
    .module_link = module_link,
    .module_specialize = module_specialize,
    .module_finalize = module_finalize,
    .module_kind = module_kind,
    .module_log = module_log,
    .module_dependencies = module_dependencies,
    .module_executable_binary = module_executable_binary,
    .module_program_info = module_program_info,
    .module_portable = module_portable,
    .module_serialize = module_serialize,
    .module_deserialize = module_deserialize,
    .module_run_passes = module_run_passes,
    .write_statistics = passes_write_statistics,
    .write_pass_names = write_pass_names,
};
