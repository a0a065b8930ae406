/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the compiler makes of programs, for one device at a time; the program's state is not touched. */
#ifndef CL_PROGRAM_PROGRAM_COMPILE_H
#define CL_PROGRAM_PROGRAM_COMPILE_H

#include "base/text.h"
#include "cl/program/program.h"

/** The log is there after failures too, the rest only after success. The receiver owns all of it. */
typedef struct program_result_t {
  cl_int error;
  char *log;
  cl_program_binary_type type;
  binary_t *binary;
  executable_t *executable;
  /** What it depends on besides the arguments (compiler/dependency.h), and whether compiling again would give the
   * same. */
  text_t dependencies;
  bool is_repeatable;
} program_result_t;

/** One kernel of an executable anew, for launches with these arguments: `portable` is the executable's. */
void compile_variant(cl_device_id device, const void *portable, size_t portable_size, const char *kernel,
                     const compiler_known_argument_t *known, size_t known_count, program_result_t *out_result);

/** The input's object or library for `device`, held; null when it has none (any more). */
binary_t *program_input_binary(cl_program input, cl_device_id device);

/** Source or intermediate language to executable. */
void compile_executable(cl_program program, cl_device_id device, const char *options, program_result_t *out_result);
/** Source or intermediate language to object. */
void compile_object(cl_program program, cl_device_id device, const char *options, const compiler_header_t *headers,
                    size_t header_count, program_result_t *out_result);
/** Objects and libraries to an executable or library. */
void link_programs(cl_device_id device, const char *options, const cl_program *inputs, size_t input_count,
                   program_result_t *out_result);

#endif
