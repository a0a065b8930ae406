/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Codec of program information. Little-endian; a string is its length and its bytes, without NULs.
 *
 * Both directions go over the data twice with the same code: encoding first counts bytes and then writes them, decoding
 * first checks everything and measures the one allocation, and then fills it. */
#include "compiler/program_info.h"

#include <stdlib.h>
#include <string.h>

#define INFO_MAGIC 0x49504b51u /* "QKPI" */
#define INFO_VERSION 4u

/** Those of the program, and the one that runs constructors. */
static uint32_t all_kernels(const program_info_t *info) {
  return info->kernel_count + (info->has_constructors ? 1 : 0);
}

/* ------------------------------------------------------------ encoding */

/** Counts only while `data` is null. */
typedef struct writer_t {
  unsigned char *data;
  size_t size;
} writer_t;

static void write_bytes(writer_t *writer, const void *bytes, size_t size) {
  if (writer->data && size) memcpy(writer->data + writer->size, bytes, size);
  writer->size += size;
}

static void write_number(writer_t *writer, uint64_t value, size_t size) {
  unsigned char bytes[8];
  for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(value >> (8 * i));
  write_bytes(writer, bytes, size);
}

static void write_u32(writer_t *writer, uint32_t value) { write_number(writer, value, 4); }
static void write_u64(writer_t *writer, uint64_t value) { write_number(writer, value, 8); }

static void write_string(writer_t *writer, const char *string) {
  size_t length = string ? strlen(string) : 0;
  write_u32(writer, (uint32_t)length);
  write_bytes(writer, string, length);
}

static void write_arg(writer_t *writer, const program_arg_info_t *arg) {
  write_u32(writer, (uint32_t)arg->kind);
  write_u32(writer, (uint32_t)arg->address_qualifier);
  write_u32(writer, (uint32_t)arg->access_qualifier);
  write_u32(writer, arg->type_qualifiers);
  write_u32(writer, arg->size);
  write_string(writer, arg->type_name);
  write_string(writer, arg->base_type);
  write_string(writer, arg->name);
}

static void write_kernel(writer_t *writer, const program_kernel_info_t *kernel) {
  write_string(writer, kernel->name);
  write_string(writer, kernel->attributes);
  for (int i = 0; i < 3; i++) write_u64(writer, kernel->reqd_work_group_size[i]);
  for (int i = 0; i < 3; i++) write_u64(writer, kernel->work_group_size_hint[i]);
  write_u32(writer, kernel->reqd_sub_group_size);
  write_u32(writer, kernel->reqd_sub_group_count);
  write_u64(writer, kernel->local_memory_size);
  write_u64(writer, kernel->private_memory_size);
  write_u32(writer, kernel->uses_printf);
  write_u32(writer, kernel->arg_count);
  for (uint32_t i = 0; i < kernel->arg_count; i++) write_arg(writer, &kernel->args[i]);
}

static void write_info(writer_t *writer, const program_info_t *info) {
  write_u32(writer, INFO_MAGIC);
  write_u32(writer, INFO_VERSION);
  write_u64(writer, info->global_variable_size);
  write_u32(writer, info->kernel_count);
  write_u32(writer, info->has_constructors);
  write_u32(writer, info->printf_string_count);
  for (uint32_t i = 0; i < all_kernels(info); i++) write_kernel(writer, &info->kernels[i]);
  for (uint32_t i = 0; i < info->printf_string_count; i++) write_string(writer, info->printf_strings[i]);
}

bool program_info_encode(const program_info_t *info, void **out_data, size_t *out_size) {
  writer_t writer = {NULL, 0};
  write_info(&writer, info);
  writer.data = malloc(writer.size);
  if (!writer.data) return false;
  writer.size = 0;
  write_info(&writer, info);
  *out_data = writer.data;
  *out_size = writer.size;
  return true;
}

/* ------------------------------------------------------------ decoding */

/** `failed` stays set; every read after it gives zeros. */
typedef struct reader_t {
  const unsigned char *data;
  size_t left;
  bool failed;
} reader_t;

/** The memory that is filled; measures only while `base` is null. */
typedef struct arena_t {
  unsigned char *base;
  size_t size;
} arena_t;

/* Fewest bytes that a kernel, an argument, a string take: bounds the counts, and so the memory, by the input's size. */
enum { kernel_minimum = 4 + 4 + 6 * 8 + 4 + 4 + 2 * 8 + 4 + 4, arg_minimum = 5 * 4 + 3 * 4, string_minimum = 4 };

static const unsigned char *read_bytes(reader_t *reader, size_t size) {
  if (reader->failed || size > reader->left) {
    reader->failed = true;
    return NULL;
  }
  const unsigned char *bytes = reader->data;
  reader->data += size;
  reader->left -= size;
  return bytes;
}

static uint64_t read_number(reader_t *reader, size_t size) {
  const unsigned char *bytes = read_bytes(reader, size);
  uint64_t value = 0;
  for (size_t i = 0; bytes && i < size; i++) value |= (uint64_t)bytes[i] << (8 * i);
  return value;
}

static uint32_t read_u32(reader_t *reader) { return (uint32_t)read_number(reader, 4); }
static uint64_t read_u64(reader_t *reader) { return read_number(reader, 8); }

/** A number up to `maximum`. */
static uint32_t read_limited(reader_t *reader, uint32_t maximum) {
  uint32_t value = read_u32(reader);
  if (value > maximum) reader->failed = true;
  return reader->failed ? 0 : value;
}

/** A number of items that take at least `minimum` bytes each. */
static uint32_t read_count(reader_t *reader, size_t minimum) {
  uint32_t count = read_u32(reader);
  if (count > reader->left / minimum) reader->failed = true;
  return reader->failed ? 0 : count;
}

/** Null while measuring, and for no bytes. */
static void *arena_take(arena_t *arena, size_t count, size_t size, size_t alignment) {
  arena->size = (arena->size + alignment - 1) & ~(alignment - 1);
  void *memory = arena->base && count ? arena->base + arena->size : NULL;
  arena->size += count * size;
  return memory;
}

#define ARENA_ARRAY(arena, type, count) ((type *)arena_take((arena), (count), sizeof(type), _Alignof(type)))

static const char *read_string(reader_t *reader, arena_t *arena) {
  uint32_t length = read_count(reader, 1);
  const unsigned char *bytes = read_bytes(reader, length);
  if (bytes && length && memchr(bytes, 0, length)) reader->failed = true;
  char *string = ARENA_ARRAY(arena, char, (size_t)length + 1);
  if (!string) return "";
  if (bytes) memcpy(string, bytes, length);
  string[length] = 0;
  return string;
}

static program_arg_info_t read_arg(reader_t *reader, arena_t *arena) {
  program_arg_info_t arg;
  arg.kind = (program_arg_kind_e)read_limited(reader, program_arg_pipe);
  arg.address_qualifier = (program_address_qualifier_e)read_limited(reader, program_address_private);
  arg.access_qualifier = (program_access_qualifier_e)read_limited(reader, program_access_none);
  arg.type_qualifiers = read_limited(reader, program_type_qualifier_const | program_type_qualifier_restrict |
                                                 program_type_qualifier_volatile | program_type_qualifier_pipe);
  arg.size = read_u32(reader);
  arg.type_name = read_string(reader, arena);
  arg.base_type = read_string(reader, arena);
  arg.name = read_string(reader, arena);
  return arg;
}

static program_kernel_info_t read_kernel(reader_t *reader, arena_t *arena) {
  program_kernel_info_t kernel;
  kernel.name = read_string(reader, arena);
  kernel.attributes = read_string(reader, arena);
  for (int i = 0; i < 3; i++) kernel.reqd_work_group_size[i] = read_u64(reader);
  for (int i = 0; i < 3; i++) kernel.work_group_size_hint[i] = read_u64(reader);
  kernel.reqd_sub_group_size = read_u32(reader);
  kernel.reqd_sub_group_count = read_u32(reader);
  kernel.local_memory_size = read_u64(reader);
  kernel.private_memory_size = read_u64(reader);
  kernel.uses_printf = read_limited(reader, 1) != 0;
  kernel.arg_count = read_count(reader, arg_minimum);
  kernel.args = ARENA_ARRAY(arena, program_arg_info_t, kernel.arg_count);
  for (uint32_t i = 0; i < kernel.arg_count && !reader->failed; i++) {
    program_arg_info_t arg = read_arg(reader, arena);
    if (kernel.args) kernel.args[i] = arg;
  }
  return kernel;
}

/** The bytes must be one encoding and nothing after it. */
static program_info_t *read_info(reader_t *reader, arena_t *arena) {
  program_info_t *info = ARENA_ARRAY(arena, program_info_t, 1), measured;
  program_info_t *target = info ? info : &measured;
  if (read_u32(reader) != INFO_MAGIC || read_u32(reader) != INFO_VERSION) reader->failed = true;
  target->global_variable_size = read_u64(reader);
  target->kernel_count = read_count(reader, kernel_minimum);
  target->has_constructors = read_limited(reader, 1) != 0;
  target->printf_string_count = read_count(reader, string_minimum);
  target->kernels = ARENA_ARRAY(arena, program_kernel_info_t, all_kernels(target));
  target->printf_strings = ARENA_ARRAY(arena, const char *, target->printf_string_count);
  for (uint32_t i = 0; i < all_kernels(target) && !reader->failed; i++) {
    program_kernel_info_t kernel = read_kernel(reader, arena);
    if (target->kernels) target->kernels[i] = kernel;
  }
  for (uint32_t i = 0; i < target->printf_string_count && !reader->failed; i++) {
    const char *string = read_string(reader, arena);
    if (target->printf_strings) target->printf_strings[i] = string;
  }
  if (reader->left) reader->failed = true;
  return info;
}

/** Measures the decoded form, in bytes; 0 when the bytes are not valid. */
static size_t measure_info(const void *data, size_t size) {
  reader_t reader = {data, data ? size : 0, false};
  arena_t arena = {NULL, 0};
  read_info(&reader, &arena);
  return reader.failed ? 0 : arena.size;
}

bool program_info_is_valid(const void *data, size_t size) { return measure_info(data, size) > 0; }

program_info_t *program_info_decode(const void *data, size_t size) {
  size_t decoded_size = measure_info(data, size);
  if (!decoded_size) return NULL;
  arena_t arena = {malloc(decoded_size), 0};
  if (!arena.base) return NULL;
  reader_t reader = {data, size, false};
  return read_info(&reader, &arena);
}

void program_info_free(program_info_t *info) { free(info); }
