/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Native objects of a backend: from a handle, and to a handle. Include quern/interop.h. */
#ifndef QUERN_NATIVE_H
#define QUERN_NATIVE_H

#include "quern/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A native object goes through these functions as a void pointer: OpenCL's handles are pointers. The header of a
 * backend (quern/opencl.h) wraps them with the backend's own types; prefer those. */

/** X(name): the kinds of objects that may have a native object. */
#define QUERN_OBJECT_LIST(X) X(platform) X(device)

typedef enum quern_object_e {
#define QUERN_OBJECT_ENUM(name) quern_object_##name,
  QUERN_OBJECT_LIST(QUERN_OBJECT_ENUM)
#undef QUERN_OBJECT_ENUM
      quern_object_total
} quern_object_t;

/** Who holds the caller's reference to a native object after a make function. */
typedef enum quern_ownership_e {
  /** The caller goes on holding it; the library takes one of its own. */
  quern_ownership_retain,
  /** The library, if the function succeeds. */
  quern_ownership_transfer
} quern_ownership_t;

/** Whether objects of this kind have native objects in the backend, be the backend active or not: for OpenCL platforms
 * and devices have; for the host none. False for values that are not listed. (B4, B5) */
QUERN_API bool quern_backend_has_native(quern_backend_t backend, quern_object_t object);

/** The platform's native object: for OpenCL its cl_platform_id. Nothing to release: OpenCL does not count platforms.
 * `backend` says what the caller takes the result for. (B5)
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: `out_native` is null, `backend` is not listed;
 * quern_error_backend_mismatch: the platform is not of `backend`;
 * quern_error_feature_not_supported: the backend has no native platforms. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_platform_get_native(quern_platform_t platform, quern_backend_t backend,
                                                                    void **out_native);

/** The device's native object: for OpenCL its cl_device_id. It comes with a reference of the caller's own, to be
 * released with clReleaseDevice (which does nothing for a root device). (B5)
 * Errors: as for quern_platform_get_native; quern_error_backend_failure: the native object could not be retained. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_device_get_native(quern_device_t device, quern_backend_t backend,
                                                                  void **out_native);

/** The platform whose native object is `native`. It must be one that the backend lists: other values are refused, and
 * not looked into. (B5)
 * Errors: quern_error_invalid_argument: `native` or `out_platform` is null, or no platform has it; those of
 * quern_backend_check; quern_error_feature_not_supported: the backend has no native platforms. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_platform_make_from_native(quern_backend_t backend, void *native,
                                                                          quern_platform_t *out_platform);

/** The device whose native object is `native`: a root device, or a sub-device, which gets a handle here. Equal native
 * objects give equal handles as long as one lives. `native` must be null or a living device of that backend, for the
 * backend is asked about it. Give the handle back with quern_device_release. (B5)
 * `ownership`: retain: the handle holds a native reference of its own until it goes; transfer: the caller's reference
 * becomes the library's, on success only.
 * Errors: quern_error_invalid_argument: `native` or `out_device` is null, `ownership` is not listed, or the device is
 * of a platform that the backend does not list; quern_error_backend_failure: the backend knows no such device, or could
 * not retain it; those of quern_backend_check; quern_error_feature_not_supported: the backend has no native devices. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_device_make_from_native(quern_backend_t backend, void *native,
                                                                        quern_ownership_t ownership,
                                                                        quern_device_t *out_device);

#ifdef __cplusplus
}
#endif

#endif
