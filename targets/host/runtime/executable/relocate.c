/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The relocations that LLVM emits for kernels, in the small, PIC and large code models. Names as in the psABI: S is the
 * symbol's address, A the addend, P the patched place, G a GOT entry, GOT the table, L a stub. */
#include "host/runtime/executable/relocate.h"

#include <string.h>

#include "host/runtime/executable/symbols.h"

/* The GOT's own symbol: undefined in the object, the table's address here. */
#define GOT_SYMBOL "_GLOBAL_OFFSET_TABLE_"

/* ---------------------------------------------------------------- what a relocation needs */

typedef enum need_e {
  need_nothing = 0,
  need_got_entry = 1,
  /** A stub, when the symbol is not in the object. */
  need_stub = 2,
  need_low_address = 4,
  need_unknown = 8,
} need_e;

static need_e relocation_need(uint32_t type) {
  switch (type) {
    case R_X86_64_NONE:
    case R_X86_64_64:
    case R_X86_64_PC64:
    case R_X86_64_GOTPC32:
    case R_X86_64_GOTPC64:
    case R_X86_64_GOTOFF64: return need_nothing;
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
    case R_X86_64_PLTOFF64: return need_stub;
    case R_X86_64_32:
    case R_X86_64_32S: return need_low_address;
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
    case R_X86_64_GOT64:
    case R_X86_64_GOTPCREL64: return need_got_entry;
    default: return need_unknown;
  }
}

static uint64_t relocation_width(uint32_t type) {
  switch (type) {
    case R_X86_64_NONE: return 0;
    case R_X86_64_64:
    case R_X86_64_PC64:
    case R_X86_64_GOTPC64:
    case R_X86_64_GOTOFF64:
    case R_X86_64_PLTOFF64:
    case R_X86_64_GOT64:
    case R_X86_64_GOTPCREL64: return 8;
    default: return 4;
  }
}

/* ---------------------------------------------------------------- scanning */

static bool is_got_symbol(const host_load_t *load, const Elf64_Sym *symbol) {
  return symbol->st_shndx == SHN_UNDEF && !strcmp(host_elf_symbol_name(load->elf, symbol), GOT_SYMBOL);
}

/* A symbol that code may refer to: external, absolute, common, or inside of a loaded section. */
static bool symbol_is_usable(const host_load_t *load, const Elf64_Sym *symbol) {
  if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= load->elf->section_count) return true;
  return load->section_offsets[symbol->st_shndx] != HOST_SECTION_NOT_LOADED &&
         symbol->st_value <= load->elf->sections[symbol->st_shndx].sh_size;
}

static void got_entry_add(host_load_t *load, uint32_t index) {
  if (!load->got_entries[index]) load->got_entries[index] = ++load->got_count;
}

/* Stubs jump through the GOT. */
static void stub_add(host_load_t *load, uint32_t index) {
  got_entry_add(load, index);
  if (!load->stub_entries[index]) load->stub_entries[index] = ++load->stub_count;
}

static mux_result_t relocation_scan(host_load_t *load, uint32_t section, const Elf64_Rela *rela) {
  const Elf64_Shdr *target = &load->elf->sections[section];
  uint32_t type = ELF64_R_TYPE(rela->r_info);
  uint32_t index = (uint32_t)ELF64_R_SYM(rela->r_info);
  need_e need = relocation_need(type);
  uint64_t width = relocation_width(type);
  Elf64_Sym symbol;
  if (need == need_unknown) return host_elf_refuse("binary refused: relocation of type %u", type);
  if (target->sh_type == SHT_NOBITS || rela->r_offset > target->sh_size || width > target->sh_size - rela->r_offset)
    return host_elf_refuse("binary refused: relocation outside of section %u", section);
  if (!host_elf_symbol(load->elf, index, &symbol) || !symbol_is_usable(load, &symbol))
    return host_elf_refuse("binary refused: relocation against symbol %u, which is damaged or not loaded", index);
  if (need == need_got_entry) got_entry_add(load, index);
  if (need == need_stub && index && symbol.st_shndx == SHN_UNDEF && !is_got_symbol(load, &symbol))
    stub_add(load, index);
  if (need == need_low_address) load->needs_low_addresses = true;
  return mux_success;
}

static mux_result_t relocations_visit(host_load_t *load, mux_result_t (*visit)(host_load_t *load, uint32_t section,
                                                                               const Elf64_Rela *rela)) {
  const host_elf_t *elf = load->elf;
  for (uint32_t i = 0; i < elf->section_count; ++i) {
    if (!host_elf_is_applied_rela(elf, i)) continue;
    uint64_t count = elf->sections[i].sh_size / sizeof(Elf64_Rela);
    for (uint64_t k = 0; k < count; ++k) {
      Elf64_Rela rela = host_elf_rela(elf, i, k);
      mux_result_t result = visit(load, elf->sections[i].sh_info, &rela);
      if (result) return result;
    }
  }
  return mux_success;
}

mux_result_t host_relocations_scan(host_load_t *load) { return relocations_visit(load, relocation_scan); }

/* ---------------------------------------------------------------- addresses */

static uint64_t address_at(const host_load_t *load, uint64_t offset) { return (uint64_t)(load->image.base + offset); }
static uint64_t got_address(const host_load_t *load) { return address_at(load, load->got_offset); }

static mux_result_t external_resolve(const host_load_t *load, const Elf64_Sym *symbol, uint64_t *address) {
  const char *name = host_elf_symbol_name(load->elf, symbol);
  if (!strcmp(name, GOT_SYMBOL))
    *address = got_address(load);
  else
    *address = host_symbol_find(name);
  if (*address || ELF64_ST_BIND(symbol->st_info) == STB_WEAK) return mux_success;
  return host_elf_refuse("binary refused: it needs the unknown symbol %s", name);
}

static mux_result_t symbol_resolve(host_load_t *load, uint32_t index, uint64_t *address) {
  Elf64_Sym symbol;
  *address = load->symbol_addresses[index];
  if (*address || !index) return mux_success;
  if (!host_elf_symbol(load->elf, index, &symbol)) return mux_error_invalid_binary;
  mux_result_t result = mux_success;
  if (symbol.st_shndx == SHN_UNDEF)
    result = external_resolve(load, &symbol, address);
  else if (symbol.st_shndx == SHN_ABS)
    *address = symbol.st_value;
  else if (symbol.st_shndx == SHN_COMMON)
    *address = address_at(load, load->common_offsets[index]);
  else
    *address = address_at(load, load->section_offsets[symbol.st_shndx]) + symbol.st_value;
  load->symbol_addresses[index] = *address;
  return result;
}

static uint64_t got_entry_address(const host_load_t *load, uint32_t index) {
  return got_address(load) + (load->got_entries[index] - 1) * sizeof(uint64_t);
}

static uint64_t stub_address(const host_load_t *load, uint32_t index) {
  return address_at(load, load->stubs_offset + (uint64_t)(load->stub_entries[index] - 1) * HOST_STUB_SIZE);
}

/* ---------------------------------------------------------------- tables */

/* jmp *entry(%rip), then breakpoints. */
static void stub_write(const host_load_t *load, uint32_t index) {
  unsigned char code[HOST_STUB_SIZE] = {0xff, 0x25, 0,    0,    0,    0,    0xcc, 0xcc,
                                        0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc};
  uint64_t stub = stub_address(load, index);
  int32_t distance = (int32_t)(int64_t)(got_entry_address(load, index) - (stub + 6));
  memcpy(code + 2, &distance, sizeof distance);
  memcpy((void *)stub, code, sizeof code);
}

static mux_result_t tables_fill(host_load_t *load) {
  for (uint32_t i = 0; i < load->elf->symbol_count; ++i) {
    uint64_t address;
    if (!load->got_entries[i]) continue;
    mux_result_t result = symbol_resolve(load, i, &address);
    if (result) return result;
    memcpy((void *)got_entry_address(load, i), &address, sizeof address);
    if (load->stub_entries[i]) stub_write(load, i);
  }
  return mux_success;
}

/* ---------------------------------------------------------------- patching */

/* Arithmetic is modulo 2^64: damaged addends may wrap, and what does not fit its field is refused. */
static mux_result_t relocation_value(host_load_t *load, uint32_t type, uint32_t index, uint64_t addend, uint64_t place,
                                     uint64_t *value) {
  uint64_t symbol, got = got_address(load);
  mux_result_t result = symbol_resolve(load, index, &symbol);
  if (result) return result;
  uint64_t call = load->stub_entries[index] ? stub_address(load, index) : symbol;
  switch (type) {
    case R_X86_64_64:
    case R_X86_64_32:
    case R_X86_64_32S: *value = symbol + addend; break;
    case R_X86_64_PC64: *value = symbol + addend - place; break;
    case R_X86_64_PC32:
    case R_X86_64_PLT32: *value = call + addend - place; break;
    case R_X86_64_PLTOFF64: *value = call + addend - got; break;
    case R_X86_64_GOTOFF64: *value = symbol + addend - got; break;
    case R_X86_64_GOTPC32:
    case R_X86_64_GOTPC64: *value = got + addend - place; break;
    case R_X86_64_GOT64: *value = got_entry_address(load, index) + addend - got; break;
    default: *value = got_entry_address(load, index) + addend - place; break;
  }
  return mux_success;
}

static bool value_fits(uint32_t type, uint64_t value) {
  if (relocation_width(type) == 8) return true;
  if (type == R_X86_64_32) return value <= UINT32_MAX;
  return (int64_t)value >= INT32_MIN && (int64_t)value <= INT32_MAX;
}

static mux_result_t relocation_apply(host_load_t *load, uint32_t section, const Elf64_Rela *rela) {
  uint32_t type = ELF64_R_TYPE(rela->r_info);
  uint32_t index = (uint32_t)ELF64_R_SYM(rela->r_info);
  uint64_t place = address_at(load, load->section_offsets[section]) + rela->r_offset, value;
  if (type == R_X86_64_NONE) return mux_success;
  mux_result_t result = relocation_value(load, type, index, (uint64_t)rela->r_addend, place, &value);
  if (result) return result;
  if (!value_fits(type, value))
    return host_elf_refuse("binary refused: relocation of type %u does not reach its symbol", type);
  memcpy((void *)place, &value, relocation_width(type));
  return mux_success;
}

mux_result_t host_relocations_apply(host_load_t *load) {
  mux_result_t result = tables_fill(load);
  return result ? result : relocations_visit(load, relocation_apply);
}
