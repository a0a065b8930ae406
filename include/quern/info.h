/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Types of the values that info queries give. Include quern/interop.h. */
#ifndef QUERN_INFO_H
#define QUERN_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A size in each of three dimensions. */
typedef struct quern_sizes_t {
  size_t sizes[3];
} quern_sizes_t;

/** Kinds of devices; several may be or-ed where a set is asked for. */
enum {
  quern_device_type_cpu = 1 << 1,
  quern_device_type_gpu = 1 << 2,
  quern_device_type_accelerator = 1 << 3,
  quern_device_type_custom = 1 << 4,
  quern_device_type_host = 1 << 5,
  quern_device_type_all = (1 << 6) - (1 << 1)
};
typedef uint32_t quern_device_type_t;

/* C types of the types that stand in the tables of info. A text is NUL-terminated, never null, and lives as long as
 * the object it was asked of. */
#define QUERN_INFO_TYPE_text const char *
#define QUERN_INFO_TYPE_flag bool
#define QUERN_INFO_TYPE_uint32 uint32_t
#define QUERN_INFO_TYPE_uint64 uint64_t
#define QUERN_INFO_TYPE_size size_t
#define QUERN_INFO_TYPE_sizes quern_sizes_t
#define QUERN_INFO_TYPE_device_type quern_device_type_t

#endif
