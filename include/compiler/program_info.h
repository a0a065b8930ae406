/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Program information: what the runtime must know of a compiled program, with no compiler at hand. */
#ifndef COMPILER_PROGRAM_INFO_H
#define COMPILER_PROGRAM_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum program_arg_kind_e {
  /** Pointer to global or constant memory. */
  program_arg_buffer,
  /** Pointer to local memory. */
  program_arg_local,
  /** By value. */
  program_arg_value,
  program_arg_image,
  program_arg_sampler,
  program_arg_pipe,
} program_arg_kind_e;

typedef enum program_address_qualifier_e {
  program_address_global,
  program_address_local,
  program_address_constant,
  program_address_private,
} program_address_qualifier_e;

typedef enum program_access_qualifier_e {
  program_access_read_only,
  program_access_write_only,
  program_access_read_write,
  program_access_none,
} program_access_qualifier_e;

enum {
  program_type_qualifier_const = 1,
  program_type_qualifier_restrict = 2,
  program_type_qualifier_volatile = 4,
  program_type_qualifier_pipe = 8,
};

typedef struct program_arg_info_t {
  program_arg_kind_e kind;
  program_address_qualifier_e address_qualifier;
  program_access_qualifier_e access_qualifier;
  uint32_t type_qualifiers;
  /** Bytes of a value; 8 for pointers. */
  uint32_t size;
  /** "" when compiled from source without -cl-kernel-arg-info; modules of SPIR-V always have types. */
  const char *type_name;
  /** Without the names of typedefs. Always there: by it the definitions of several devices are compared. */
  const char *base_type;
  const char *name;
} program_arg_info_t;

typedef struct program_kernel_info_t {
  const char *name;
  /** CL_KERNEL_ATTRIBUTES: "reqd_work_group_size(8,1,1) ..." or "". */
  const char *attributes;
  /** Zeros when not given. */
  uint64_t reqd_work_group_size[3];
  uint64_t work_group_size_hint[3];
  /** intel_reqd_sub_group_size, and how many sub-groups the kernel says that a work-group has; 0 when not given. */
  uint32_t reqd_sub_group_size, reqd_sub_group_count;
  /** Bytes of the kernel's own local variables. */
  uint64_t local_memory_size;
  /** Bytes of private memory of one work-item (an estimate from stack and barrier context). */
  uint64_t private_memory_size;
  /** One more descriptor, of buffer type, follows the arguments: the printf buffer. */
  bool uses_printf;
  uint32_t arg_count;
  program_arg_info_t *args;
} program_kernel_info_t;

typedef struct program_info_t {
  /** The program's own. */
  uint32_t kernel_count;
  /** Another kernel is behind those, at kernels[kernel_count]: it has no arguments and constructs the program-scope
   * objects. One work-item must run it once, before any other. */
  bool has_constructors;
  program_kernel_info_t *kernels;
  /** Format and argument strings of printf, by index. */
  uint32_t printf_string_count;
  const char **printf_strings;
  /** Bytes of program-scope variables in global memory. */
  uint64_t global_variable_size;
} program_info_t;

/** Encodes into malloc'ed bytes that the caller frees. False when out of memory. */
__attribute__((warn_unused_result)) bool program_info_encode(const program_info_t *info, void **out_data,
                                                             size_t *out_size);

/** Decodes untrusted bytes into one allocation, which program_info_free frees. Null when the bytes are not a valid
 * encoding, or out of memory. */
program_info_t *program_info_decode(const void *data, size_t size);
/** Tells the two apart: whether the bytes are a valid encoding. */
bool program_info_is_valid(const void *data, size_t size);
void program_info_free(program_info_t *info);

#ifdef __cplusplus
}
#endif

#endif
