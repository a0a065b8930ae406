/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The printf buffer: what kernels write, what the runtime reads (OpenCL C section 6.15.14). */
#ifndef COMPILER_PRINTF_H
#define COMPILER_PRINTF_H

#include <stdint.h>

/** Head of the buffer that a kernel using printf gets after its own arguments; records follow it.
 * A kernel appends a record by advancing `used`; where the record does not fit and `drain` is set, a target that
 * shares memory with the host calls `drain` (which prints and empties the buffer; the caller holds `lock`); else the
 * record is lost and `lost` counts it. */
typedef struct printf_buffer_t {
  /** Spin lock: 0 free, 1 taken. Whoever appends or drains holds it. */
  uint32_t lock;
  uint32_t lost;
  /** Bytes of records now, and room for them, both without this head. */
  uint64_t used;
  uint64_t capacity;
  void (*drain)(struct printf_buffer_t *buffer);
  void *user_data;
} printf_buffer_t;

/** What one argument slot holds. */
typedef enum printf_arg_kind_e {
  /** Integer scalar or vector, `element_size` bytes each. */
  printf_arg_integer,
  /** Floating-point scalar or vector; scalars come as double unless the device has none. */
  printf_arg_float,
  printf_arg_pointer,
  /** Index into program_info_t.printf_strings. */
  printf_arg_string,
  /** Address of a string, and the number of bytes at most that its conversion prints: two elements. In the records that
   * kernels make; a buffer has the next one in its place, and this one for null pointers alone. */
  printf_arg_string_pointer,
  /** The bytes of a string, a NUL among them. */
  printf_arg_string_bytes,
} printf_arg_kind_e;

/** A record is: this head, then per argument a printf_arg_t followed by its data, padded to 8 bytes. */
typedef struct printf_record_t {
  /** Bytes of the whole record, this head included; a multiple of 8. */
  uint32_t size;
  /** Index of the format in program_info_t.printf_strings. */
  uint32_t format;
  uint32_t arg_count;
  /** How many of the arguments are string pointers. What they point to is the kernel's, and may be private to a
   * work-item: who appends the record copies it, and does so as part of the kernel. */
  uint32_t string_pointer_count;
} printf_record_t;

typedef struct printf_arg_t {
  uint8_t kind;
  uint8_t element_size;
  /** 1 for scalars; 3-vectors have 3 and the data of 4. */
  uint8_t element_count;
  uint8_t reserved;
  /** Bytes of data that follow, a multiple of 8. */
  uint32_t data_size;
} printf_arg_t;

#endif
