/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The null device: what it claims, its creation, its queue. */
#include "base/thread.h"
#include "null/null.h"

/* Its type is custom, so that nobody takes it for a device to compute on. */
static struct mux_device_info_s device_info = {
    .allocation_capabilities = mux_allocation_capabilities_coherent_host | mux_allocation_capabilities_cached_host |
                               mux_allocation_capabilities_alloc_device,
    .address_capabilities = mux_address_capabilities_bits64,
    .integer_capabilities = mux_integer_capabilities_8bit | mux_integer_capabilities_16bit |
                            mux_integer_capabilities_32bit | mux_integer_capabilities_64bit,
    .endianness = mux_endianness_little,
    .shared_local_memory_type = mux_shared_local_memory_virtual,
    .device_type = mux_device_type_custom,
    .builtin_kernel_declarations = "copy_id(global ulong *out, ulong first)",
    .device_name = "Quern null device",
    .instruction_set = "",
    .max_concurrent_work_items = 1024,
    .max_work_group_size_x = 1024,
    .max_work_group_size_y = 1024,
    .max_work_group_size_z = 64,
    .max_work_width = 1,
    .clock_frequency = 1,
    .compute_units = 1,
    .buffer_alignment = 64 * 8,
    .memory_size = UINT64_C(1) << 30,
    .allocation_size = UINT64_C(1) << 28,
    .cacheline_size = 64,
    .shared_local_memory_size = 32 << 10,
    .native_vector_width = 16,
    .preferred_vector_width = 16,
    .image_support = true,
    .image2d_array_writes = true,
    .image3d_writes = true,
    .max_image_dimension_1d = 4096,
    .max_image_dimension_2d = 4096,
    .max_image_dimension_3d = 2048,
    .max_image_array_layers = 2048,
    .max_storage_images = 8,
    .max_sampled_images = 8,
    .max_samplers = 8,
    .queue_types = {[mux_queue_type_compute] = 1},
    .descriptors_updatable = true,
    .can_clone_command_buffers = true,
    .supports_builtin_kernels = true,
};

static pthread_mutex_t info_lock = PTHREAD_MUTEX_INITIALIZER;

mux_result_t null_get_device_infos(mux_target_id_t target_id, uint32_t device_types, uint64_t device_infos_length,
                                   mux_device_info_t *out_device_infos, uint64_t *out_device_infos_length) {
  pthread_mutex_lock(&info_lock);
  /* Written once: others read it without the lock as soon as they have the info. */
  if (!device_info.id) device_info.id = mux_id_make(mux_object_id_device, target_id);
  pthread_mutex_unlock(&info_lock);

  *out_device_infos_length = (device_types & device_info.device_type) ? 1 : 0;
  if (*out_device_infos_length && device_infos_length) out_device_infos[0] = &device_info;
  return mux_success;
}

/* Waiting has time limits on the clock that never jumps. */
static bool init_condition(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  if (pthread_condattr_init(&attributes)) return false;
  const bool done =
      !pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) && !pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
  return done;
}

static mux_result_t start_device(null_device_t *device) {
  if (pthread_mutex_init(&device->lock, NULL)) return mux_error_device_entry_hook_failed;
  if (!init_condition(&device->changed)) goto err_condition;
  if (thread_create(&device->thread, 0, null_device_run, device)) goto err_thread;
  return mux_success;

err_thread:
  pthread_cond_destroy(&device->changed);
err_condition:
  pthread_mutex_destroy(&device->lock);
  return mux_error_device_entry_hook_failed;
}

static mux_result_t create_device(mux_device_info_t info, mux_allocator_info_t allocator, mux_device_t *out_device) {
  null_device_t *device = mux_object_allocate(allocator, sizeof(*device), _Alignof(null_device_t));
  if (!device) return mux_error_out_of_memory;
  device->base.id = info->id;
  device->base.info = info;
  device->allocator = allocator;
  device->queue.base.id = mux_id_make(mux_object_id_queue, mux_id_target(info->id));
  device->queue.base.device = &device->base;
  list_init(&device->outstanding);
  const mux_result_t result = start_device(device);
  if (result) {
    mux_object_free(allocator, device);
    return result;
  }
  *out_device = &device->base;
  return mux_success;
}

mux_result_t null_create_devices(uint64_t devices_length, const mux_device_info_t *device_infos,
                                 mux_allocator_info_t allocator, mux_device_t *out_devices) {
  for (uint64_t i = 0; i < devices_length; i++) {
    const mux_result_t result = create_device(device_infos[i], allocator, &out_devices[i]);
    if (!result) continue;
    while (i) null_destroy_device(out_devices[--i], allocator);
    return result;
  }
  return mux_success;
}

void null_destroy_device(mux_device_t base, mux_allocator_info_t allocator) {
  null_device_t *device = (null_device_t *)base;
  pthread_mutex_lock(&device->lock);
  device->is_stopping = true;
  pthread_cond_broadcast(&device->changed);
  pthread_mutex_unlock(&device->lock);
  pthread_join(device->thread, NULL);
  pthread_cond_destroy(&device->changed);
  pthread_mutex_destroy(&device->lock);
  mux_object_free(allocator, device);
}

mux_result_t null_get_queue(mux_device_t base, mux_queue_type_e queue_type, uint32_t queue_index,
                            mux_queue_t *out_queue) {
  (void)queue_type;
  (void)queue_index;
  *out_queue = &((null_device_t *)base)->queue.base;
  return mux_success;
}
