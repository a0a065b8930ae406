/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What devices say of SPIR-V: its versions, and the lists of cl_khr_spirv_queries. */
#ifndef CL_API_SPIRV_QUERIES_H
#define CL_API_SPIRV_QUERIES_H

#include "cl/object/object.h"
#include "mux/mux.h"

/* The extension is younger than the packaged headers. */
#ifndef CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR
#define CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR 0x12B9
#define CL_DEVICE_SPIRV_EXTENSIONS_KHR 0x12BA
#define CL_DEVICE_SPIRV_CAPABILITIES_KHR 0x12BB
#endif

/** Answers of clGetDeviceInfo, all of them empty when there is no compiler; strings are static. */
cl_int il_versions_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size);
cl_int spirv_sets_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size);
cl_int spirv_extensions_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size);
cl_int spirv_capabilities_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size);

#endif
