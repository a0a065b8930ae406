/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Choosing a device by scores. Include quern/interop.h. */
#ifndef QUERN_SELECTOR_H
#define QUERN_SELECTOR_H

#include "quern/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Scores a device; negative: never choose it. `data` is what the caller of the choosing function gave. It runs on that
 * caller's thread, with no lock held, and may call any function of the library. It must return; an exception may not
 * leave it. */
typedef int (*quern_selector_t)(quern_device_t device, void *data);

/** The device with the highest score among all devices of all available backends; of equals the first one in the order
 * of quern_platform_list. It is a root device and needs no release.
 * Errors: quern_error_invalid_argument: `selector` or `out_device` is null; quern_error_not_found: none has a score of
 * 0 or more. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_device_select(quern_selector_t selector, void *data,
                                                              quern_device_t *out_device);

/** The platform of the device that quern_device_select would choose; same errors. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_platform_select(quern_selector_t selector, void *data,
                                                                quern_platform_t *out_platform);

/* ------------------------------------------------------------ ready-made selectors
 * They ignore `data`, and score devices that are not available (and bad handles) negative. */

/** Prefers GPUs, then accelerators, then CPUs, then other devices; the host, which is always there, comes last. */
QUERN_API int quern_selector_default(quern_device_t device, void *data);
/** CPU devices only, not the host. */
QUERN_API int quern_selector_cpu(quern_device_t device, void *data);
/** GPU devices only. */
QUERN_API int quern_selector_gpu(quern_device_t device, void *data);
/** Accelerators only. */
QUERN_API int quern_selector_accelerator(quern_device_t device, void *data);
/** The host device only: never fails to choose. */
QUERN_API int quern_selector_host(quern_device_t device, void *data);

#ifdef __cplusplus
}
#endif

#endif
