/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Refusing calls, with the reason. */
#ifndef CL_QUEUEING_REFUSE_H
#define CL_QUEUEING_REFUSE_H

#include "cl/object/object.h"

/** Logs why a call is refused (QUERN_DEBUG=api), tells the context's notify function when `context` is not null, and
 * returns `code`. */
cl_int refuse(cl_context context, const char *function, cl_int code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/** Refuses the call of entry point `function` (`__func__`, or another one's name in functions that check on its
 * behalf). `...` is a printf sentence. */
#define REFUSE(function, context, code, ...)                  \
  do {                                                        \
    (void)refuse((context), (function), (code), __VA_ARGS__); \
    return (code);                                            \
  } while (0)
/** Refuses it unless `condition` holds: validation at the top of every entry point. */
#define REQUIRE(condition, function, context, code, ...)                  \
  do {                                                                    \
    if (!(condition)) REFUSE((function), (context), (code), __VA_ARGS__); \
  } while (0)

#endif
