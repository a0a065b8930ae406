/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the compiler makes of programs, for one device at a time; the program's state is not touched. */
#ifndef CL_OBJECT_PROGRAM_COMPILE_H
#define CL_OBJECT_PROGRAM_COMPILE_H

#include "cl/object/program.h"

/** The log is there after failures too, the rest only after success. The receiver owns all of it. */
typedef struct program_result_t {
  cl_int error;
  char *log;
  cl_program_binary_type type;
  binary_t *binary;
  executable_t *executable;
} program_result_t;

/** Source or intermediate language to executable. */
void compile_executable(cl_program program, cl_device_id device, const char *options, program_result_t *out_result);
/** Source or intermediate language to object. */
void compile_object(cl_program program, cl_device_id device, const char *options, const compiler_header_t *headers,
                    size_t header_count, program_result_t *out_result);
/** Objects and libraries to an executable or library. */
void link_programs(cl_device_id device, const char *options, const cl_program *inputs, size_t input_count,
                   program_result_t *out_result);

#endif
