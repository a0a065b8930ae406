/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A growing string. */
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Makes room for `length` more bytes and the NUL. */
static bool reserve(text_t *text, size_t length) {
  size_t needed;
  if (text->failed) return false;
  text->failed = !size_add(text->length, length, &needed) || !size_add(needed, (size_t)1, &needed) ||
                 !array_reserve(&text->data, &text->capacity, needed, 1);
  return !text->failed;
}

void text_append_bytes(text_t *text, const char *bytes, size_t length) {
  if (!length || !reserve(text, length)) return;
  memcpy(text->data + text->length, bytes, length);
  text->length += length;
  text->data[text->length] = '\0';
}

void text_append(text_t *text, const char *string) { text_append_bytes(text, string, strlen(string)); }

void text_appendf_v(text_t *text, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  if (length < 0) {
    text->failed = true;
  } else if (length && reserve(text, (size_t)length)) {
    vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
}

void text_appendf(text_t *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_appendf_v(text, format, arguments);
  va_end(arguments);
}

const char *text_string(const text_t *text) { return text->data ? text->data : ""; }

void text_free(text_t *text) {
  free(text->data);
  *text = (text_t){0};
}
