/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The OpenCL backend's own interface: native objects with their types. Needs OpenCL's headers, not its library. */
#ifndef QUERN_OPENCL_H
#define QUERN_OPENCL_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>
/* The tables of info name constants of extensions, too. */
#include <CL/cl_ext.h>

#include "quern/interop.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which handle has which native object (B5):
 *   quern_platform_t   cl_platform_id   not counted
 *   quern_device_t     cl_device_id     retained for whoever gets it
 * Ownership, threads and errors: see the function of quern/native.h with the same name less `opencl_`. */

QUERN_MUST_CHECK static inline quern_result_t quern_opencl_platform_get_native(quern_platform_t platform,
                                                                               cl_platform_id *out_native) {
  void *native = NULL;
  quern_result_t result = quern_platform_get_native(platform, quern_backend_opencl, out_native ? &native : NULL);
  if (result == quern_success && out_native) *out_native = (cl_platform_id)native;
  return result;
}

QUERN_MUST_CHECK static inline quern_result_t quern_opencl_device_get_native(quern_device_t device,
                                                                             cl_device_id *out_native) {
  void *native = NULL;
  quern_result_t result = quern_device_get_native(device, quern_backend_opencl, out_native ? &native : NULL);
  if (result == quern_success && out_native) *out_native = (cl_device_id)native;
  return result;
}

QUERN_MUST_CHECK static inline quern_result_t quern_opencl_platform_make_from_native(cl_platform_id native,
                                                                                     quern_platform_t *out_platform) {
  return quern_platform_make_from_native(quern_backend_opencl, (void *)native, out_platform);
}

QUERN_MUST_CHECK static inline quern_result_t quern_opencl_device_make_from_native(cl_device_id native,
                                                                                   quern_ownership_t ownership,
                                                                                   quern_device_t *out_device) {
  return quern_device_make_from_native(quern_backend_opencl, (void *)native, ownership, out_device);
}

#ifdef __cplusplus
}
#endif

#endif
