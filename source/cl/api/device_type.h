/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Selecting devices by type. */
#ifndef CL_API_DEVICE_TYPE_H
#define CL_API_DEVICE_TYPE_H

#include "cl/device/device.h"

/** A bit mask of known types, not empty. */
bool device_type_is_valid(cl_device_type type);

/** How many of the platform's devices are of that type; they are its first ones. */
cl_uint device_type_count(cl_platform_id platform, cl_device_type type);

#endif
