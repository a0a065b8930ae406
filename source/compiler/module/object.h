/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The serialized form of compiled objects and libraries: a checked head and bitcode. */
#ifndef COMPILER_MODULE_OBJECT_H
#define COMPILER_MODULE_OBJECT_H

#include <llvm-c/Types.h>

#include "base/text.h"
#include "compiler/compiler.h"

/** Options of the compilation that later steps need. */
typedef struct object_flags_t {
  bool optimize;
  bool denorms_are_zero;
  unsigned language_version;
} object_flags_t;

/** Appends the serialized form to `out`; false when out of memory. */
bool object_write(LLVMModuleRef ir, const object_flags_t *flags, compiler_module_kind_e kind, text_t *out);

/** Reads it back into `context`; the caller owns the module. Null when the bytes are damaged or foreign: the content
 * hash is checked before LLVM sees a byte. */
LLVMModuleRef object_read(LLVMContextRef context, const void *data, size_t size, object_flags_t *out_flags,
                          compiler_module_kind_e *out_kind);

#endif
