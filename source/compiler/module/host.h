/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The process that builds, as the compiler sees it. */
#ifndef COMPILER_MODULE_HOST_H
#define COMPILER_MODULE_HOST_H

#include "compiler/interface.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Thread safe; the host outlives the library. */
void host_set(const compiler_host_t *host);
/** Never null. Thread safe. */
const compiler_host_t *host_get(void);

#ifdef __cplusplus
}
#endif

#endif
