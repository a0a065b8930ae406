/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The calling thread's error message. */
#ifndef INTEROP_ERROR_H
#define INTEROP_ERROR_H

#include "quern/result.h"

enum { interop_message_capacity = 512 };

/** Makes the text the calling thread's message and returns `result`, so that a function can `return interop_fail(...)`.
 * Longer texts are cut. Thread safe. */
QUERN_MUST_CHECK quern_result_t interop_fail(quern_result_t result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** interop_fail for running out of memory. */
QUERN_MUST_CHECK quern_result_t interop_fail_memory(void);

#endif
