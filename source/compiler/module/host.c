/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The process that builds, as the compiler sees it. */
#include "compiler/module/host.h"

#include <assert.h>
#include <stdatomic.h>

#include "base/log.h"

/* The library has one: all that open it in one process are of that process. */
static _Atomic(const compiler_host_t *) current;

void host_set(const compiler_host_t *host) {
  if (host->print) log_redirect(host->print);
  atomic_store(&current, host);
}

const compiler_host_t *host_get(void) {
  const compiler_host_t *host = atomic_load(&current);
  assert(host && "the library is used before attach");
  return host;
}
