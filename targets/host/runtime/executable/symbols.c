/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A sorted table of names, and libmvec by name on demand. */
#include "host/runtime/executable/symbols.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/log.h"
#include "host/abi.h"
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
    SYMBOL(lgamma_r),
    SYMBOL(lgammaf_r),
    SYMBOL(llrint),
    SYMBOL(llrintf),
    SYMBOL(llround),
    SYMBOL(llroundf),
    SYMBOL(lrint),
    SYMBOL(lrintf),
    SYMBOL(lround),
    SYMBOL(lroundf),
    SYMBOL(scalbln),
    SYMBOL(scalblnf),
    SYMBOL(bcmp),
    SYMBOL(bzero),
    SYMBOL(memcmp),
    SYMBOL(memcpy),
    SYMBOL(memmove),
    SYMBOL(memset),
    {"__gnu_f2h_ieee", (function_t)host_half_from_float},
    {"__gnu_h2f_ieee", (function_t)host_half_to_float},
    {"__quern_first_group", (function_t)host_group_first},
    {"__quern_next_group", (function_t)host_group_next},
    {"__quern_printf", (function_t)host_printf},
};

#define SYMBOL_COUNT (sizeof symbols / sizeof *symbols)

static pthread_once_t symbols_once = PTHREAD_ONCE_INIT;

static int symbol_compare(const void *a, const void *b) {
  return strcmp(((const symbol_t *)a)->name, ((const symbol_t *)b)->name);
}

static void symbols_sort(void) { qsort(symbols, SYMBOL_COUNT, sizeof *symbols, symbol_compare); }

static uint64_t fixed_symbol_find(const char *name) {
  symbol_t key = {.name = name};
  pthread_once(&symbols_once, symbols_sort);
  const symbol_t *found = bsearch(&key, symbols, SYMBOL_COUNT, sizeof key, symbol_compare);
  return found ? (uint64_t)found->function : 0;
}

/* ---------------------------------------------------------------- libmvec */

static void *vector_library;
static pthread_once_t vector_library_once = PTHREAD_ONCE_INIT;

/* Never closed: kernels hold its addresses, and a process ends with it. */
static void vector_library_open(void) {
  vector_library = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!vector_library) log_write(log_loader, "no vector math library: %s", dlerror());
}

/* _ZGV, instruction set, N (no mask), lanes, one v per argument, underscore, name. */
static bool is_vector_name(const char *name) {
  if (strncmp(name, "_ZGV", 4) || !name[4] || !strchr("bcde", name[4]) || name[5] != 'N') return false;
  size_t digits = strspn(name + 6, "0123456789");
  size_t arguments = strspn(name + 6 + digits, "v");
  return digits && arguments && name[6 + digits + arguments] == '_';
}

static uint64_t vector_symbol_find(const char *name) {
  pthread_once(&vector_library_once, vector_library_open);
  return vector_library ? (uint64_t)dlsym(vector_library, name) : 0;
}

uint64_t host_symbol_find(const char *name) {
  return is_vector_name(name) ? vector_symbol_find(name) : fixed_symbol_find(name);
}
