/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Executables: loaded objects and their kernels. */
#ifndef HOST_RUNTIME_EXECUTABLE_EXECUTABLE_H
#define HOST_RUNTIME_EXECUTABLE_EXECUTABLE_H

#include "host/runtime/executable/elf_load.h"
#include "host/runtime/executable/kernel_table.h"
#include "host/runtime/executable/variables.h"
#include "mux/mux.h"

/** One object of an executable (host/abi.h). */
typedef struct host_object_t {
  host_code_t image;
  host_kernels_t kernels;
  host_variables_t variables;
} host_object_t;

/** Immutable once created. */
typedef struct host_executable_t {
  struct mux_executable_s base;
  uint32_t object_count;
  host_object_t objects[];
} host_executable_t;

static inline host_executable_t *host_executable(mux_executable_t executable) {
  return (host_executable_t *)executable;
}

/** Null when no object has such a kernel. Thread safe. */
const host_kernel_info_t *host_executable_find_kernel(const host_executable_t *executable, const char *name,
                                                      size_t length);

/* Operations of mux_target_t. */
mux_result_t host_create_executable(mux_device_t device, const void *binary, uint64_t binary_length,
                                    mux_allocator_info_t allocator, mux_executable_t *out_executable);
mux_result_t host_get_executable_variable(mux_device_t device, mux_executable_t executable, const char *name,
                                          uint64_t name_length, void **out_address, uint64_t *out_size);
void host_destroy_executable(mux_device_t device, mux_executable_t executable, mux_allocator_info_t allocator);

#endif
