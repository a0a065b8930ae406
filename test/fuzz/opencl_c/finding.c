/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Files of findings. findings.txt has a line for each time: the file's name and the cause. */
#include "finding.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"

static void write_file(const char *folder, const char *name, const char *suffix, const char *content) {
  text_t path = {0};
  text_appendf(&path, "%s/%s%s", folder, name, suffix);
  FILE *file = fopen(text_string(&path), "wbe");
  if (!file || fputs(content, file) < 0) perror(text_string(&path));
  if (file) fclose(file);
  text_free(&path);
}

static bool is_shorter(const char *folder, const char *name, size_t length) {
  text_t path = {0};
  struct stat status;
  text_appendf(&path, "%s/%s.cl", folder, name);
  const bool is_there = !stat(text_string(&path), &status);
  text_free(&path);
  return !is_there || (off_t)length < status.st_size;
}

/* What makes the same build again: the driver's options are in the environment. */
static void append_environment(text_t *out) {
  for (char **entry = environ; *entry; entry++) {
    if (!strncmp(*entry, "QUERN_", 6)) text_appendf(out, "%s\n", *entry);
  }
}

void finding_add(const char *folder, const char *cause, const char *source, const char *options, const char *log) {
  text_t name = {0}, line = {0}, full_log = {0}, path = {0};
  text_appendf(&name, "%.*s-%016llx", (int)strcspn(cause, ":"), cause,
               (unsigned long long)hash_bytes(cause, strlen(cause)));
  text_appendf(&line, "%s %s\n", text_string(&name), cause);
  text_appendf(&path, "%s/findings.txt", folder);
  const int file = open(text_string(&path), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0 || flock(file, LOCK_EX) || write(file, line.data, line.length) < 0) perror(text_string(&path));
  if (is_shorter(folder, text_string(&name), strlen(source))) {
    append_environment(&full_log);
    text_append(&full_log, log);
    write_file(folder, text_string(&name), ".cl", source);
    write_file(folder, text_string(&name), ".cl.options", options);
    write_file(folder, text_string(&name), ".log", text_string(&full_log));
  }
  if (file >= 0) close(file);
  text_free(&name);
  text_free(&line);
  text_free(&full_log);
  text_free(&path);
}

/* ------------------------------------------------------------ the list */

typedef struct cause_t {
  char *line;
  size_t times;
} cause_t;

static int compare_lines(const void *a, const void *b) {
  return strcmp(((const cause_t *)a)->line, ((const cause_t *)b)->line);
}

static int compare_times(const void *a, const void *b) {
  const size_t x = ((const cause_t *)a)->times, y = ((const cause_t *)b)->times;
  return (x < y) - (x > y);
}

static size_t read_lines(const char *folder, cause_t **out_causes) {
  text_t path = {0};
  text_appendf(&path, "%s/findings.txt", folder);
  FILE *file = fopen(text_string(&path), "rbe");
  text_free(&path);
  size_t count = 0, size = 0;
  char *line = NULL;
  while (file && getline(&line, &size, file) > 0) {
    *out_causes = realloc(*out_causes, (count + 1) * sizeof(cause_t));
    if (!*out_causes) abort();
    (*out_causes)[count++] = (cause_t){strdup(line), 1};
  }
  free(line);
  if (file) fclose(file);
  return count;
}

/* Equal ones are neighbours. */
static size_t merge(cause_t *causes, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (kept && !strcmp(causes[kept - 1].line, causes[i].line)) {
      causes[kept - 1].times++;
      free(causes[i].line);
    } else {
      causes[kept++] = causes[i];
    }
  }
  return kept;
}

size_t findings_print(const char *folder, FILE *out) {
  cause_t *causes = NULL;
  size_t count = read_lines(folder, &causes);
  if (count) {
    qsort(causes, count, sizeof *causes, compare_lines);
    count = merge(causes, count);
    qsort(causes, count, sizeof *causes, compare_times);
  }
  for (size_t i = 0; i < count; i++) {
    fprintf(out, "%7zu  %s", causes[i].times, causes[i].line);
    free(causes[i].line);
  }
  free(causes);
  return count;
}
