/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The variables of an executable that the host may look for. */
#ifndef HOST_RUNTIME_EXECUTABLE_VARIABLES_H
#define HOST_RUNTIME_EXECUTABLE_VARIABLES_H

#include "host/runtime/executable/elf_load.h"

typedef struct host_variable_t {
  /** In the table's `names`. */
  const char *name;
  size_t name_length;
  /** In the image, writable. */
  void *address;
  uint64_t size;
} host_variable_t;

typedef struct host_variables_t {
  host_variable_t *variables;
  uint32_t count;
  char *names;
} host_variables_t;

/** Finds the variables of a loaded object by their symbols; symbols that lie outside of writable sections are none.
 * mux_error_invalid_binary with a line in the log, or out_of_memory; then nothing is to be freed. */
MUX_MUST_CHECK mux_result_t host_variables_read(host_variables_t *table, const host_load_t *load);
void host_variables_free(host_variables_t *table);

/** Null when there is no such variable. */
const host_variable_t *host_variables_find(const host_variables_t *table, const char *name, size_t length);

#endif
