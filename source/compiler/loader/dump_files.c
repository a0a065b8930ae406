/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The files of QUERN_DUMP. */
#include "compiler/loader/dump_files.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/options.h"
#include "base/text.h"

static atomic_uint program_count;
static _Thread_local unsigned program_number;

unsigned dump_file_number(void) { return program_number; }

void dump_file_set_number(unsigned number) { program_number = number; }

void dump_file_write(bool begins_program, const char *suffix, const void *data, size_t size) {
  if (begins_program) program_number = atomic_fetch_add(&program_count, 1) + 1;
  if (!*suffix) return;
  text_t path = {0};
  text_appendf(&path, "%s/quern-%d-%u%s", options_get()->dump_dir, (int)getpid(), program_number, suffix);
  FILE *file = fopen(text_string(&path), "wbe");
  bool written = file && fwrite(data, 1, size, file) == size;
  if (file && fclose(file)) written = false;
  if (!written) log_warning("QUERN_DUMP cannot write %s: %s", text_string(&path), strerror(errno));
  text_free(&path);
}
