/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Makes random programs. The same seed gives the same program, on every machine. */
#ifndef KERNELS_GRAMMAR_GENERATE_H
#define KERNELS_GRAMMAR_GENERATE_H

#include "program.h"

/** Fills an empty program; program_free it. Its statements that a smaller program may go without are droppable. */
void generate(program_t *program, uint64_t seed);

/* ---------------------------------------------------------------- between its files */

enum { MAX_SCOPE = 160 };

typedef struct generator_t {
  program_t *program;
  uint64_t state; /* of the random numbers */
  function_t *function;
  variable_t *scope[MAX_SCOPE];
  unsigned scope_count, name_count;
  unsigned nesting, budget; /* of statements */
  unsigned index_nesting;   /* of indices in indices */
  bool is_uniform;          /* all work-items of a group come here */
  bool wants_uniform;       /* the expression must be the same for all of them */
  bool is_pure;             /* in a function whose value depends on its arguments alone */
  bool may_return;          /* all together or, in pure functions and in the tail, each as it likes */
  bool is_tail;             /* no barrier follows in the kernel */
  bool in_loop, in_breakable, is_loop_uniform, is_breakable_uniform;
  variable_t *cell; /* local memory that atomics may change, and how */
  atomic_t cell_atomic;
  variable_t *item, *lane, *group_size; /* the linear ids, and how many work-items the group has */
  variable_t *tiles[4], *slots, *cells[2];
  unsigned tile_count;
  variable_t *outputs[4];
  unsigned output_count, outputs_of_item;
  variable_t *totals; /* global memory that atomics change */
  atomic_t total_atomics[8];
} generator_t;

uint64_t random_bits(generator_t *g);
/** 0 to limit - 1. */
unsigned random_below(generator_t *g, unsigned limit);
/** True in so many of a hundred cases. */
bool random_chance(generator_t *g, unsigned percent);

scalar_t random_scalar(generator_t *g);
scalar_t random_integer_scalar(generator_t *g);
const type_t *random_number_type(generator_t *g);
const type_t *random_integer_type(generator_t *g);
/** A value as programs have them: small ones, edges of the type, random bits. */
void random_value(generator_t *g, value_t *out);

variable_t *new_variable(generator_t *g, const char *prefix, const type_t *type, space_t space);
/** A private variable of the function, with a place in its frame; not yet in scope. */
variable_t *new_private(generator_t *g, const char *prefix, const type_t *type);
void enter_scope(generator_t *g, variable_t *variable);

expression_t *new_expression(generator_t *g, expression_kind_t kind, const type_t *type);
expression_t *make_variable(generator_t *g, variable_t *variable);
expression_t *make_constant(generator_t *g, const type_t *type, int64_t integer);
expression_t *make_binary(generator_t *g, operator_t op, expression_t *left, expression_t *right);
expression_t *make_convert(generator_t *g, const type_t *type, expression_t *operand);
expression_t *make_element(generator_t *g, expression_t *array, expression_t *index);
expression_t *make_member(generator_t *g, expression_t *object, unsigned index);
expression_t *make_address(generator_t *g, expression_t *object, space_t space);
expression_t *make_query(generator_t *g, query_t query, unsigned dimension);

/** A random expression of a number's type. */
expression_t *random_expression(generator_t *g, const type_t *type, unsigned depth);
/** One that is the same for all work-items of a group. */
expression_t *random_uniform(generator_t *g, const type_t *type, unsigned depth);
/** Of type int, as if and ?: want it; in uniform contexts one that often holds for all. */
expression_t *random_condition(generator_t *g, bool for_all);
/** A number in a variable of the scope that may be written; null: there is none. */
expression_t *random_target(generator_t *g);
/** What an expression of one number's type becomes as another. */
expression_t *adapt(generator_t *g, expression_t *expression, const type_t *type);
expression_t *random_image_read(generator_t *g, unsigned depth);
/** Arguments for a call from here; false: there are none for some parameter. */
bool random_arguments(generator_t *g, function_t *function, expression_t **out, unsigned depth);

statement_t *new_statement(generator_t *g, statement_kind_t kind);
void block_add(generator_t *g, block_t *block, statement_t *statement);
statement_t *add_statement(generator_t *g, block_t *block, statement_kind_t kind);
statement_t *add_declaration(generator_t *g, block_t *block, variable_t *variable, expression_t *value);
statement_t *add_assignment(generator_t *g, block_t *block, expression_t *target, expression_t *value);
/** A few statements of any kind that the place allows. */
void random_block(generator_t *g, block_t *block, unsigned count);
void random_declaration(generator_t *g, block_t *block);
/** Phases between barriers; false: this kind cannot be had here. */
bool random_exchange(generator_t *g, block_t *block);
bool random_slots(generator_t *g, block_t *block);
bool random_cell(generator_t *g, block_t *block);
bool random_collective(generator_t *g, block_t *block);
bool random_group_call(generator_t *g, block_t *block);
void add_barrier(generator_t *g, block_t *block);
/** Control flow. */
void random_if(generator_t *g, block_t *block);
void random_loop(generator_t *g, block_t *block);
void random_switch(generator_t *g, block_t *block);
void random_duff(generator_t *g, block_t *block);
void random_jump(generator_t *g, block_t *block);

/** At least the work-items of a group: a power of two, so that indices can be taken modulo it. */
size_t group_room(const program_t *program);
/** What functions with barriers take local memory of. */
const type_t *random_tile_element(generator_t *g);

void random_functions(generator_t *g);
void random_kernel_arguments(generator_t *g);

#endif
