/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Checking an ELF object, so that the loader can trust its numbers. */
#include "host/runtime/executable/elf_read.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"

#define MAX_ALIGNMENT 4096u
/* Of the parts of a section header table that LLVM writes without extended numbering. */
#define MAX_SECTIONS 0xff00u

mux_result_t host_elf_refuse(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  log_write_v(log_loader, format, arguments);
  va_end(arguments);
  return mux_error_invalid_binary;
}

static bool range_is_inside(const host_elf_t *elf, uint64_t offset, uint64_t size) {
  return offset <= elf->size && size <= elf->size - offset;
}

/* ---------------------------------------------------------------- headers */

static mux_result_t header_check(const host_elf_t *elf, Elf64_Ehdr *header) {
  if (elf->size < sizeof *header)
    return host_elf_refuse("binary refused: %llu bytes are no ELF file", (unsigned long long)elf->size);
  memcpy(header, elf->bytes, sizeof *header);
  if (memcmp(header->e_ident, ELFMAG, SELFMAG) || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_ident[EI_DATA] != ELFDATA2LSB || header->e_ident[EI_VERSION] != EV_CURRENT)
    return host_elf_refuse("binary refused: not a little-endian ELF64 file");
  if (header->e_type != ET_REL || header->e_version != EV_CURRENT)
    return host_elf_refuse("binary refused: ELF type %u is not a relocatable object", header->e_type);
  if (header->e_machine != EM_X86_64)
    return host_elf_refuse("binary refused: made for ELF machine %u", header->e_machine);
  if (header->e_shentsize != sizeof(Elf64_Shdr) || !header->e_shnum || header->e_shnum >= MAX_SECTIONS ||
      header->e_shstrndx >= header->e_shnum)
    return host_elf_refuse("binary refused: damaged section header table");
  if (!range_is_inside(elf, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr)))
    return host_elf_refuse("binary refused: section headers lie outside of the file");
  return mux_success;
}

static bool string_table_is_valid(const host_elf_t *elf, uint32_t section) {
  const Elf64_Shdr *header = &elf->sections[section];
  return header->sh_type == SHT_STRTAB && header->sh_size && !host_elf_section_bytes(elf, section)[header->sh_size - 1];
}

static mux_result_t section_check(const host_elf_t *elf, uint32_t section, uint64_t names_size) {
  const Elf64_Shdr *header = &elf->sections[section];
  if (header->sh_type == SHT_NULL) return mux_success;
  if (header->sh_type != SHT_NOBITS && !range_is_inside(elf, header->sh_offset, header->sh_size))
    return host_elf_refuse("binary refused: section %u lies outside of the file", section);
  if (header->sh_addralign && (!is_power_of_two(header->sh_addralign) || header->sh_addralign > MAX_ALIGNMENT))
    return host_elf_refuse("binary refused: section %u has alignment %llu", section,
                           (unsigned long long)header->sh_addralign);
  if (header->sh_name >= names_size) return host_elf_refuse("binary refused: section %u has no name", section);
  return mux_success;
}

/* The headers are read from an aligned copy. What SHT_NULL entries say is wiped: nobody checks it. */
static mux_result_t sections_read(host_elf_t *elf, const Elf64_Ehdr *header) {
  elf->section_count = header->e_shnum;
  memcpy(elf->sections, elf->bytes + header->e_shoff, header->e_shnum * sizeof(Elf64_Shdr));
  for (uint32_t i = 0; i < elf->section_count; ++i)
    if (elf->sections[i].sh_type == SHT_NULL) elf->sections[i] = (Elf64_Shdr){0};
  const Elf64_Shdr *names = &elf->sections[header->e_shstrndx];
  if (!range_is_inside(elf, names->sh_offset, names->sh_size) || !string_table_is_valid(elf, header->e_shstrndx))
    return host_elf_refuse("binary refused: damaged table of section names");
  elf->section_names = (const char *)host_elf_section_bytes(elf, header->e_shstrndx);
  for (uint32_t i = 0; i < elf->section_count; ++i) {
    mux_result_t result = section_check(elf, i, names->sh_size);
    if (result) return result;
  }
  return mux_success;
}

/* ---------------------------------------------------------------- symbols and relocations */

static mux_result_t symbol_table_read(host_elf_t *elf, uint32_t section) {
  const Elf64_Shdr *header = &elf->sections[section];
  const uint64_t count = header->sh_size / sizeof(Elf64_Sym);
  if (elf->symbols || header->sh_entsize != sizeof(Elf64_Sym) || header->sh_size % sizeof(Elf64_Sym) ||
      count > UINT32_MAX || header->sh_link >= elf->section_count || !string_table_is_valid(elf, header->sh_link))
    return host_elf_refuse("binary refused: damaged symbol table");
  elf->symbols = host_elf_section_bytes(elf, section);
  elf->symbol_count = (uint32_t)count;
  elf->symbol_section = section;
  elf->names = (const char *)host_elf_section_bytes(elf, header->sh_link);
  elf->names_size = elf->sections[header->sh_link].sh_size;
  return mux_success;
}

static mux_result_t symbol_tables_read(host_elf_t *elf) {
  for (uint32_t i = 0; i < elf->section_count; ++i) {
    if (elf->sections[i].sh_type != SHT_SYMTAB) continue;
    mux_result_t result = symbol_table_read(elf, i);
    if (result) return result;
  }
  return elf->symbols ? mux_success : host_elf_refuse("binary refused: no symbol table");
}

static mux_result_t relocations_check(const host_elf_t *elf) {
  for (uint32_t i = 0; i < elf->section_count; ++i) {
    const Elf64_Shdr *header = &elf->sections[i];
    if (header->sh_type == SHT_REL) return host_elf_refuse("binary refused: relocations without addends");
    if (header->sh_type != SHT_RELA) continue;
    if (header->sh_info >= elf->section_count || header->sh_link != elf->symbol_section ||
        header->sh_entsize != sizeof(Elf64_Rela) || header->sh_size % sizeof(Elf64_Rela))
      return host_elf_refuse("binary refused: damaged relocation section %u", i);
  }
  return mux_success;
}

bool host_elf_symbol(const host_elf_t *elf, uint32_t index, Elf64_Sym *symbol) {
  if (index >= elf->symbol_count) return false;
  memcpy(symbol, elf->symbols + (size_t)index * sizeof *symbol, sizeof *symbol);
  if (symbol->st_name >= elf->names_size) return false;
  if (ELF64_ST_TYPE(symbol->st_info) == STT_TLS || ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC) return false;
  return symbol->st_shndx < elf->section_count || symbol->st_shndx == SHN_ABS || symbol->st_shndx == SHN_COMMON;
}

bool host_elf_is_applied_rela(const host_elf_t *elf, uint32_t section) {
  const Elf64_Shdr *header = &elf->sections[section];
  return header->sh_type == SHT_RELA && (elf->sections[header->sh_info].sh_flags & SHF_ALLOC);
}

Elf64_Rela host_elf_rela(const host_elf_t *elf, uint32_t section, uint64_t index) {
  Elf64_Rela rela;
  memcpy(&rela, host_elf_section_bytes(elf, section) + index * sizeof rela, sizeof rela);
  return rela;
}

/* ---------------------------------------------------------------- opening */

mux_result_t host_elf_open(host_elf_t *elf, const void *bytes, uint64_t size) {
  Elf64_Ehdr header;
  *elf = (host_elf_t){.bytes = bytes, .size = size};
  mux_result_t result = header_check(elf, &header);
  if (result) return result;
  elf->sections = calloc(header.e_shnum, sizeof *elf->sections);
  if (!elf->sections) return mux_error_out_of_memory;
  result = sections_read(elf, &header);
  if (!result) result = symbol_tables_read(elf);
  if (!result) result = relocations_check(elf);
  if (result) host_elf_close(elf);
  return result;
}

void host_elf_close(host_elf_t *elf) {
  free(elf->sections);
  *elf = (host_elf_t){0};
}
