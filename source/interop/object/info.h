/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Facts about platforms and devices as structs, with tables that describe their members. */
#ifndef INTEROP_OBJECT_INFO_H
#define INTEROP_OBJECT_INFO_H

#include "quern/device.h"

typedef enum interop_info_type_e {
  interop_info_text,
  interop_info_flag,
  interop_info_uint32,
  interop_info_uint64,
  interop_info_size,
  interop_info_sizes,
  interop_info_device_type
} interop_info_type_t;

#define INTEROP_INFO_MEMBER(name, type, opencl) QUERN_INFO_TYPE_##type name;

/** One member per fact. A backend fills it in once; texts are malloc'ed and belong to the struct, null counts as "". */
typedef struct interop_platform_info_t {
  QUERN_PLATFORM_INFO_LIST(INTEROP_INFO_MEMBER)
} interop_platform_info_t;

typedef struct interop_device_info_t {
  QUERN_DEVICE_INFO_LIST(INTEROP_INFO_MEMBER)
} interop_device_info_t;

#undef INTEROP_INFO_MEMBER

/** A member of such a struct. */
typedef struct interop_info_member_t {
  const char *name;
  interop_info_type_t type;
  size_t offset, size;
} interop_info_member_t;

/** A struct's members, in the order of the public enum. */
typedef struct interop_info_table_t {
  /** "platform info", for messages. */
  const char *name;
  size_t count;
  const interop_info_member_t *members;
} interop_info_table_t;

extern const interop_info_table_t interop_platform_info_table;
extern const interop_info_table_t interop_device_info_table;

/** Copies member `index` of `values`, a struct that `table` describes, to `out_value`; checks all arguments but
 * `values`. */
QUERN_MUST_CHECK quern_result_t interop_info_read(const interop_info_table_t *table, const void *values, size_t index,
                                                  size_t size, void *out_value);

/** Makes `string`, copied, the text that is member `index`. False when out of memory. */
QUERN_MUST_CHECK bool interop_info_set_text(const interop_info_table_t *table, void *values, size_t index,
                                            const char *string);

/** Frees the texts. */
void interop_info_free(const interop_info_table_t *table, void *values);

/** Whether the space-separated list `extensions` (null counts as empty) has `extension`; checks the other arguments. */
QUERN_MUST_CHECK quern_result_t interop_extensions_have(const char *extensions, const char *extension, bool *out_has);

#endif
