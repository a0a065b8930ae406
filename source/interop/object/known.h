/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Native memory objects that memory objects have: equal ones are of the same memory object. */
#ifndef INTEROP_OBJECT_KNOWN_H
#define INTEROP_OBJECT_KNOWN_H

#include "interop/object/memory.h"

/** The copy has its native object from now on, and until it is forgotten: before that is released. Thread safe. */
void interop_known_add(interop_copy_t *copy);
/** Does nothing for a copy that was not added. */
void interop_known_remove(interop_copy_t *copy);

/** The memory object that has the native one and is bound to that context, or not, as is asked; with one more reference
 * of the application, which may have had none: groups keep it, too. `out_has_other`: there is none, but one that is
 * bound otherwise, of which the application has references. */
quern_memory_t interop_known_find(const struct quern_context_s *bound, const interop_backend_state_t *state,
                                  const void *native, bool *out_has_other);

#endif
