/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A sorted table of names. */
#include "host/runtime/executable/symbols.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "host/abi.h"
#include "host/runtime/executable/bfloat.h"
#include "host/runtime/executable/half.h"

/* Only the addresses are used, so the types do not matter. */
#define COMPILER_HELPER(name) extern void name(void);
#include "host/runtime/executable/compiler_helpers.def"
#undef COMPILER_HELPER

typedef void (*function_t)(void);

typedef struct symbol_t {
  const char *name;
  function_t function;
} symbol_t;

#define SYMBOL(name) {#name, (function_t)name}

/* Sorted at the first search. */
static symbol_t symbols[] = {
#define C_FUNCTION(name) SYMBOL(name), SYMBOL(name##f),
#include "host/c_library.def"
#undef C_FUNCTION
#define COMPILER_HELPER(name) SYMBOL(name),
#include "host/runtime/executable/compiler_helpers.def"
#undef COMPILER_HELPER
    SYMBOL(bcmp),
    SYMBOL(bzero),
    SYMBOL(memcmp),
    SYMBOL(memcpy),
    SYMBOL(memmove),
    SYMBOL(memset),
    {"__gnu_f2h_ieee", (function_t)host_half_from_float},
    {"__gnu_h2f_ieee", (function_t)host_half_to_float},
    {"__truncsfbf2", (function_t)host_bfloat_from_float},
    {"__truncdfbf2", (function_t)host_bfloat_from_double},
    {"__quern_first_group", (function_t)host_group_first},
    {"__quern_next_group", (function_t)host_group_next},
    {"__quern_printf", (function_t)host_printf},
    {"__quern_clock", (function_t)host_clock},
    {"__quern_assert_fail", (function_t)host_assert_fail},
};

#define SYMBOL_COUNT (sizeof symbols / sizeof *symbols)

static pthread_once_t symbols_once = PTHREAD_ONCE_INIT;

static int symbol_compare(const void *a, const void *b) {
  return strcmp(((const symbol_t *)a)->name, ((const symbol_t *)b)->name);
}

static void symbols_sort(void) { qsort(symbols, SYMBOL_COUNT, sizeof *symbols, symbol_compare); }

uint64_t host_symbol_find(const char *name) {
  symbol_t key = {.name = name};
  pthread_once(&symbols_once, symbols_sort);
  const symbol_t *found = bsearch(&key, symbols, SYMBOL_COUNT, sizeof key, symbol_compare);
  return found ? (uint64_t)found->function : 0;
}
