/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Mux: the compute layer between OpenCL and a device target. Specification: docs/mux.md. */
#ifndef MUX_MUX_H
#define MUX_MUX_H

/* Conventions of all functions. A "bad" handle is null, of another kind or of an unknown target, as far as its mux_id_t
 * tells: a destroyed handle is not detected, nor, unless a comment says so, one of another device of the same target.
 * On error no output is written. Where several errors apply, which one is returned is open, but null outputs and
 * callbacks are looked at after the handles and other arguments. Lists of handles and structs belong to the caller, who
 * may change them after the call. A function may return mux_error_internal for a bug of the driver, and
 * mux_error_failure when the device fails in a way that no other code names; the comments do not repeat these two. */

#include "mux/command.h" /* command buffers and commands */
#include "mux/device.h"  /* devices, memory, buffers, images, queues, fences, semaphores */
#include "mux/execute.h" /* queries, executables, kernels, dispatching and waiting */
#include "mux/object.h"  /* public parts of objects */
#include "mux/types.h"   /* results, ids, handles, enumerations, values */

#endif
