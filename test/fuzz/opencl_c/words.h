/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The words of OpenCL C that mutations put in the place of each other. */
#ifndef OPENCL_C_WORDS_H
#define OPENCL_C_WORDS_H

#include <stddef.h>

#include "random.h"
#include "tokens.h"

/** Words of one kind: any of them may stand where another one does, as far as the grammar goes. */
typedef struct word_class_t {
  const char *const *words;
  size_t count;
} word_class_t;

/** Types of one value, without those of `word_types_opaque`. */
extern const word_class_t word_types, word_types_opaque, word_spaces, word_qualifiers, word_operators, word_constants;
extern const word_class_t word_attributes, word_pragmas, word_options;
/** What mutations put in, with a $ and a letter where something of the program comes, see mutation.h. */
extern const word_class_t word_statements, word_wrappers, word_expressions, word_declarations;

const char *word_pick(const word_class_t *words, random_t *random);
/** The class of functions, or operators, that a token belongs to; null for none. */
const word_class_t *word_class_of(const token_t *token);
/** Whether it names a type of one value, of any width; `out_stem` is its length without the width. */
bool word_is_type(const token_t *token, size_t *out_stem);

#endif
