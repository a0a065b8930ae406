/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sub-devices: their creation from ranges of compute units, and their end. */
#ifndef CL_QUEUEING_SUB_DEVICE_H
#define CL_QUEUEING_SUB_DEVICE_H

#include "cl/device/device.h"
#include "cl/queueing/partition.h"

/** Makes the sub-devices of `parent` that `partition` describes: all of them, or none. */
cl_int sub_devices_create(cl_device_id parent, const partition_t *partition, cl_device_id *out_devices);

/** Frees the sub-devices that nobody holds any more, and that are through with their work: called where devices are
 * created or released. No lock may be held. Thread safe. */
void sub_devices_collect(void);

/** Around fork: locks and unlocks the list of devices that are put aside. */
void sub_devices_lock(void);
void sub_devices_unlock(void);

#endif
