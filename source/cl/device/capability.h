/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Extensions and OpenCL C features of a device, from extensions.def and features.def. */
#ifndef CL_DEVICE_CAPABILITY_H
#define CL_DEVICE_CAPABILITY_H

#include "base/text.h"
#include "cl/object/object.h"
#include "mux/mux.h"

/** The names, separated by single spaces: of all extensions or those that OpenCL C sees, and of the features. */
void extension_names(mux_device_info_t info, bool language_only, text_t *out_text);
void feature_names(mux_device_info_t info, text_t *out_text);

/** Bytes of a packet, at most. */
enum { PIPE_MAX_PACKET_SIZE = 1 << 16 };

/** Pipes are built-in functions over global memory, atomics and generic pointers. */
static inline bool pipes_supported(mux_device_info_t info) {
  return info->supports_generic_address_space && (info->atomic_capabilities & mux_atomic_capabilities_64bit);
}

/** Answers of queries: all extensions as a string; extensions and features as cl_name_version arrays. */
cl_int extension_names_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size);
cl_int extension_versions_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size);
cl_int feature_versions_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size);

#endif
