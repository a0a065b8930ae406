/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The image formats that the host target has. */
#ifndef HOST_RUNTIME_MEMORY_IMAGE_FORMAT_H
#define HOST_RUNTIME_MEMORY_IMAGE_FORMAT_H

#include "host/image_code.h"
#include "mux/mux.h"

/** Null for a format that images of this type do not have. Thread safe. */
const host_image_format_t *host_image_format_find(mux_image_type_e type, mux_image_format_e format);

/** Operation of mux_target_t. */
mux_result_t host_get_supported_image_formats(mux_device_t device, mux_image_type_e image_type,
                                              mux_allocation_type_e allocation_type, uint32_t count,
                                              mux_image_format_e *out_formats, uint32_t *out_count);

#endif
