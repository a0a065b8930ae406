/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Brackets and statements in lists of tokens, also where those make no program. */
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

static char bracket_of(const token_t *token) {
  return token->kind == token_mark && token->length == 1 && strchr("()[]{}", *token->text) ? *token->text : 0;
}

static bool closes(char bracket, char open) {
  return (open == '(' && bracket == ')') || (open == '[' && bracket == ']') || (open == '{' && bracket == '}');
}

structure_t structure_of(const tokens_t *tokens) {
  structure_t structure = {.match = malloc((tokens->count + 1) * sizeof(int32_t)),
                           .parent = malloc((tokens->count + 1) * sizeof(int32_t))};
  if (!structure.match || !structure.parent) abort();
  int32_t open = no_token;
  for (size_t i = 0; i < tokens->count; i++) {
    const char bracket = bracket_of(&tokens->all[i]);
    structure.match[i] = no_token;
    if (bracket && strchr(")]}", bracket) && open != no_token && closes(bracket, *tokens->all[open].text)) {
      structure.match[i] = open;
      structure.match[open] = (int32_t)i;
      open = structure.parent[open];
    }
    structure.parent[i] = open;
    if (bracket && strchr("([{", bracket)) open = (int32_t)i;
  }
  return structure;
}

void structure_free(structure_t *structure) {
  free(structure->match);
  free(structure->parent);
  *structure = (structure_t){0};
}

/* ------------------------------------------------------------ statements */

static bool is_block(const tokens_t *tokens, int32_t bracket) {
  return bracket == no_token || token_is(&tokens->all[bracket], "{");
}

static bool ends_before(const tokens_t *tokens, size_t at) {
  const token_t *token = &tokens->all[at];
  return token_is(token, ";") || token_is(token, "{") || token_is(token, "}") || token->kind == token_line_end;
}

static size_t statement_begin(const tokens_t *tokens, const structure_t *structure, size_t at) {
  while (at > 0 && !ends_before(tokens, at - 1) && tokens->all[at].kind != token_directive) {
    at--;
    if (structure->match[at] != no_token && (size_t)structure->match[at] < at) at = (size_t)structure->match[at];
  }
  return at;
}

static bool goes_on(const tokens_t *tokens, size_t at) {
  static const char *const words[] = {"else", ";", ",", "=", "while", "__attribute__"};
  for (size_t i = 0; at < tokens->count && i < sizeof words / sizeof words[0]; i++) {
    if (token_is(&tokens->all[at], words[i])) return true;
  }
  return false;
}

static size_t statement_end(const tokens_t *tokens, const structure_t *structure, size_t at) {
  const bool is_directive = tokens->all[at].kind == token_directive;
  for (; at < tokens->count; at++) {
    const token_t *token = &tokens->all[at];
    if (is_directive ? token->kind == token_line_end : token_is(token, ";")) return at + 1;
    if (is_directive) continue;
    if (token->kind == token_directive) return at;
    if (structure->match[at] == no_token) continue;
    if ((size_t)structure->match[at] < at) return at;
    at = (size_t)structure->match[at];
    if (token_is(&tokens->all[at], "}") && !goes_on(tokens, at + 1)) return at + 1;
  }
  return tokens->count;
}

range_t structure_statement(const tokens_t *tokens, const structure_t *structure, size_t at) {
  while (!is_block(tokens, structure->parent[at])) at = (size_t)structure->parent[at];
  /* The line of a directive has ends of statements in it. */
  size_t directive = at;
  while (directive > 0 && tokens->all[directive].kind != token_directive &&
         tokens->all[directive - 1].kind != token_line_end) {
    directive--;
  }
  if (tokens->all[directive].kind == token_directive && tokens->all[at].kind != token_directive) {
    const size_t end = statement_end(tokens, structure, directive);
    if (end > at) return (range_t){directive, end};
  }
  const size_t begin = statement_begin(tokens, structure, at);
  return (range_t){begin, statement_end(tokens, structure, begin)};
}

/* ------------------------------------------------------------ operands and functions */

range_t structure_operand(const tokens_t *tokens, const structure_t *structure, size_t at) {
  const token_t *all = tokens->all;
  size_t end = at;
  if (token_is(&all[at], "(") && structure->match[at] != no_token) {
    end = (size_t)structure->match[at] + 1;
  } else if (all[at].kind == token_word || all[at].kind == token_number) {
    end = at + 1;
  }
  while (end > at && end < tokens->count) {
    const bool opens = token_is(&all[end], "(") || token_is(&all[end], "[");
    const bool has_member = token_is(&all[end], ".") || token_is(&all[end], "->");
    if (opens && structure->match[end] != no_token) {
      end = (size_t)structure->match[end] + 1;
    } else if (has_member && end + 1 < tokens->count) {
      end += 2;
    } else {
      break;
    }
  }
  return (range_t){at, end};
}

bool structure_is_code(const tokens_t *tokens, const structure_t *structure, size_t at) {
  if (structure->parent[at] == no_token) return false;
  for (size_t i = at + 1; i-- > 0;) {
    if (tokens->all[i].kind == token_directive) return false;
    if (tokens->all[i].kind == token_line_end || token_is(&tokens->all[i], ";")) break;
  }
  int32_t bracket = structure->parent[at];
  while (structure->parent[bracket] != no_token) bracket = structure->parent[bracket];
  return token_is(&tokens->all[bracket], "{") && bracket > 0 && token_is(&tokens->all[bracket - 1], ")");
}

bool structure_is_function(const tokens_t *tokens, const structure_t *structure, range_t range, size_t *out_name) {
  if (range.end - range.begin < 5 || !token_is(&tokens->all[range.end - 1], "}")) return false;
  const int32_t body = structure->match[range.end - 1];
  if (body <= (int32_t)range.begin || !token_is(&tokens->all[body - 1], ")")) return false;
  const int32_t arguments = structure->match[body - 1];
  if (arguments <= (int32_t)range.begin || tokens->all[arguments - 1].kind != token_word) return false;
  *out_name = (size_t)arguments - 1;
  return true;
}
