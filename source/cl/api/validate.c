/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Rules that several entry points share. */
#include "cl/api/validate.h"

#include "cl/queueing/refuse.h"

cl_int validate_buffer(const char *function, cl_command_queue queue, cl_mem buffer) {
  cl_context context = queue_context(queue);
  REQUIRE(memory_is_buffer(buffer), function, context, CL_INVALID_MEM_OBJECT, "%p is not a buffer", (void *)buffer);
  REQUIRE(buffer->context == context, function, context, CL_INVALID_CONTEXT,
          "the buffer and the queue are of different contexts");
  REQUIRE(memory_is_aligned_for(buffer, queue_device(queue)), function, context, CL_MISALIGNED_SUB_BUFFER_OFFSET,
          "the sub-buffer's origin %zu is not aligned for the device", buffer->origin);
  return CL_SUCCESS;
}

cl_int validate_host_read(const char *function, cl_mem buffer) {
  REQUIRE(!(buffer->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)), function, buffer->context,
          CL_INVALID_OPERATION, "the buffer was created so that the host does not read it");
  return CL_SUCCESS;
}

cl_int validate_host_write(const char *function, cl_mem buffer) {
  REQUIRE(!(buffer->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)), function, buffer->context,
          CL_INVALID_OPERATION, "the buffer was created so that the host does not write it");
  return CL_SUCCESS;
}

bool range_is_inside(size_t offset, size_t size, size_t total) { return offset <= total && size <= total - offset; }

cl_int validate_range(const char *function, cl_mem buffer, size_t offset, size_t size) {
  REQUIRE(range_is_inside(offset, size, buffer->size), function, buffer->context, CL_INVALID_VALUE,
          "%zu bytes at offset %zu are not inside a buffer of %zu bytes", size, offset, buffer->size);
  return CL_SUCCESS;
}

static bool list_has_device(cl_device_id device, cl_uint count, const cl_device_id *list) {
  for (cl_uint i = 0; i < count; i++) {
    if (list[i] == device) return true;
  }
  return false;
}

cl_int validate_device_list(const char *function, cl_context context, cl_uint count, const cl_device_id *list,
                            cl_uint device_count, const cl_device_id *devices) {
  REQUIRE((count == 0) == (list == NULL), function, context, CL_INVALID_VALUE,
          "%u devices and a device list that is %s", count, list ? "given" : "null");
  for (cl_uint i = 0; i < count; i++) {
    REQUIRE(list_has_device(list[i], device_count, devices), function, context, CL_INVALID_DEVICE,
            "entry %u of the device list is not among the %u associated devices", i, device_count);
  }
  return CL_SUCCESS;
}

bool pattern_size_is_valid(size_t size) { return size <= sizeof(cl_long16) && size && !(size & (size - 1)); }

bool map_flags_are_valid(cl_map_flags flags) {
  const cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
  if (flags & ~known) return false;
  return !(flags & CL_MAP_WRITE_INVALIDATE_REGION) || !(flags & (CL_MAP_READ | CL_MAP_WRITE));
}

bool migration_flags_are_valid(cl_mem_migration_flags flags) {
  return !(flags & ~(cl_mem_migration_flags)(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED));
}
