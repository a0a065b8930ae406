/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The cache of compiled programs (source/cl/cache): results of builds, under a hash of all that they depend on. */
#ifndef CL_PROGRAM_PROGRAM_CACHE_H
#define CL_PROGRAM_PROGRAM_CACHE_H

#include "base/hash.h"
#include "cl/program/program_compile.h"

/** What a build is known by. */
typedef struct program_key_t {
  /** False when the build is not to be looked for, nor kept. */
  bool is_usable;
  hash128_t hash;
  /** Of the specialization constants that it was made with. */
  uint64_t specialization_version;
} program_key_t;

/** Keys of the three kinds of build (program/program_build.h), made of: driver and compiler library, device, options
 * and environment, and what is built: source or intermediate language with its specialization constants, headers, the
 * objects and libraries linked. Files that source includes are no part of it: they are looked at when a result is
 * found. */
program_key_t program_key_for_build(cl_program program, cl_device_id device, const char *options);
program_key_t program_key_for_compile(cl_program program, cl_device_id device, const char *options,
                                      const compiler_header_t *headers, size_t header_count);
program_key_t program_key_for_link(cl_device_id device, const char *options, const cl_program *inputs,
                                   size_t input_count);

/** That of an executable's variant (program/variant.h): the object that both are made from has all of the program. */
program_key_t program_key_for_variant(cl_device_id device, const void *portable, size_t portable_size,
                                      const char *kernel, const compiler_known_argument_t *known, size_t known_count);

/** That of what is measured of a kernel (program/tuning.h), in an executable whose code has the hash `code`. */
program_key_t program_key_for_tuning(mux_device_info_t device, const char *kernel, hash128_t code);

/** Gives the result that an earlier build had, its log too, without the compiler. False when there is none that holds:
 * `out_result` is then as it was. */
bool program_cache_find(const program_key_t *key, cl_device_id device, program_result_t *out_result);

/** Keeps the result of a build of `program`, if it succeeded and is what the key stands for: specialization constants
 * may have been set after the key was made. `program` is null for a variant. */
void program_cache_keep(const program_key_t *key, cl_program program, const program_result_t *result);

#endif
