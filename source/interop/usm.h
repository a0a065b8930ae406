/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which addresses belong to which memory object: allocations, and buffers with unified storage. */
#ifndef INTEROP_USM_H
#define INTEROP_USM_H

#include "interop/memory.h"

/** The memory object, whose storage is unified memory, can be found by its addresses from now on. */
QUERN_MUST_CHECK quern_result_t interop_usm_add(quern_memory_t memory);
/** It cannot any more; does nothing when it could not. */
void interop_usm_remove(quern_memory_t memory);

/** The memory object that has the address: of the context, else of the host's use of another one, else the one that
 * stands for all other memory. Held; `out_offset` is the address in it. Null when out of memory. */
quern_memory_t interop_usm_find(const struct quern_context_s *context, const void *pointer, size_t *out_offset);

/** Changes whenever an allocation ends: what was known of addresses before is not to be relied upon. */
uint64_t interop_usm_generation(void);

#endif
