/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Refusing a call: the reason goes to the log and to the context's notify function, the code to the caller. */
#include "cl/queueing/refuse.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/log.h"
#include "cl/queueing/context.h"

cl_int refuse(cl_context context, const char *function, cl_int code, const char *format, ...) {
  bool notifies = context && context->notify;
  if (!notifies && !log_enabled(log_api)) return code;
  char sentence[400], message[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  snprintf(message, sizeof message, "%s: %s: %s", function, error_name(code), sentence);
  log_write(log_api, "%s", message);
  if (notifies) context_notify(context, message, NULL, 0);
  return code;
}
