/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the runtime asks of a SPIR-V module without opening the compiler. */
#ifndef COMPILER_SPIRV_INFO_H
#define COMPILER_SPIRV_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** True when the bytes begin with the header of a SPIR-V module of a supported version, in either byte order, and are
 * whole words. What follows may still be anything. Thread safe. */
bool spirv_info_is_module(const void *data, size_t size);

/** Bytes of the specialization constant with this SpecId (1 for a bool), or 0 when the module has none. `data` passed
 * spirv_info_is_module; nothing in it is trusted. Thread safe. */
size_t spirv_info_constant_size(const void *data, size_t size, uint32_t spec_id);

/** Bytes of a number of this many bits: whole bytes, and from 33 bits on whole words of 64. */
static inline size_t spirv_info_number_size(uint32_t bits) {
  return bits <= 32 ? (bits + 7) / 8 : ((size_t)bits + 63) / 64 * 8;
}

#endif
