/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What libquern-compiler.so offers to libquern.so: one exported table of the functions of compiler/compiler.h. */
#ifndef COMPILER_INTERFACE_H
#define COMPILER_INTERFACE_H

#include "base/text.h"
#include "compiler/compiler.h"
#include "compiler/info/include_file.h"

/** Raised with any change to this table or to a struct that crosses it; another version is refused. */
#define COMPILER_INTERFACE_VERSION 8u

/** What the compiler asks of the process that builds: it opens no file of its own, and prints nothing. The functions
 * outlive it; they are called from the thread that compiles, `print` and `dump` from its helpers too. */
typedef struct compiler_host_t {
  /** Of the process that builds, absolute; false when there is none. */
  bool (*working_folder)(text_t *out);
  /** As include_file_status and include_file_read. */
  int (*file_status)(const char *path, include_file_t *out);
  int (*file_read)(const char *path, include_file_t *out, text_t *content);
  /** Takes one line of the log, the newline included; null: lines go to stderr. */
  void (*print)(const char *line, size_t length);
  /** Takes a stage of the program that the thread compiles (QUERN_DUMP), which begins with this one where it says so.
   * The suffix is that of the stage's file. */
  void (*dump)(bool begins_program, const char *suffix, const void *data, size_t size);
} compiler_host_t;

typedef struct compiler_interface_t {
  uint32_t version;
  /** Comes first, once for each that opens the library; the host of the latest is asked. */
  void (*attach)(const compiler_host_t *host);
  /** For a process that only compiles: takes its options (base/options.h), which outlive it, instead of the
   * environment, and tells on stderr where it was when a signal or the lack of memory ends it. Before attach, by the
   * thread that compiles. */
  void (*own_process)(const char *options, size_t options_size);
  compiler_result_t (*module_create)(const compiler_target_t *target, compiler_module_t *out_module);
  void (*module_destroy)(compiler_module_t module);
  compiler_result_t (*module_compile_opencl_c)(compiler_module_t module, const char *source, size_t length,
                                               const char *options, const compiler_header_t *headers,
                                               size_t header_count);
  compiler_result_t (*module_compile_spirv)(compiler_module_t module, const void *data, size_t size,
                                            const char *options, const compiler_specialization_t *specializations,
                                            size_t specialization_count);
  compiler_result_t (*module_link)(compiler_module_t module, const compiler_module_t *inputs, size_t input_count,
                                   const char *options);
  compiler_result_t (*module_specialize)(compiler_module_t module, const char *kernel,
                                         const compiler_known_argument_t *known, size_t known_count);
  compiler_result_t (*module_finalize)(compiler_module_t module);
  compiler_module_kind_e (*module_kind)(compiler_module_t module);
  const char *(*module_log)(compiler_module_t module);
  void (*module_dependencies)(compiler_module_t module, compiler_dependencies_t *out);
  compiler_result_t (*module_executable_binary)(compiler_module_t module, const void **out_data, size_t *out_size);
  compiler_result_t (*module_program_info)(compiler_module_t module, const void **out_data, size_t *out_size);
  compiler_result_t (*module_portable)(compiler_module_t module, const void **out_data, size_t *out_size);
  compiler_result_t (*module_serialize)(compiler_module_t module, const void **out_data, size_t *out_size);
  compiler_result_t (*module_deserialize)(compiler_module_t module, const void *data, size_t size);
  compiler_result_t (*module_run_passes)(compiler_module_t module, const char *ir, size_t length, const char *passes,
                                         bool verify_each, const char **out_ir);
  void (*write_statistics)(text_t *out);
  void (*write_pass_names)(const char *target, text_t *out);
} compiler_interface_t;

/** Name and type of the one exported symbol. */
#define COMPILER_INTERFACE_SYMBOL "quern_compiler_interface"

#endif
