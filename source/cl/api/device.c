/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Device entry points but for clGetDeviceInfo. */
#include "cl/device/device.h"

#include "base/clock.h"
#include "cl/api/device_type.h"
#include "cl/api/entry.h"
#include "cl/api/platform.h"
#include "cl/queueing/refuse.h"
#include "cl/queueing/sub_device.h"

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
  if (!platform) {
    platform = platform_open();
    REQUIRE(platform, __func__, NULL, CL_OUT_OF_HOST_MEMORY, "the platform cannot be made");
  }
  REQUIRE(object_is(platform, object_kind_platform), __func__, NULL, CL_INVALID_PLATFORM, "platform is not a platform");
  REQUIRE(device_type_is_valid(device_type), __func__, NULL, CL_INVALID_DEVICE_TYPE, "device_type 0x%llx is not a type",
          (unsigned long long)device_type);
  REQUIRE(!devices || num_entries, __func__, NULL, CL_INVALID_VALUE, "room for devices, but num_entries is 0");
  REQUIRE(devices || num_devices, __func__, NULL, CL_INVALID_VALUE, "devices and num_devices are both null");
  cl_uint count = device_type_count(platform, device_type);
  REQUIRE(count, __func__, NULL, CL_DEVICE_NOT_FOUND, "there is no device of type 0x%llx",
          (unsigned long long)device_type);
  for (cl_uint i = 0; devices && i < count && i < num_entries; i++) devices[i] = platform->devices[i];
  if (num_devices) *num_devices = count;
  return CL_SUCCESS;
}

static cl_int create_sub_devices(const char *function, cl_device_id device, const partition_t *partition,
                                 cl_uint num_devices, cl_device_id *out_devices) {
  if (!out_devices) return CL_SUCCESS;
  if (num_devices < partition->count) {
    return refuse(NULL, function, CL_INVALID_VALUE, "out_devices has room for %u of %u sub-devices", num_devices,
                  partition->count);
  }
  return sub_devices_create(device, partition, out_devices);
}

CL_ENTRY cl_int CL_API_CALL clCreateSubDevices(cl_device_id in_device, const cl_device_partition_property *properties,
                                               cl_uint num_devices, cl_device_id *out_devices,
                                               cl_uint *num_devices_ret) {
  partition_t partition;
  REQUIRE(device_is_valid(in_device), __func__, NULL, CL_INVALID_DEVICE, "in_device is not a device");
  TRY(partition_resolve(__func__, in_device, properties, &partition));
  sub_devices_collect();
  cl_int error = create_sub_devices(__func__, in_device, &partition, num_devices, out_devices);
  if (!error && num_devices_ret) *num_devices_ret = partition.count;
  partition_free(&partition);
  return error;
}

/* Root devices are not counted (section 4.3). */
CL_ENTRY cl_int CL_API_CALL clRetainDevice(cl_device_id device) {
  REQUIRE(device_is_valid(device), __func__, NULL, CL_INVALID_DEVICE, "device is not a device");
  if (!device->parent) return CL_SUCCESS;
  REQUIRE(object_retain_external(OBJECT(device)), __func__, NULL, CL_INVALID_DEVICE, "device is released already");
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clReleaseDevice(cl_device_id device) {
  REQUIRE(device_is_valid(device), __func__, NULL, CL_INVALID_DEVICE, "device is not a device");
  if (!device->parent) return CL_SUCCESS;
  REQUIRE(object_release_external(OBJECT(device)), __func__, NULL, CL_INVALID_DEVICE, "device is released already");
  sub_devices_collect();
  return CL_SUCCESS;
}

/* Device and host have one clock. */
CL_ENTRY cl_int CL_API_CALL clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_timestamp,
                                                    cl_ulong *host_timestamp) {
  REQUIRE(device_is_valid(device), __func__, NULL, CL_INVALID_DEVICE, "device is not a device");
  REQUIRE(device_timestamp && host_timestamp, __func__, NULL, CL_INVALID_VALUE, "a timestamp pointer is null");
  *device_timestamp = *host_timestamp = clock_now_ns();
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clGetHostTimer(cl_device_id device, cl_ulong *host_timestamp) {
  REQUIRE(device_is_valid(device), __func__, NULL, CL_INVALID_DEVICE, "device is not a device");
  REQUIRE(host_timestamp, __func__, NULL, CL_INVALID_VALUE, "host_timestamp is null");
  *host_timestamp = clock_now_ns();
  return CL_SUCCESS;
}
