/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The container of program binaries: what CL_PROGRAM_BINARIES gives and clCreateProgramWithBinary takes.
 *
 * It says for which target the content was made and what it is, and a checksum covers every byte: a damaged, truncated
 * or foreign binary is found out before any of its content is used. The checksum is no protection from intent: readers
 * of the content check it by themselves. */
#ifndef CL_PROGRAM_BINARY_H
#define CL_PROGRAM_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum binary_kind_e {
  /** Program information, and an executable for muxCreateExecutable. */
  binary_kind_executable = 1,
  /** A compiled module (compiler_module_serialize). */
  binary_kind_object = 2,
  binary_kind_library = 3,
} binary_kind_e;

/** Work-groups must be uniform: from the options that the program was compiled with. */
#define BINARY_UNIFORM_WORK_GROUPS 1u

/** The content; pointers are into the container's bytes or, for encoding, the caller's. */
typedef struct binary_content_t {
  binary_kind_e kind;
  uint32_t flags;
  /** Program information (compiler/program_info.h); none for objects and libraries. */
  const void *info;
  size_t info_size;
  const void *payload;
  size_t payload_size;
  /** Of executables whose kernels can be specialized: the object they were made from (compiler_module_portable). */
  const void *portable;
  size_t portable_size;
} binary_content_t;

/** A container, counted. */
typedef struct binary_t {
  _Atomic uint32_t references;
  size_t size;
  unsigned char data[];
} binary_t;

/** Builds a container for `target`, a text that says which code generator and device it is for. Null when out of
 * memory. */
binary_t *binary_encode(const char *target, const binary_content_t *content);
/** A copy of untrusted bytes, to be decoded. Null when out of memory. */
binary_t *binary_copy(const void *data, size_t size);
/** Checks the whole container. False when it is damaged, of another version, or not for `target`. */
bool binary_decode(const binary_t *binary, const char *target, binary_content_t *out_content);

/** The same container for one more holder. */
binary_t *binary_hold(binary_t *binary);
/** Null is allowed. */
void binary_drop(binary_t *binary);

#endif
