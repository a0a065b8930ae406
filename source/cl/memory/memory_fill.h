/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The first content of a buffer. */
#ifndef CL_MEMORY_MEMORY_FILL_H
#define CL_MEMORY_MEMORY_FILL_H

#include "cl/memory/memory.h"

/** Copies the first content from `source`, which has the pitches of an image, into a new root object and makes the
 * device see it. A null `source` says that the bytes are in place and only the device must be told. Returns when done.
 */
cl_int memory_fill_from_host(cl_mem memory, const void *source);

#endif
