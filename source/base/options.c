/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Environment options: the table, its parser, and its page of documentation. */
#include "base/options.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/process.h"
#include "base/text.h"

#define PREFIX "QUERN_"

typedef enum option_type_e { type_flag, type_number, type_limit, type_text, type_set } option_type_e;
static const char *const type_names[] = {"flag", "number", "limit", "text", "set"};

typedef struct option_spec_t {
  option_type_e type;
  const char *name, *default_value, *accepted, *text;
  /** Of the member of options_t. */
  size_t offset;
} option_spec_t;

static const option_spec_t specs[] = {
#define OPTION(type, name, default_value, accepted, text) \
  {type_##type, #name, default_value, accepted, text, offsetof(options_t, name)},
#include "base/options.def"
#undef OPTION
};
enum { spec_count = sizeof(specs) / sizeof(specs[0]), name_capacity = 64 };

static options_t parsed;
static pthread_once_t parse_once = PTHREAD_ONCE_INIT;

/* ------------------------------------------------------------ values */

static bool read_flag(const char *value, option_flag_t *out) {
  *out = value[0] == '1';
  return (value[0] == '0' || value[0] == '1') && !value[1];
}

/* Accepted values of a number are written "LOW to HIGH". */
static bool read_number(const char *accepted, const char *value, option_number_t *out) {
  char *end;
  uint64_t low = strtoull(accepted, &end, 10);
  uint64_t high = strtoull(end + strlen(" to "), NULL, 10);
  if (!isdigit((unsigned char)value[0])) return false;
  errno = 0;
  *out = strtoull(value, &end, 10);
  return !errno && !*end && *out >= low && *out <= high;
}

/* The environment may change later; options keep what they were. */
static bool read_text(const char *value, option_text_t *out) {
  *out = strdup(value);
  return *out != NULL;
}

/* Length of the word at `text`; `*next` is where the following one begins, null after the last. */
static size_t next_word(const char *text, const char *separators, const char **next) {
  size_t length = strcspn(text, separators);
  *next = text[length] ? text + length + 1 + strspn(text + length + 1, " ") : NULL;
  return length;
}

/* Accepted values of a set are words and phrases: "none, all, or a list of: a, b". What has a space is prose. */
static bool is_accepted_word(const char *accepted, const char *word, size_t word_length) {
  for (const char *item = accepted, *next; item; item = next) {
    size_t length = next_word(item, ",:", &next);
    if (length == word_length && !memcmp(item, word, length)) return true;
  }
  return false;
}

static bool read_set(const char *accepted, const char *value, option_set_t *out) {
  for (const char *word = value, *next; word && *word; word = next) {
    size_t length = next_word(word, ",", &next);
    if (memchr(word, ' ', length) || !is_accepted_word(accepted, word, length)) return false;
  }
  return read_text(value, out);
}

static bool read_value(const option_spec_t *spec, const char *value) {
  void *member = (char *)&parsed + spec->offset;
  switch (spec->type) {
    case type_flag: return read_flag(value, member);
    case type_number:
    case type_limit: return read_number(spec->accepted, value, member);
    case type_text: return read_text(value, member);
    case type_set: return read_set(spec->accepted, value, member);
  }
  return false;
}

/* Defaults are literals: nothing to check, nothing to copy. */
static void set_default(const option_spec_t *spec) {
  void *member = (char *)&parsed + spec->offset;
  if (spec->type == type_text || spec->type == type_set) {
    memcpy(member, &spec->default_value, sizeof(spec->default_value));
  } else {
    (void)read_value(spec, spec->default_value);
  }
}

/* ------------------------------------------------------------ variables */

/* QUERN_<NAME>, in `out` of name_capacity bytes. */
static void variable_name(const option_spec_t *spec, char *out) {
  size_t length = strlen(PREFIX);
  memcpy(out, PREFIX, length);
  for (const char *c = spec->name; *c && length < name_capacity - 1; c++)
    out[length++] = (char)toupper((unsigned char)*c);
  out[length] = '\0';
}

/* What the user who started a process with more rights may say, silently, as even a message is output. */
static void read_limit(const option_spec_t *spec) {
  char name[name_capacity];
  variable_name(spec, name);
  set_default(spec);
  const char *value = spec->type == type_limit ? getenv(name) : NULL;
  if (value && !read_value(spec, value)) set_default(spec);
}

static void read_variable(const option_spec_t *spec) {
  char name[name_capacity];
  variable_name(spec, name);
  set_default(spec);
  const char *value = getenv(name);
  if (!value || !*value || read_value(spec, value)) return;
  set_default(spec);
  log_warning("%s=%s is not accepted, and ignored; accepted: %s", name, value, spec->accepted);
}

/* Number of single-character insertions, deletions and replacements from `a` to `b`, `a` of `length` characters. */
static unsigned edit_distance(const char *a, size_t length, const char *b) {
  unsigned row[name_capacity];
  size_t width = strlen(b);
  for (size_t j = 0; j <= width; j++) row[j] = (unsigned)j;
  for (size_t i = 1; i <= length; i++) {
    unsigned diagonal = row[0];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= width; j++) {
      unsigned best = diagonal + (a[i - 1] != b[j - 1]);
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[width];
}

/* Warns of an unknown variable; `length` is that of its name. */
static void warn_unknown(const char *variable, size_t length) {
  text_t names = {0}, hint = {0};
  unsigned closest = 4;
  for (unsigned i = 0; i < spec_count; i++) {
    char name[name_capacity];
    variable_name(&specs[i], name);
    text_appendf(&names, "%s%s", i ? ", " : "", name);
    unsigned distance = edit_distance(variable, length, name);
    if (distance >= closest) continue;
    closest = distance;
    text_free(&hint);
    text_appendf(&hint, "did you mean %s? ", name);
  }
  log_warning("%.*s is not an option, and ignored; %soptions: %s", (int)length, variable, text_string(&hint),
              text_string(&names));
  text_free(&names);
  text_free(&hint);
}

static bool is_known(const char *variable, size_t length) {
  for (unsigned i = 0; i < spec_count; i++) {
    char name[name_capacity];
    variable_name(&specs[i], name);
    if (strlen(name) == length && !memcmp(name, variable, length)) return true;
  }
  return false;
}

static void parse_environment(void) {
  if (process_has_more_rights()) {
    for (unsigned i = 0; i < spec_count; i++) read_limit(&specs[i]);
    return;
  }
  for (unsigned i = 0; i < spec_count; i++) read_variable(&specs[i]);
  for (char **variable = environ; variable && *variable; variable++) {
    size_t length = strcspn(*variable, "=");
    if (strncmp(*variable, PREFIX, strlen(PREFIX)) != 0 || is_known(*variable, length)) continue;
    warn_unknown(*variable, length);
  }
}

/* ------------------------------------------------------------ from one process to another */

/* The list that takes the place of the environment while it is parsed. */
static const char *taken;
static size_t taken_size;

static const char *find_taken(const char *name) {
  const size_t length = strlen(name);
  for (const char *entry = taken; entry < taken + taken_size; entry += strlen(entry) + 1) {
    if (!strncmp(entry, name, length) && entry[length] == '=') return entry + length + 1;
  }
  return NULL;
}

static void parse_taken(void) {
  for (unsigned i = 0; i < spec_count; i++) {
    char name[name_capacity];
    variable_name(&specs[i], name);
    const char *value = find_taken(name);
    if (!value || !read_value(&specs[i], value)) set_default(&specs[i]);
  }
}

void options_take(const char *list, size_t size) {
  /* Every entry ends within the list. */
  while (size && list[size - 1]) size--;
  taken = list;
  taken_size = size;
  pthread_once(&parse_once, parse_taken);
}

static void write_value(const option_spec_t *spec, text_t *out) {
  const void *member = (const char *)options_get() + spec->offset;
  switch (spec->type) {
    case type_flag: text_append(out, *(const option_flag_t *)member ? "1" : "0"); break;
    case type_number:
    case type_limit: text_appendf(out, "%llu", (unsigned long long)*(const option_number_t *)member); break;
    case type_text:
    case type_set: text_append(out, *(const option_text_t *)member); break;
  }
}

void options_write(text_t *out) {
  for (unsigned i = 0; i < spec_count; i++) {
    char name[name_capacity];
    variable_name(&specs[i], name);
    text_appendf(out, "%s=", name);
    write_value(&specs[i], out);
    text_append_bytes(out, "", 1);
  }
}

void options_program_environment(text_t *out) {
  static const char *const names[] = {"LD_LIBRARY_PATH", "TZ"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    const char *value = secure_getenv(names[i]);
    if (!value) continue;
    text_appendf(out, "%s=%s", names[i], value);
    text_append_bytes(out, "", 1);
  }
}

const options_t *options_get(void) {
  pthread_once(&parse_once, parse_environment);
  return &parsed;
}

/* Base directories that are not absolute are to be ignored (XDG Base Directory Specification). */
bool options_user_cache_folder(text_t *out) {
  const char *folder = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
  if (folder && *folder == '/') {
    text_append(out, folder);
  } else if (home && *home == '/') {
    text_appendf(out, "%s/.cache", home);
  } else {
    return false;
  }
  return !out->failed;
}

bool options_set_has(const char *set, const char *word) {
  for (const char *item = set, *next; item && *item; item = next) {
    size_t length = next_word(item, ",", &next);
    if (length == strlen("all") && !memcmp(item, "all", length)) return true;
    if (length == strlen(word) && !memcmp(item, word, length)) return true;
  }
  return false;
}

/* ------------------------------------------------------------ documentation */

void options_write_markdown(FILE *file) {
  fputs(
      "<!-- SPDX-License-Identifier: Apache-2.0\n"
      "     SPDX-FileCopyrightText: The Quern authors\n"
      "     The environment variables; generated from source/base/options.def, do not edit. -->\n"
      "# Environment variables\n\n"
      "They are read once, when the driver is first used. An empty value counts as unset. A value that is not "
      "accepted,\n"
      "or a `QUERN_` variable that is not in this table, is ignored with one line on stderr.\n\n"
      "A process that has more rights than the user who started it (a set-user-ID or set-group-ID program, or one "
      "with\n"
      "file capabilities) reads those of type `limit` alone, which are numbers that do no more than bound what is "
      "used.\n"
      "All others have their defaults there, silently: they choose files, code and output, which is not for that user\n"
      "to do. Such a process has no cache of compiled programs, and does not read the topology of the machine, whose\n"
      "library has an environment of its own.\n\n"
      "| variable | type | default | accepted values | what it does |\n"
      "|---|---|---|---|---|\n",
      file);
  for (unsigned i = 0; i < spec_count; i++) {
    char name[name_capacity];
    const option_spec_t *spec = &specs[i];
    variable_name(spec, name);
    const char *quote = spec->default_value[0] ? "`" : "";
    fprintf(file, "| `%s` | %s | %s%s%s | %s | %s |\n", name, type_names[spec->type], quote, spec->default_value, quote,
            spec->accepted, spec->text);
  }
}
