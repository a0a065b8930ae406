/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Rules about cl_mem_flags, which buffers and images share. */
#ifndef CL_API_MEMORY_FLAGS_H
#define CL_API_MEMORY_FLAGS_H

#include "cl/object/object.h"

/** False for unknown flags and flags that contradict each other. CL_MEM_KERNEL_READ_AND_WRITE, which is for
 * clGetSupportedImageFormats only, is unknown. */
bool memory_flags_are_valid(cl_mem_flags flags);

/** False when an object made of the memory of one with flags `parent` may not have `flags`. */
bool memory_flags_suit_parent(cl_mem_flags parent, cl_mem_flags flags);

/** The flags that such an object has. */
cl_mem_flags memory_flags_inherit(cl_mem_flags parent, cl_mem_flags flags);

/** Read and write access is what an object has that was given none. */
cl_mem_flags memory_flags_complete(cl_mem_flags flags);

/** True when `flags` ask for a host pointer. */
bool memory_flags_want_pointer(cl_mem_flags flags);

#endif
