/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Termination of contexts (cl_khr_terminate_context). */
#ifndef CL_QUEUEING_TERMINATE_H
#define CL_QUEUEING_TERMINATE_H

#include "cl/object/object.h"

/** Ends all commands of the context, those that run too, with CL_CONTEXT_TERMINATED_KHR, and calls the context's notify
 * function. Does not wait for the ends. False when it was terminated before. No lock may be held; thread safe. */
bool context_terminate(cl_context context);

/** CL_SUCCESS, CL_INVALID_CONTEXT, or CL_CONTEXT_TERMINATED_KHR: for calls that make objects or commands. */
cl_int context_validate(const char *function, cl_context context);

#endif
