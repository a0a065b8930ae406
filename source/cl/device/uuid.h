/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * UUIDs of devices and of the driver (cl_khr_device_uuid): made of names, so that they stay the same. */
#ifndef CL_DEVICE_UUID_H
#define CL_DEVICE_UUID_H

#include "cl/object/object.h"
#include "mux/mux.h"

/** The same in all processes and for all versions of the driver; a sub-device has that of its root. */
cl_int uuid_of_device_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size);
/** The same wherever this version of the driver runs. */
cl_int uuid_of_driver_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size);

#endif
