/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Parsing the kernel table, whose bytes are as untrusted as the rest of the file. */
#include "host/runtime/executable/kernel_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define MAX_ARGS_SIZE ((uint32_t)1 << 20)
#define MAX_SECTION_SIZE ((uint64_t)1 << 28)

static mux_result_t table_refuse(const char *what) { return host_elf_refuse("binary refused: kernel table: %s", what); }

/* ---------------------------------------------------------------- records */

static bool arg_is_valid(const host_arg_record_t *arg, uint32_t args_size) {
  if (arg->kind > host_arg_sampler || !is_power_of_two(arg->alignment) || arg->alignment > HOST_LOCAL_ALIGNMENT)
    return false;
  if (arg->offset > args_size || arg->size > args_size - arg->offset) return false;
  if (arg->kind == host_arg_value) return arg->size && arg->offset % arg->alignment == 0;
  return arg->size == sizeof(uint64_t) && arg->offset % sizeof(uint64_t) == 0;
}

static bool reqd_local_size_is_valid(const uint32_t *size) {
  return (size[0] && size[1] && size[2]) || (!size[0] && !size[1] && !size[2]);
}

static mux_result_t record_check(const host_kernel_record_t *record, uint64_t left) {
  if (record->record_size < sizeof *record || record->record_size > left || record->record_size % 8)
    return table_refuse("damaged record size");
  uint64_t needed = sizeof *record + (uint64_t)record->arg_count * sizeof(host_arg_record_t) + record->name_length;
  if (needed > record->record_size || !record->name_length) return table_refuse("record too small for its contents");
  if (record->args_size % 16 || record->args_size > MAX_ARGS_SIZE) return table_refuse("damaged argument size");
  if (!is_power_of_two(record->sub_group_size) || record->sub_group_size > HOST_MAX_SUB_GROUP_SIZE)
    return table_refuse("damaged sub-group size");
  if (!record->work_width || !reqd_local_size_is_valid(record->reqd_local_size))
    return table_refuse("damaged work width or local size");
  if (record->vector_dimension > 2) return table_refuse("damaged vector dimension");
  if (!is_power_of_two(record->memory_alignment)) return table_refuse("damaged alignment");
  const uint32_t known_flags = HOST_KERNEL_FLUSHES_DENORMALS | HOST_KERNEL_IGNORES_GROUPS |
                               HOST_KERNEL_GROUPS_FOLLOW_LANES | HOST_KERNEL_EXPECTS_SCALAR |
                               HOST_KERNEL_DISTINCT_EXPECTS_SCALAR | HOST_KERNEL_USES_SUB_GROUPS |
                               HOST_KERNEL_HAS_SUB_GROUP_LINES;
  if (record->flags & ~known_flags) return table_refuse("unknown flags");
  return mux_success;
}

static mux_result_t record_read(const char *bytes, uint64_t left, host_kernel_info_t *info, uint64_t *record_size) {
  host_kernel_record_t record;
  if (left < sizeof record) return table_refuse("fewer records than kernels");
  memcpy(&record, bytes, sizeof record);
  mux_result_t result = record_check(&record, left);
  if (result) return result;
  info->args = (const host_arg_record_t *)(const void *)(bytes + sizeof record);
  info->name = (const char *)(info->args + record.arg_count);
  info->name_length = record.name_length;
  info->arg_count = record.arg_count;
  info->args_size = record.args_size;
  info->local_size = record.local_size;
  info->scratch_fixed = record.scratch_fixed;
  info->scratch_per_item = record.scratch_per_item;
  info->memory_alignment = record.memory_alignment;
  info->stack_size = record.stack_size;
  memcpy(info->reqd_local_size, record.reqd_local_size, sizeof info->reqd_local_size);
  info->work_width = record.work_width;
  info->vector_dimension = record.vector_dimension;
  info->min_lanes = record.min_lanes;
  info->sub_group_size = record.sub_group_size;
  info->flushes_denormals = record.flags & HOST_KERNEL_FLUSHES_DENORMALS;
  info->ignores_groups = record.flags & HOST_KERNEL_IGNORES_GROUPS;
  info->has_sub_group_lines = record.flags & HOST_KERNEL_HAS_SUB_GROUP_LINES;
  info->uses_sub_groups = record.flags & HOST_KERNEL_USES_SUB_GROUPS;
  info->groups_follow_lanes = record.flags & HOST_KERNEL_GROUPS_FOLLOW_LANES;
  info->general.expects_scalar = record.flags & HOST_KERNEL_EXPECTS_SCALAR;
  info->distinct.expects_scalar = record.flags & HOST_KERNEL_DISTINCT_EXPECTS_SCALAR;
  for (uint32_t i = 0; i < info->arg_count; ++i) {
    if (!arg_is_valid(&info->args[i], info->args_size)) return table_refuse("damaged argument");
    if (info->args[i].kind == host_arg_local) info->has_local_args = true;
  }
  *record_size = record.record_size;
  return mux_success;
}

/* ---------------------------------------------------------------- names and entries */

static int name_compare(const char *a, size_t a_length, const char *b, size_t b_length) {
  int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
  return order ? order : (a_length > b_length) - (a_length < b_length);
}

static int info_compare(const void *a, const void *b) {
  const host_kernel_info_t *left = a, *right = b;
  return name_compare(left->name, left->name_length, right->name, right->name_length);
}

const host_kernel_info_t *host_kernel_table_find(const host_kernels_t *table, const char *name, size_t length) {
  host_kernel_info_t key = {.name = name, .name_length = length};
  if (!table->count) return NULL;
  return bsearch(&key, table->kernels, table->count, sizeof key, info_compare);
}

static bool prefix_skip(const char **name, const char *prefix) {
  size_t length = strlen(prefix);
  if (strncmp(*name, prefix, length)) return false;
  *name += length;
  return true;
}

/* Returns the length of the name, 0 when the symbol is no entry. */
static size_t entry_note(host_kernels_t *table, const host_load_t *load, const Elf64_Sym *symbol) {
  const char *name = host_elf_symbol_name(load->elf, symbol);
  if (ELF64_ST_BIND(symbol->st_info) == STB_LOCAL) return 0;
  const bool is_single = prefix_skip(&name, HOST_SINGLE_PREFIX), is_distinct = prefix_skip(&name, HOST_DISTINCT_PREFIX);
  if (!prefix_skip(&name, HOST_ENTRY_PREFIX)) return 0;
  size_t length = strlen(name);
  /* The table owns its kernels, and this one is not const: the search is. */
  host_kernel_info_t *info = (host_kernel_info_t *)host_kernel_table_find(table, name, length);
  uintptr_t address = (uintptr_t)host_load_code_address(load, symbol);
  if (!info || !address) return length;
  host_kernel_code_t *code = is_distinct ? &info->distinct : &info->general;
  if (is_single)
    code->single_entry = (host_kernel_entry_t)address;
  else
    code->entry = (host_kernel_entry_t)address;
  return length;
}

/* A kernel has four entries at most, whose names may share bytes. More symbols of one long name would take the square
 * of the file's size in time. */
static mux_result_t entries_note(host_kernels_t *table, const host_load_t *load) {
  Elf64_Sym symbol;
  uint64_t names_size = 0;
  for (uint32_t i = 0; i < load->elf->symbol_count; ++i) {
    if (host_elf_symbol(load->elf, i, &symbol)) names_size += entry_note(table, load, &symbol);
    if (names_size > 4 * load->elf->names_size) return table_refuse("entries share names");
  }
  return mux_success;
}

static mux_result_t entries_find(host_kernels_t *table, const host_load_t *load) {
  qsort(table->kernels, table->count, sizeof *table->kernels, info_compare);
  for (uint32_t i = 1; i < table->count; ++i)
    if (!info_compare(&table->kernels[i - 1], &table->kernels[i])) return table_refuse("two kernels of one name");
  mux_result_t result = entries_note(table, load);
  if (result) return result;
  for (uint32_t i = 0; i < table->count; ++i)
    if (!table->kernels[i].general.entry) return table_refuse("a kernel without code");
  return mux_success;
}

/* ---------------------------------------------------------------- table */

static mux_result_t section_find(const host_elf_t *elf, uint32_t *section) {
  *section = 0;
  for (uint32_t i = 1; i < elf->section_count; ++i) {
    if (strcmp(host_elf_section_name(elf, i), HOST_KERNEL_SECTION) || elf->sections[i].sh_type == SHT_NULL) continue;
    if (*section) return table_refuse("there are two");
    *section = i;
  }
  if (!*section) return table_refuse("there is none");
  const Elf64_Shdr *header = &elf->sections[*section];
  if (header->sh_type == SHT_NOBITS || header->sh_size < sizeof(host_kernel_table_t) ||
      header->sh_size > MAX_SECTION_SIZE)
    return table_refuse("damaged section");
  return mux_success;
}

static mux_result_t head_check(const host_kernel_table_t *head, uint64_t size) {
  if (head->magic != HOST_KERNEL_TABLE_MAGIC) return table_refuse("wrong magic number");
  if (head->abi_version != HOST_ABI_VERSION)
    return host_elf_refuse("binary refused: made for version %u of the kernel interface, this driver has %u",
                           head->abi_version, HOST_ABI_VERSION);
  if (head->kernel_count > (size - sizeof *head) / sizeof(host_kernel_record_t))
    return table_refuse("more kernels than bytes");
  return mux_success;
}

static mux_result_t records_read(host_kernels_t *table, uint64_t size) {
  uint64_t at = sizeof(host_kernel_table_t);
  for (uint32_t i = 0; i < table->count; ++i) {
    uint64_t record_size = 0;
    mux_result_t result = record_read(table->storage + at, size - at, &table->kernels[i], &record_size);
    if (result) return result;
    at += record_size;
  }
  return mux_success;
}

mux_result_t host_kernel_table_read(host_kernels_t *table, const host_load_t *load) {
  host_kernel_table_t head;
  uint32_t section;
  *table = (host_kernels_t){0};
  mux_result_t result = section_find(load->elf, &section);
  if (result) return result;
  uint64_t size = load->elf->sections[section].sh_size;
  memcpy(&head, host_elf_section_bytes(load->elf, section), sizeof head);
  result = head_check(&head, size);
  if (result) return result;
  table->storage = malloc(size);
  table->kernels = calloc(head.kernel_count ? head.kernel_count : 1, sizeof *table->kernels);
  table->count = head.kernel_count;
  result = mux_error_out_of_memory;
  if (!table->storage || !table->kernels) goto free_table;
  memcpy(table->storage, host_elf_section_bytes(load->elf, section), size);
  result = records_read(table, size);
  if (!result) result = entries_find(table, load);
  if (!result) return mux_success;

free_table:
  host_kernel_table_free(table);
  return result;
}

void host_kernel_table_free(host_kernels_t *table) {
  free(table->kernels);
  free(table->storage);
  *table = (host_kernels_t){0};
}
