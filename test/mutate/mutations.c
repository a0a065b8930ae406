/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Mutations of a C file: `mutations list SEED FILE` lists them, a line each, which begins with a number by which all
 * are drawn; `mutations apply NUMBER FILE` prints the file with one of them.
 * The operators are the usual ones of mutation testing (Jia and Harman, "An Analysis and Survey of the Development of
 * Mutation Testing", 2011): relations, logic, arithmetic, constants, negated conditions, removed statements; calls that
 * wait, release or retain are told from others. Function bodies alone are changed; assertions and log lines are not. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What goes out, from where on, how much of it, and what comes in. */
typedef struct mutation_t {
  size_t at, length;
  const char *operator;
  char text[64];
  /** Behind the matching parenthesis, when the mutation has a second part: 0 when not. */
  size_t close;
} mutation_t;

static char *text;
/* For each byte: code of a function body that may be changed. */
static bool *is_open;
static size_t size;
static mutation_t mutations[1 << 16];
static size_t count;

/* ---------------------------------------------------------------- what is code */

static size_t skip_until(size_t at, const char *end) {
  const char *found = strstr(text + at, end);
  return found ? (size_t)(found - text) + strlen(end) : size;
}

static size_t skip_quoted(size_t at) {
  char quote = text[at++];
  while (at < size && text[at] != quote) at += text[at] == '\\' ? 2 : 1;
  return at + 1;
}

static size_t skip_directive(size_t at) {
  while (at < size && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
  return at;
}

/* Blanks what is no code, so that later scans need not tell it; newlines stay. */
static void blank(size_t from, size_t to, char filler) {
  for (size_t i = from; i < to && i < size; i++) {
    if (text[i] != '\n') text[i] = filler;
  }
}

static void blank_what_is_no_code(void) {
  bool at_line_start = true;
  for (size_t i = 0; i < size;) {
    size_t end = i + 1;
    char filler = ' ';
    if (strncmp(text + i, "/*", 2) == 0) {
      end = skip_until(i + 2, "*/");
    } else if (strncmp(text + i, "//", 2) == 0 || (at_line_start && text[i] == '#')) {
      end = skip_directive(i);
    } else if (text[i] == '"' || text[i] == '\'') {
      end = skip_quoted(i);
      filler = '"';
    } else {
      if (text[i] == '\n')
        at_line_start = true;
      else if (!isspace((unsigned char)text[i]))
        at_line_start = false;
      i++;
      continue;
    }
    blank(i, end, filler);
    i = end;
  }
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static size_t match(size_t at) {
  int depth = 0;
  for (; at < size; at++) {
    if (strchr("([{", text[at]) && text[at]) depth++;
    if (strchr(")]}", text[at]) && text[at] && --depth == 0) return at;
  }
  return size;
}

static void open_bodies(void) {
  char last = 0;
  for (size_t i = 0; i < size; i++) {
    if (text[i] == '{') {
      size_t end = match(i);
      if (last == ')') memset(is_open + i, 1, end - i);
      i = end;
    }
    if (i < size && !isspace((unsigned char)text[i])) last = text[i];
  }
}

/* Calls of these, with their arguments. */
static void close_calls(const char *name) {
  size_t length = strlen(name);
  for (char *at = text; (at = strstr(at, name)); at += length) {
    size_t begin = (size_t)(at - text), call = begin + length;
    if (begin && is_word(text[begin - 1])) continue;
    if (text[call] == '(') memset(is_open + begin, 0, match(call) - begin + 1);
  }
}

/* ---------------------------------------------------------------- operators */

static void add(size_t at, size_t length, const char *operator, const char * replacement, size_t close) {
  if (!is_open[at] || count == sizeof mutations / sizeof *mutations) return;
  mutation_t *mutation = &mutations[count++];
  *mutation = (mutation_t){.at = at, .length = length, .operator= operator, .close = close };
  snprintf(mutation->text, sizeof mutation->text, "%s", replacement);
}

static bool is_at(size_t at, const char *token) { return strncmp(text + at, token, strlen(token)) == 0; }

/* Longer tokens first; those with null are known only so that no part of them is taken for another. */
static const struct {
  const char *token, *replacement, *operator;
} tokens[] = {
    {"->", NULL, NULL},           {"<<=", NULL, NULL},          {">>=", NULL, NULL},
    {"<<", NULL, NULL},           {">>", NULL, NULL},           {"<=", "<", "relation"},
    {">=", ">", "relation"},      {"==", "!=", "relation"},     {"!=", "==", "relation"},
    {"&&", "||", "logic"},        {"||", "&&", "logic"},        {"+=", "-=", "arithmetic"},
    {"-=", "+=", "arithmetic"},   {"|=", "&=", "flags"},        {"&=", "|=", "flags"},
    {"++", "--", "arithmetic"},   {"--", "++", "arithmetic"},   {" < ", " <= ", "relation"},
    {" > ", " >= ", "relation"},  {" + ", " - ", "arithmetic"}, {" - ", " + ", "arithmetic"},
    {" * ", " + ", "arithmetic"}, {" / ", " * ", "arithmetic"}, {" | ", " & ", "flags"},
    {" & ", " | ", "flags"},      {"~", "", "flags"},
};

static size_t mutate_token(size_t at) {
  for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
    if (!is_at(at, tokens[i].token)) continue;
    size_t length = strlen(tokens[i].token);
    if (tokens[i].replacement) add(at, length, tokens[i].operator, tokens[i].replacement, 0);
    return at + length - (text[at] == ' ');
  }
  return at + 1;
}

static size_t word_end(size_t at) {
  while (at < size && is_word(text[at])) at++;
  return at;
}

static size_t skip_space(size_t at) {
  while (at < size && isspace((unsigned char)text[at])) at++;
  return at;
}

static bool word_is(size_t at, size_t end, const char *word) {
  return end - at == strlen(word) && strncmp(text + at, word, end - at) == 0;
}

static void mutate_number(size_t at, size_t end) {
  char *after, replacement[32];
  unsigned long value = strtoul(text + at, &after, 10);
  bool is_decimal = (text[at] != '0' || end == at + 1) && text[end] != '.' && (at == 0 || text[at - 1] != '.');
  if (!is_decimal) return;
  size_t digits = (size_t)(after - text) - at;
  snprintf(replacement, sizeof replacement, "%lu%.*s", value + 1, (int)(end - at - digits), text + at + digits);
  add(at, end - at, "constant", replacement, 0);
}

static bool name_has(const char *name, const char *const *parts) {
  for (; *parts; parts++) {
    if (strstr(name, *parts)) return true;
  }
  return false;
}

static const char *kind_of_call(size_t at, size_t end) {
  static const char *const waits[] = {"wait", "finish", "flush", "join", "signal", "broadcast", "wake", NULL};
  static const char *const releases[] = {"release", "drop", "unref", "free", "destroy", "unlock", "close", NULL};
  static const char *const retains[] = {"retain", "hold", "ref", "lock", NULL};
  char name[128];
  snprintf(name, sizeof name, "%.*s", (int)(end - at), text + at);
  for (char *c = name; *c; c++) *c = (char)tolower((unsigned char)*c);
  if (name_has(name, waits)) return "dropped-wait";
  if (name_has(name, releases)) return "dropped-release";
  if (name_has(name, retains)) return "dropped-retain";
  return "dropped-call";
}

static bool is_keyword(size_t at, size_t end) {
  static const char *const words[] = {"return",  "if",    "for",      "while",  "do",      "switch",   "case",
                                      "default", "break", "continue", "goto",   "else",    "const",    "static",
                                      "struct",  "enum",  "union",    "sizeof", "typedef", "unsigned", NULL};
  for (int i = 0; words[i]; i++) {
    if (word_is(at, end, words[i])) return true;
  }
  return false;
}

/* Where the statement ends, or 0 when it is no expression statement: a declaration has a name or star behind its first
 * word. */
static size_t statement_end(size_t at, size_t end) {
  size_t next = skip_space(end);
  if (is_keyword(at, end) || next == size || is_word(text[next]) || text[next] == '*' || text[next] == ':') return 0;
  for (size_t i = at; i < size; i++) {
    if (text[i] == '(' || text[i] == '[' || text[i] == '{') i = match(i);
    if (text[i] == ';') return i + 1;
    if (text[i] == '}') return 0;
  }
  return 0;
}

static void mutate_statement(size_t at, size_t end) {
  size_t last = statement_end(at, end);
  if (last) add(at, last - at, text[end] == '(' ? kind_of_call(at, end) : "dropped-statement", "{}", 0);
}

static void mutate_word(size_t at, size_t end, bool begins_statement) {
  if (isdigit((unsigned char)text[at])) {
    mutate_number(at, end);
  } else if (word_is(at, end, "true")) {
    add(at, 4, "constant", "false", 0);
  } else if (word_is(at, end, "false")) {
    add(at, 5, "constant", "true", 0);
  } else if (word_is(at, end, "if") && text[skip_space(end)] == '(') {
    size_t open = skip_space(end);
    add(open, 1, "negated-condition", "(!(", match(open));
  } else if (begins_statement) {
    mutate_statement(at, end);
  }
}

/* The parenthesis behind if, for and while: a statement follows the one that closes it. */
static bool opens_head(size_t open) {
  size_t end = open;
  while (end && isspace((unsigned char)text[end - 1])) end--;
  size_t at = end;
  while (at && is_word(text[at - 1])) at--;
  return word_is(at, end, "if") || word_is(at, end, "for") || word_is(at, end, "while");
}

static void find_mutations(void) {
  bool begins_statement = false;
  size_t head_end = 0;
  for (size_t i = 0; i < size;) {
    char c = text[i];
    if (c == '(' && opens_head(i)) {
      size_t end = match(i);
      if (end > head_end) head_end = end;
    }
    if (is_word(c)) {
      size_t end = word_end(i);
      mutate_word(i, end, begins_statement);
      begins_statement = word_is(i, end, "else") || word_is(i, end, "do");
      i = end;
      continue;
    }
    if (c == ';' || c == '{' || c == '}')
      begins_statement = i >= head_end;
    else if (c == ')' && i == head_end)
      begins_statement = true;
    else if (!isspace((unsigned char)c))
      begins_statement = false;
    i = mutate_token(i);
  }
}

/* ---------------------------------------------------------------- the program */

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  char *data = NULL;
  long length = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
  if (length >= 0) data = calloc((size_t)length + 2, 1);
  rewind(file);
  if (data && fread(data, 1, (size_t)length, file) != (size_t)length) {
    free(data);
    data = NULL;
  }
  size = data ? (size_t)length : 0;
  fclose(file);
  return data;
}

static unsigned line_of(size_t at) {
  unsigned line = 1;
  for (size_t i = 0; i < at; i++) line += text[i] == '\n';
  return line;
}

/* FNV-1a, and a last mixing: neighbours come apart. */
static unsigned long long draw(unsigned long long seed, const char *path, size_t number) {
  unsigned long long hash = 0xcbf29ce484222325ull ^ seed;
  for (const char *c = path; *c; c++) hash = (hash ^ (unsigned char)*c) * 0x100000001b3ull;
  hash = (hash ^ number) * 0x9e3779b97f4a7c15ull;
  hash = (hash ^ (hash >> 29)) * 0xbf58476d1ce4e5b9ull;
  return hash ^ (hash >> 32);
}

static void list(const char *path, unsigned long long seed, const char *original) {
  for (size_t i = 0; i < count; i++) {
    const mutation_t *mutation = &mutations[i];
    unsigned line = line_of(mutation->at);
    size_t begin = mutation->at, end = mutation->at;
    while (begin && original[begin - 1] != '\n') begin--;
    while (original[end] && original[end] != '\n') end++;
    while (isspace((unsigned char)original[begin]) && begin < end) begin++;
    printf("%016llx\t%s\t%zu\t%u\t%s\t%s\t%.*s\n", draw(seed, path, i), path, i, line, mutation->operator,
           mutation->text, (int)(end - begin), original + begin);
  }
}

static void apply(const mutation_t *mutation, const char *original) {
  size_t after = mutation->at + mutation->length;
  printf("%.*s%s", (int)mutation->at, original, mutation->text);
  if (mutation->close) {
    printf("%.*s)", (int)(mutation->close - after), original + after);
    after = mutation->close;
  }
  printf("%s", original + after);
}

int main(int argc, char **argv) {
  bool lists = argc == 4 && strcmp(argv[1], "list") == 0;
  if (!lists && (argc != 4 || strcmp(argv[1], "apply") != 0)) {
    fprintf(stderr, "usage: mutations list SEED FILE | apply NUMBER FILE\n");
    return 2;
  }
  int status = 1;
  unsigned long long number = strtoull(argv[2], NULL, 10);
  char *original = read_file(argv[3]);
  text = read_file(argv[3]);
  is_open = calloc(size + 1, sizeof *is_open);
  if (!original || !text || !is_open) {
    fprintf(stderr, "mutations: %s cannot be read\n", argv[3]);
    goto done;
  }
  blank_what_is_no_code();
  open_bodies();
  const char *const closed[] = {"assert", "log_write", "log_warning", "static_assert", "_Static_assert", "sizeof"};
  for (size_t i = 0; i < sizeof closed / sizeof *closed; i++) close_calls(closed[i]);
  find_mutations();
  if (lists) {
    list(argv[3], number, original);
  } else if (number < count) {
    apply(&mutations[number], original);
  } else {
    fprintf(stderr, "mutations: %s has %zu\n", argv[3], count);
    goto done;
  }
  status = 0;
done:
  free(is_open);
  free(text);
  free(original);
  return status;
}
