/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the runtime itself must know of build options. */
#include "cl/program/build_flags.h"

#include <stddef.h>
#include <string.h>

static const char separators[] = " \t\n\v\f\r";

/** The next word of `*text`, its length, or null; words are what separators divide, quotes count for nothing: neither
 * option looked for has any. */
static const char *next_word(const char **text, size_t *out_length) {
  const char *word = *text + strspn(*text, separators);
  *out_length = strcspn(word, separators);
  *text = word + *out_length;
  return *out_length ? word : NULL;
}

static bool word_is(const char *word, size_t length, const char *expected) {
  return length == strlen(expected) && memcmp(word, expected, length) == 0;
}

bool build_options_ask_uniform_groups(const char *options) {
  size_t length;
  for (const char *word; (word = next_word(&options, &length));) {
    if (word_is(word, length, "-cl-uniform-work-group-size")) return true;
  }
  return false;
}

bool build_options_need_uniform_groups(const char *options) {
  static const char standard[] = "-cl-std=";
  bool is_old = true;
  size_t length;
  const char *rest = options;
  for (const char *word; (word = next_word(&rest, &length));) {
    if (strncmp(word, standard, sizeof standard - 1) != 0) continue;
    const char *version = word + sizeof standard - 1;
    is_old = strncmp(version, "CL1.", 4) == 0 || strncmp(version, "cl1.", 4) == 0;
  }
  return is_old || build_options_ask_uniform_groups(options);
}
