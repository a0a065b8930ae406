/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Reads folders of OpenCL C. */
#include "corpus.h"

#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { size_limit = 192 << 10 };

static bool read_text(const char *path, text_t *out) {
  FILE *file = fopen(path, "rbe");
  if (!file) return false;
  char block[4096];
  size_t length;
  do {
    length = fread(block, 1, sizeof block, file);
    text_append_bytes(out, block, length);
  } while (length == sizeof block);
  return !fclose(file);
}

bool seed_read(seed_t *seed, const char *path) {
  *seed = (seed_t){.path = strdup(path)};
  text_t options_path = {0}, options = {0};
  text_appendf(&options_path, "%s.options", path);
  if (read_text(text_string(&options_path), &options)) {
    text_appendf(&seed->options, "%.*s ", (int)strcspn(text_string(&options), "\n"), text_string(&options));
  }
  const char *slash = strrchr(path, '/');
  text_appendf(&seed->options, "-I %.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
  text_free(&options_path);
  text_free(&options);
  return seed->path && read_text(path, &seed->text);
}

void seed_free(seed_t *seed) {
  text_free(&seed->text);
  text_free(&seed->options);
  tokens_free(&seed->tokens);
  free(seed->path);
}

static void add_file(corpus_t *corpus, const char *path) {
  seed_t seed;
  if (!seed_read(&seed, path) || seed.text.length > size_limit) {
    seed_free(&seed);
    return;
  }
  tokens_parse(&seed.tokens, text_string(&seed.text), seed.text.length);
  seed_t *grown = realloc(corpus->seeds, (corpus->count + 1) * sizeof seed);
  if (!grown) abort();
  corpus->seeds = grown;
  corpus->seeds[corpus->count++] = seed;
}

static int compare_names(const FTSENT **a, const FTSENT **b) { return strcmp((*a)->fts_name, (*b)->fts_name); }

void corpus_add(corpus_t *corpus, const char *folder) {
  char *path = strdup(folder);
  FTS *tree = path ? fts_open((char *[]){path, NULL}, FTS_LOGICAL | FTS_NOCHDIR, compare_names) : NULL;
  for (FTSENT *entry; tree && (entry = fts_read(tree));) {
    const char *dot = strrchr(entry->fts_name, '.');
    if (entry->fts_info == FTS_F && dot && !strcmp(dot, ".cl")) add_file(corpus, entry->fts_path);
  }
  if (tree) fts_close(tree);
  free(path);
}

void corpus_free(corpus_t *corpus) {
  for (size_t i = 0; i < corpus->count; i++) seed_free(&corpus->seeds[i]);
  free(corpus->seeds);
  *corpus = (corpus_t){0};
}
