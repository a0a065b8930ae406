/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Names of results, and the note of a refused call. */
#include "base/log.h"
#include "mux/validate.h"

const char *muxResultName(mux_result_t result) {
  switch (result) {
#define RESULT_NAME(name, value, text) \
  case name: return #name;
    MUX_RESULT_LIST(RESULT_NAME)
#undef RESULT_NAME
  }
  return "unknown mux_result_t";
}

mux_result_t mux_refuse(const char *function, mux_result_t result, const char *reason) {
  log_write(log_api, "%s: %s (%s)", function, reason, muxResultName(result));
  return result;
}
