/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The loader: good objects run in both code models, and no damaged one does harm. */
#include <elf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fixture.h"
#include "host/abi.h"

/* Loads and unloads; the result must be one of those that a damaged file may give. */
static mux_result_t load(const void *bytes, size_t size) {
  mux_executable_t executable = NULL;
  mux_result_t result = muxCreateExecutable(test.device, bytes, size, allocator, &executable);
  if (result == mux_success)
    muxDestroyExecutable(test.device, executable, allocator);
  else
    assert_null(executable);
  return result;
}

/* The kernel with all kinds of symbols, twice. */
static void symbols_run(const void *bytes, size_t size) {
  host_test_t other = test;
  assert_int_equal(muxCreateExecutable(test.device, bytes, size, allocator, &other.executable), mux_success);
  mux_kernel_t kernel = kernel_create(&other, "symbols");
  host_test_buffer_t buffer = buffer_create(&other, 8 * sizeof(float));
  uint64_t dividend = 1ull << 40, divisor = 1ull << 50;
  mux_descriptor_info_t args[] = {buffer_arg(buffer.buffer), value_arg(&dividend, 8), value_arg(&divisor, 8)};
  for (int launch = 1; launch <= 2; ++launch) {
    const float *out = buffer.data;
    mux_command_buffer_t commands = command_buffer_create(&other);
    assert_int_equal(launch_record(commands, kernel, 1, 1, args, 3), mux_success);
    run(&other, commands);
    /* as the kernel does, at run time: a compiler may know the value better than the library */
    volatile float argument = 1.5f;
    const float nearest = nearbyintf(argument);
    assert_true(out[0] == nearest && out[1] == 2.0f && out[2] == 4.0f && out[3] == 4.0f);
    assert_true(out[4] == fmodf(nearest * 1000.0f, 3.5f));
    assert_true(out[5] == 0x1p30f);
    assert_true(out[6] == (float)launch);
    assert_true(out[7] == (float)(2 * launch));
    command_buffer_destroy(&other, commands);
  }
  buffer_destroy(&other, &buffer);
  kernel_destroy(&other, kernel);
  muxDestroyExecutable(test.device, other.executable, allocator);
}

static void model_runs(const char *model) {
  size_t size;
  void *bytes = file_load(kernels_path(model), &size);
  symbols_run(bytes, size);
  free(bytes);
}

static void position_independent_code_runs(void **state) {
  (void)state;
  model_runs("small");
}

static void large_code_model_runs(void **state) {
  (void)state;
  model_runs("large");
}

static void missing_kernel_is_told(void **state) {
  (void)state;
  mux_kernel_t kernel = NULL;
  assert_int_equal(muxCreateKernel(test.device, test.executable, "emptyx", 6, allocator, &kernel),
                   mux_error_missing_kernel);
  assert_int_equal(muxCreateKernel(test.device, test.executable, "emp", 3, allocator, &kernel),
                   mux_error_missing_kernel);
  /* The length counts, not a NUL. */
  assert_int_equal(muxCreateKernel(test.device, test.executable, "emptyx", 5, allocator, &kernel), mux_success);
  kernel_destroy(&test, kernel);
}

static void required_local_size_is_preferred(void **state) {
  (void)state;
  mux_kernel_t kernel = kernel_create(&test, "required");
  assert_int_equal(kernel->preferred_local_size_x, 4);
  assert_int_equal(kernel->preferred_local_size_y, 2);
  assert_int_equal(kernel->preferred_local_size_z, 1);
  kernel_destroy(&test, kernel);
  /* A row, where none is required. */
  kernel = kernel_create(&test, "mark");
  assert_true(kernel->preferred_local_size_x >= 1);
  assert_int_equal(kernel->preferred_local_size_y, 1);
  assert_int_equal(kernel->preferred_local_size_z, 1);
  kernel_destroy(&test, kernel);
  kernel = kernel_create(&test, "memory");
  assert_int_equal(kernel->local_memory_size, 1000);
  kernel_destroy(&test, kernel);
}

static void truncated_files_are_refused(void **state) {
  (void)state;
  size_t size;
  char *bytes = file_load(kernels_path("small"), &size);
  for (size_t length = 1; length < size; ++length) {
    /* A block of its own, so that a sanitizer sees the first byte read too many. */
    char *part = malloc(length);
    memcpy(part, bytes, length);
    assert_int_equal(load(part, length), mux_error_invalid_binary);
    free(part);
  }
  free(bytes);
}

static void every_byte_may_be_damaged(void **state) {
  (void)state;
  static const unsigned char masks[] = {0xff, 0x01, 0x80};
  for (int model = 0; model < 2; ++model) {
    size_t size;
    unsigned char *bytes = file_load(kernels_path(model ? "large" : "small"), &size);
    for (size_t at = 0; at < size; ++at) {
      for (size_t k = 0; k < sizeof masks; ++k) {
        bytes[at] ^= masks[k];
        mux_result_t result = load(bytes, size);
        assert_true(result == mux_success || result == mux_error_invalid_binary || result == mux_error_out_of_memory);
        bytes[at] ^= masks[k];
      }
    }
    free(bytes);
  }
}

/* A fixed sequence, so that a failure can be repeated. */
static uint32_t random_next(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}

static void many_bytes_may_be_damaged(void **state) {
  (void)state;
  uint32_t seed = 1;
  size_t size;
  unsigned char *bytes = file_load(kernels_path("large"), &size), *copy = malloc(size);
  for (int round = 0; round < 20000; ++round) {
    memcpy(copy, bytes, size);
    for (uint32_t n = 1 + random_next(&seed) % 8; n; --n)
      copy[random_next(&seed) % size] = (unsigned char)random_next(&seed);
    load(copy, size);
  }
  free(copy);
  free(bytes);
}

static void unaligned_binaries_are_read(void **state) {
  (void)state;
  size_t size;
  char *bytes = file_load(kernels_path("small"), &size), *shifted = malloc(size + 1);
  memcpy(shifted + 1, bytes, size);
  assert_int_equal(load(shifted + 1, size), mux_success);
  free(shifted);
  free(bytes);
}

/* The first place of `needle` in the file. */
static unsigned char *bytes_find(unsigned char *bytes, size_t size, const void *needle, size_t length) {
  unsigned char *found = memmem(bytes, size, needle, length);
  assert_non_null(found);
  return found;
}

static void unknown_symbol_is_refused(void **state) {
  (void)state;
  size_t size;
  unsigned char *bytes = file_load(kernels_path("small"), &size);
  bytes_find(bytes, size, "\0fmodf", 7)[5] = 'q';
  assert_int_equal(load(bytes, size), mux_error_invalid_binary);
  free(bytes);
}

static void foreign_files_are_refused(void **state) {
  (void)state;
  size_t size;
  unsigned char *bytes = file_load(kernels_path("small"), &size);
  Elf64_Ehdr *header = (Elf64_Ehdr *)(void *)bytes;
  header->e_machine = EM_AARCH64;
  assert_int_equal(load(bytes, size), mux_error_invalid_binary);
  header->e_machine = EM_X86_64;
  header->e_type = ET_DYN;
  assert_int_equal(load(bytes, size), mux_error_invalid_binary);
  header->e_type = ET_REL;
  assert_int_equal(load(bytes, size), mux_success);
  free(bytes);
  assert_int_equal(load("__kernel void f() {}", 20), mux_error_invalid_binary);
}

static host_kernel_table_t *table_find(unsigned char *bytes, size_t size) {
  uint32_t magic = HOST_KERNEL_TABLE_MAGIC;
  return (host_kernel_table_t *)(void *)bytes_find(bytes, size, &magic, sizeof magic);
}

/* The names end with a NUL, inside of the file; a section without bytes may be where the file ends. */
static void sections_are_inside_of_the_file(void **state) {
  (void)state;
  size_t size;
  unsigned char *bytes = file_load(kernels_path("small"), &size);
  Elf64_Ehdr *header = (Elf64_Ehdr *)bytes;
  Elf64_Shdr *sections = (Elf64_Shdr *)(bytes + header->e_shoff), *names = &sections[header->e_shstrndx];
  const Elf64_Shdr names_were = *names;
  names->sh_offset = size;
  assert_int_equal(load(bytes, size), mux_error_invalid_binary);
  *names = names_were;
  names->sh_offset = UINT64_MAX - 8;
  assert_int_equal(load(bytes, size), mux_error_invalid_binary);
  *names = names_were;
  names->sh_size = size - names->sh_offset + 1;
  assert_int_equal(load(bytes, size), mux_error_invalid_binary);
  *names = names_were;
  unsigned char *last = bytes + names->sh_offset + names->sh_size - 1;
  *last = 'x';
  assert_int_equal(load(bytes, size), mux_error_invalid_binary);
  *last = '\0';
  int moved = 0;
  for (int i = 1; i < header->e_shnum; ++i) {
    if (sections[i].sh_size || sections[i].sh_type == SHT_NULL) continue;
    sections[i].sh_offset = size;
    ++moved;
  }
  assert_true(moved > 0);
  assert_int_equal(load(bytes, size), mux_success);
  free(bytes);
}

static void other_versions_and_bad_tables_are_refused(void **state) {
  (void)state;
  size_t size;
  unsigned char *bytes = file_load(kernels_path("small"), &size);
  host_kernel_table_t *table = table_find(bytes, size);
  host_kernel_record_t *record = (host_kernel_record_t *)(table + 1);
  const host_kernel_table_t table_was = *table;
  const host_kernel_record_t record_was = *record;
#define REFUSED_WITH(place, value)                               \
  (place) = (value);                                             \
  assert_int_equal(load(bytes, size), mux_error_invalid_binary); \
  *table = table_was;                                            \
  *record = record_was
  REFUSED_WITH(table->abi_version, HOST_ABI_VERSION + 1);
  REFUSED_WITH(table->kernel_count, table_was.kernel_count + 1);
  REFUSED_WITH(table->kernel_count, UINT32_MAX);
  REFUSED_WITH(record->record_size, 0);
  REFUSED_WITH(record->record_size, UINT32_MAX & ~7u);
  REFUSED_WITH(record->name_length, UINT32_MAX);
  REFUSED_WITH(record->name_length, 0);
  REFUSED_WITH(record->arg_count, UINT32_MAX);
  REFUSED_WITH(record->args_size, 8);
  REFUSED_WITH(record->reqd_local_size[1], 3);
  REFUSED_WITH(record->work_width, 0);
  REFUSED_WITH(record->vector_dimension, 3);
  REFUSED_WITH(record->sub_group_size, 0);
  REFUSED_WITH(record->sub_group_size, 3);
  REFUSED_WITH(record->sub_group_size, 2 * HOST_MAX_SUB_GROUP_SIZE);
  REFUSED_WITH(record->memory_alignment, 0);
  REFUSED_WITH(record->memory_alignment, 384);
#undef REFUSED_WITH
  assert_int_equal(load(bytes, size), mux_success);
  free(bytes);
}

/* The first kernel that has an argument of the kind. */
static host_arg_record_t *argument_find(host_kernel_table_t *table, uint32_t kind, host_kernel_record_t **out_record) {
  char *at = (char *)(table + 1);
  for (uint32_t i = 0; i < table->kernel_count; ++i) {
    host_kernel_record_t *record = (host_kernel_record_t *)(void *)at;
    host_arg_record_t *args = (host_arg_record_t *)(record + 1);
    *out_record = record;
    for (uint32_t a = 0; a < record->arg_count; ++a)
      if (args[a].kind == kind) return &args[a];
    at += record->record_size;
  }
  fail_msg("no argument of kind %u", kind);
  return NULL;
}

/* On both sides of each limit. */
static void the_last_valid_value_is_taken(void **state) {
  (void)state;
  size_t size;
  unsigned char *bytes = file_load(kernels_path("small"), &size);
  host_kernel_table_t *table = table_find(bytes, size);
  host_kernel_record_t *record = (host_kernel_record_t *)(table + 1);
  const host_kernel_record_t record_was = *record;
#define GIVES(expected, place, value)            \
  (place) = (value);                             \
  assert_int_equal(load(bytes, size), expected); \
  *record = record_was
  GIVES(mux_success, record->sub_group_size, HOST_MAX_SUB_GROUP_SIZE);
  GIVES(mux_success, record->sub_group_size, 1);
  GIVES(mux_success, record->args_size, 1u << 20);
  GIVES(mux_error_invalid_binary, record->args_size, (1u << 20) + 16);
  const uint32_t flags = HOST_KERNEL_FLUSHES_DENORMALS | HOST_KERNEL_IGNORES_GROUPS | HOST_KERNEL_GROUPS_FOLLOW_LANES |
                         HOST_KERNEL_EXPECTS_SCALAR | HOST_KERNEL_DISTINCT_EXPECTS_SCALAR |
                         HOST_KERNEL_USES_SUB_GROUPS | HOST_KERNEL_HAS_SUB_GROUP_LINES;
  GIVES(mux_success, record->flags, flags);
  GIVES(mux_error_invalid_binary, record->flags, 2 * flags);
  GIVES(mux_success, record->memory_alignment, 1);
  GIVES(mux_success, record->memory_alignment, (uint64_t)1 << 12);
  GIVES(mux_success, record->work_width, 1);
  const uint32_t room =
      record->record_size - (uint32_t)(sizeof *record + record->arg_count * sizeof(host_arg_record_t));
  GIVES(mux_error_invalid_binary, record->name_length, room + 1);
  GIVES(mux_error_invalid_binary, record->record_size, sizeof *record);
  GIVES(mux_error_invalid_binary, record->record_size, record_was.record_size - 4);
  for (unsigned some = 0; some < 8; ++some) {
    for (unsigned i = 0; i < 3; ++i) record->reqd_local_size[i] = some >> i & 1;
    assert_int_equal(load(bytes, size), some == 0 || some == 7 ? mux_success : mux_error_invalid_binary);
  }
#undef GIVES
  free(bytes);
}

static Elf64_Sym *symbol_find(unsigned char *bytes, const char *name) {
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(bytes + header->e_shoff);
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    Elf64_Sym *symbols = (Elf64_Sym *)(bytes + sections[i].sh_offset);
    const char *names = (const char *)bytes + sections[sections[i].sh_link].sh_offset;
    for (uint64_t s = 0; s < sections[i].sh_size / sizeof *symbols; ++s)
      if (!strcmp(names + symbols[s].st_name, name)) return &symbols[s];
  }
  fail_msg("no symbol %s", name);
  return NULL;
}

/* Variables that get their place when they are loaded, with the alignment that the symbol says, and its size. */
static void common_blocks_have_room(void **state) {
  (void)state;
  const struct {
    uint64_t alignment, size;
    mux_result_t result;
  } rows[] = {{8, 8, mux_success},
              {4096, 8, mux_success},
              {8192, 8, mux_error_invalid_binary},
              {12, 8, mux_error_invalid_binary},
              {0, 8, mux_error_invalid_binary},
              {8, (uint64_t)1 << 30, mux_success},
              {8, ((uint64_t)1 << 30) + 1, mux_error_invalid_binary}};
  size_t size;
  unsigned char *bytes = file_load(kernels_path("small"), &size);
  Elf64_Sym *launches = symbol_find(bytes, "launches");
  launches->st_shndx = SHN_COMMON;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    launches->st_value = rows[i].alignment;
    launches->st_size = rows[i].size;
    if (rows[i].result == mux_success)
      symbols_run(bytes, size);
    else
      assert_int_equal(load(bytes, size), rows[i].result);
  }
  free(bytes);
}

/* Pages that this process has mapped. */
static long pages_mapped(void) {
  char text[64] = "";
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || !fgets(text, sizeof text, file)) fail_msg("/proc/self/statm cannot be read");
  if (file) fclose(file);
  return strtol(text, NULL, 10);
}

/* What was mapped for it when that is found. */
static void what_cannot_be_linked_leaves_nothing(void **state) {
  (void)state;
  enum { TIMES = 16, COMMON = 64 << 20, PAGE = 4096 };
  size_t size;
  unsigned char *bytes = file_load(kernels_path("small"), &size);
  Elf64_Sym *launches = symbol_find(bytes, "launches"), *missing = symbol_find(bytes, "nearbyintf");
  launches->st_shndx = SHN_COMMON;
  launches->st_value = 8;
  launches->st_size = COMMON;
  missing->st_name += 1;
  assert_int_equal(load(bytes, size), mux_error_invalid_binary);
  const long before = pages_mapped();
  for (int i = 0; i < TIMES; ++i) assert_int_equal(load(bytes, size), mux_error_invalid_binary);
  assert_true(pages_mapped() - before < (long)(TIMES / 2) * (COMMON / PAGE));
  free(bytes);
}

static void arguments_lie_in_their_block(void **state) {
  (void)state;
  size_t size;
  unsigned char *bytes = file_load(kernels_path("small"), &size);
  host_kernel_record_t *record = NULL;
  for (uint32_t kind = host_arg_buffer; kind <= host_arg_value; ++kind) {
    host_arg_record_t *arg = argument_find(table_find(bytes, size), kind, &record);
    const host_arg_record_t was = *arg;
#define GIVES(expected, place, value)            \
  (place) = (value);                             \
  assert_int_equal(load(bytes, size), expected); \
  *arg = was
    GIVES(mux_success, arg->offset, record->args_size - 8);
    GIVES(mux_error_invalid_binary, arg->offset, record->args_size);
    GIVES(mux_error_invalid_binary, arg->offset, record->args_size + 8);
    GIVES(mux_error_invalid_binary, arg->offset, UINT32_MAX - 7);
    GIVES(mux_error_invalid_binary, arg->offset, 1);
    GIVES(mux_error_invalid_binary, arg->size, 0);
    GIVES(mux_error_invalid_binary, arg->size, record->args_size + 1);
    GIVES(mux_error_invalid_binary, arg->size, UINT32_MAX);
    GIVES(mux_error_invalid_binary, arg->alignment, 0);
    GIVES(mux_error_invalid_binary, arg->alignment, 3);
    GIVES(mux_error_invalid_binary, arg->alignment, 2 * HOST_LOCAL_ALIGNMENT);
    if (kind != host_arg_value) {
      GIVES(mux_success, arg->alignment, HOST_LOCAL_ALIGNMENT);
      GIVES(mux_error_invalid_binary, arg->size, 4);
    }
    GIVES(mux_error_invalid_binary, arg->kind, host_arg_sampler + 1);
#undef GIVES
  }
  assert_int_equal(load(bytes, size), mux_success);
  free(bytes);
}

static Elf64_Shdr *section_of_type(unsigned char *bytes, uint32_t type, uint64_t flags) {
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)bytes;
  Elf64_Shdr *sections = (Elf64_Shdr *)(void *)(bytes + header->e_shoff);
  for (uint32_t i = 0; i < header->e_shnum; ++i)
    if (sections[i].sh_type == type && (sections[i].sh_flags & flags) == flags) return &sections[i];
  fail_msg("the object has no section of type %u", type);
  return NULL;
}

/* Copies a section's bytes to `end` of the file; returns the place behind them. */
static uint64_t section_move(unsigned char *bytes, Elf64_Shdr *section, uint64_t end) {
  memcpy(bytes + end, bytes + section->sh_offset, section->sh_size);
  section->sh_offset = end;
  return end + section->sh_size;
}

enum { many_symbols = 1000, few_symbols = 3, shared_name_length = 1 << 16 };

/* The object with so many more symbols, all of one long name, in a section of these flags. The caller frees it. */
static unsigned char *file_with_shared_name(const char *prefix, uint64_t flags, int count, size_t *out_size) {
  size_t size;
  unsigned char *small = file_load(kernels_path("small"), &size);
  size_t capacity = 2 * align_up(size, 16) + (size_t)count * sizeof(Elf64_Sym) + (size_t)2 * shared_name_length;
  unsigned char *bytes = calloc(1, capacity);
  assert_non_null(bytes);
  memcpy(bytes, small, size);
  free(small);
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)bytes;
  Elf64_Shdr *sections = (Elf64_Shdr *)(void *)(bytes + header->e_shoff);
  Elf64_Shdr *symbols = section_of_type(bytes, SHT_SYMTAB, 0), *names = &sections[symbols->sh_link];
  const Elf64_Sym added = {.st_name = (uint32_t)names->sh_size,
                           .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
                           .st_shndx = (uint16_t)(section_of_type(bytes, SHT_PROGBITS, flags) - sections)};
  uint64_t end = section_move(bytes, symbols, align_up(size, 16));
  for (int i = 0; i < count; ++i, end += sizeof added) memcpy(bytes + end, &added, sizeof added);
  symbols->sh_size = end - symbols->sh_offset;
  end = section_move(bytes, names, end);
  memset(bytes + end, 'a', shared_name_length);
  memcpy(bytes + end, prefix, strlen(prefix));
  end += shared_name_length + 1;
  names->sh_size = end - names->sh_offset;
  *out_size = end;
  return bytes;
}

/* They would take a time, and memory, that grows as the square of the file's size. */
static void symbols_that_share_a_long_name_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *prefix;
    uint64_t flags;
  } kinds[] = {
      {HOST_VARIABLE_PREFIX, SHF_WRITE}, {HOST_ENTRY_PREFIX, SHF_EXECINSTR}, {HOST_SINGLE_PREFIX HOST_ENTRY_PREFIX, 0}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    size_t size;
    unsigned char *bytes = file_with_shared_name(kinds[i].prefix, kinds[i].flags, many_symbols, &size);
    assert_int_equal(load(bytes, size), mux_error_invalid_binary);
    free(bytes);
    /* Names may share bytes: a kernel's entries do, and no two variables. */
    bytes = file_with_shared_name(kinds[i].prefix, kinds[i].flags, few_symbols, &size);
    assert_int_equal(load(bytes, size), kinds[i].flags == SHF_WRITE ? mux_error_invalid_binary : mux_success);
    free(bytes);
    bytes = file_with_shared_name("other", kinds[i].flags, many_symbols, &size);
    assert_int_equal(load(bytes, size), mux_success);
    free(bytes);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(position_independent_code_runs),
      cmocka_unit_test(large_code_model_runs),
      cmocka_unit_test(missing_kernel_is_told),
      cmocka_unit_test(required_local_size_is_preferred),
      cmocka_unit_test(truncated_files_are_refused),
      cmocka_unit_test(every_byte_may_be_damaged),
      cmocka_unit_test(many_bytes_may_be_damaged),
      cmocka_unit_test(unaligned_binaries_are_read),
      cmocka_unit_test(unknown_symbol_is_refused),
      cmocka_unit_test(foreign_files_are_refused),
      cmocka_unit_test(sections_are_inside_of_the_file),
      cmocka_unit_test(other_versions_and_bad_tables_are_refused),
      cmocka_unit_test(the_last_valid_value_is_taken),
      cmocka_unit_test(common_blocks_have_room),
      cmocka_unit_test(what_cannot_be_linked_leaves_nothing),
      cmocka_unit_test(arguments_lie_in_their_block),
      cmocka_unit_test(symbols_that_share_a_long_name_are_refused),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
