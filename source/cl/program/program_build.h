/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Builds: compiling and linking programs. They are done on the calling thread; a program is built by one thread at a
 * time, different programs by several at once. */
#ifndef CL_PROGRAM_PROGRAM_BUILD_H
#define CL_PROGRAM_PROGRAM_BUILD_H

#include "cl/program/program.h"

/** Marks the devices `list` (all of the program when `count` is 0) as being built. CL_INVALID_OPERATION when kernels
 * are attached to the program or another build is under way. */
cl_int program_begin_build(cl_program program, cl_uint count, const cl_device_id *list);

/** The three kinds of build, for the devices that program_begin_build marked; the build is over when they return.
 * `options` is not null. The first error of a device is returned; logs of failures also reach the context's notify
 * function. */

/** From source or IL: compiles, links, generates code. From a binary: takes the executable that was loaded.
 * CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BUILD_OPTIONS, CL_INVALID_BINARY. */
cl_int program_build(cl_program program, const char *options);
/** CL_COMPILE_PROGRAM_FAILURE, CL_INVALID_COMPILER_OPTIONS. */
cl_int program_compile(cl_program program, const char *options, const compiler_header_t *headers, size_t header_count);
/** `inputs` have objects or libraries for all marked devices. CL_LINK_PROGRAM_FAILURE, CL_INVALID_LINKER_OPTIONS. */
cl_int program_link(cl_program program, const char *options, const cl_program *inputs, size_t input_count);

#endif
