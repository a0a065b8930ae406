/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Describing and creating the device. Creation starts no thread. */
#include "host/runtime/device.h"

#include <pthread.h>
#include <stdio.h>

#include "base/options.h"
#include "host/abi.h"
#include "host/runtime/commands/execute.h"
#include "host/runtime/fork.h"
#include "host/runtime/machine/counter.h"
#include "host/runtime/machine/load.h"
#include "host/runtime/machine/machine.h"

static struct mux_device_info_s info;
static host_machine_t machine;
/* The processor's name, and whose device it is: other drivers have one of the same name, and programs keep settings by
 * name. */
static char device_name[sizeof machine.name + sizeof " (Quern)"];
/* Every vector that the compiler makes, whatever the machine's own are. */
static const size_t sub_group_sizes[] = {1, 2, 4, 8, 16, 32, HOST_MAX_SUB_GROUP_SIZE};
static pthread_once_t info_once = PTHREAD_ONCE_INIT;
/* For info_fill, which has no parameter; every caller has the same. */
static _Atomic mux_target_id_t target;

static void capabilities_fill(void) {
  info.allocation_capabilities = mux_allocation_capabilities_coherent_host | mux_allocation_capabilities_cached_host |
                                 mux_allocation_capabilities_alloc_device;
  info.address_capabilities = mux_address_capabilities_bits64;
  info.atomic_capabilities = mux_atomic_capabilities_8bit | mux_atomic_capabilities_16bit |
                             mux_atomic_capabilities_32bit | mux_atomic_capabilities_64bit;
  info.cache_capabilities = mux_cache_capabilities_read | mux_cache_capabilities_write;
  info.float_capabilities = mux_floating_point_capabilities_denorm | mux_floating_point_capabilities_inf_nan |
                            mux_floating_point_capabilities_rte | mux_floating_point_capabilities_full;
  if (machine.has_fma) info.float_capabilities |= mux_floating_point_capabilities_fma;
  /* OpenCL has double with all of these or not at all; fma() is in the C library where the processor has none. */
  info.double_capabilities = mux_floating_point_capabilities_denorm | mux_floating_point_capabilities_inf_nan |
                             mux_floating_point_capabilities_rte | mux_floating_point_capabilities_rtz |
                             mux_floating_point_capabilities_rtp | mux_floating_point_capabilities_rtn |
                             mux_floating_point_capabilities_fma;
  /* Arithmetic goes through float where the processor has no half: the result is the same, as float has more than twice
   * the digits. */
  info.half_capabilities = mux_floating_point_capabilities_denorm | mux_floating_point_capabilities_inf_nan |
                           mux_floating_point_capabilities_rte;
  info.integer_capabilities = mux_integer_capabilities_8bit | mux_integer_capabilities_16bit |
                              mux_integer_capabilities_32bit | mux_integer_capabilities_64bit;
  info.custom_buffer_capabilities = mux_custom_buffer_capabilities_data;
  info.endianness = mux_endianness_little;
}

static void limits_fill(void) {
  info.max_concurrent_work_items = HOST_MAX_WORK_GROUP_SIZE;
  info.max_work_group_size_x = HOST_MAX_WORK_GROUP_SIZE;
  info.max_work_group_size_y = HOST_MAX_WORK_GROUP_SIZE;
  info.max_work_group_size_z = HOST_MAX_WORK_GROUP_SIZE;
  info.max_work_width = machine.vector_size;
  /* A sub-group may be a single work-item. They run one after the other, so that none may wait for another. */
  info.max_sub_group_count = HOST_MAX_WORK_GROUP_SIZE;
  info.num_sub_group_sizes = sizeof sub_group_sizes / sizeof *sub_group_sizes;
  info.sub_group_sizes = sub_group_sizes;
  info.clock_frequency = machine.clock_mhz;
  info.compute_units = machine.threads;
  info.buffer_alignment = 1024;
  info.memory_size = machine.memory_size;
  /* One buffer may take nearly everything; the rest is for the process itself. */
  info.allocation_size = machine.memory_size - machine.memory_size / 16;
  info.cache_size = machine.cache_size;
  info.cacheline_size = machine.cacheline_size;
  info.native_vector_width = machine.vector_size;
  info.preferred_vector_width = machine.vector_size;
}

/* Images are linear memory, so any size would do: these are what other devices have and programs expect. A buffer of
 * pixels has no second dimension, and its coordinates are integers. */
static void images_fill(void) {
  info.image_support = true;
  info.mipmapped_images = true;
  info.image2d_array_writes = true;
  info.image3d_writes = true;
  info.max_image_dimension_1d = (uint32_t)1 << 27;
  info.max_image_dimension_2d = (uint32_t)1 << 14;
  info.max_image_dimension_3d = (uint32_t)1 << 11;
  info.max_image_array_layers = (uint32_t)1 << 11;
  info.max_sampled_images = 128;
  info.max_storage_images = 128;
  info.max_samplers = 128;
}

/* A quarter of the second-level cache, which a work-group's thread has for itself: between 64 and 256 KiB. */
static uint64_t local_memory_size(void) {
  uint64_t size = machine.level2_size / 4;
  return size<(64u << 10) ? 64u << 10 : size>(256u << 10) ? 256u << 10 : size;
}

static void info_fill(void) {
  host_machine_read(&machine);
  info.id = mux_id_make(mux_object_id_device, atomic_load_explicit(&target, memory_order_relaxed));
  capabilities_fill();
  limits_fill();
  info.khronos_vendor_id = machine.vendor_id;
  images_fill();
  info.shared_local_memory_type = mux_shared_local_memory_virtual;
  info.shared_local_memory_size = local_memory_size();
  info.device_type = mux_device_type_cpu;
  info.builtin_kernel_declarations = "";
  snprintf(device_name, sizeof device_name, "%s (Quern)", machine.name);
  info.device_name = device_name;
  info.instruction_set = machine.instruction_set;
  info.executable_version = HOST_ABI_VERSION;
  info.queue_types[mux_queue_type_compute] = HOST_QUEUE_COUNT;
  info.device_priority = 1;
  info.descriptors_updatable = true;
  info.can_clone_command_buffers = true;
  info.supports_generic_address_space = true;
  info.supports_sub_devices = true;
  info.supports_work_group_collectives = true;
  info.max_hardware_counters = host_counters_survey(&info.query_counter_support);
  info.shares_host_memory = true;
}

mux_result_t host_get_device_infos(mux_target_id_t target_id, uint32_t device_types, uint64_t device_infos_length,
                                   mux_device_info_t *out_device_infos, uint64_t *out_device_infos_length) {
  atomic_store_explicit(&target, target_id, memory_order_relaxed);
  pthread_once(&info_once, info_fill);
  uint64_t matching = device_types & mux_device_type_cpu ? 1 : 0;
  if (matching && device_infos_length) out_device_infos[0] = &info;
  *out_device_infos_length = matching;
  return mux_success;
}

/* Threads of a device of its own may run where the process may. */
static void family_enter(host_device_t *device, mux_device_info_t device_info, host_device_t *parent) {
  device->base.id = device_info->id;
  device->base.info = parent ? &device->own_info : device_info;
  device->streaming_mib = machine.streaming_mib;
  device->root = parent ? parent->root : device;
  if (parent) device->own_info = *device_info;
  if (!parent) device->scheduler.cpus = machine.cpus;
  device->scheduler.weather.supply.adapts = options_get()->adapt_threads;
  device->scheduler.weather.supply.follows = !options_get()->num_threads && !options_get()->pin_threads;
  device->scheduler.weather.supply.cpus = &device->scheduler.cpus;
  device->scheduler.weather.supply.has_room = host_load_has_room;
  if (options_get()->adapt_threads) device->scheduler.weather.supply.peers = host_peers_get;
}

/* What the option says, within a sixteenth of the memory. */
static uint64_t kept_bytes(mux_device_info_t device_info) {
  const uint64_t wanted = options_get()->memory_cache << 20, most = device_info->memory_size / 16;
  return wanted < most ? wanted : most;
}

mux_result_t host_device_create(mux_device_info_t device_info, host_device_t *parent, mux_allocator_info_t allocator,
                                host_device_t **out_device) {
  host_device_t *device = mux_object_allocate(allocator, sizeof *device, alignof(host_device_t));
  if (!device) return mux_error_out_of_memory;
  mux_result_t result =
      host_scheduler_init(&device->scheduler, parent ? &parent->scheduler : NULL, device_info->compute_units);
  if (result) goto free_device;
  device->scheduler.executor = &host_executor;
  family_enter(device, device_info, parent);
  if (!parent) host_block_cache_init(&device->block_cache, kept_bytes(device_info));
  for (uint32_t i = 0; i < HOST_QUEUE_COUNT; ++i) host_queue_init(&device->queues[i], device);
  host_fork_register(device);
  *out_device = device;
  return mux_success;

free_device:
  mux_object_free(allocator, device);
  return result;
}

mux_result_t host_create_devices(uint64_t devices_length, const mux_device_info_t *device_infos,
                                 mux_allocator_info_t allocator, mux_device_t *out_devices) {
  for (uint64_t i = 0; i < devices_length; ++i) {
    host_device_t *device;
    mux_result_t result = host_device_create(device_infos[i], NULL, allocator, &device);
    if (!result) {
      out_devices[i] = &device->base;
      continue;
    }
    while (i--) host_destroy_device(out_devices[i], allocator);
    return result;
  }
  return mux_success;
}

/* Of a sub-device, those that only a device with the same compute units would want. */
static void kept_blocks_destroy(host_device_t *device) {
  const host_units_t units = host_device_units(device);
  if (device == device->root)
    host_block_cache_destroy(&device->block_cache);
  else
    host_block_cache_drop(&device->root->block_cache, &units);
}

void host_destroy_device(mux_device_t handle, mux_allocator_info_t allocator) {
  host_device_t *device = host_device(handle);
  host_fork_unregister(device);
  host_scheduler_destroy(&device->scheduler);
  kept_blocks_destroy(device);
  mux_object_free(allocator, device);
}

uint64_t host_device_allocated(mux_device_t device) {
  return atomic_load_explicit(&host_device(device)->root->allocated, memory_order_relaxed);
}
