/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Constructors of program-scope objects. */
#ifndef CL_PROGRAM_CONSTRUCTORS_H
#define CL_PROGRAM_CONSTRUCTORS_H

#include "base/text.h"
#include "cl/program/executable.h"

/** Runs the constructors of an executable's program-scope objects (C++ for OpenCL, SPIR-V's initializers), if it has
 * any and they have not run, and returns when they are done. What they print goes to `sink`. For builds, of which a
 * program has one at a time, and before which nobody gets a kernel or a variable of the executable; not thread safe.
 * `failure_code`, and the reason in `log`, when they fail, now or when they were run before; CL_OUT_OF_HOST_MEMORY. */
cl_int constructors_run(executable_t *executable, const printf_sink_t *sink, cl_int failure_code, text_t *log);

#endif
