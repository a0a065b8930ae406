/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which change is made, and what changes share. */
#include "mutation.h"

#include <stdlib.h>
#include <string.h>

enum { tries = 32, length_limit = 40000 };

/* ------------------------------------------------------------ text */

typedef struct pool_block_t {
  struct pool_block_t *next;
  char text[];
} pool_block_t;

static const char *pool_keep(pool_t *pool, const char *text, size_t length) {
  pool_block_t *block = malloc(sizeof *block + length + 1);
  if (!block) abort();
  block->next = pool->blocks;
  memcpy(block->text, text, length);
  block->text[length] = 0;
  pool->blocks = block;
  return block->text;
}

void pool_free(pool_t *pool) {
  for (pool_block_t *block = pool->blocks, *next; block; block = next) {
    next = block->next;
    free(block);
  }
  *pool = (pool_t){0};
}

/* ------------------------------------------------------------ places */

size_t mutation_place(mutation_t *mutation) {
  size_t place = 0;
  for (int i = 0; i < tries; i++) {
    place = random_below(mutation->random, mutation->tokens->count);
    if (structure_is_code(mutation->tokens, &mutation->structure, place)) break;
  }
  return place;
}

size_t mutation_find(mutation_t *mutation, token_kind_e kind, bool in_code) {
  for (int i = 0; i < tries; i++) {
    const size_t place = random_below(mutation->random, mutation->tokens->count);
    if (mutation->tokens->all[place].kind != kind) continue;
    if (!in_code || structure_is_code(mutation->tokens, &mutation->structure, place)) return place;
  }
  return mutation->tokens->count;
}

range_t mutation_statement(mutation_t *mutation) {
  for (int i = 0; i < tries; i++) {
    const size_t place = mutation_place(mutation);
    const range_t range = structure_statement(mutation->tokens, &mutation->structure, place);
    if (range.begin < range.end && structure_is_code(mutation->tokens, &mutation->structure, range.begin)) return range;
  }
  return (range_t){0};
}

range_t mutation_operand(mutation_t *mutation) {
  for (int i = 0; i < tries; i++) {
    const size_t place = mutation_place(mutation);
    const range_t range = structure_operand(mutation->tokens, &mutation->structure, place);
    if (range.begin < range.end && structure_is_code(mutation->tokens, &mutation->structure, range.begin)) return range;
  }
  return (range_t){0};
}

/* ------------------------------------------------------------ templates */

static void append_range(mutation_t *mutation, range_t range, text_t *out) {
  tokens_print(mutation->tokens->all + range.begin, range.end - range.begin, out);
  while (out->length && out->data[out->length - 1] == '\n') out->data[--out->length] = 0;
}

static void append_word(mutation_t *mutation, text_t *out) {
  const size_t place = mutation_find(mutation, token_word, true);
  if (place < mutation->tokens->count) append_range(mutation, (range_t){place, place + 1}, out);
}

static void append_filling(mutation_t *mutation, char letter, unsigned name, const text_t *hand, text_t *out) {
  switch (letter) {
    case 'e': append_range(mutation, mutation_operand(mutation), out); break;
    case 'i': append_word(mutation, out); break;
    case 't': text_append(out, word_pick(&word_types, mutation->random)); break;
    case 'c': text_append(out, word_pick(&word_constants, mutation->random)); break;
    case 'n': text_appendf(out, "fuzz%u", name); break;
    default: text_append(out, text_string(hand)); break;
  }
}

/* Directives are lines of their own. */
tokens_t mutation_expand(mutation_t *mutation, const char *text, const token_t *hand, size_t count) {
  text_t filled = {0}, hand_text = {0};
  const unsigned name = mutation->pool->names++;
  if (hand) tokens_print(hand, count, &hand_text);
  if (*text == '#') text_append(&filled, "\n");
  for (; *text; text++) {
    if (*text == '$' && text[1]) {
      append_filling(mutation, *++text, name, &hand_text, &filled);
    } else {
      text_append_bytes(&filled, text, 1);
    }
  }
  tokens_t tokens = {0};
  tokens_parse(&tokens, pool_keep(mutation->pool, text_string(&filled), filled.length), filled.length);
  text_free(&filled);
  text_free(&hand_text);
  return tokens;
}

void mutation_replace(mutation_t *mutation, range_t range, tokens_t *tokens) {
  tokens_remove(mutation->tokens, range);
  tokens_insert(mutation->tokens, range.begin, tokens->all, tokens->count);
  tokens_free(tokens);
}

void mutation_replace_text(mutation_t *mutation, range_t range, const char *text) {
  tokens_t tokens = {0};
  tokens_parse(&tokens, text, strlen(text));
  mutation_replace(mutation, range, &tokens);
}

tokens_t mutation_copy(const token_t *all, range_t range) {
  tokens_t copy = {0};
  if (range.begin < range.end) tokens_insert(&copy, 0, all + range.begin, range.end - range.begin);
  return copy;
}

/* ------------------------------------------------------------ the choice */

static const struct {
  mutation_function_t *function;
  unsigned weight;
} functions[] = {
    {mutate_word, 8},
    {mutate_type, 8},
    {mutate_type_everywhere, 4},
    {mutate_constant, 8},
    {mutate_name, 4},
    {mutate_space, 3},
    {mutate_qualifier, 2},
    {mutate_attribute, 4},
    {mutate_pragma, 2},
    {mutate_token, 3},
    {mutate_member_or_element, 2},
    {mutate_remove_statement, 4},
    {mutate_copy_statement, 5},
    {mutate_swap_statements, 4},
    {mutate_wrap_statement, 12},
    {mutate_add_statement, 10},
    {mutate_nest_statement, 2},
    {mutate_repeat_statement, 1},
    {mutate_foreign_statement, 2},
    {mutate_expression, 10},
    {mutate_copy_operand, 6},
    {mutate_deepen_expression, 1},
    {mutate_arguments, 2},
    {mutate_foreign_function, 3},
    {mutate_declaration, 4},
    {mutate_copy_function, 1},
    {mutate_kernel, 1},
};

static mutation_function_t *choose(random_t *random) {
  unsigned sum = 0;
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) sum += functions[i].weight;
  size_t left = random_below(random, sum), i = 0;
  while (left >= functions[i].weight) left -= functions[i++].weight;
  return functions[i].function;
}

void mutate(tokens_t *tokens, const corpus_t *corpus, pool_t *pool, random_t *random) {
  if (!tokens->count) return;
  mutation_t mutation = {.random = random, .corpus = corpus, .pool = pool, .tokens = tokens};
  mutation.structure = structure_of(tokens);
  /* A program that has grown long shrinks again. */
  (tokens->count > length_limit ? mutate_remove_statement : choose(random))(&mutation);
  structure_free(&mutation.structure);
}
