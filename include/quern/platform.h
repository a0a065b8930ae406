/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Platforms: a backend's entry points, which hold its devices. Include quern/interop.h. */
#ifndef QUERN_PLATFORM_H
#define QUERN_PLATFORM_H

#include "quern/backend.h"
#include "quern/info.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A platform. Platforms live as long as the process and are not counted; equal platforms are equal pointers. */
typedef struct quern_platform_s *quern_platform_t;
/** A device; see quern/device.h. */
typedef struct quern_device_s *quern_device_t;

/** X(name, type, name in OpenCL): what a platform tells of itself. */
#define QUERN_PLATFORM_INFO_LIST(X)     \
  X(name, text, CL_PLATFORM_NAME)       \
  X(vendor, text, CL_PLATFORM_VENDOR)   \
  X(version, text, CL_PLATFORM_VERSION) \
  X(profile, text, CL_PLATFORM_PROFILE) \
  X(extensions, text, CL_PLATFORM_EXTENSIONS)

typedef enum quern_platform_info_e {
#define QUERN_PLATFORM_INFO_ENUM(name, type, opencl) quern_platform_info_##name,
  QUERN_PLATFORM_INFO_LIST(QUERN_PLATFORM_INFO_ENUM)
#undef QUERN_PLATFORM_INFO_ENUM
      quern_platform_info_total
} quern_platform_info_t;

/* ------------------------------------------------------------ finding platforms */

/** All platforms of all available backends, the host's first.
 * Writes at most `capacity` of them to `out_platforms`, which may be null when `capacity` is 0, and their whole number
 * to `out_count`, which may be null when `out_platforms` is not. The platforms are the library's.
 * Errors: quern_error_invalid_argument: nowhere to write. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_platform_list(size_t capacity, quern_platform_t *out_platforms,
                                                              size_t *out_count);

/** The platforms of one backend, in the backend's order; outputs and errors as for quern_platform_list, and those of
 * quern_backend_check. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_platform_list_of_backend(quern_backend_t backend, size_t capacity,
                                                                         quern_platform_t *out_platforms,
                                                                         size_t *out_count);

/** The backend's first platform.
 * Errors: quern_error_invalid_argument: `out_platform` is null; those of quern_backend_check. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_platform_make(quern_backend_t backend, quern_platform_t *out_platform);

/* ------------------------------------------------------------ asking a platform */

/** The backend that the platform belongs to.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: `out_backend` is null. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_platform_get_backend(quern_platform_t platform,
                                                                     quern_backend_t *out_backend);

/** The platform's devices whose type is in the set `types`; possibly none. Sub-devices are not listed.
 * Outputs as for quern_platform_list. The devices are the library's: root devices live as long as the process.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: nowhere to write, `types` is empty or has a bit
 * that is no type. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_platform_get_devices(quern_platform_t platform,
                                                                     quern_device_type_t types, size_t capacity,
                                                                     quern_device_t *out_devices, size_t *out_count);

/** Writes one fact about the platform to `out_value`, whose `size` must be that of the fact's type. What the platform
 * does not tell is "". Read once, when the backend is opened. The functions below do the same with types checked.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: unknown `info`, wrong size, `out_value` null. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_platform_get_info(quern_platform_t platform, quern_platform_info_t info,
                                                                  size_t size, void *out_value);

/** quern_platform_get_name(platform, &text), and so on for each line of QUERN_PLATFORM_INFO_LIST. */
#define QUERN_PLATFORM_INFO_FUNCTION(name, type, opencl)                                                         \
  QUERN_MUST_CHECK static inline quern_result_t quern_platform_get_##name(quern_platform_t platform,             \
                                                                          QUERN_INFO_TYPE_##type *out_value) {   \
    return quern_platform_get_info(platform, quern_platform_info_##name, sizeof(*out_value), (void *)out_value); \
  }
QUERN_PLATFORM_INFO_LIST(QUERN_PLATFORM_INFO_FUNCTION)
#undef QUERN_PLATFORM_INFO_FUNCTION

/** Whether the platform's extensions have the name `extension`.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: `out_has` is null, `extension` is null, empty or
 * has a space. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_platform_has_extension(quern_platform_t platform, const char *extension,
                                                                       bool *out_has);

#ifdef __cplusplus
}
#endif

#endif
