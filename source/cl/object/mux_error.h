/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The one place where Mux and compiler results become OpenCL error codes, and the allocator given to Mux. */
#ifndef CL_OBJECT_MUX_ERROR_H
#define CL_OBJECT_MUX_ERROR_H

#include "cl/object/object.h"
#include "compiler/compiler.h"
#include "mux/mux.h"

/** OpenCL code of a Mux result; `fallback` where the result says no more than that it failed or was refused. */
cl_int error_from_mux(mux_result_t result, cl_int fallback);
/** OpenCL code of a compiler result, for clBuildProgram (`build`), clCompileProgram, clLinkProgram. */
cl_int error_from_compiler(compiler_result_t result, cl_int failure_code);

/** malloc-based allocator for every Mux object. */
mux_allocator_info_t mux_allocator(void);

#endif
