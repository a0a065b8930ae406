/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Changes of statements and expressions. */
#include <string.h>

#include "mutation.h"

enum { depth_limit = 48, repeat_limit = 200, parenthesis_limit = 400 };

static bool is_empty(range_t range) { return range.begin >= range.end; }

static size_t length_of(range_t range) { return range.end - range.begin; }

/* ------------------------------------------------------------ statements */

void mutate_remove_statement(mutation_t *mutation) { tokens_remove(mutation->tokens, mutation_statement(mutation)); }

/** To another place, or behind itself. */
void mutate_copy_statement(mutation_t *mutation) {
  const range_t from = mutation_statement(mutation);
  const range_t to = random_once_in(mutation->random, 3) ? from : mutation_statement(mutation);
  tokens_t copy = mutation_copy(mutation->tokens->all, from);
  mutation_replace(mutation, (range_t){to.begin, to.begin}, &copy);
}

void mutate_swap_statements(mutation_t *mutation) {
  range_t first = mutation_statement(mutation), second = mutation_statement(mutation);
  if (first.begin > second.begin) {
    const range_t swapped = first;
    first = second;
    second = swapped;
  }
  if (is_empty(first) || is_empty(second) || first.end > second.begin) return;
  tokens_t first_copy = mutation_copy(mutation->tokens->all, first);
  tokens_t second_copy = mutation_copy(mutation->tokens->all, second);
  mutation_replace(mutation, second, &first_copy);
  mutation_replace(mutation, first, &second_copy);
}

static void wrap(mutation_t *mutation, range_t range, const char *wrapper) {
  tokens_t wrapped = mutation_expand(mutation, wrapper, mutation->tokens->all + range.begin, length_of(range));
  mutation_replace(mutation, range, &wrapped);
}

void mutate_wrap_statement(mutation_t *mutation) {
  const range_t range = mutation_statement(mutation);
  if (!is_empty(range)) wrap(mutation, range, word_pick(&word_wrappers, mutation->random));
}

void mutate_add_statement(mutation_t *mutation) {
  const range_t range = mutation_statement(mutation);
  if (is_empty(range)) return;
  tokens_t added = mutation_expand(mutation, word_pick(&word_statements, mutation->random), NULL, 0);
  const size_t place = random_once_in(mutation->random, 2) ? range.begin : range.end;
  mutation_replace(mutation, (range_t){place, place}, &added);
}

/* A wrapper that repeats what it wraps would make a program of any length. */
static const char *narrow_wrapper(mutation_t *mutation) {
  for (;;) {
    const char *wrapper = word_pick(&word_wrappers, mutation->random);
    const char *hand = strstr(wrapper, "$s");
    if (!strstr(hand + 2, "$s")) return wrapper;
  }
}

void mutate_nest_statement(mutation_t *mutation) {
  const size_t depth = 2 + random_below(mutation->random, random_once_in(mutation->random, 4) ? depth_limit : 6);
  range_t range = mutation_statement(mutation);
  if (is_empty(range)) return;
  const char *wrapper = narrow_wrapper(mutation);
  for (size_t i = 0; i < depth; i++) {
    const size_t before = mutation->tokens->count;
    wrap(mutation, range, wrapper);
    range.end += mutation->tokens->count - before;
    structure_free(&mutation->structure);
    mutation->structure = structure_of(mutation->tokens);
  }
}

void mutate_repeat_statement(mutation_t *mutation) {
  const range_t range = mutation_statement(mutation);
  const size_t times = 2 + random_below(mutation->random, repeat_limit);
  if (is_empty(range) || length_of(range) * times > 20000) return;
  tokens_t copy = mutation_copy(mutation->tokens->all, range);
  for (size_t i = 0; i < times; i++) tokens_insert(mutation->tokens, range.end, copy.all, copy.count);
  tokens_free(&copy);
}

/* A part of another program, and where in it; null when there is none. */
static const tokens_t *pick_foreign(mutation_t *mutation, bool of_file, range_t *out_range) {
  if (!mutation->corpus->count) return NULL;
  tokens_t *other = &mutation->corpus->seeds[random_below(mutation->random, mutation->corpus->count)].tokens;
  if (!other->count) return NULL;
  mutation_t view = {.random = mutation->random, .tokens = other, .structure = structure_of(other)};
  *out_range = mutation_statement(&view);
  if (of_file) {
    size_t place = random_below(mutation->random, other->count);
    while (view.structure.parent[place] != no_token) place = (size_t)view.structure.parent[place];
    *out_range = structure_statement(other, &view.structure, place);
  }
  structure_free(&view.structure);
  return is_empty(*out_range) ? NULL : other;
}

void mutate_foreign_statement(mutation_t *mutation) {
  range_t from;
  const tokens_t *other = pick_foreign(mutation, false, &from);
  const range_t to = mutation_statement(mutation);
  if (!other || is_empty(to)) return;
  tokens_t copy = mutation_copy(other->all, from);
  mutation_replace(mutation, (range_t){to.begin, to.begin}, &copy);
}

/* ------------------------------------------------------------ expressions */

void mutate_expression(mutation_t *mutation) {
  const range_t range = mutation_operand(mutation);
  if (!is_empty(range)) wrap(mutation, range, word_pick(&word_expressions, mutation->random));
}

void mutate_copy_operand(mutation_t *mutation) {
  const range_t from = mutation_operand(mutation), to = mutation_operand(mutation);
  tokens_t copy = mutation_copy(mutation->tokens->all, from);
  mutation_replace(mutation, to, &copy);
}

void mutate_deepen_expression(mutation_t *mutation) {
  static const token_t marks[] = {{"(", 1, token_mark}, {"-", 1, token_mark}, {")", 1, token_mark}};
  range_t range = mutation_operand(mutation);
  if (is_empty(range)) return;
  const size_t depth = random_below(mutation->random, parenthesis_limit);
  const size_t signs = random_below(mutation->random, 2);
  for (size_t i = 0; i < depth; i++) {
    tokens_insert(mutation->tokens, range.end, &marks[2], 1);
    tokens_insert(mutation->tokens, range.begin, &marks[0], 1 + signs);
    range.end += 2 + signs;
  }
}

/** An argument of a call, or a parameter, goes or comes twice. */
void mutate_arguments(mutation_t *mutation) {
  for (int i = 0; i < 64; i++) {
    const size_t comma = random_below(mutation->random, mutation->tokens->count);
    if (!token_is(&mutation->tokens->all[comma], ",") || mutation->structure.parent[comma] == no_token) continue;
    size_t end = comma + 1;
    const int32_t around = mutation->structure.parent[comma];
    while (end < mutation->tokens->count &&
           (mutation->structure.parent[end] != around || !token_is(&mutation->tokens->all[end], ","))) {
      if (mutation->structure.match[around] == (int32_t)end) break;
      end++;
    }
    tokens_t copy = mutation_copy(mutation->tokens->all, (range_t){comma, end});
    if (random_once_in(mutation->random, 2)) {
      tokens_insert(mutation->tokens, end, copy.all, copy.count);
    } else {
      tokens_remove(mutation->tokens, (range_t){comma, end});
    }
    tokens_free(&copy);
    return;
  }
}

/* ------------------------------------------------------------ functions */

static size_t place_in_file(mutation_t *mutation) {
  size_t place = random_below(mutation->random, mutation->tokens->count);
  while (mutation->structure.parent[place] != no_token) place = (size_t)mutation->structure.parent[place];
  return structure_statement(mutation->tokens, &mutation->structure, place).begin;
}

/* Under a name that nothing has. */
static void add_renamed(mutation_t *mutation, tokens_t *added) {
  size_t name;
  structure_t structure = structure_of(added);
  if (structure_is_function(added, &structure, (range_t){0, added->count}, &name)) {
    tokens_t fresh = mutation_expand(mutation, "$n", NULL, 0);
    added->all[name] = fresh.all[0];
    tokens_free(&fresh);
  }
  structure_free(&structure);
  const size_t place = place_in_file(mutation);
  mutation_replace(mutation, (range_t){place, place}, added);
}

void mutate_foreign_function(mutation_t *mutation) {
  range_t from;
  const tokens_t *other = pick_foreign(mutation, true, &from);
  if (!other) return;
  tokens_t copy = mutation_copy(other->all, from);
  add_renamed(mutation, &copy);
}

void mutate_copy_function(mutation_t *mutation) {
  const size_t place = place_in_file(mutation);
  const range_t range = structure_statement(mutation->tokens, &mutation->structure, place);
  tokens_t copy = mutation_copy(mutation->tokens->all, range);
  add_renamed(mutation, &copy);
}

void mutate_declaration(mutation_t *mutation) {
  tokens_t added = mutation_expand(mutation, word_pick(&word_declarations, mutation->random), NULL, 0);
  const size_t place = place_in_file(mutation);
  mutation_replace(mutation, (range_t){place, place}, &added);
}

static bool is_kernel_word(const token_t *token) { return token_is(token, "kernel") || token_is(token, "__kernel"); }

/** A kernel becomes a function, or a function a kernel. */
void mutate_kernel(mutation_t *mutation) {
  const size_t place = place_in_file(mutation);
  const range_t range = structure_statement(mutation->tokens, &mutation->structure, place);
  if (is_empty(range)) return;
  if (is_kernel_word(&mutation->tokens->all[range.begin])) {
    tokens_remove(mutation->tokens, (range_t){range.begin, range.begin + 1});
  } else {
    mutation_replace_text(mutation, (range_t){range.begin, range.begin}, "kernel");
  }
}

static bool is_kernel(const tokens_t *tokens, const structure_t *structure, range_t range) {
  size_t name;
  if (!structure_is_function(tokens, structure, range, &name)) return false;
  for (size_t i = range.begin; i < name; i++) {
    if (is_kernel_word(&tokens->all[i])) return true;
  }
  return false;
}

void mutate_shorten(tokens_t *tokens, random_t *random) {
  structure_t structure = structure_of(tokens);
  tokens_t kept = {0};
  size_t kernels = 0;
  for (size_t at = 0; at < tokens->count;) {
    const range_t range = structure_statement(tokens, &structure, at);
    kernels += is_kernel(tokens, &structure, range);
    at = range.end > at ? range.end : at + 1;
  }
  size_t left = random_below(random, kernels);
  for (size_t at = 0; at < tokens->count;) {
    const range_t range = structure_statement(tokens, &structure, at);
    const size_t end = range.end > at ? range.end : at + 1;
    if (!is_kernel(tokens, &structure, range) || left-- == 0) {
      tokens_insert(&kept, kept.count, tokens->all + at, end - at);
    }
    at = end;
  }
  structure_free(&structure);
  tokens_free(tokens);
  *tokens = kept;
}
