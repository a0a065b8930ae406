/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Allocations of unified memory. Each has a memory object, of which no handle exists, for the order of those who use
 * it. */
#include "quern/usm.h"

#include "interop/object/addresses.h"
#include "interop/object/task.h"

/* ------------------------------------------------------------ allocations */

static bool has_device(const struct quern_context_s *context, const struct quern_device_s *device) {
  for (size_t i = 0; i < context->device_count; i++) {
    if (context->devices[i] == device) return true;
  }
  return false;
}

static quern_result_t check_allocate(quern_context_t context, quern_device_t device, quern_usm_kind_t kind, size_t size,
                                     size_t alignment, void *const *out_pointer) {
  quern_result_t result = interop_task_check_make();
  if (result == quern_success) result = interop_context_check(context);
  if (result == quern_success && (device || kind == quern_usm_device)) result = interop_device_check(device);
  if (result != quern_success) return result;
  if ((unsigned)kind >= quern_usm_total) {
    return interop_fail(quern_error_invalid_argument, "%d is no kind of unified memory", (int)kind);
  }
  if (device && !has_device(context, device)) {
    return interop_fail(quern_error_invalid_argument, "the device is not one of the context");
  }
  if (!size) return interop_fail(quern_error_invalid_argument, "an allocation of no bytes");
  if (alignment & (alignment - 1)) {
    return interop_fail(quern_error_invalid_argument, "an alignment of %zu is no power of two", alignment);
  }
  if (!out_pointer) return interop_fail(quern_error_invalid_argument, "null pointer for the address");
  return quern_success;
}

quern_result_t quern_usm_allocate(quern_context_t context, quern_device_t device, quern_usm_kind_t kind, size_t size,
                                  size_t alignment, void **out_pointer) {
  quern_result_t result = check_allocate(context, device, kind, size, alignment, out_pointer);
  if (result != quern_success) return result;
  quern_memory_t memory = interop_memory_create(size);
  if (!memory) return interop_fail_memory();
  memory->is_addressed = true;
  memory->kind = kind;
  memory->device = device;
  result = interop_storage_allocate(context, device, (int)kind, size, alignment, &memory->storage);
  if (result == quern_success) {
    memory->host = memory->storage->bytes;
    result = interop_addresses_add(memory);
  }
  if (result == quern_success) {
    *out_pointer = memory->host;
  } else {
    interop_memory_drop(memory);
  }
  return result;
}

quern_result_t quern_usm_free(quern_context_t context, void *pointer) {
  quern_result_t result = interop_context_check(context);
  if (result != quern_success || !pointer) return result;
  quern_memory_t memory = interop_addresses_find_known(context, pointer);
  bool is_first = memory && memory->is_addressed && memory->host == pointer && memory->storage->context == context;
  /* Of two threads that free it, one does. */
  bool ends = is_first && atomic_exchange(&memory->application_references, 0) != 0;
  if (ends) {
    interop_addresses_remove(memory);
    interop_memory_drop(memory);
  }
  if (memory) interop_memory_drop(memory);
  return ends ? quern_success
              : interop_fail(quern_error_invalid_argument, "no allocation of the context begins at %p", pointer);
}

quern_result_t quern_usm_find(quern_context_t context, const void *pointer, quern_usm_facts_t *out_facts) {
  quern_result_t result = interop_context_check(context);
  if (result != quern_success) return result;
  if (!pointer || !out_facts) return interop_fail(quern_error_invalid_argument, "null pointer");
  quern_memory_t memory = interop_addresses_find_known(context, pointer);
  bool is_found = memory && memory->is_addressed;
  if (is_found) {
    *out_facts =
        (quern_usm_facts_t){memory->kind, memory->host, memory->size, memory->storage->context, memory->device};
  }
  if (memory) interop_memory_drop(memory);
  return is_found ? quern_success : interop_fail(quern_error_not_found, "%p is in no allocation", pointer);
}

/* The host's access, which waits and forgives. */
static quern_result_t access_range(quern_memory_t memory, size_t offset, size_t size, quern_access_t access) {
  quern_host_access_t host_access;
  void *address;
  if (memory->is_addressed && memory->storage && memory->kind == quern_usm_device) {
    return interop_fail(quern_error_wrong_context, "the allocation is for a device alone");
  }
  if (interop_memory_is_unknown(memory) && !size) {
    return interop_fail(quern_error_invalid_argument, "no bytes of memory that is no allocation");
  }
  quern_result_t result = quern_host_access_begin(memory, access, offset, size, &address, &host_access);
  return result == quern_success ? quern_host_access_end(host_access) : result;
}

quern_result_t quern_usm_wait(quern_context_t context, const void *pointer, size_t size, quern_access_t access) {
  size_t offset;
  quern_result_t result = interop_context_check(context);
  if (result != quern_success) return result;
  if (!pointer) return interop_fail(quern_error_invalid_argument, "null pointer");
  quern_memory_t memory = interop_addresses_find(context, pointer, &offset);
  if (!memory) return interop_fail_memory();
  result = access_range(memory, offset, size, access);
  interop_memory_drop(memory);
  return result;
}

quern_result_t quern_memory_get_pointer(quern_memory_t memory, void **out_pointer) {
  quern_result_t result = interop_memory_check(memory);
  if (result != quern_success) return result;
  const struct quern_memory_s *whole = interop_memory_whole(memory);
  if (!out_pointer) return interop_fail(quern_error_invalid_argument, "null pointer for the address");
  if (!whole->storage || !whole->storage->context) {
    return interop_fail(quern_error_invalid_operation, "the storage is not unified memory");
  }
  *out_pointer = (char *)whole->storage->bytes + memory->whole_offset;
  return quern_success;
}
