/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A checked view of an ELF64 relocatable object. The bytes are untrusted: whatever this header hands out lies inside of
 * them, and every index that it takes is checked. */
#ifndef HOST_RUNTIME_EXECUTABLE_ELF_READ_H
#define HOST_RUNTIME_EXECUTABLE_ELF_READ_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mux/mux.h"

typedef struct host_elf_t {
  /** The caller's; of any alignment. */
  const unsigned char *bytes;
  uint64_t size;
  /** Aligned copy of the section headers, owned; ranges of all but SHT_NOBITS lie inside the bytes, alignments are
   * powers of two up to a page, names lie inside the table of names. */
  Elf64_Shdr *sections;
  uint32_t section_count;
  const char *section_names;
  /** Symbols and their names, whose table ends with a NUL. */
  const unsigned char *symbols;
  uint32_t symbol_count, symbol_section;
  const char *names;
  uint64_t names_size;
} host_elf_t;

/** Checks headers, sections and symbol table. mux_error_invalid_binary with a line in the log, or out_of_memory; then
 * nothing is to be closed. */
MUX_MUST_CHECK mux_result_t host_elf_open(host_elf_t *elf, const void *bytes, uint64_t size);
void host_elf_close(host_elf_t *elf);

/** Logs why the binary is refused, and gives mux_error_invalid_binary. */
mux_result_t host_elf_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

static inline const unsigned char *host_elf_section_bytes(const host_elf_t *elf, uint32_t section) {
  return elf->bytes + elf->sections[section].sh_offset;
}

static inline const char *host_elf_section_name(const host_elf_t *elf, uint32_t section) {
  return elf->section_names + elf->sections[section].sh_name;
}

/** Copies symbol `index`; false when there is none, its name lies outside, or it is of a kind that objects of kernels
 * do not have (thread-local, indirect function, an extended section index). */
bool host_elf_symbol(const host_elf_t *elf, uint32_t index, Elf64_Sym *symbol);

/** NUL-terminated; for a symbol that host_elf_symbol gave. */
static inline const char *host_elf_symbol_name(const host_elf_t *elf, const Elf64_Sym *symbol) {
  return elf->names + symbol->st_name;
}

/** True when relocations of section `section` are to be applied: SHT_RELA for a section that is loaded. */
bool host_elf_is_applied_rela(const host_elf_t *elf, uint32_t section);

/** Entry `index` of a section for which host_elf_is_applied_rela holds; below sh_size / sizeof(Elf64_Rela). */
Elf64_Rela host_elf_rela(const host_elf_t *elf, uint32_t section, uint64_t index);

#endif
