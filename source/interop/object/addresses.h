/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which addresses belong to which memory object: allocations, and buffers with unified storage. */
#ifndef INTEROP_OBJECT_ADDRESSES_H
#define INTEROP_OBJECT_ADDRESSES_H

#include "interop/object/memory.h"

/** The memory object, whose storage is unified memory, can be found by its addresses from now on. */
QUERN_MUST_CHECK quern_result_t interop_addresses_add(quern_memory_t memory);
/** It cannot any more; does nothing when it could not. */
void interop_addresses_remove(quern_memory_t memory);

/** The memory object that has the address: of the context, else of the host's use of another one, else the one that
 * stands for all other memory. Held; `out_offset` is the address in it. Null when out of memory. */
quern_memory_t interop_addresses_find(const struct quern_context_s *context, const void *pointer, size_t *out_offset);

/** The same without the last: null. */
quern_memory_t interop_addresses_find_known(const struct quern_context_s *context, const void *pointer);

/** Changes whenever an allocation ends: what was known of addresses before is not to be relied upon. */
uint64_t interop_addresses_generation(void);

#endif
