/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Changes of single words: types, names, operators, numbers, and what stands around declarations. */
#include <string.h>

#include "mutation.h"

enum { tries = 64, widths = 6 };

static void replace_token(mutation_t *mutation, size_t at, const char *text) {
  mutation_replace_text(mutation, (range_t){at, at + 1}, text);
}

/** Operators and functions become others of their class. */
void mutate_word(mutation_t *mutation) {
  for (int i = 0; i < tries; i++) {
    const size_t place = random_below(mutation->random, mutation->tokens->count);
    const word_class_t *class = word_class_of(&mutation->tokens->all[place]);
    if (!class) continue;
    replace_token(mutation, place, word_pick(class, mutation->random));
    return;
  }
}

/* ------------------------------------------------------------ types */

static size_t find_type(mutation_t *mutation, size_t *out_stem) {
  for (int i = 0; i < tries; i++) {
    const size_t place = random_below(mutation->random, mutation->tokens->count);
    if (word_is_type(&mutation->tokens->all[place], out_stem)) return place;
  }
  return mutation->tokens->count;
}

/* Another width of the same type, another type of the same width, or any. */
static tokens_t other_type(mutation_t *mutation, const token_t *type, size_t stem) {
  static const char *const all_widths[widths] = {"", "2", "3", "4", "8", "16"};
  static const char *const stems[] = {"char", "uchar", "short", "ushort", "int", "uint", "long", "float", "double"};
  text_t text = {0};
  const size_t kind = random_below(mutation->random, 8);
  if (kind < 3) {
    text_append_bytes(&text, type->text, stem);
    text_append(&text, all_widths[random_below(mutation->random, widths)]);
  } else if (kind < 6) {
    text_append(&text, stems[random_below(mutation->random, sizeof stems / sizeof stems[0])]);
    text_append_bytes(&text, type->text + stem, type->length - stem);
  } else {
    const word_class_t *class = kind == 6 && random_once_in(mutation->random, 4) ? &word_types_opaque : &word_types;
    text_append(&text, word_pick(class, mutation->random));
  }
  tokens_t tokens = mutation_expand(mutation, text_string(&text), NULL, 0);
  text_free(&text);
  return tokens;
}

void mutate_type(mutation_t *mutation) {
  size_t stem;
  const size_t place = find_type(mutation, &stem);
  if (place == mutation->tokens->count) return;
  tokens_t type = other_type(mutation, &mutation->tokens->all[place], stem);
  mutation_replace(mutation, (range_t){place, place + 1}, &type);
}

/** A type is another one in the whole program, or in one function, which keeps most programs legal. */
void mutate_type_everywhere(mutation_t *mutation) {
  size_t stem;
  tokens_t *tokens = mutation->tokens;
  const size_t place = find_type(mutation, &stem);
  if (place == tokens->count) return;
  const token_t old = tokens->all[place];
  tokens_t type = other_type(mutation, &old, stem);
  range_t range = {0, tokens->count};
  if (random_once_in(mutation->random, 2)) range = structure_statement(tokens, &mutation->structure, place);
  for (size_t i = range.begin; type.count == 1 && i < range.end; i++) {
    const token_t *token = &tokens->all[i];
    if (token->length == old.length && !memcmp(token->text, old.text, old.length)) tokens->all[i] = type.all[0];
  }
  tokens_free(&type);
}

/* ------------------------------------------------------------ names and numbers */

void mutate_constant(mutation_t *mutation) {
  const size_t place = mutation_find(mutation, token_number, false);
  if (place < mutation->tokens->count) replace_token(mutation, place, word_pick(&word_constants, mutation->random));
}

void mutate_name(mutation_t *mutation) {
  const size_t place = mutation_find(mutation, token_word, true);
  const size_t other = mutation_find(mutation, token_word, false);
  if (place < mutation->tokens->count && other < mutation->tokens->count) {
    mutation->tokens->all[place] = mutation->tokens->all[other];
  }
}

/** A member of something, an element of it, or its address. */
void mutate_member_or_element(mutation_t *mutation) {
  static const char *const forms[] = {"$x.x", "$x.s3", "$x.hi", "$x[0]", "$x[$e]", "*$x", "&$x", "$x->x", "$x.s10"};
  const size_t place = mutation_find(mutation, token_word, true);
  if (place == mutation->tokens->count) return;
  const char *form = forms[random_below(mutation->random, sizeof forms / sizeof forms[0])];
  tokens_t tokens = mutation_expand(mutation, form, &mutation->tokens->all[place], 1);
  mutation_replace(mutation, (range_t){place, place + 1}, &tokens);
}

/* ------------------------------------------------------------ around declarations */

static bool is_one_of(const token_t *token, const word_class_t *class) {
  for (size_t i = 0; i < class->count; i++) {
    if (token_is(token, class->words[i])) return true;
  }
  return false;
}

static size_t find_in_class(mutation_t *mutation, const word_class_t *class) {
  for (int i = 0; i < tries * 4; i++) {
    const size_t place = random_below(mutation->random, mutation->tokens->count);
    if (is_one_of(&mutation->tokens->all[place], class)) return place;
  }
  return mutation->tokens->count;
}

/* A word of a class goes, becomes another one, or comes before a type. */
static void mutate_prefix(mutation_t *mutation, const word_class_t *class) {
  size_t stem, place = find_in_class(mutation, class);
  const size_t kind = random_below(mutation->random, 4);
  if (kind == 0 && place < mutation->tokens->count) {
    tokens_remove(mutation->tokens, (range_t){place, place + 1});
  } else if (kind < 3 && place < mutation->tokens->count) {
    replace_token(mutation, place, word_pick(class, mutation->random));
  } else if ((place = find_type(mutation, &stem)) < mutation->tokens->count) {
    mutation_replace_text(mutation, (range_t){place, place}, word_pick(class, mutation->random));
  }
}

void mutate_space(mutation_t *mutation) { mutate_prefix(mutation, &word_spaces); }

void mutate_qualifier(mutation_t *mutation) { mutate_prefix(mutation, &word_qualifiers); }

/** Before a declaration, a function or a statement; behind a name now and then. */
void mutate_attribute(mutation_t *mutation) {
  const size_t place = random_below(mutation->random, mutation->tokens->count);
  range_t range = structure_statement(mutation->tokens, &mutation->structure, place);
  if (random_once_in(mutation->random, 4)) range.begin = place;
  mutation_replace_text(mutation, (range_t){range.begin, range.begin}, word_pick(&word_attributes, mutation->random));
}

void mutate_pragma(mutation_t *mutation) {
  const size_t place = random_below(mutation->random, mutation->tokens->count);
  const range_t range = structure_statement(mutation->tokens, &mutation->structure, place);
  mutation_replace_text(mutation, (range_t){range.begin, range.begin}, word_pick(&word_pragmas, mutation->random));
}

/** A token goes, comes twice, or changes places with another one. */
void mutate_token(mutation_t *mutation) {
  const size_t place = mutation_place(mutation), other = mutation_place(mutation);
  const token_t token = mutation->tokens->all[place];
  switch (random_below(mutation->random, 3)) {
    case 0: tokens_remove(mutation->tokens, (range_t){place, place + 1}); break;
    case 1: tokens_insert(mutation->tokens, place, &token, 1); break;
    default:
      mutation->tokens->all[place] = mutation->tokens->all[other];
      mutation->tokens->all[other] = token;
      break;
  }
}
