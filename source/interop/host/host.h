/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The host backend: this process, always there. */
#ifndef INTEROP_HOST_HOST_H
#define INTEROP_HOST_HOST_H

#include "interop/registry.h"

extern const interop_backend_t interop_backend_host;

#endif
