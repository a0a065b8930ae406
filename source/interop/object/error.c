/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Results and the calling thread's error message. */
#include "interop/object/error.h"

#include <stdarg.h>
#include <stdio.h>

/* Fixed storage: telling of an error must not need memory, nor leak with the thread. */
static _Thread_local char message[interop_message_capacity];

void interop_message_set(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof(message), format, arguments);
  va_end(arguments);
}

const char *quern_last_error_message(void) { return message; }

const char *quern_result_text(quern_result_t result) {
  static const char *const texts[quern_result_total] = {
#define RESULT_TEXT(name, text) [name] = (text),
      QUERN_RESULT_LIST(RESULT_TEXT)
#undef RESULT_TEXT
  };
  return (unsigned)result < quern_result_total ? texts[result] : "not a result of this library";
}
