/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * All devices of the process, so that a child of fork() can go on using them. */
#ifndef HOST_RUNTIME_FORK_H
#define HOST_RUNTIME_FORK_H

#include "host/runtime/device.h"

/** Enters and leaves the list of devices. Thread safe. */
void host_fork_register(host_device_t *device);
void host_fork_unregister(host_device_t *device);

#endif
