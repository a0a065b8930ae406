/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * External symbols that generated code may leave to the runtime. */
#include <string.h>

#include "host/codegen/codegen.h"

static const char *const symbols[] = {
#define C_FUNCTION(name) #name, #name "f",
#include "host/c_library.def"
#undef C_FUNCTION
    "__quern_printf",
    "__quern_clock",
    "__quern_assert_fail",
};

bool host_has_symbol(const char *name) {
  for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
    if (!strcmp(name, symbols[i])) return true;
  }
  return false;
}
