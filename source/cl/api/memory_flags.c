/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Rules about cl_mem_flags. */
#include "cl/api/memory_flags.h"

static const cl_mem_flags access_flags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
static const cl_mem_flags host_pointer_flags = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
static const cl_mem_flags host_access_flags = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

static bool has_at_most_one(cl_mem_flags flags, cl_mem_flags mask) {
  return ((flags & mask) & ((flags & mask) - 1)) == 0;
}

bool memory_flags_are_valid(cl_mem_flags flags) {
  if (flags & ~(access_flags | host_pointer_flags | host_access_flags)) return false;
  if ((flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR))) return false;
  return has_at_most_one(flags, access_flags) && has_at_most_one(flags, host_access_flags);
}

bool memory_flags_suit_parent(cl_mem_flags parent, cl_mem_flags flags) {
  if ((flags & host_pointer_flags) || !memory_flags_are_valid(flags)) return false;
  if ((parent & CL_MEM_WRITE_ONLY) && (flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY))) return false;
  if ((parent & CL_MEM_READ_ONLY) && (flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY))) return false;
  if ((parent & CL_MEM_HOST_WRITE_ONLY) && (flags & CL_MEM_HOST_READ_ONLY)) return false;
  if ((parent & CL_MEM_HOST_READ_ONLY) && (flags & CL_MEM_HOST_WRITE_ONLY)) return false;
  return !((parent & CL_MEM_HOST_NO_ACCESS) && (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)));
}

cl_mem_flags memory_flags_inherit(cl_mem_flags parent, cl_mem_flags flags) {
  if (!(flags & access_flags)) flags |= parent & access_flags;
  if (!(flags & host_access_flags)) flags |= parent & host_access_flags;
  return flags | (parent & host_pointer_flags);
}

cl_mem_flags memory_flags_complete(cl_mem_flags flags) {
  return flags & access_flags ? flags : flags | CL_MEM_READ_WRITE;
}

bool memory_flags_want_pointer(cl_mem_flags flags) {
  return (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
}
