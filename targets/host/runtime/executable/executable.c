/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * From bytes to callable kernels. */
#include "host/runtime/executable/executable.h"

#include <stdalign.h>
#include <string.h>

#include "base/log.h"
#include "mux/target.h"

/* More objects than any compiler makes: what a damaged head may ask for is bounded. */
enum { max_objects = 4096 };

/* The bytes of an executable, seen as objects. */
typedef struct objects_t {
  const unsigned char *bytes;
  uint64_t size;
  /** A single object has no head and no entries. */
  bool has_head;
  uint32_t count;
} objects_t;

static mux_result_t objects_open(objects_t *objects, const void *bytes, uint64_t size) {
  host_executable_head_t head;
  *objects = (objects_t){bytes, size, false, 1};
  if (size < sizeof head) return mux_success; /* refused as an object */
  memcpy(&head, bytes, sizeof head);
  if (head.magic != HOST_EXECUTABLE_MAGIC) return mux_success;
  if (head.abi_version != HOST_ABI_VERSION) return host_elf_refuse("binary refused: made for another version");
  if (head.object_count == 0 || head.object_count > max_objects ||
      head.object_count > (size - sizeof head) / sizeof(host_object_entry_t))
    return host_elf_refuse("binary refused: wrong number of objects");
  objects->has_head = true;
  objects->count = head.object_count;
  return mux_success;
}

static mux_result_t objects_get(const objects_t *objects, uint32_t index, const void **bytes, uint64_t *size) {
  if (!objects->has_head) {
    *bytes = objects->bytes;
    *size = objects->size;
    return mux_success;
  }
  host_object_entry_t entry;
  memcpy(&entry, objects->bytes + sizeof(host_executable_head_t) + index * sizeof entry, sizeof entry);
  if (entry.offset > objects->size || entry.size > objects->size - entry.offset)
    return host_elf_refuse("binary refused: an object lies outside of it");
  *bytes = objects->bytes + entry.offset;
  *size = entry.size;
  return mux_success;
}

static mux_result_t object_load(host_object_t *object, const void *bytes, uint64_t size) {
  host_elf_t elf;
  host_load_t load;
  mux_result_t result = host_elf_open(&elf, bytes, size);
  if (result) return result;
  result = host_load_run(&load, &elf);
  if (result) goto end_load;
  result = host_kernel_table_read(&object->kernels, &load);
  if (result) goto unload;
  result = host_variables_read(&object->variables, &load);
  if (result) {
    host_kernel_table_free(&object->kernels);
    goto unload;
  }
  object->image = load.image;
  for (uint32_t i = 0; i < object->kernels.count; ++i) {
    object->kernels.kernels[i].code = (uintptr_t)object->image.base;
    object->kernels.kernels[i].code_size = object->image.size;
  }
  log_write(log_loader, "object with %u kernels at %p, %llu bytes", object->kernels.count, (void *)object->image.base,
            (unsigned long long)object->image.size);

end_load:
  host_load_end(&load);
  host_elf_close(&elf);
  return result;

unload:
  host_code_unload(&load.image);
  goto end_load;
}

static void objects_unload(host_executable_t *executable) {
  for (uint32_t i = 0; i < executable->object_count; ++i) {
    host_kernel_table_free(&executable->objects[i].kernels);
    host_variables_free(&executable->objects[i].variables);
    host_code_unload(&executable->objects[i].image);
  }
}

/* On failure those that were loaded are unloaded. */
static mux_result_t objects_load(host_executable_t *executable, const objects_t *objects) {
  for (uint32_t i = 0; i < objects->count; ++i) {
    const void *bytes = NULL;
    uint64_t size = 0;
    mux_result_t result = objects_get(objects, i, &bytes, &size);
    if (!result) result = object_load(&executable->objects[i], bytes, size);
    if (result) {
      objects_unload(executable);
      return result;
    }
    executable->object_count = i + 1;
  }
  return mux_success;
}

mux_result_t host_create_executable(mux_device_t device, const void *binary, uint64_t binary_length,
                                    mux_allocator_info_t allocator, mux_executable_t *out_executable) {
  objects_t objects;
  mux_result_t result = objects_open(&objects, binary, binary_length);
  if (result) return result;
  size_t size = sizeof(host_executable_t) + objects.count * sizeof(host_object_t);
  host_executable_t *executable = mux_object_allocate(allocator, size, alignof(host_executable_t));
  if (!executable) return mux_error_out_of_memory;
  executable->base.id = mux_id_make(mux_object_id_executable, mux_id_target(device->id));
  executable->object_count = 0;
  result = objects_load(executable, &objects);
  if (result) {
    mux_object_free(allocator, executable);
    return result;
  }
  *out_executable = &executable->base;
  return mux_success;
}

const host_kernel_info_t *host_executable_find_kernel(const host_executable_t *executable, const char *name,
                                                      size_t length) {
  for (uint32_t i = 0; i < executable->object_count; ++i) {
    const host_kernel_info_t *kernel = host_kernel_table_find(&executable->objects[i].kernels, name, length);
    if (kernel) return kernel;
  }
  return NULL;
}

mux_result_t host_get_executable_variable(mux_device_t device, mux_executable_t handle, const char *name,
                                          uint64_t name_length, void **out_address, uint64_t *out_size) {
  (void)device;
  const host_executable_t *executable = host_executable(handle);
  for (uint32_t i = 0; i < executable->object_count; ++i) {
    const host_variable_t *variable = host_variables_find(&executable->objects[i].variables, name, name_length);
    if (!variable) continue;
    *out_address = variable->address;
    *out_size = variable->size;
    return mux_success;
  }
  return mux_error_missing_variable;
}

void host_destroy_executable(mux_device_t device, mux_executable_t handle, mux_allocator_info_t allocator) {
  (void)device;
  host_executable_t *executable = host_executable(handle);
  objects_unload(executable);
  mux_object_free(allocator, executable);
}
