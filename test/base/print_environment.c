/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Prints docs/environment.md from the options table, or (--check FILE) compares the file with it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"

static int check(const char *path) {
  char *expected = NULL;
  size_t size = 0;
  FILE *memory = open_memstream(&expected, &size);
  if (!memory) return EXIT_FAILURE;
  options_write_markdown(memory);
  fclose(memory);
  FILE *file = fopen(path, "r");
  if (!file) {
    perror(path);
    free(expected);
    return EXIT_FAILURE;
  }
  size_t position = 0;
  int c;
  while ((c = fgetc(file)) != EOF && position < size && (char)c == expected[position]) position++;
  fclose(file);
  free(expected);
  if (c == EOF && position == size) return EXIT_SUCCESS;
  fprintf(stderr, "%s differs from source/base/options.def at byte %zu; write it anew: base-print-environment > %s\n",
          path, position, path);
  return EXIT_FAILURE;
}

int main(int argc, char **argv) {
  if (argc == 3 && !strcmp(argv[1], "--check")) return check(argv[2]);
  options_write_markdown(stdout);
  return EXIT_SUCCESS;
}
