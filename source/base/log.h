/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Diagnostics by category, switched by QUERN_DEBUG. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Categories: name in QUERN_DEBUG, what they print. `error` is on by default. */
#define LOG_CATEGORY_LIST(X)                                     \
  X(error, "why a call was refused or failed inside the driver") \
  X(api, "every OpenCL error returned, with its reason")         \
  X(queue, "batching, dispatch and completion of commands")      \
  X(memory, "allocation and release")                            \
  X(compiler, "builds, passes and code generation, with times")  \
  X(loader, "object code loading, the compiler library")         \
  X(cache, "the cache of compiled programs")                     \
  X(threads, "worker threads and scheduling")                    \
  X(refcounts, "object creation and destruction")

typedef enum log_category_e {
#define LOG_CATEGORY_ENUM(name, text) log_##name,
  LOG_CATEGORY_LIST(LOG_CATEGORY_ENUM)
#undef LOG_CATEGORY_ENUM
      log_category_count
} log_category_e;

/** True when the category is printed; cheap (one load after the first call). Thread safe. */
bool log_enabled(log_category_e category);

/** Prints one line `quern: <category>: <text>` to stderr when the category is enabled. Thread safe; keeps errno. */
void log_write(log_category_e category, const char *format, ...) __attribute__((format(printf, 2, 3)));
void log_write_v(log_category_e category, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

/** Prints one line `quern: <text>` to stderr whatever QUERN_DEBUG says: for what the user must see. */
void log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Where lines go from now on instead of to stderr: for a process whose stderr nobody reads. `line` has `length` bytes,
 * the last one a newline; the function is called from any thread. Before the first line; for one thread. */
void log_redirect(void (*print)(const char *line, size_t length));

#ifdef __cplusplus
}
#endif

#endif
