/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The files of QUERN_DUMP. */
#ifndef COMPILER_LOADER_DUMP_FILES_H
#define COMPILER_LOADER_DUMP_FILES_H

#include <stdbool.h>
#include <stddef.h>

/** Writes `<QUERN_DUMP_DIR>/quern-<process>-<number><suffix>`; the number counts the programs of the process, and is
 * that of the latest one of this thread, a program being compiled and finalized by one. An empty suffix writes nothing.
 * A file that cannot be written gives a warning. Thread safe. */
void dump_file_write(bool begins_program, const char *suffix, const void *data, size_t size);

/** Number of the thread's latest program, for a thread that compiles in the place of another one. */
unsigned dump_file_number(void);
void dump_file_set_number(unsigned number);

#endif
