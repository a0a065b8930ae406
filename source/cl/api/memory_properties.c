/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Properties of memory objects: the address on the device, external memory. */
#include "cl/api/memory_properties.h"

#include <limits.h>

#include "cl/api/device_address.h"
#include "cl/api/memory_flags.h"
#include "cl/api/pointer.h"
#include "cl/api/validate.h"
#include "cl/queueing/refuse.h"

/** While a list is read. */
typedef struct reader_t {
  const char *function;
  cl_context context;
  const cl_mem_properties *at;
  bool has_address, has_devices;
  memory_properties_t *out;
} reader_t;

static cl_int read_address(reader_t *reader) {
  cl_mem_properties value = *reader->at++;
  REQUIRE(!reader->has_address && (value == CL_TRUE || value == CL_FALSE), reader->function, reader->context,
          CL_INVALID_PROPERTY, "CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT is given twice, or cannot be 0x%llx",
          (unsigned long long)value);
  reader->has_address = true;
  return validate_sharing(reader->function, reader->context);
}

static cl_int read_descriptor(reader_t *reader) {
  cl_mem_properties value = *reader->at++;
  memory_properties_t *out = reader->out;
  REQUIRE(!out->is_external, reader->function, reader->context, CL_INVALID_PROPERTY, "two external memory handles");
  out->is_external = value <= INT_MAX && external_memory_size((int)value, &out->external_size);
  REQUIRE(out->is_external, reader->function, reader->context, CL_INVALID_PROPERTY,
          "descriptor %lld is not open, or has no memory that can be mapped, read and written", (long long)value);
  out->descriptor = (int)value;
  return CL_SUCCESS;
}

static cl_int check_importer(const reader_t *reader, cl_device_id device) {
  REQUIRE(device_is_valid(device) && context_has_device(reader->context, device), reader->function, reader->context,
          CL_INVALID_DEVICE, "the device list names what is no device of the context");
  REQUIRE(external_memory_is_importable(device->info), reader->function, reader->context, CL_INVALID_DEVICE,
          "a device cannot import external memory");
  return CL_SUCCESS;
}

static cl_int read_devices(reader_t *reader) {
  REQUIRE(!reader->has_devices, reader->function, reader->context, CL_INVALID_PROPERTY, "two device lists");
  reader->has_devices = true;
  while (*reader->at != CL_MEM_DEVICE_HANDLE_LIST_END_KHR) {
    TRY(check_importer(reader, (cl_device_id)(uintptr_t)*reader->at++));
  }
  reader->at++;
  return CL_SUCCESS;
}

static cl_int read_property(reader_t *reader, bool of_image) {
  cl_mem_properties name = *reader->at++;
  if (name == CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT && !of_image) return read_address(reader);
  if (name == CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR) return read_descriptor(reader);
  if (name == CL_MEM_DEVICE_HANDLE_LIST_KHR) return read_devices(reader);
  REFUSE(reader->function, reader->context, CL_INVALID_PROPERTY, "unknown property 0x%llx", (unsigned long long)name);
}

static cl_int check_devices(const reader_t *reader) {
  bool is_external = reader->out->is_external;
  REQUIRE(is_external || !reader->has_devices, reader->function, reader->context, CL_INVALID_PROPERTY,
          "a device list without external memory");
  if (!is_external || reader->has_devices) return CL_SUCCESS;
  for (cl_uint i = 0; i < reader->context->device_count; i++) {
    TRY(check_importer(reader, reader->context->devices[i]));
  }
  return CL_SUCCESS;
}

cl_int memory_properties_read(const char *function, cl_context context, const cl_mem_properties *list, bool of_image,
                              memory_properties_t *out_properties) {
  *out_properties = (memory_properties_t){.list = list, .descriptor = -1};
  if (!list) return CL_SUCCESS;
  reader_t reader = {.function = function, .context = context, .at = list, .out = out_properties};
  while (*reader.at) TRY(read_property(&reader, of_image));
  out_properties->count = (size_t)(reader.at - list) + 1;
  return check_devices(&reader);
}

cl_int validate_host_pointer(const char *function, cl_context context, const memory_properties_t *properties,
                             cl_mem_flags flags, const void *host_pointer) {
  bool wants_pointer = memory_flags_want_pointer(flags);
  REQUIRE(!properties->is_external || !(wants_pointer || (flags & CL_MEM_ALLOC_HOST_PTR)), function, context,
          CL_INVALID_VALUE, "flags 0x%llx do not go with external memory", (unsigned long long)flags);
  REQUIRE(wants_pointer == (host_pointer != NULL), function, context, CL_INVALID_HOST_PTR,
          "host_ptr is %s although flags 0x%llx %s one", host_pointer ? "given" : "null", (unsigned long long)flags,
          wants_pointer ? "need" : "use no");
  return CL_SUCCESS;
}
