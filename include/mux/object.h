/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The public parts of Mux objects. Include mux/mux.h. */
#ifndef MUX_OBJECT_H
#define MUX_OBJECT_H

#include "mux/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------ public parts of objects
 * A target's own structs start with these. */

struct mux_device_info_s {
  mux_id_t id;
  uint32_t allocation_capabilities;
  uint32_t address_capabilities;
  uint32_t atomic_capabilities;
  uint32_t cache_capabilities;
  uint32_t half_capabilities;
  uint32_t float_capabilities;
  uint32_t double_capabilities;
  uint32_t integer_capabilities;
  uint32_t custom_buffer_capabilities;
  mux_endianness_e endianness;
  /** Of the device's maker: the PCI vendor id, or one that Khronos has given. 0 when it is not known. */
  uint32_t khronos_vendor_id;
  mux_shared_local_memory_type_e shared_local_memory_type;
  mux_device_type_e device_type;
  /** Semicolon-separated declarations; "" when none. */
  const char *builtin_kernel_declarations;
  const char *device_name;
  /** Executables made for a device are for all those of the same name and the same text here. */
  const char *instruction_set;
  /** Raised with each change of what executables look like: those of another number are refused. */
  uint32_t executable_version;
  uint32_t max_concurrent_work_items;
  uint32_t max_work_group_size_x, max_work_group_size_y, max_work_group_size_z;
  uint32_t max_work_width;
  /** MHz. */
  uint32_t clock_frequency;
  uint32_t compute_units;
  /** Bits: alignment that a sub-buffer or kernel pointer needs. */
  uint32_t buffer_alignment;
  /** Bytes. */
  uint64_t memory_size;
  uint64_t allocation_size;
  uint64_t cache_size;
  uint64_t cacheline_size;
  uint64_t shared_local_memory_size;
  /** Bytes. */
  uint32_t native_vector_width;
  uint32_t preferred_vector_width;
  bool image_support;
  bool mipmapped_images;
  bool image2d_array_writes;
  bool image3d_writes;
  uint32_t max_image_dimension_1d, max_image_dimension_2d, max_image_dimension_3d;
  uint32_t max_image_array_layers;
  uint32_t max_storage_images;
  uint32_t max_sampled_images;
  uint32_t max_samplers;
  uint32_t queue_types[mux_queue_type_total];
  uint32_t device_priority;
  bool query_counter_support;
  bool descriptors_updatable;
  bool can_clone_command_buffers;
  bool supports_builtin_kernels;
  uint32_t max_sub_group_count;
  bool sub_groups_support_ifp;
  uint32_t max_hardware_counters;
  bool supports_work_group_collectives;
  bool supports_generic_address_space;
  bool supports_sub_devices;
  /** Kernels and commands use addresses of the process: all of its memory is the device's too, coherent at any time and
   * with atomic operations between both. Kernels take them as custom buffers. */
  bool shares_host_memory;
  size_t num_sub_group_sizes;
  const size_t *sub_group_sizes;
};

struct mux_device_s {
  mux_id_t id;
  mux_device_info_t info;
};
struct mux_memory_s {
  mux_id_t id;
  uint64_t size;
  uint32_t properties;
};
struct mux_buffer_s {
  mux_id_t id;
  mux_memory_requirements_s memory_requirements;
};
struct mux_image_s {
  mux_id_t id;
  mux_memory_requirements_s memory_requirements;
  mux_image_type_e type;
  mux_image_format_e format;
  uint32_t pixel_size;
  mux_extent_3d_t size;
  uint32_t array_layers;
  uint64_t row_pitch, slice_pitch;
  /** Mipmap levels: 1, and `levels` null, unless muxCreateMipmappedImage made it. */
  uint32_t level_count;
  /** What commands name to reach each level: the first is the image itself, and those after it go with it. */
  mux_image_t *levels;
  /** Of a level after the first: the image that it is part of, and where it begins there, in bytes. Else null and 0. */
  mux_image_t whole;
  uint64_t level_offset;
};
struct mux_queue_s {
  mux_id_t id;
  mux_device_t device;
};
struct mux_command_buffer_s {
  mux_id_t id;
  mux_device_t device;
  /** Commands recorded since the last reset, which is the id of the next one. */
  mux_command_id_t command_count;
  /** In a completion callback: how many of them, from the first on, the dispatch completed. A failed dispatch completed
   * all before the command that failed; one that was not run, none. */
  mux_command_id_t completed_count;
};
struct mux_semaphore_s {
  mux_id_t id;
};
struct mux_fence_s {
  mux_id_t id;
};
struct mux_sync_point_s {
  mux_id_t id;
  mux_command_buffer_t command_buffer;
};
struct mux_executable_s {
  mux_id_t id;
};
struct mux_kernel_s {
  mux_id_t id;
  mux_device_t device;
  size_t preferred_local_size_x, preferred_local_size_y, preferred_local_size_z;
  /** Bytes of work-group local memory used by the kernel's own variables. */
  size_t local_memory_size;
  uint32_t max_sub_group_count;
  /** Work-items that its work-groups may have at most. 0: as many as the device's may. */
  size_t max_work_group_size;
  /** The kernel computes the same however its ND-range is divided into work-groups: who records it may choose the local
   * size. Targets that do not know say false. */
  bool ignores_work_groups;
  /** Launches of up to so many work-items run them one by one, although larger launches are vectorized: a local size
   * of 1 is then as good as any. 0: none, or the target does not know. */
  size_t scalar_work_items;
  /** The target measures which of several versions of the kernel is the fastest: muxTuneKernel. */
  bool has_versions;
  /** The target has other code for launches whose arguments do not overlap: custom buffers should say their
   * allocations. */
  bool uses_allocations;
};
struct mux_query_pool_s {
  mux_id_t id;
  mux_query_type_e type;
  uint32_t count;
};

#ifdef __cplusplus
}
#endif

#endif
