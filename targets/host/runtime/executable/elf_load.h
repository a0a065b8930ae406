/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Laying out an object's sections in memory and relocating them. */
#ifndef HOST_RUNTIME_EXECUTABLE_ELF_LOAD_H
#define HOST_RUNTIME_EXECUTABLE_ELF_LOAD_H

#include "host/runtime/executable/elf_read.h"

/** The three protections that pages of an image have, in the order of the layout. */
typedef enum host_code_part_e {
  host_code_text,
  host_code_constants,
  host_code_data,
  host_code_part_count,
} host_code_part_e;

/** One mapping: code (and jump stubs), constants (and the table of addresses, the GOT), data. */
typedef struct host_code_t {
  char *base;
  uint64_t size;
  /** Of each part, from `base`; page aligned. */
  uint64_t part_offset[host_code_part_count], part_size[host_code_part_count];
} host_code_t;

/** While an image is being made. */
typedef struct host_load_t {
  const host_elf_t *elf;
  host_code_t image;
  /** Where each section lies, from the base of the image; NOT_LOADED for those without memory. */
  uint64_t *section_offsets;
  /** Per symbol: address (0: not known yet), place of a common block, entries of GOT and stub table (0: none, else
   * number + 1). */
  uint64_t *symbol_addresses, *common_offsets;
  uint32_t *got_entries, *stub_entries;
  uint32_t got_count, stub_count;
  /** From the base. */
  uint64_t got_offset, stubs_offset;
  /** There are 32-bit absolute addresses: the image must lie in the low 2 GiB. */
  bool needs_low_addresses;
} host_load_t;

#define HOST_SECTION_NOT_LOADED UINT64_MAX
#define HOST_STUB_SIZE 16u

/** Loads all sections that have memory at run time; code becomes executable, constants read-only. On success the caller
 * unloads the load->image and ends the load in any case with host_load_end. mux_error_invalid_binary: damaged, or it
 * needs a symbol that does not exist (the log says which); mux_error_out_of_memory. */
MUX_MUST_CHECK mux_result_t host_load_run(host_load_t *load, const host_elf_t *elf);

/** Frees everything but the image. */
void host_load_end(host_load_t *load);

/** Address of a defined symbol that the loaded code section contains; null for any other. */
const char *host_load_code_address(const host_load_t *load, const Elf64_Sym *symbol);

void host_code_unload(host_code_t *image);

#endif
