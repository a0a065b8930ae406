/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Results, ids, handles, enumerations and values of Mux. Include mux/mux.h. */
#ifndef MUX_TYPES_H
#define MUX_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define MUX_MUST_CHECK __attribute__((warn_unused_result))
#else
#define MUX_MUST_CHECK
#endif

/* ------------------------------------------------------------------ results */

/** Result of every fallible Mux function. An enum of its own, so that a compiler tells it from `cl_int`. */
#define MUX_RESULT_LIST(X)                                                               \
  X(mux_success, 0, "success")                                                           \
  X(mux_error_failure, 1, "unspecified failure")                                         \
  X(mux_error_null_out_parameter, 2, "a required output pointer is null")                \
  X(mux_error_invalid_value, 3, "an argument is invalid")                                \
  X(mux_error_out_of_memory, 4, "out of memory")                                         \
  X(mux_error_null_allocator_callback, 5, "an allocator callback is null")               \
  X(mux_error_device_entry_hook_failed, 6, "a device entry hook failed")                 \
  X(mux_error_invalid_binary, 7, "the binary is not a valid executable for this device") \
  X(mux_error_feature_unsupported, 8, "the device does not have this feature")           \
  X(mux_error_missing_kernel, 9, "the executable has no kernel of that name")            \
  X(mux_error_internal, 10, "internal error")                                            \
  X(mux_error_fence_failure, 11, "the work behind the fence failed")                     \
  X(mux_fence_not_ready, 12, "the fence was not signalled within the timeout")           \
  X(mux_error_missing_variable, 13, "the executable has no variable of that name")

typedef enum mux_result_e {
#define MUX_RESULT_ENUM(name, value, text) name = (value),
  MUX_RESULT_LIST(MUX_RESULT_ENUM)
#undef MUX_RESULT_ENUM
} mux_result_t;

/** Name of a result (`"mux_error_out_of_memory"`); never null. Thread safe. */
const char *muxResultName(mux_result_t result);

/* ------------------------------------------------------------ ids and handles */

typedef uint32_t mux_id_t;
typedef uint32_t mux_object_id_t;
typedef uint32_t mux_target_id_t;
typedef uint32_t mux_command_id_t;

/** Object kinds: the high half of a `mux_id_t`. The low half is the target's id (1, 2, ...). */
typedef enum mux_object_id_e {
  mux_object_id_buffer = 1u << 16,
  mux_object_id_command_buffer = 2u << 16,
  mux_object_id_device = 3u << 16,
  mux_object_id_executable = 4u << 16,
  mux_object_id_image = 5u << 16,
  mux_object_id_kernel = 6u << 16,
  mux_object_id_memory = 7u << 16,
  mux_object_id_queue = 8u << 16,
  mux_object_id_sampler = 9u << 16,
  mux_object_id_semaphore = 10u << 16,
  mux_object_id_query_pool = 11u << 16,
  mux_object_id_sync_point = 12u << 16,
  mux_object_id_fence = 13u << 16,
} mux_object_id_e;

typedef const struct mux_device_info_s *mux_device_info_t;
typedef struct mux_device_s *mux_device_t;
typedef struct mux_memory_s *mux_memory_t;
typedef struct mux_buffer_s *mux_buffer_t;
typedef struct mux_image_s *mux_image_t;
typedef struct mux_queue_s *mux_queue_t;
typedef struct mux_command_buffer_s *mux_command_buffer_t;
typedef struct mux_semaphore_s *mux_semaphore_t;
typedef struct mux_fence_s *mux_fence_t;
typedef struct mux_sync_point_s *mux_sync_point_t;
typedef struct mux_executable_s *mux_executable_t;
typedef struct mux_kernel_s *mux_kernel_t;
typedef struct mux_query_pool_s *mux_query_pool_t;
typedef struct mux_callback_info_s *mux_callback_info_t;

/* ------------------------------------------------------------ enumerations */

typedef enum mux_device_type_e {
  mux_device_type_cpu = 1,
  mux_device_type_gpu_integrated = 2,
  mux_device_type_gpu_discrete = 4,
  mux_device_type_gpu_virtual = 8,
  mux_device_type_accelerator = 16,
  mux_device_type_custom = 32,
  mux_device_type_all = 63,
} mux_device_type_e;

typedef enum mux_queue_type_e { mux_queue_type_compute = 0, mux_queue_type_total = 1 } mux_queue_type_e;

typedef enum mux_allocation_type_e {
  /** The allocation is made so that host access is fast. */
  mux_allocation_type_alloc_host = 1,
  /** The allocation is made so that device access is fast. */
  mux_allocation_type_alloc_device = 2,
} mux_allocation_type_e;

typedef enum mux_allocation_capabilities_e {
  mux_allocation_capabilities_coherent_host = 1,
  mux_allocation_capabilities_cached_host = 2,
  mux_allocation_capabilities_alloc_device = 4,
} mux_allocation_capabilities_e;

typedef enum mux_memory_property_e {
  mux_memory_property_device_local = 2,
  mux_memory_property_host_visible = 4,
  mux_memory_property_host_coherent = 8,
  mux_memory_property_host_cached = 16,
} mux_memory_property_e;

typedef enum mux_address_capabilities_e {
  mux_address_capabilities_bits32 = 1,
  mux_address_capabilities_bits64 = 2,
  mux_address_capabilities_logical = 4,
} mux_address_capabilities_e;

/** What the processors of a compute unit share with others: memory, or a cache. The values are those of OpenCL. */
typedef enum mux_affinity_domain_e {
  mux_affinity_domain_numa = 1,
  mux_affinity_domain_l4_cache = 2,
  mux_affinity_domain_l3_cache = 4,
  mux_affinity_domain_l2_cache = 8,
  mux_affinity_domain_l1_cache = 16,
} mux_affinity_domain_e;

typedef enum mux_atomic_capabilities_e {
  mux_atomic_capabilities_8bit = 1,
  mux_atomic_capabilities_16bit = 2,
  mux_atomic_capabilities_32bit = 4,
  mux_atomic_capabilities_64bit = 8,
} mux_atomic_capabilities_e;

typedef enum mux_cache_capabilities_e {
  mux_cache_capabilities_read = 1,
  mux_cache_capabilities_write = 2,
} mux_cache_capabilities_e;

typedef enum mux_floating_point_capabilities_e {
  mux_floating_point_capabilities_denorm = 1,
  mux_floating_point_capabilities_inf_nan = 2,
  mux_floating_point_capabilities_rte = 4,
  mux_floating_point_capabilities_rtz = 8,
  mux_floating_point_capabilities_rtp = 16,
  mux_floating_point_capabilities_rtn = 32,
  mux_floating_point_capabilities_fma = 64,
  mux_floating_point_capabilities_soft = 128,
  /** Correctly rounded divide and square root. */
  mux_floating_point_capabilities_full = 256,
} mux_floating_point_capabilities_e;

typedef enum mux_integer_capabilities_e {
  mux_integer_capabilities_8bit = 1,
  mux_integer_capabilities_16bit = 2,
  mux_integer_capabilities_32bit = 4,
  mux_integer_capabilities_64bit = 8,
} mux_integer_capabilities_e;

typedef enum mux_custom_buffer_capabilities_e {
  mux_custom_buffer_capabilities_data = 1,
  mux_custom_buffer_capabilities_address_space = 2,
} mux_custom_buffer_capabilities_e;

typedef enum mux_endianness_e { mux_endianness_little = 1, mux_endianness_big = 2 } mux_endianness_e;

typedef enum mux_shared_local_memory_type_e {
  mux_shared_local_memory_physical = 1,
  mux_shared_local_memory_virtual = 2,
} mux_shared_local_memory_type_e;

typedef enum mux_descriptor_info_type_e {
  mux_descriptor_info_type_buffer = 0,
  mux_descriptor_info_type_image = 1,
  mux_descriptor_info_type_sampler = 2,
  mux_descriptor_info_type_plain_old_data = 3,
  mux_descriptor_info_type_shared_local_buffer = 4,
  mux_descriptor_info_type_null_buffer = 5,
  mux_descriptor_info_type_custom_buffer = 6,
} mux_descriptor_info_type_e;

typedef enum mux_image_type_e {
  mux_image_type_1d = 1,
  mux_image_type_2d = 2,
  mux_image_type_3d = 3,
} mux_image_type_e;

typedef enum mux_image_tiling_e { mux_image_tiling_linear = 1, mux_image_tiling_optimal = 2 } mux_image_tiling_e;

/** Channel order in bits 8 to 15, channel type in bits 0 to 7, each the low byte of OpenCL's constant (CL_RGBA 0x10b5
 * and CL_UNORM_INT8 0x10d2 make 0xb5d2). */
typedef uint32_t mux_image_format_e;
#define MUX_IMAGE_FORMAT(order, type) ((((uint32_t)(order)) << 8) | (uint32_t)(type))

typedef enum mux_address_mode_e {
  mux_address_mode_none = 0,
  mux_address_mode_repeat = 1,
  mux_address_mode_repeat_mirror = 2,
  mux_address_mode_clamp = 3,
  mux_address_mode_clamp_edge = 4,
} mux_address_mode_e;

typedef enum mux_filter_mode_e { mux_filter_mode_nearest = 0, mux_filter_mode_linear = 1 } mux_filter_mode_e;

typedef enum mux_query_type_e { mux_query_type_duration = 1, mux_query_type_counter = 2 } mux_query_type_e;

typedef enum mux_query_counter_unit_e {
  mux_query_counter_unit_generic = 0,
  mux_query_counter_unit_percentage = 1,
  mux_query_counter_unit_nanoseconds = 2,
  mux_query_counter_unit_bytes = 3,
  mux_query_counter_unit_bytes_per_second = 4,
  mux_query_counter_unit_kelvin = 5,
  mux_query_counter_unit_watts = 6,
  mux_query_counter_unit_volts = 7,
  mux_query_counter_unit_amps = 8,
  mux_query_counter_unit_hertz = 9,
  mux_query_counter_unit_cycles = 10,
} mux_query_counter_unit_e;

typedef enum mux_query_counter_storage_e {
  mux_query_counter_storage_int32 = 0,
  mux_query_counter_storage_int64 = 1,
  mux_query_counter_storage_uint32 = 2,
  mux_query_counter_storage_uint64 = 3,
  mux_query_counter_storage_float32 = 4,
  mux_query_counter_storage_float64 = 5,
} mux_query_counter_storage_e;

typedef enum mux_wfv_status_e {
  mux_wfv_status_none = 0,
  mux_wfv_status_error = 1,
  mux_wfv_status_success = 2,
} mux_wfv_status_e;

/* ------------------------------------------------------------ values */

/** Host-side allocation callbacks: every Mux object's own storage comes from here. Both must be thread safe. */
typedef struct mux_allocator_info_t {
  /** Returns `size` bytes aligned to `alignment` (a power of two), or null. */
  void *(*alloc)(void *user_data, size_t size, size_t alignment);
  /** Frees what `alloc` gave; null is allowed. */
  void (*free)(void *user_data, void *pointer);
  void *user_data;
} mux_allocator_info_t;

typedef struct mux_offset_3d_t {
  size_t x, y, z;
} mux_offset_3d_t;

typedef struct mux_extent_3d_t {
  size_t x, y, z;
} mux_extent_3d_t;

typedef struct mux_extent_2d_t {
  size_t x, y;
} mux_extent_2d_t;

typedef struct mux_sampler_t {
  mux_address_mode_e address_mode;
  mux_filter_mode_e filter_mode;
  bool normalize_coords;
  /** Of mipmapped images: between levels, and the limits of the level of detail that gradients give (the upper one also
   * of one that is given). Without limits 0 and FLT_MAX. Targets may round limits to 256ths. */
  mux_filter_mode_e mip_filter_mode;
  float min_lod, max_lod;
} mux_sampler_t;

/** One kernel argument. */
typedef struct mux_descriptor_info_t {
  mux_descriptor_info_type_e type;
  union {
    struct {
      mux_buffer_t buffer;
      /** Bytes from the start of `buffer`. */
      uint64_t offset;
    } buffer_descriptor;
    struct {
      mux_image_t image;
    } image_descriptor;
    struct {
      mux_sampler_t sampler;
    } sampler_descriptor;
    struct {
      /** Copied when the command is recorded. */
      const void *data;
      size_t length;
    } plain_old_data_descriptor;
    struct {
      /** Bytes of work-group local memory. */
      size_t size;
    } shared_local_buffer_descriptor;
    struct {
      /** For the host target: `data` is the pointer value itself, passed to the kernel as is (SVM, USM). */
      const void *data;
      size_t size;
      uint32_t address_space;
      /** The memory that the kernel may reach through the pointer: its first byte, and how many bytes, 0 where that is
       * not known. See mux_kernel_s::uses_allocations. */
      const void *allocation;
      uint64_t allocation_size;
    } custom_buffer_descriptor;
  };
} mux_descriptor_info_t;

/** One box of a rectangular copy: `region` in bytes, rows, slices; origins likewise; `*_desc` = {row pitch, slice
 * pitch} in bytes, both non-zero. The byte at (x, y, z) of the source lies at x + y * src_desc.x + z * src_desc.y. */
typedef struct mux_buffer_region_info_t {
  mux_extent_3d_t region;
  mux_offset_3d_t src_origin;
  mux_offset_3d_t dst_origin;
  mux_extent_2d_t src_desc;
  mux_extent_2d_t dst_desc;
} mux_buffer_region_info_t;

typedef struct mux_ndrange_options_t {
  /** One per kernel argument, in order; read (and plain data copied) during muxCommandNDRange. */
  const mux_descriptor_info_t *descriptors;
  uint64_t descriptors_length;
  /** Work-items per work-group, each at least 1. The last work-group of a dimension may be smaller. */
  size_t local_size[3];
  /** `dimensions` entries each; `global_offset` may be null (zero). */
  const size_t *global_offset;
  const size_t *global_size;
  size_t dimensions;
} mux_ndrange_options_t;

typedef struct mux_memory_requirements_s {
  uint64_t size;
  uint32_t alignment;
  /** Bit i set: memory of heap i can be bound. */
  uint32_t supported_heaps;
} mux_memory_requirements_s;

typedef struct mux_query_counter_t {
  mux_query_counter_unit_e unit;
  mux_query_counter_storage_e storage;
  uint32_t uuid;
  uint32_t hardware_counters;
} mux_query_counter_t;

typedef struct mux_query_counter_description_t {
  char name[256];
  char category[256];
  char description[256];
} mux_query_counter_description_t;

typedef struct mux_query_counter_config_t {
  uint32_t uuid;
  void *data;
} mux_query_counter_config_t;

typedef struct mux_query_duration_result_s {
  /** Nanoseconds of CLOCK_MONOTONIC (the device clock). */
  uint64_t start;
  uint64_t end;
} *mux_query_duration_result_t;

typedef struct mux_query_counter_result_s {
  union {
    int32_t int32;
    int64_t int64;
    uint32_t uint32;
    uint64_t uint64;
    float float32;
    double float64;
  };
} *mux_query_counter_result_t;

/** Host function called in order inside a command buffer, on the thread that executes it; must not wait for
 * the queue. */
typedef void (*mux_command_user_callback_t)(mux_queue_t queue, mux_command_buffer_t command_buffer, void *user_data);

/** Completion function of a dispatch: `error` is mux_success, or why the command buffer did not run to its end.
 * Called on an arbitrary thread, before the signal semaphores and the fence are signalled, with no target lock held. */
typedef void (*mux_dispatch_callback_t)(mux_command_buffer_t command_buffer, mux_result_t error, void *user_data);
/** Is told what a target has measured of a kernel (muxTuneKernel). */
typedef void (*mux_tuning_callback_t)(void *user_data, uint64_t measured);

/** Where a target sends diagnostics about a command buffer's work (a fault in a kernel, for example). */
struct mux_callback_info_s {
  void (*callback)(void *user_data, const char *message, const void *data, size_t data_size);
  void *user_data;
};

#ifdef __cplusplus
}
#endif

#endif
