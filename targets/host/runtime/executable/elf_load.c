/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * One mapping per object: measure, map, copy, relocate, protect. */
#include "host/runtime/executable/elf_load.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "host/runtime/executable/relocate.h"

#define PAGE 4096u
/* Far more than any kernel, and small enough that 32-bit distances inside the image always fit. */
#define MAX_IMAGE_SIZE ((uint64_t)1 << 30)

/* ---------------------------------------------------------------- layout */

static bool section_part(const Elf64_Shdr *header, host_code_part_e *part) {
  bool writes = header->sh_flags & SHF_WRITE, executes = header->sh_flags & SHF_EXECINSTR;
  if (header->sh_flags & (SHF_TLS | SHF_COMPRESSED)) return false;
  if (writes && executes) return false;
  *part = executes ? host_code_text : writes ? host_code_data : host_code_constants;
  return true;
}

/* Code that would have to run at load time has no place in a kernel's object. */
static bool section_type_is_known(const Elf64_Shdr *header) {
  return header->sh_type == SHT_PROGBITS || header->sh_type == SHT_NOBITS || header->sh_type == SHT_NOTE ||
         header->sh_type == SHT_X86_64_UNWIND;
}

/* Reserves room in a part; the offset is from the part's start for now. */
static mux_result_t room_take(host_load_t *load, host_code_part_e part, uint64_t size, uint64_t alignment,
                              uint64_t *offset) {
  uint64_t *end = &load->image.part_size[part];
  if (size > MAX_IMAGE_SIZE || *end > MAX_IMAGE_SIZE) return host_elf_refuse("binary refused: too large to load");
  *offset = align_up(*end, alignment ? alignment : 1);
  *end = *offset + size;
  return mux_success;
}

static mux_result_t sections_measure(host_load_t *load) {
  const host_elf_t *elf = load->elf;
  for (uint32_t i = 0; i < elf->section_count; ++i) {
    const Elf64_Shdr *header = &elf->sections[i];
    host_code_part_e part;
    load->section_offsets[i] = HOST_SECTION_NOT_LOADED;
    if (!(header->sh_flags & SHF_ALLOC)) continue;
    if (!section_type_is_known(header) || !section_part(header, &part))
      return host_elf_refuse("binary refused: section %s cannot be loaded", host_elf_section_name(elf, i));
    mux_result_t result = room_take(load, part, header->sh_size, header->sh_addralign, &load->section_offsets[i]);
    if (result) return result;
  }
  return mux_success;
}

static mux_result_t commons_measure(host_load_t *load) {
  Elf64_Sym symbol;
  for (uint32_t i = 0; i < load->elf->symbol_count; ++i) {
    if (!host_elf_symbol(load->elf, i, &symbol) || symbol.st_shndx != SHN_COMMON) continue;
    if (!is_power_of_two(symbol.st_value) || symbol.st_value > PAGE)
      return host_elf_refuse("binary refused: common block with alignment %llu", (unsigned long long)symbol.st_value);
    mux_result_t result = room_take(load, host_code_data, symbol.st_size, symbol.st_value, &load->common_offsets[i]);
    if (result) return result;
  }
  return mux_success;
}

static mux_result_t tables_measure(host_load_t *load) {
  mux_result_t result =
      room_take(load, host_code_text, (uint64_t)load->stub_count * HOST_STUB_SIZE, HOST_STUB_SIZE, &load->stubs_offset);
  if (result) return result;
  return room_take(load, host_code_constants, (uint64_t)load->got_count * sizeof(uint64_t), sizeof(uint64_t),
                   &load->got_offset);
}

/* Puts the parts one behind the other and makes all offsets start at the image's base. */
static void layout_settle(host_load_t *load) {
  host_code_t *image = &load->image;
  Elf64_Sym symbol;
  for (int part = 0; part < host_code_part_count; ++part) {
    image->part_offset[part] = image->size;
    image->size += align_up(image->part_size[part], PAGE);
  }
  for (uint32_t i = 0; i < load->elf->section_count; ++i) {
    host_code_part_e part;
    if (load->section_offsets[i] == HOST_SECTION_NOT_LOADED) continue;
    if (section_part(&load->elf->sections[i], &part)) load->section_offsets[i] += image->part_offset[part];
  }
  for (uint32_t i = 0; i < load->elf->symbol_count; ++i)
    if (host_elf_symbol(load->elf, i, &symbol) && symbol.st_shndx == SHN_COMMON)
      load->common_offsets[i] += image->part_offset[host_code_data];
  load->stubs_offset += image->part_offset[host_code_text];
  load->got_offset += image->part_offset[host_code_constants];
}

/* ---------------------------------------------------------------- memory */

static mux_result_t image_map(host_load_t *load) {
  host_code_t *image = &load->image;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#ifdef MAP_32BIT
  if (load->needs_low_addresses) flags |= MAP_32BIT;
#endif
  if (!image->size) return host_elf_refuse("binary refused: nothing to load");
  void *base = mmap(NULL, image->size, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (base == MAP_FAILED) return mux_error_out_of_memory;
  image->base = base;
  return mux_success;
}

static void sections_copy(host_load_t *load) {
  for (uint32_t i = 0; i < load->elf->section_count; ++i) {
    const Elf64_Shdr *header = &load->elf->sections[i];
    if (load->section_offsets[i] == HOST_SECTION_NOT_LOADED || header->sh_type == SHT_NOBITS || !header->sh_size)
      continue;
    memcpy(load->image.base + load->section_offsets[i], host_elf_section_bytes(load->elf, i), header->sh_size);
  }
}

static bool part_protect(const host_code_t *image, host_code_part_e part, int protection) {
  uint64_t size = align_up(image->part_size[part], PAGE);
  return !size || !mprotect(image->base + image->part_offset[part], size, protection);
}

static mux_result_t image_protect(const host_code_t *image) {
  if (!part_protect(image, host_code_text, PROT_READ | PROT_EXEC) ||
      !part_protect(image, host_code_constants, PROT_READ))
    return mux_error_out_of_memory;
  char *code = image->base + image->part_offset[host_code_text];
  __builtin___clear_cache(code, code + image->part_size[host_code_text]);
  return mux_success;
}

void host_code_unload(host_code_t *image) {
  if (image->base) munmap(image->base, image->size);
  *image = (host_code_t){0};
}

/* ---------------------------------------------------------------- loading */

static bool tables_allocate(host_load_t *load) {
  size_t symbols = load->elf->symbol_count ? load->elf->symbol_count : 1;
  load->section_offsets = calloc(load->elf->section_count, sizeof *load->section_offsets);
  load->symbol_addresses = calloc(symbols, sizeof *load->symbol_addresses);
  load->common_offsets = calloc(symbols, sizeof *load->common_offsets);
  load->got_entries = calloc(symbols, sizeof *load->got_entries);
  load->stub_entries = calloc(symbols, sizeof *load->stub_entries);
  return load->section_offsets && load->symbol_addresses && load->common_offsets && load->got_entries &&
         load->stub_entries;
}

static mux_result_t layout_make(host_load_t *load) {
  mux_result_t result = sections_measure(load);
  if (!result) result = commons_measure(load);
  if (!result) result = host_relocations_scan(load);
  if (!result) result = tables_measure(load);
  if (!result) layout_settle(load);
  return result;
}

mux_result_t host_load_run(host_load_t *load, const host_elf_t *elf) {
  *load = (host_load_t){.elf = elf};
  if (!tables_allocate(load)) return mux_error_out_of_memory;
  mux_result_t result = layout_make(load);
  if (!result) result = image_map(load);
  if (result) return result;
  sections_copy(load);
  result = host_relocations_apply(load);
  if (!result) result = image_protect(&load->image);
  if (result) host_code_unload(&load->image);
  return result;
}

void host_load_end(host_load_t *load) {
  free(load->section_offsets);
  free(load->symbol_addresses);
  free(load->common_offsets);
  free(load->got_entries);
  free(load->stub_entries);
}

const char *host_load_code_address(const host_load_t *load, const Elf64_Sym *symbol) {
  if (symbol->st_shndx >= load->elf->section_count) return NULL;
  const Elf64_Shdr *header = &load->elf->sections[symbol->st_shndx];
  if (load->section_offsets[symbol->st_shndx] == HOST_SECTION_NOT_LOADED) return NULL;
  if (!(header->sh_flags & SHF_EXECINSTR) || symbol->st_value >= header->sh_size) return NULL;
  return load->image.base + load->section_offsets[symbol->st_shndx] + symbol->st_value;
}
