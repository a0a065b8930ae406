/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A growing string. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Zero-initialise to begin. `data` is null or NUL-terminated with `length` bytes before the NUL. Once memory ran out,
 * `failed` stays set and appending does nothing, so that a caller may check once at the end. */
typedef struct text_t {
  char *data;
  size_t length, capacity;
  bool failed;
} text_t;

void text_append(text_t *text, const char *string);
void text_append_bytes(text_t *text, const char *bytes, size_t length);
void text_appendf(text_t *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_appendf_v(text_t *text, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));
/** The string, "" when empty; owned by `text`. */
const char *text_string(const text_t *text);
/** Frees the storage and empties the text. */
void text_free(text_t *text);

#ifdef __cplusplus
}
#endif

#endif
