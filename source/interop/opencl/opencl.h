/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The OpenCL backend: every platform of the ICD loader. */
#ifndef INTEROP_OPENCL_OPENCL_H
#define INTEROP_OPENCL_OPENCL_H

#include "interop/opencl/api.h"
#include "interop/registry.h"

extern const interop_backend_t interop_backend_opencl;

/** The table of an open backend. */
static inline const opencl_api_t *opencl_api_of(const interop_backend_state_t *state) { return state->data; }

/** Fill in the facts. What the driver does not tell stays 0 or ""; only running out of memory is a failure. */
QUERN_MUST_CHECK quern_result_t opencl_platform_read(quern_platform_t platform);
QUERN_MUST_CHECK quern_result_t opencl_device_read(quern_device_t device);

#endif
