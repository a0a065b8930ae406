/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The programs that fuzzing begins with. */
#ifndef OPENCL_C_CORPUS_H
#define OPENCL_C_CORPUS_H

#include "tokens.h"

/** A file NAME.cl, and the options that it is built with: what NAME.cl.options has, and its folder for headers. The
 * tokens point into the text. */
typedef struct seed_t {
  text_t text, options;
  char *path;
  tokens_t tokens;
} seed_t;

/** Zero-initialise to begin. */
typedef struct corpus_t {
  seed_t *seeds;
  size_t count;
} corpus_t;

/** Reads a file; false when that fails. */
bool seed_read(seed_t *seed, const char *path);
void seed_free(seed_t *seed);
/** Adds all files below a folder, in the order of their names, but those above a size that no build needs to have. */
void corpus_add(corpus_t *corpus, const char *folder);
void corpus_free(corpus_t *corpus);

#endif
