/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A library with thread-local storage of the initial-exec model, as libgomp and allocators have it, which the C library
 * must find room for in what every thread has already. */
#include <stddef.h>

enum { size = 512 };

static _Thread_local char bytes[size] __attribute__((tls_model("initial-exec")));

__attribute__((visibility("default"))) char *module_bytes(size_t *out_size);

char *module_bytes(size_t *out_size) {
  *out_size = size;
  return bytes;
}
