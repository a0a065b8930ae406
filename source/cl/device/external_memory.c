/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Mapping the memory behind file descriptors. */
#include "cl/device/external_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

bool external_memory_is_importable(mux_device_info_t info) {
  const uint32_t host = mux_allocation_capabilities_coherent_host | mux_allocation_capabilities_cached_host;
  return info->shares_host_memory && (info->allocation_capabilities & host);
}

cl_int external_memory_types_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size) {
  const cl_external_memory_handle_type_khr type = CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR;
  return info_answer(capacity, out_value, out_size, &type, external_memory_is_importable(info) ? sizeof type : 0);
}

bool external_memory_size(int descriptor, size_t *out_size) {
  struct stat status;
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || (flags & O_ACCMODE) != O_RDWR || (flags & O_PATH)) return false;
  if (fstat(descriptor, &status) || !S_ISREG(status.st_mode) || status.st_size < 0) return false;
  *out_size = (size_t)status.st_size;
  return true;
}

void *external_memory_map(int descriptor, size_t size) {
  void *address = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  return address == MAP_FAILED ? NULL : address;
}

void external_memory_unmap(void *address, size_t size) {
  if (address) munmap(address, size);
}

bool external_memory_is_for(const cl_mem_properties *properties, cl_device_id device) {
  for (const cl_mem_properties *p = properties; p && *p;) {
    if (*p != CL_MEM_DEVICE_HANDLE_LIST_KHR) {
      p += 2;
      continue;
    }
    for (p++; *p != CL_MEM_DEVICE_HANDLE_LIST_END_KHR; p++) {
      if ((cl_device_id)(uintptr_t)*p == device) return true;
    }
    return false;
  }
  return true;
}
