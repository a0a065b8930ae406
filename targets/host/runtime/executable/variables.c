/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Variables by their symbols, which are as untrusted as the rest of the file. */
#include "host/runtime/executable/variables.h"

#include <stdlib.h>
#include <string.h>

#include "host/abi.h"

/* The name of symbol `index`, without the prefix; null when it is no variable. */
static const char *variable_read(const host_load_t *load, uint32_t index, host_variable_t *variable) {
  static const size_t prefix = sizeof HOST_VARIABLE_PREFIX - 1;
  Elf64_Sym symbol;
  if (!host_elf_symbol(load->elf, index, &symbol) || ELF64_ST_BIND(symbol.st_info) == STB_LOCAL) return NULL;
  const char *name = host_elf_symbol_name(load->elf, &symbol);
  if (strncmp(name, HOST_VARIABLE_PREFIX, prefix) || symbol.st_shndx >= load->elf->section_count) return NULL;
  const Elf64_Shdr *header = &load->elf->sections[symbol.st_shndx];
  uint64_t offset = load->section_offsets[symbol.st_shndx];
  if (offset == HOST_SECTION_NOT_LOADED || !(header->sh_flags & SHF_WRITE)) return NULL;
  if (symbol.st_value > header->sh_size || symbol.st_size > header->sh_size - symbol.st_value) return NULL;
  variable->address = load->image.base + offset + symbol.st_value;
  variable->size = symbol.st_size;
  return name + prefix;
}

typedef struct measure_t {
  uint32_t count;
  size_t names_size;
} measure_t;

/* Each variable has a name of its own, so that all of them fit into the table of names. Symbols that share a long one
 * would take the square of the file's size in time and memory. */
static mux_result_t measure(const host_load_t *load, measure_t *measured) {
  *measured = (measure_t){0};
  for (uint32_t i = 0; i < load->elf->symbol_count; ++i) {
    host_variable_t variable;
    const char *name = variable_read(load, i, &variable);
    if (!name) continue;
    ++measured->count;
    measured->names_size += strlen(name);
    if (measured->names_size > load->elf->names_size) return host_elf_refuse("binary refused: variables share names");
  }
  return mux_success;
}

mux_result_t host_variables_read(host_variables_t *table, const host_load_t *load) {
  measure_t measured;
  *table = (host_variables_t){0};
  mux_result_t result = measure(load, &measured);
  if (result || !measured.count) return result;
  table->variables = calloc(measured.count, sizeof *table->variables);
  table->names = malloc(measured.names_size + 1);
  if (!table->variables || !table->names) {
    host_variables_free(table);
    return mux_error_out_of_memory;
  }
  char *at = table->names;
  for (uint32_t i = 0; i < load->elf->symbol_count; ++i) {
    host_variable_t variable = {0};
    const char *name = variable_read(load, i, &variable);
    if (!name) continue;
    variable.name = at;
    variable.name_length = strlen(name);
    memcpy(at, name, variable.name_length);
    at += variable.name_length;
    table->variables[table->count++] = variable;
  }
  return mux_success;
}

void host_variables_free(host_variables_t *table) {
  free(table->variables);
  free(table->names);
  *table = (host_variables_t){0};
}

const host_variable_t *host_variables_find(const host_variables_t *table, const char *name, size_t length) {
  for (uint32_t i = 0; i < table->count; ++i) {
    const host_variable_t *variable = &table->variables[i];
    if (variable->name_length == length && !memcmp(variable->name, name, length)) return variable;
  }
  return NULL;
}
