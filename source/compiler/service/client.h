/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The compiler in a process of its own, as functions of the process that builds. */
#ifndef COMPILER_SERVICE_CLIENT_H
#define COMPILER_SERVICE_CLIENT_H

#include "compiler/interface.h"
#include "compiler/service/pool.h"

/** Modules that live in another process. What they gave stays here. `module_create` gives compiler_error_unavailable
 * where no process can be started. The process that ends, takes too long or gives too much fails the call, which says
 * so in the module's log, and all its other modules, of the same build. attach, own_process, module_run_passes and the
 * two that write what is known of the library itself are null. `module_link` takes modules of the same process. */
extern const compiler_interface_t service_interface;

/** What service_interface starts, and what its modules ask; both outlive it. Before its first use; all calls say the
 * same. */
void service_set(const service_paths_t *paths, const compiler_host_t *host);

/** True when both modules, which are the service's, live in one process. */
bool service_is_same_process(compiler_module_t module, compiler_module_t other);

#endif
