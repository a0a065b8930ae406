/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Changes to a program that leave much of its grammar alone. */
#ifndef OPENCL_C_MUTATION_H
#define OPENCL_C_MUTATION_H

#include "corpus.h"
#include "random.h"
#include "tokens.h"
#include "words.h"

/** Text that mutations make lives here, as long as the tokens that point into it. Zero-initialise to begin. */
typedef struct pool_t {
  struct pool_block_t *blocks;
  unsigned names;
} pool_t;

void pool_free(pool_t *pool);

/** What one mutation has before it: the program, its structure, and where other code comes from. */
typedef struct mutation_t {
  random_t *random;
  const corpus_t *corpus;
  pool_t *pool;
  tokens_t *tokens;
  structure_t structure;
} mutation_t;

/** Makes one change of the program; a program that is too short for the change stays as it is. */
void mutate(tokens_t *tokens, const corpus_t *corpus, pool_t *pool, random_t *random);
/** Leaves one of the kernels of a large program, with all that is no kernel. */
void mutate_shorten(tokens_t *tokens, random_t *random);

/** The changes, each of which does nothing where it finds nothing to change. */
typedef void mutation_function_t(mutation_t *mutation);
mutation_function_t mutate_word, mutate_type, mutate_type_everywhere, mutate_constant, mutate_name, mutate_space;
mutation_function_t mutate_qualifier, mutate_attribute, mutate_pragma, mutate_token, mutate_member_or_element;
mutation_function_t mutate_remove_statement, mutate_copy_statement, mutate_swap_statements, mutate_wrap_statement;
mutation_function_t mutate_add_statement, mutate_nest_statement, mutate_repeat_statement, mutate_foreign_statement;
mutation_function_t mutate_expression, mutate_copy_operand, mutate_deepen_expression, mutate_arguments;
mutation_function_t mutate_foreign_function, mutate_declaration, mutate_copy_function, mutate_kernel;

/* What they share. */

/** A token of code, or of anything where the program has none; the program has one at least. */
size_t mutation_place(mutation_t *mutation);
/** A token of this kind, inside of code where `in_code`; the program's length when none was found. */
size_t mutation_find(mutation_t *mutation, token_kind_e kind, bool in_code);
/** A statement inside of a function; empty when none was found. */
range_t mutation_statement(mutation_t *mutation);
/** An operand inside of a function; empty when none was found. */
range_t mutation_operand(mutation_t *mutation);
/** The tokens of a text with what its $ stand for filled in; `hand` is what $s and $x stand for. Free them. */
tokens_t mutation_expand(mutation_t *mutation, const char *text, const token_t *hand, size_t count);
/** Puts the tokens in the place of a range, and frees them. */
void mutation_replace(mutation_t *mutation, range_t range, tokens_t *tokens);
/** Puts a text in the place of a range; nothing is filled in. */
void mutation_replace_text(mutation_t *mutation, range_t range, const char *text);
/** A copy of some tokens, to be inserted. Free them. */
tokens_t mutation_copy(const token_t *all, range_t range);

#endif
