/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Parser of build and link options. */
#include "compiler/options/build_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The words of an option string; quotes group, a backslash escapes the next character. */
typedef struct words_t {
  char **items;
  size_t count, capacity;
} words_t;

static void words_free(words_t *words) {
  for (size_t i = 0; i < words->count; i++) free(words->items[i]);
  free(words->items);
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* Reads one word at *cursor into a new string. */
static char *word_read(const char **cursor) {
  text_t word = {0};
  char quote = 0;
  const char *c = *cursor;
  for (; *c && (quote || !is_space(*c)); c++) {
    if (quote ? *c == quote : (*c == '"' || *c == '\'')) {
      quote = quote ? 0 : *c;
    } else {
      if (*c == '\\' && (c[1] == '"' || c[1] == '\'' || c[1] == '\\' || c[1] == ' ')) c++;
      text_append_bytes(&word, c, 1);
    }
  }
  *cursor = c;
  text_append(&word, "");
  if (word.failed) text_free(&word);
  return word.data ? word.data : strdup("");
}

static bool words_split(const char *text, words_t *words) {
  for (const char *cursor = text; *cursor;) {
    if (is_space(*cursor)) {
      cursor++;
      continue;
    }
    if (!array_reserve(&words->items, &words->capacity, words->count + 1, sizeof(char *))) return false;
    char *word = word_read(&cursor);
    if (!word) return false;
    words->items[words->count++] = word;
  }
  return true;
}

bool build_options_add(build_options_t *options, const char *argument) {
  char *copy = strdup(argument);
  if (!copy) return false;
  if (!array_reserve(&options->front_end, &options->front_end_capacity, options->front_end_count + 1, sizeof(char *))) {
    free(copy);
    return false;
  }
  options->front_end[options->front_end_count++] = copy;
  return true;
}

/* Options that stand alone: what they are called, where they are allowed, what clang -cc1 calls them (null: nothing),
 * which member they set. */
typedef struct plain_option_t {
  const char *name;
  bool compile, link;
  const char *front_end;
  size_t member;
} plain_option_t;

#define MEMBER(name) offsetof(build_options_t, name)
#define NO_MEMBER SIZE_MAX
static const plain_option_t plain_options[] = {
    {"-w", true, false, "-w", NO_MEMBER},
    {"-Werror", true, false, "-Werror", NO_MEMBER},
    {"-g", true, false, "-debug-info-kind=standalone", NO_MEMBER},
    {"-cl-single-precision-constant", true, false, "-cl-single-precision-constant", NO_MEMBER},
    {"-cl-denorms-are-zero", true, true, NULL, MEMBER(denorms_are_zero)},
    {"-cl-fp32-correctly-rounded-divide-sqrt", true, false, "-cl-fp32-correctly-rounded-divide-sqrt",
     MEMBER(exact_division)},
    {"-cl-strict-aliasing", true, false, NULL, MEMBER(strict_aliasing)},
    {"-cl-uniform-work-group-size", true, false, NULL, NO_MEMBER},
    {"-cl-no-subgroup-ifp", true, true, NULL, NO_MEMBER},
    {"-cl-mad-enable", true, false, "-cl-mad-enable", NO_MEMBER},
    {"-cl-no-signed-zeros", true, true, "-cl-no-signed-zeros", NO_MEMBER},
    {"-cl-no-signed-zeroes", false, true, NULL, NO_MEMBER}, /* as the link options spell it */
    {"-cl-unsafe-math-optimizations", true, true, "-cl-unsafe-math-optimizations", NO_MEMBER},
    {"-cl-finite-math-only", true, true, "-cl-finite-math-only", NO_MEMBER},
    {"-cl-fast-relaxed-math", true, true, "-cl-fast-relaxed-math", NO_MEMBER},
    {"-cl-kernel-arg-info", true, false, "-cl-kernel-arg-info", NO_MEMBER},
    {"-create-library", false, true, NULL, MEMBER(create_library)},
    {"-enable-link-options", false, true, NULL, MEMBER(enable_link_options)},
};

static const plain_option_t *find_plain(const char *word) {
  for (size_t i = 0; i < sizeof(plain_options) / sizeof(plain_options[0]); i++) {
    if (!strcmp(word, plain_options[i].name)) return &plain_options[i];
  }
  return NULL;
}

static compiler_result_t apply_plain(build_options_t *options, const plain_option_t *option) {
  if (option->member != NO_MEMBER) *(bool *)((char *)options + option->member) = true;
  if (option->front_end && !build_options_add(options, option->front_end)) return compiler_error_out_of_memory;
  return compiler_success;
}

typedef struct language_t {
  const char *name;
  unsigned version;
  bool cxx;
} language_t;

static const language_t languages[] = {
    {"CL1.0", 100, false}, {"CL1.1", 110, false},   {"CL1.2", 120, false},       {"CL2.0", 200, false},
    {"CL3.0", 300, false}, {"CLC++", 100, true},    {"CLC++1.0", 100, true},     {"CLC++2021", 202100, true},
    {"clc++", 100, true},  {"clc++1.0", 100, true}, {"clc++2021", 202100, true}, {"cl1.0", 100, false},
    {"cl1.1", 110, false}, {"cl1.2", 120, false},   {"cl2.0", 200, false},       {"cl3.0", 300, false},
};

static bool apply_language(build_options_t *options, const char *name) {
  for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++) {
    if (strcmp(name, languages[i].name)) continue;
    options->language_version = languages[i].version;
    options->cxx = languages[i].cxx;
    return true;
  }
  return false;
}

/* -D and -I, whose value may be the rest of the word or the next word. */
static compiler_result_t apply_joined(build_options_t *options, const words_t *words, size_t *index, text_t *log) {
  const char *word = words->items[*index];
  const char flag[3] = {word[0], word[1], 0};
  const char *value = word + 2;
  if (!*value) {
    if (*index + 1 >= words->count) {
      text_appendf(log, "error: option %s wants a value\n", flag);
      return compiler_error_invalid_build_options;
    }
    value = words->items[++*index];
  }
  bool added = build_options_add(options, flag) && build_options_add(options, value);
  return added ? compiler_success : compiler_error_out_of_memory;
}

static bool has_prefix(const char *word, const char *prefix) { return !strncmp(word, prefix, strlen(prefix)); }

static compiler_result_t apply_compile_word(build_options_t *options, const words_t *words, size_t *index,
                                            text_t *log) {
  const char *word = words->items[*index];
  if (has_prefix(word, "-D") || has_prefix(word, "-U") || has_prefix(word, "-I")) {
    return apply_joined(options, words, index, log);
  }
  if (has_prefix(word, "-cl-std=")) {
    if (apply_language(options, word + strlen("-cl-std="))) return compiler_success;
    text_appendf(log, "error: %s: the language is one of CL1.0, CL1.1, CL1.2, CL2.0, CL3.0, CLC++1.0, CLC++2021\n",
                 word);
    return compiler_error_invalid_build_options;
  }
  if (has_prefix(word, "-W")) {
    return build_options_add(options, word) ? compiler_success : compiler_error_out_of_memory;
  }
  text_appendf(log, "error: unknown build option '%s'\n", word);
  return compiler_error_invalid_build_options;
}

static compiler_result_t apply_word(build_options_t *options, build_stage_e stage, const words_t *words, size_t *index,
                                    text_t *log) {
  const char *word = words->items[*index];
  if (!strcmp(word, "-cl-opt-disable")) {
    options->optimize = false;
    return compiler_success;
  }
  const plain_option_t *plain = find_plain(word);
  if (plain && (stage == build_stage_compile ? plain->compile : plain->link)) return apply_plain(options, plain);
  if (stage == build_stage_compile) return apply_compile_word(options, words, index, log);
  text_appendf(log, "error: unknown link option '%s'\n", word);
  return compiler_error_invalid_link_options;
}

compiler_result_t build_options_parse(const char *options, build_stage_e stage, build_options_t *out, text_t *log) {
  *out = (build_options_t){.language_version = 120, .optimize = true};
  words_t words = {0};
  compiler_result_t result = compiler_error_out_of_memory;
  if (!words_split(options ? options : "", &words)) goto done;
  result = compiler_success;
  for (size_t i = 0; i < words.count && result == compiler_success; i++) {
    result = apply_word(out, stage, &words, &i, log);
  }
  if (result == compiler_success && out->enable_link_options && !out->create_library) {
    text_append(log, "error: -enable-link-options is for libraries (-create-library)\n");
    result = compiler_error_invalid_link_options;
  }
done:
  words_free(&words);
  return result;
}

void build_options_free(build_options_t *options) {
  for (size_t i = 0; i < options->front_end_count; i++) free(options->front_end[i]);
  free(options->front_end);
  *options = (build_options_t){0};
}
