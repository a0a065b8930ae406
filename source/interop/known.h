/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Native memory objects that memory objects have: equal ones are of the same memory object. */
#ifndef INTEROP_KNOWN_H
#define INTEROP_KNOWN_H

#include "interop/memory.h"

/** The copy has its native object from now on, and until it is forgotten: before that is released. Thread safe. */
void interop_known_add(interop_copy_t *copy);
/** Does nothing for a copy that was not added. */
void interop_known_remove(interop_copy_t *copy);

/** The memory object that has the native one, with one more reference of the application; null when there is none. */
quern_memory_t interop_known_find(const interop_backend_state_t *state, const void *native);

#endif
