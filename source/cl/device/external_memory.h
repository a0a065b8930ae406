/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Memory of another process or API behind a file descriptor, as the storage of a memory object
 * (cl_khr_external_memory). */
#ifndef CL_DEVICE_EXTERNAL_MEMORY_H
#define CL_DEVICE_EXTERNAL_MEMORY_H

#include "cl/device/device.h"

/* Of later revisions than older headers have. */
#ifndef CL_MEM_DEVICE_HANDLE_LIST_KHR
#define CL_MEM_DEVICE_HANDLE_LIST_KHR 0x2051
#define CL_MEM_DEVICE_HANDLE_LIST_END_KHR 0
#endif
#ifndef CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR
#define CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR 0x2052
#endif

/** True for a device whose memory can be any pages of the process. */
bool external_memory_is_importable(mux_device_info_t info);

/** The list of handle types that the device can import. */
cl_int external_memory_types_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size);

/** The properties of clCreateBufferWithProperties and clCreateImageWithProperties, read. */
typedef struct memory_properties_t {
  /** As given; null without properties. `count` includes the zero. */
  const cl_mem_properties *list;
  size_t count;
  /** There is a CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, and this is it, open for reading and writing, of so many
   * bytes. Stays the application's until the object exists. */
  bool is_external;
  int descriptor;
  size_t external_size;
} memory_properties_t;

/** Bytes of the memory behind a descriptor; false when it has none that this process may map, read and write. */
bool external_memory_size(int descriptor, size_t *out_size);

/** The first `size` bytes, which exist, as pages of this process that are shared with whoever else has them; null when
 * the system refuses. */
void *external_memory_map(int descriptor, size_t size);
void external_memory_unmap(void *address, size_t size);

/** True when the device is on the list CL_MEM_DEVICE_HANDLE_LIST_KHR of valid properties, or they have none. */
bool external_memory_is_for(const cl_mem_properties *properties, cl_device_id device);

#endif
