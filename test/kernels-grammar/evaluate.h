/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Runs a program's syntax tree: the reference, which has nothing of a compiler.
 *
 * All work-items of a group run each statement together, those whose way leads there; barriers need nothing more. What
 * work-items do between two barriers does not depend on their order, which the generator sees to: any order will do. */
#ifndef KERNELS_GRAMMAR_EVALUATE_H
#define KERNELS_GRAMMAR_EVALUATE_H

#include "program.h"

/** Runs the whole ND-range: from the arguments' initial contents into their expected ones. Marks what is repaired.
 * Fails the test where a barrier is met by a part of a group alone, which would be the generator's fault. False when
 * the program runs for too long. */
bool evaluate(program_t *program);

/* ---------------------------------------------------------------- between its files */

/** Work-items of a group. */
typedef struct mask_t {
  uint64_t words[MAX_GROUP / 64];
} mask_t;

typedef struct item_t {
  size_t local[3];
  unsigned index;
  unsigned char *frame, *top; /* of the function that runs, and behind it */
} item_t;

typedef struct group_t {
  program_t *program;
  size_t id[3], size[3];
  unsigned count;
  item_t items[MAX_GROUP];
  mask_t all, broken, continued;
  unsigned char *local;
  unsigned char *stacks;
  uint64_t steps; /* left, of statements by work-items */
} group_t;

static inline bool mask_has(const mask_t *mask, unsigned item) { return mask->words[item / 64] >> item % 64 & 1; }
static inline void mask_add(mask_t *mask, unsigned item) { mask->words[item / 64] |= UINT64_C(1) << item % 64; }
static inline bool mask_is_empty(mask_t mask) {
  return !(mask.words[0] | mask.words[1] | mask.words[2] | mask.words[3]);
}
static inline bool mask_equals(mask_t a, mask_t b) { return memcmp(&a, &b, sizeof(a)) == 0; }
static inline mask_t mask_or(mask_t a, mask_t b) {
  for (unsigned i = 0; i < MAX_GROUP / 64; i++) a.words[i] |= b.words[i];
  return a;
}
static inline mask_t mask_and_not(mask_t a, mask_t b) {
  for (unsigned i = 0; i < MAX_GROUP / 64; i++) a.words[i] &= ~b.words[i];
  return a;
}

/** The work-items that go on behind the block. */
mask_t execute_block(group_t *group, block_t *block, mask_t mask);
/** One work-item's value of an expression. */
void evaluate_expression(group_t *group, item_t *item, expression_t *expression, value_t *out);
/** Where an lvalue lies. */
unsigned char *evaluate_address(group_t *group, item_t *item, expression_t *expression);
/** Writes a value into an lvalue, a swizzle of a vector too. */
void evaluate_store(group_t *group, item_t *item, expression_t *target, const value_t *value);
/** Writes an argument into a function's frame: its value or, for a reference, its address. */
void evaluate_parameter(group_t *group, item_t *item, const variable_t *parameter, expression_t *argument,
                        unsigned char *frame);
size_t evaluate_query(const group_t *group, const item_t *item, query_t query, unsigned dimension);
/** The argument that a parameter of the kernel stands for. */
argument_t *evaluate_image(group_t *group, const variable_t *variable);

#endif
