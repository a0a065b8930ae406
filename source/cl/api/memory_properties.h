/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The rules about properties of memory objects. */
#ifndef CL_API_MEMORY_PROPERTIES_H
#define CL_API_MEMORY_PROPERTIES_H

#include "cl/memory/memory.h"

/** Reads `list`, which may be null. CL_INVALID_PROPERTY: one is unknown, given twice, or has no such value, or there is
 * a device list without external memory. CL_INVALID_DEVICE: the device list, or the context without one, has a device
 * that is not of the context or cannot import. CL_INVALID_OPERATION: the address on the device is asked for, and no
 * device has one. Images have no such address. */
cl_int memory_properties_read(const char *function, cl_context context, const cl_mem_properties *list, bool of_image,
                              memory_properties_t *out_properties);

/** CL_INVALID_VALUE, CL_INVALID_HOST_PTR: flags and pointer that do not go with external memory, or with each other. */
cl_int validate_host_pointer(const char *function, cl_context context, const memory_properties_t *properties,
                             cl_mem_flags flags, const void *host_pointer);

#endif
