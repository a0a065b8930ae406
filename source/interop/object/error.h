/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The calling thread's error message. */
#ifndef INTEROP_OBJECT_ERROR_H
#define INTEROP_OBJECT_ERROR_H

#include "quern/result.h"

enum { interop_message_capacity = 512 };

/** Makes the text the calling thread's message; longer ones are cut. Thread safe. */
void interop_message_set(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Sets the message and is the result: `return interop_fail(...)`. A macro, so that whoever reads the caller, compilers
 * too, sees which result it is. */
#define interop_fail(result, ...) (interop_message_set(__VA_ARGS__), (result))

/** interop_fail for running out of memory. */
#define interop_fail_memory() interop_fail(quern_error_out_of_memory, "out of memory")

#endif
