/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Files of SPIR-V cases, one per group of instructions.
 *
 *   == add_integers               a case: its name
 *   in uint 1 2                   buffers, one argument each; `out` has what the kernel must write there, `from A to B`
 *   in uint 3 4                   on one line is what is there before and must be afterwards
 *   out uint 4 6
 *   in image %t 2d 2x1 v4uint 1 2 3 4 5 6 7 8
 *                                 an image: its type in the module, the object's and its size, the type of a
 *                                 texel; `out` and `from` as for buffers
 *   capability BitInstructions    more than the usual capabilities; `extension NAME` likewise
 *   set ID TYPE VALUE             a specialization constant
 *   items N                       work-items, in groups of `group N`; as many as buffer 0 has elements unless given
 *   refuse TEXT                   the build fails, and its log holds TEXT
 *   mode: LINE                    behind the entry point
 *   decorate: LINE                before the types
 *   global: LINE                  behind the types
 *   %r = OpIAdd %uint %x0 %x1     all else is the kernel's body
 *   OpStore %p2 %r
 *
 * Of buffer N, %bN is the pointer, %pN that to the work-item's element, %xN what is there before; of an image, %bN is
 * the image itself. %i is the work-item's number (ulong). The types of prelude.spvasm are there. A case with `module`
 * has its text as it stands. */
#ifndef SPIRV_CASE_FILE_H
#define SPIRV_CASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>

enum { case_max_buffers = 9, case_max_values = 128, case_max_settings = 4 };

typedef struct case_buffer_t {
  /** As in prelude.spvasm: uint, v4float. */
  char type[16];
  bool is_checked;
  /** Bytes of one component; components of an element. */
  size_t size, components;
  size_t value_count;
  /** An image: the name of its type in the module; empty otherwise. */
  char image_type[32];
  cl_mem_object_type image_kind;
  size_t image_size[3];
  /** Bits. */
  uint64_t before[case_max_values], after[case_max_values];
} case_buffer_t;

typedef struct case_setting_t {
  uint32_t id;
  size_t size;
  uint64_t value;
} case_setting_t;

typedef struct case_t {
  char *name;
  /** The assembly text. */
  char *text;
  case_buffer_t buffers[case_max_buffers];
  size_t buffer_count;
  case_setting_t settings[case_max_settings];
  size_t setting_count;
  size_t items, group;
  /** Null when the build succeeds. */
  char *refusal;
} case_t;

typedef struct case_file_t {
  case_t *cases;
  size_t count;
} case_file_t;

/** Reads a file, and prelude.spvasm beside it. False, with a message, when it breaks the rules above. */
bool case_file_read(const char *path, case_file_t *out);
void case_file_free(case_file_t *file);

#endif
