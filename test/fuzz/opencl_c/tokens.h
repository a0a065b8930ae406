/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL C as a list of tokens, and the brackets and statements in it. */
#ifndef OPENCL_C_TOKENS_H
#define OPENCL_C_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

typedef enum token_kind_e {
  token_word,
  token_number,
  token_string,
  token_mark,
  /** The # that begins a directive; its tokens follow, then the end of its line. */
  token_directive,
  token_line_end,
} token_kind_e;

/** The text is not terminated, and belongs to the source that it was found in. */
typedef struct token_t {
  const char *text;
  uint32_t length;
  token_kind_e kind;
} token_t;

/** Zero-initialise to begin. */
typedef struct tokens_t {
  token_t *all;
  size_t count, capacity;
} tokens_t;

/** From `begin` up to, and without, `end`. */
typedef struct range_t {
  size_t begin, end;
} range_t;

/** Appends the tokens of a text, without comments. The text must outlive them. */
void tokens_parse(tokens_t *tokens, const char *text, size_t length);
/** Appends them as text that gives the same tokens. */
void tokens_print(const token_t *all, size_t count, text_t *out);
void tokens_copy(tokens_t *to, const tokens_t *from);
/** Puts `count` tokens, none of this list's storage, before the one at `at`. */
void tokens_insert(tokens_t *tokens, size_t at, const token_t *added, size_t count);
void tokens_remove(tokens_t *tokens, range_t range);
void tokens_free(tokens_t *tokens);

static inline bool token_is(const token_t *token, const char *text) {
  size_t i = 0;
  while (i < token->length && text[i] == token->text[i]) i++;
  return i == token->length && !text[i];
}

enum { no_token = -1 };

/** For each token: the bracket that closes or opens it, and the opening one around it; no_token where there is none. */
typedef struct structure_t {
  int32_t *match, *parent;
} structure_t;

structure_t structure_of(const tokens_t *tokens);
void structure_free(structure_t *structure);

/** The statement, declaration or directive of a block, or of the file, that has this token. */
range_t structure_statement(const tokens_t *tokens, const structure_t *structure, size_t at);
/** The operand that begins at this token: a name or number, a call, something in brackets, with the elements and
 * members that follow. Empty where none begins. */
range_t structure_operand(const tokens_t *tokens, const structure_t *structure, size_t at);
/** True for a token inside of a function, not of a directive. */
bool structure_is_code(const tokens_t *tokens, const structure_t *structure, size_t at);
/** True for the body of a function among a file's statements; `out_name` is the function's name in it. */
bool structure_is_function(const tokens_t *tokens, const structure_t *structure, range_t range, size_t *out_name);

#endif
