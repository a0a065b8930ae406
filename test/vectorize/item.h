/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Work-items written once, as text that is both C and OpenCL C.
 *
 *   ITEM(double_it, { out[g] = 2 * in[g]; })
 *
 * is a function of C that computes what one work-item does, and the source of a kernel that calls the same function.
 * Inside, `in` and `out` are arrays of ITEM_ELEMENTS uints, `n` is the same for all work-items and `g` the work-item's
 * number. A work-item writes what no other one reads or writes. Arithmetic is unsigned, so that it wraps. */
#ifndef VECTORIZE_ITEM_H
#define VECTORIZE_ITEM_H

#include "test_il.h"

enum { ITEM_ELEMENTS = 4096, ITEM_COUNT = 140 };

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#define global
#define private

typedef void item_function_t(const uint *in, uint *out, uint n, uint g);

typedef struct item_t {
  const char *name, *source;
  item_function_t *function;
  /** Why it does not go through SPIR-V; null when it does. */
  const char *not_il;
} item_t;

/** Clang 22 forgets the sign of what integers are converted from. */
#define ITEM_CLANG_CONVERTS_WRONG "Clang 22 takes the sign of an integer's conversion from the result alone"

#define ITEM(NAME, ...) ITEM_CALLING(NAME, (), __VA_ARGS__)

/** The same with functions that the work-item calls, in parentheses:
 *
 *   ITEM_CALLING(double_it, (uint twice(uint x) { return 2 * x; }), { out[g] = twice(in[g]); }) */
#define ITEM_CALLING(NAME, FUNCTIONS, ...)                                                                           \
  ITEM_TEXT FUNCTIONS static void NAME##_item(const uint *in, uint *out, uint n, uint g)                             \
      __VA_ARGS__ static const item_t NAME = {                                                                       \
        #NAME,                                                                                                       \
        ITEM_STRING FUNCTIONS "\nvoid " #NAME                                                                        \
                              "_item(global const uint *in, global uint *out, uint n, uint g) " #__VA_ARGS__         \
                              "\nkernel void " #NAME "(global const uint *in, global uint *out, uint n) {\n  " #NAME \
                              "_item(in, out, n, get_global_id(0));\n}\n",                                           \
        NAME##_item,                                                                                                 \
        NULL,                                                                                                        \
      };
#define ITEM_TEXT(...) __VA_ARGS__
#define ITEM_STRING(...) #__VA_ARGS__

/** Runs the kernel for several sizes of work-groups and values of n; the test fails at the first element of `out` that
 * differs from what C says. */
void item_run(const item_t *item);

/** A test case of cmocka for an ITEM. */
#define ITEM_TEST(NAME) {#NAME, run_item, NULL, NULL, (void *)(uintptr_t)&(NAME)}
#define DEFINE_RUN_ITEM \
  static void run_item(void **state) { item_run(*state); }

#endif
