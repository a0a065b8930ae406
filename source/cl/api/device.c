/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Device entry points but for clGetDeviceInfo. */
#include "cl/object/device.h"

#include "base/clock.h"
#include "cl/api/device_type.h"
#include "cl/api/entry.h"

bool device_type_is_valid(cl_device_type type) {
  const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                               CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
  return type == CL_DEVICE_TYPE_ALL || (type && !(type & ~known));
}

cl_uint device_type_count(cl_platform_id platform, cl_device_type type) {
  if (type & CL_DEVICE_TYPE_CPU) return platform->device_count;
  /* The first device is the default one. */
  return type & CL_DEVICE_TYPE_DEFAULT && platform->device_count ? 1 : 0;
}

CL_ENTRY cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type, cl_uint num_entries,
                                           cl_device_id *devices, cl_uint *num_devices) {
  if (!platform) platform = platform_get();
  CHECK(object_is(platform, object_kind_platform), NULL, CL_INVALID_PLATFORM, "platform is not a platform");
  CHECK(device_type_is_valid(device_type), NULL, CL_INVALID_DEVICE_TYPE, "device_type 0x%llx is not a type",
        (unsigned long long)device_type);
  CHECK(!devices == !num_entries, NULL, CL_INVALID_VALUE, "devices and num_entries do not fit each other");
  CHECK(devices || num_devices, NULL, CL_INVALID_VALUE, "devices and num_devices are both null");
  cl_uint count = device_type_count(platform, device_type);
  CHECK(count, NULL, CL_DEVICE_NOT_FOUND, "there is no device of type 0x%llx", (unsigned long long)device_type);
  for (cl_uint i = 0; i < count && i < num_entries; i++) devices[i] = platform->devices[i];
  if (num_devices) *num_devices = count;
  return CL_SUCCESS;
}

/* No device can be partitioned: CL_DEVICE_PARTITION_PROPERTIES says so, and no partition scheme is supported, which is
 * CL_INVALID_VALUE (section 4.3). */
CL_ENTRY cl_int CL_API_CALL
clCreateSubDevices(cl_device_id in_device, const cl_device_partition_property *properties, cl_uint num_devices,
                   cl_device_id *out_devices,
                   cl_uint *num_devices_ret) {  // NOLINT(readability-non-const-parameter): OpenCL's.
  (void)num_devices, (void)out_devices, (void)num_devices_ret;
  CHECK(device_is_valid(in_device), NULL, CL_INVALID_DEVICE, "in_device is not a device");
  CHECK(properties && *properties, NULL, CL_INVALID_VALUE, "properties names no partition scheme");
  return refuse(NULL, __func__, CL_INVALID_VALUE, "partition scheme 0x%llx is not supported by the device",
                (unsigned long long)*properties);
}

/* Root devices are not counted (section 4.3). */
CL_ENTRY cl_int CL_API_CALL clRetainDevice(cl_device_id device) {
  CHECK(device_is_valid(device), NULL, CL_INVALID_DEVICE, "device is not a device");
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clReleaseDevice(cl_device_id device) {
  CHECK(device_is_valid(device), NULL, CL_INVALID_DEVICE, "device is not a device");
  return CL_SUCCESS;
}

/* Device and host have one clock. */
CL_ENTRY cl_int CL_API_CALL clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_timestamp,
                                                    cl_ulong *host_timestamp) {
  CHECK(device_is_valid(device), NULL, CL_INVALID_DEVICE, "device is not a device");
  CHECK(device_timestamp && host_timestamp, NULL, CL_INVALID_VALUE, "a timestamp pointer is null");
  *device_timestamp = *host_timestamp = clock_now_ns();
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clGetHostTimer(cl_device_id device, cl_ulong *host_timestamp) {
  CHECK(device_is_valid(device), NULL, CL_INVALID_DEVICE, "device is not a device");
  CHECK(host_timestamp, NULL, CL_INVALID_VALUE, "host_timestamp is null");
  *host_timestamp = clock_now_ns();
  return CL_SUCCESS;
}
