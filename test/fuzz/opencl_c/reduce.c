/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Removes ever shorter runs of tokens. */
#include "reduce.h"

#include <string.h>

static bool fails_so(const builder_t *builder, const tokens_t *tokens, const char *options, text_t *out_cause) {
  text_t source = {0}, log = {0};
  tokens_print(tokens->all, tokens->count, &source);
  const build_result_e result = builder_run(builder, text_string(&source), options, &log);
  if (result >= build_crashed) build_cause(result, text_string(&log), out_cause);
  text_free(&source);
  text_free(&log);
  return result >= build_crashed;
}

/* Apart from the functions: one that reads what is no memory of its own ends somewhere else in each program. */
static bool is_same_cause(const char *a, const char *b) {
  const char *a_frames = strstr(a, "+0x"), *b_frames = strstr(b, "+0x");
  if (!a_frames || !b_frames) return !strcmp(a, b);
  return a_frames - a == b_frames - b && !strncmp(a, b, (size_t)(a_frames - a));
}

static bool try_without(const builder_t *builder, tokens_t *tokens, range_t range, const char *options,
                        const char *cause) {
  tokens_t shorter = {0};
  text_t now = {0};
  tokens_copy(&shorter, tokens);
  tokens_remove(&shorter, range);
  const bool is_same = fails_so(builder, &shorter, options, &now) && is_same_cause(text_string(&now), cause);
  if (is_same) tokens_copy(tokens, &shorter);
  tokens_free(&shorter);
  text_free(&now);
  return is_same;
}

static bool remove_statements(const builder_t *builder, tokens_t *tokens, const char *options, const char *cause) {
  bool has_changed = false;
  for (size_t at = tokens->count; at-- > 0;) {
    if (at >= tokens->count) continue;
    structure_t structure = structure_of(tokens);
    const range_t range = structure_statement(tokens, &structure, at);
    structure_free(&structure);
    if (range.begin != at || range.end <= at) continue;
    has_changed |= try_without(builder, tokens, range, options, cause);
  }
  return has_changed;
}

static bool remove_runs(const builder_t *builder, tokens_t *tokens, size_t length, const char *options,
                        const char *cause) {
  bool has_changed = false;
  for (size_t at = 0; at + length <= tokens->count;) {
    if (try_without(builder, tokens, (range_t){at, at + length}, options, cause)) {
      has_changed = true;
    } else {
      at += length;
    }
  }
  return has_changed;
}

bool reduce(const builder_t *builder, tokens_t *tokens, const char *options) {
  text_t cause = {0};
  const bool fails = fails_so(builder, tokens, options, &cause);
  for (bool goes_on = fails; goes_on;) {
    goes_on = remove_statements(builder, tokens, options, text_string(&cause));
    for (size_t length = tokens->count / 2; length; length /= 2) {
      goes_on |= remove_runs(builder, tokens, length, options, text_string(&cause));
    }
  }
  text_free(&cause);
  return fails;
}
