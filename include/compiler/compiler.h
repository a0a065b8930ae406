/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The compiler as the runtime sees it: OpenCL C or SPIR-V in, executables for a target out.
 *
 * The functions live in libquern.so and forward to libquern-compiler.so, which the first call that needs it opens in a
 * process of its own (docs/compiler.md), or, where there can be none, in this one. Modules are independent: different
 * modules may be used by different threads at once, one module by one thread at a time. Text and blobs
 * returned through pointers belong to the module and die with it. */
#ifndef COMPILER_COMPILER_H
#define COMPILER_COMPILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mux/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define COMPILER_MUST_CHECK __attribute__((warn_unused_result))

#define COMPILER_RESULT_LIST(X)                                                            \
  X(compiler_success, "success")                                                           \
  X(compiler_error_unavailable, "the compiler library could not be opened")                \
  X(compiler_error_out_of_memory, "out of memory")                                         \
  X(compiler_error_invalid_value, "an argument is invalid")                                \
  X(compiler_error_invalid_build_options, "the build options are invalid")                 \
  X(compiler_error_invalid_link_options, "the link options are invalid")                   \
  X(compiler_error_invalid_binary, "the module binary is damaged or from another version") \
  X(compiler_error_compile_failure, "compilation failed; see the log")                     \
  X(compiler_error_link_failure, "linking failed; see the log")                            \
  X(compiler_error_internal, "internal compiler error; see the log")

typedef enum compiler_result_e {
#define COMPILER_RESULT_ENUM(name, text) name,
  COMPILER_RESULT_LIST(COMPILER_RESULT_ENUM)
#undef COMPILER_RESULT_ENUM
} compiler_result_t;

/** Text of a result; never null. */
const char *compiler_result_text(compiler_result_t result);

/** What code is generated for. All strings outlive the modules made for it. */
typedef struct compiler_target_t {
  /** Code generator: the name of a target folder, "host". */
  const char *name;
  /** Space-separated OpenCL C extension names that the device supports ("cl_khr_fp64 cl_khr_..."). */
  const char *extensions;
  /** Space-separated OpenCL C 3.0 feature macros ("__opencl_c_int64 ..."). */
  const char *features;
} compiler_target_t;

/** The value of a specialization constant (SPIR-V): its SpecId, bytes (1 for a bool) and bits. */
typedef struct compiler_specialization_t {
  uint32_t id;
  size_t size;
  uint64_t value;
} compiler_specialization_t;

typedef enum compiler_known_kind_e {
  compiler_known_image,
  compiler_known_sampler,
  /** Every work-group of the launch has this size: the last ones too. */
  compiler_known_local_size,
  /** The bytes behind a local pointer. Of use where the local size is 1 x 1 x 1. */
  compiler_known_local_memory,
} compiler_known_kind_e;

/** What is known at a launch: of an argument, or of the work-groups. */
typedef struct compiler_known_argument_t {
  compiler_known_kind_e kind;
  /** Among the kernel's arguments; 0 for the local size. */
  uint32_t index;
  /** Of an image. */
  mux_image_format_e format;
  mux_sampler_t sampler;
  /** None is 0; 1 in unused dimensions. */
  uint32_t local_size[3];
  uint64_t local_memory;
} compiler_known_argument_t;

/** A header for `#include`, by the name that source uses (clCompileProgram). */
typedef struct compiler_header_t {
  const char *name;
  const char *source;
  size_t length;
} compiler_header_t;

typedef struct compiler_module_s *compiler_module_t;

/** What the result of a compilation depends on besides its arguments, the compiler and the environment. */
typedef struct compiler_dependencies_t {
  /** False when compiling the same again may give something else: the source asks for the time of day. */
  bool is_repeatable;
  /** The files looked at (compiler/dependency.h); the module's. */
  const char *data;
  size_t size;
} compiler_dependencies_t;

/** What a module holds. */
typedef enum compiler_module_kind_e {
  compiler_module_empty,
  /** Result of a compilation: may be linked. */
  compiler_module_object,
  /** Result of linking with -create-library. */
  compiler_module_library,
  /** Linked and finalized: has an executable and program information. */
  compiler_module_executable,
} compiler_module_kind_e;

/** True when the library is where it would be opened. Looks for the file, does not open it. Thread safe. */
bool compiler_is_present(void);

/** What tells this compiler from any other one: the build ids of the driver and of the compiler library, which is not
 * opened. Null when there is no such library, or memory ran out. The caller frees it. Thread safe. */
COMPILER_MUST_CHECK char *compiler_identity(void);

/** An empty module, in a compiler's process or in this one, into which the compiler library is then opened.
 * `target` lives as long as the module. compiler_error_unavailable when there is neither, which need not be so the next
 * time: `*out_reason`, which the caller frees, is then one line that says which path was tried and why; it is null
 * otherwise, and when memory ran out. `out_reason` may be null. Thread safe. */
COMPILER_MUST_CHECK compiler_result_t compiler_module_create(const compiler_target_t *target,
                                                             compiler_module_t *out_module, char **out_reason);
void compiler_module_destroy(compiler_module_t module);

/** Compiles OpenCL C into an empty module, which becomes an object. `options` are those of clCompileProgram or
 * clBuildProgram (link options among them are accepted and kept for finalize). Whatever the result, the log is kept. */
COMPILER_MUST_CHECK compiler_result_t compiler_module_compile_opencl_c(compiler_module_t module, const char *source,
                                                                       size_t length, const char *options,
                                                                       const compiler_header_t *headers,
                                                                       size_t header_count);

/** Imports a SPIR-V module into an empty module, which becomes an object. `options` as above; those for the
 * preprocessor mean nothing. The bytes are checked, never trusted. */
COMPILER_MUST_CHECK compiler_result_t compiler_module_compile_spirv(compiler_module_t module, const void *data,
                                                                    size_t size, const char *options,
                                                                    const compiler_specialization_t *specializations,
                                                                    size_t specialization_count);

/** Links objects and libraries (which stay as they are) into an empty module, which becomes a library when `options`
 * has -create-library, else an object ready to finalize. */
COMPILER_MUST_CHECK compiler_result_t compiler_module_link(compiler_module_t module, const compiler_module_t *inputs,
                                                           size_t input_count, const char *options);

/** Leaves of an object's kernels only this one, for launches that are as `known` says: the executable is made for
 * these, and wrong for others. The object is one that compiler_module_portable gave.
 * compiler_error_invalid_value: not such an object; the kernel has no such argument; only the local size is known, and
 * the kernel never asks for it. */
COMPILER_MUST_CHECK compiler_result_t compiler_module_specialize(compiler_module_t module, const char *kernel,
                                                                 const compiler_known_argument_t *known,
                                                                 size_t known_count);

/** Turns an object into an executable: passes, code generation. Unresolved symbols give link_failure. */
COMPILER_MUST_CHECK compiler_result_t compiler_module_finalize(compiler_module_t module);

/** Kind of what it holds. */
compiler_module_kind_e compiler_module_kind(compiler_module_t module);
/** The log of everything done so far, NUL-terminated, never null. */
const char *compiler_module_log(compiler_module_t module);

/** What everything compiled into the module so far depends on. */
void compiler_module_dependencies(compiler_module_t module, compiler_dependencies_t *out);

/** Executable modules: the binary for muxCreateExecutable. */
COMPILER_MUST_CHECK compiler_result_t compiler_module_executable_binary(compiler_module_t module, const void **out_data,
                                                                        size_t *out_size);
/** Executable modules: encoded program information (compiler/program_info.h). */
COMPILER_MUST_CHECK compiler_result_t compiler_module_program_info(compiler_module_t module, const void **out_data,
                                                                   size_t *out_size);
/** Executable modules: the object that it was made from, as compiler_module_serialize gives one, where kernels of it
 * may be worth specializing (compiler_module_specialize): optimised programs with images, or with barriers and
 * questions for the local size. Else empty. */
COMPILER_MUST_CHECK compiler_result_t compiler_module_portable(compiler_module_t module, const void **out_data,
                                                               size_t *out_size);
/** Objects and libraries: a blob that compiler_module_deserialize reads back in another process. */
COMPILER_MUST_CHECK compiler_result_t compiler_module_serialize(compiler_module_t module, const void **out_data,
                                                                size_t *out_size);
/** Fills an empty module; the blob is checked, never trusted. */
COMPILER_MUST_CHECK compiler_result_t compiler_module_deserialize(compiler_module_t module, const void *data,
                                                                  size_t size);

/** For who works on the compiler: reads LLVM IR in text form, verifies it, runs a pipeline of passes for the target's
 * machine on it (passes/text_pipeline.hpp) and writes it as text, which is the module's. It is empty before and
 * afterwards. compiler_error_compile_failure: the IR is none; compiler_error_invalid_value: there is no such pipeline;
 * compiler_error_unavailable: the module is compiled in another process. The log says what is wrong. */
COMPILER_MUST_CHECK compiler_result_t compiler_module_run_passes(compiler_module_t module, const char *ir,
                                                                 size_t length, const char *passes, bool verify_each,
                                                                 const char **out_ir);

/** Around fork(): the first before it, the second after it on both sides. A child has no compiler of its parent's, and
 * starts its own. The locks of whoever may build are taken before the first, and given back after the second. */
void compiler_before_fork(void);
void compiler_after_fork(bool is_child);

/** What the vectorizer has decided in this process, a line `name: count` for each; null when there is nothing. The
 * caller frees it. Thread safe. */
COMPILER_MUST_CHECK char *compiler_statistics(void);

/** The names of the compiler's own passes, and of those of the target of this name, a line for each; null when there is
 * no compiler. The caller frees it. Thread safe. */
COMPILER_MUST_CHECK char *compiler_pass_names(const char *target);

#ifdef __cplusplus
}
#endif

#endif
