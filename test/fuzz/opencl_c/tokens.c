/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lists of tokens: from text, to text, and what is inserted and removed. */
#include "tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Longest first. */
static const char *const marks[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
                                    "&&",  "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##", "::"};

static void reserve(tokens_t *tokens, size_t count) {
  if (count <= tokens->capacity) return;
  tokens->capacity = count * 2;
  tokens->all = realloc(tokens->all, tokens->capacity * sizeof(token_t));
  if (!tokens->all) abort();
}

static void append(tokens_t *tokens, const char *text, size_t length, token_kind_e kind) {
  reserve(tokens, tokens->count + 1);
  tokens->all[tokens->count++] = (token_t){text, (uint32_t)length, kind};
}

/* ------------------------------------------------------------ from text */

typedef struct scanner_t {
  const char *at, *end;
  bool in_directive, begins_line;
} scanner_t;

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

static bool follows(const scanner_t *scanner, const char *text) {
  const size_t length = strlen(text);
  return (size_t)(scanner->end - scanner->at) >= length && !memcmp(scanner->at, text, length);
}

/* A comment, or white space other than the end of a line; 0 where neither begins. */
static size_t blank_length(const scanner_t *scanner) {
  const size_t left = (size_t)(scanner->end - scanner->at);
  if (follows(scanner, "\\\n")) return 2;
  if (follows(scanner, "\\\r\n")) return 3;
  if (follows(scanner, "//")) {
    const char *line_end = memchr(scanner->at, '\n', left);
    return line_end ? (size_t)(line_end - scanner->at) : left;
  }
  if (follows(scanner, "/*")) {
    for (size_t i = 3; i < left; i++) {
      if (scanner->at[i] == '/' && scanner->at[i - 1] == '*') return i + 1;
    }
    return left;
  }
  return *scanner->at != '\n' && (isspace((unsigned char)*scanner->at) || !*scanner->at);
}

static size_t word_length(const scanner_t *scanner) {
  const char *p = scanner->at;
  while (p < scanner->end && is_word(*p)) p++;
  return (size_t)(p - scanner->at);
}

static size_t number_length(const scanner_t *scanner) {
  const char *p = scanner->at;
  for (; p < scanner->end; p++) {
    const bool is_sign = (*p == '+' || *p == '-') && p > scanner->at && strchr("eEpP", p[-1]);
    if (!is_word(*p) && *p != '.' && !is_sign) break;
  }
  return (size_t)(p - scanner->at);
}

static size_t string_length(const scanner_t *scanner) {
  const size_t left = (size_t)(scanner->end - scanner->at);
  for (size_t i = 1; i < left && scanner->at[i] != '\n'; i++) {
    if (scanner->at[i] == '\\') {
      i++;
    } else if (scanner->at[i] == *scanner->at) {
      return i + 1;
    }
  }
  return 1;
}

static size_t mark_length(const scanner_t *scanner) {
  for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
    if (follows(scanner, marks[i])) return strlen(marks[i]);
  }
  return 1;
}

static size_t token_length(const scanner_t *scanner, token_kind_e *out_kind) {
  const char c = *scanner->at;
  const bool has_digit = scanner->at + 1 < scanner->end && isdigit((unsigned char)scanner->at[1]);
  *out_kind = token_mark;
  if (c == '#' && scanner->begins_line) {
    *out_kind = token_directive;
    return 1;
  }
  if (isdigit((unsigned char)c) || (c == '.' && has_digit)) {
    *out_kind = token_number;
    return number_length(scanner);
  }
  if (is_word(c)) {
    *out_kind = token_word;
    return word_length(scanner);
  }
  if (c == '"' || c == '\'') {
    *out_kind = token_string;
    return string_length(scanner);
  }
  return mark_length(scanner);
}

static void end_line(scanner_t *scanner, tokens_t *tokens) {
  if (scanner->in_directive) append(tokens, "\n", 1, token_line_end);
  scanner->in_directive = false;
  scanner->begins_line = true;
}

void tokens_parse(tokens_t *tokens, const char *text, size_t length) {
  scanner_t scanner = {.at = text, .end = text + length, .begins_line = true};
  while (scanner.at < scanner.end) {
    size_t taken = blank_length(&scanner);
    token_kind_e kind;
    if (!taken && *scanner.at == '\n') {
      end_line(&scanner, tokens);
      taken = 1;
    } else if (!taken) {
      taken = token_length(&scanner, &kind);
      append(tokens, scanner.at, taken, kind);
      scanner.in_directive |= kind == token_directive;
      scanner.begins_line = false;
    }
    scanner.at += taken;
  }
  end_line(&scanner, tokens);
}

/* ------------------------------------------------------------ to text */

/* Lines end where people end them, which keeps findings legible. In a directive a space can mean something, so that
 * none comes between what was side by side. */
static const char *space_after(const token_t *all, size_t count, size_t i, bool in_directive) {
  if (in_directive) return i + 1 < count && all[i].text + all[i].length == all[i + 1].text ? "" : " ";
  return token_is(&all[i], ";") || token_is(&all[i], "{") || token_is(&all[i], "}") ? "\n" : " ";
}

void tokens_print(const token_t *all, size_t count, text_t *out) {
  bool in_directive = false;
  for (size_t i = 0; i < count; i++) {
    if (all[i].kind == token_directive) {
      if (i) text_append(out, "\n");
      in_directive = true;
    }
    text_append_bytes(out, all[i].text, all[i].length);
    if (all[i].kind == token_line_end) {
      in_directive = false;
    } else {
      text_append(out, space_after(all, count, i, in_directive));
    }
  }
  text_append(out, "\n");
}

/* ------------------------------------------------------------ lists */

void tokens_copy(tokens_t *to, const tokens_t *from) {
  to->count = 0;
  tokens_insert(to, 0, from->all, from->count);
}

void tokens_insert(tokens_t *tokens, size_t at, const token_t *added, size_t count) {
  if (!count) return;
  reserve(tokens, tokens->count + count);
  memmove(tokens->all + at + count, tokens->all + at, (tokens->count - at) * sizeof(token_t));
  memcpy(tokens->all + at, added, count * sizeof(token_t));
  tokens->count += count;
}

void tokens_remove(tokens_t *tokens, range_t range) {
  if (range.begin >= range.end) return;
  memmove(tokens->all + range.begin, tokens->all + range.end, (tokens->count - range.end) * sizeof(token_t));
  tokens->count -= range.end - range.begin;
}

void tokens_free(tokens_t *tokens) {
  free(tokens->all);
  *tokens = (tokens_t){0};
}
