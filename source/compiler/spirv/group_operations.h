/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Operations of work-groups and sub-groups: what their two files share. */
#ifndef COMPILER_SPIRV_GROUP_OPERATIONS_H
#define COMPILER_SPIRV_GROUP_OPERATIONS_H

#include "compiler/spirv/importer.h"

/** What values are combined by; with group_signed, as signed integers. */
enum {
  group_add,
  group_min,
  group_max,
  group_mul,
  group_and,
  group_or,
  group_xor,
  group_logical_and,
  group_logical_or,
  group_logical_xor,
  group_operation_count,
  group_signed = 16
};

/** The ends of the functions' names in OpenCL C. */
extern const char *const group_operation_names[group_operation_count];

/** OpGroupBroadcast in a sub-group. */
LLVMValueRef sub_group_broadcast(importer_t *im, const instruction_t *in);
/** The function `name` of each component of the value at word 5, and of the cluster size at word 6 if there is one. */
LLVMValueRef sub_group_combine(importer_t *im, const instruction_t *in, const char *name, bool is_signed);

#endif
