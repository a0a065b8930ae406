/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Public questions about backends. */
#include "quern/backend.h"

#include "interop/object/registry.h"

quern_result_t quern_backend_check(quern_backend_t backend) {
  interop_backend_state_t *state;
  return interop_backend_require(backend, &state);
}

bool quern_backend_is_available(quern_backend_t backend) {
  return quern_backend_is_active(backend) && interop_backend_open(backend)->result == quern_success;
}

bool quern_backend_has_native(quern_backend_t backend, quern_object_t object) {
  const interop_backend_t *found = interop_backend_find(backend);
  return found && (unsigned)object < quern_object_total && found->has_native[object];
}
