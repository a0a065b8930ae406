/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What a target implements: one table of operations behind the functions of mux.h. Guide: docs/new-target.md. */
#ifndef MUX_TARGET_H
#define MUX_TARGET_H

#include <string.h>

#include "mux/mux.h"

/* What holds for every operation, unless its comment says otherwise:
 *
 * Caller and thread. The API function of the same name (muxCreateBuffer calls `create_buffer`), on the thread that
 * called it. The layer has no threads and no state of its own.
 *
 * Locks. The layer holds none, before, during and after. Distinct objects may be used by several threads at once;
 * create and destroy operations may be called by several threads on one device. A command buffer is recorded,
 * finalized, reset and cloned by one thread at a time.
 *
 * Validated already. Every handle is non-null, of the right kind and of this target (by its mux_id_t); every required
 * output pointer is non-null; the allocator has both callbacks; sizes are non-zero, ranges lie inside the object,
 * enumerators are known, wait lists have entries exactly when their length is not zero. The comments below name what
 * goes beyond that, and what is left to the target.
 *
 * Result. What mux.h documents for the API function. On error the target writes no output (create_devices excepted).
 *
 * Optional. "Optional" operations may be null: the layer then returns mux_error_feature_unsupported. Operations that
 * return void and are paired with an optional create operation are optional with it. All others are required.
 *
 * Objects are allocated through the allocator given to their creation (a device's through that of create_devices) and
 * start with the public struct of mux.h, whose `id` is mux_id_make(kind, target id). The target's id is the parameter
 * of `get_device_infos`; from then on it is found in every handle: mux_id_target(device->id). */

typedef struct mux_target_t {
  /** Short name, as in QUERN_TARGETS; for logs and tests. */
  const char *name;

  /* ---------------------------------------------------------------- devices */

  /** Called by muxGetDeviceInfos before anything else, from any thread, possibly from several at once, and again at any
   * time. `target_id` is this target's id, the same at every call: it belongs in the
   * infos' `id` (mux_id_make(mux_object_id_device, target_id)). `device_types` is a non-empty mask of known bits.
   * Writes at most `device_infos_length` infos of matching devices to `out_device_infos` (null when the length is 0)
   * and the number of all matching devices to `*out_device_infos_length` (never null). Infos live as long as the
   * process and do not change. A target that has no device on this machine gives 0 and mux_success. */
  mux_result_t (*get_device_infos)(mux_target_id_t target_id, uint32_t device_types, uint64_t device_infos_length,
                                   mux_device_info_t *out_device_infos, uint64_t *out_device_infos_length);
  /** All infos are this target's own. All devices or none: on error the target has destroyed those it had made. */
  mux_result_t (*create_devices)(uint64_t devices_length, const mux_device_info_t *device_infos,
                                 mux_allocator_info_t allocator, mux_device_t *out_devices);
  /** All other objects of the device are destroyed and all work is complete. `allocator` as at creation (so in every
   * destroy operation). */
  void (*destroy_device)(mux_device_t device, mux_allocator_info_t allocator);
  /** Optional, with the next one; null unless the device has supports_sub_devices. `domain` is one known bit. Writes at
   * most `counts_length` counts to `out_counts` (null when the length is 0) and the number of all to
   * `*out_counts_length` (never null). A kind of memory or cache that the machine does not have gives one part. */
  mux_result_t (*get_affinity_partition)(mux_device_t device, mux_affinity_domain_e domain, uint64_t counts_length,
                                         uint32_t *out_counts, uint64_t *out_counts_length);
  /** `device` has the units, and may be a sub-device. The layer asks only for one device in muxDispatch, that of queue
   * and command buffer: memory, buffers, images, executables, kernels, semaphores and fences of any device of the
   * family come with any other. destroy_device is called for a sub-device before its parent. */
  mux_result_t (*create_sub_device)(mux_device_t device, uint32_t first_unit, uint32_t unit_count,
                                    mux_allocator_info_t allocator, mux_device_t *out_device);
  /** Optional: null when the device has no threads. Writes at most `threads_length` entries to `out_threads` (null when
   * the length is 0) and the number of all to `*out_threads_length` (never null). */
  mux_result_t (*get_device_threads)(mux_device_t device, uint64_t threads_length, mux_thread_info_s *out_threads,
                                     uint64_t *out_threads_length);

  /* ---------------------------------------------------------------- memory */

  /** `heap` is a single bit, `memory_properties` has only known bits (host_coherent and host_cached only together with
   * host_visible), the device has the capability for `allocation_type`, `alignment` is 0 (any) or a power of two. Left
   * to the target: whether the heap exists (mux_error_invalid_value). Sets `size` (as asked) and `properties`. */
  mux_result_t (*allocate_memory)(mux_device_t device, size_t size, uint32_t heap, uint32_t memory_properties,
                                  mux_allocation_type_e allocation_type, uint32_t alignment,
                                  mux_allocator_info_t allocator, mux_memory_t *out_memory);
  /** Optional. `host_pointer` is non-null; the device has coherent_host or cached_host. The storage stays the caller's.
   * `properties` become host_visible and host_coherent (or host_cached when the device has only cached_host). */
  mux_result_t (*create_memory_from_host)(mux_device_t device, size_t size, void *host_pointer,
                                          mux_allocator_info_t allocator, mux_memory_t *out_memory);
  /** The memory is not mapped and nothing that is bound to it is in use. */
  void (*free_memory)(mux_device_t device, mux_memory_t memory, mux_allocator_info_t allocator);
  /** The memory is host_visible. Left to the target: mapping twice (mux_error_invalid_value). */
  mux_result_t (*map_memory)(mux_device_t device, mux_memory_t memory, uint64_t offset, uint64_t size, void **out_data);
  /** Left to the target: not mapped (mux_error_invalid_value). */
  mux_result_t (*unmap_memory)(mux_device_t device, mux_memory_t memory);
  /** The memory is host_visible. Coherent memory: nothing to do, mux_success. Left to the target: not mapped
   * (mux_error_invalid_value). So also the next one. */
  mux_result_t (*flush_mapped_memory_to_device)(mux_device_t device, mux_memory_t memory, uint64_t offset,
                                                uint64_t size);
  mux_result_t (*flush_mapped_memory_from_device)(mux_device_t device, mux_memory_t memory, uint64_t offset,
                                                  uint64_t size);

  /* ---------------------------------------------------------------- buffers and images */

  /** Sets `memory_requirements`: `size` exactly as asked (the layer checks ranges against it), `alignment` a power of
   * two, `supported_heaps` with at least bit 0. */
  mux_result_t (*create_buffer)(mux_device_t device, size_t size, mux_allocator_info_t allocator,
                                mux_buffer_t *out_buffer);
  void (*destroy_buffer)(mux_device_t device, mux_buffer_t buffer, mux_allocator_info_t allocator);
  /** The buffer fits into the memory at `offset`, a multiple of its required alignment. Left to the target: bound
   * already, memory of a heap that is not supported (mux_error_invalid_value). */
  mux_result_t (*bind_buffer_memory)(mux_device_t device, mux_memory_t memory, mux_buffer_t buffer, uint64_t offset);
  /** Optional with all other image operations; null unless the device has image_support. Dimensions are at least 1,
   * within the device's limits, and 1 where the type has no such dimension; `array_layers` is 0 unless an array (1d,
   * 2d). `row_size` and `slice_size` are bytes, 0 for tightly packed. Left to the target: whether the format exists
   * (mux_error_invalid_value) and the pitches are large enough. `level_count`: 1, or with mipmapped_images up to what
   * the dimensions allow; then both pitches are 0, and the target makes the images of `levels`, complete but for
   * `levels`. Sets all public members; `size` has 1 in unused dimensions. */
  mux_result_t (*create_image)(mux_device_t device, mux_image_type_e type, mux_image_format_e format, uint32_t width,
                               uint32_t height, uint32_t depth, uint32_t array_layers, uint64_t row_size,
                               uint64_t slice_size, uint32_t level_count, mux_allocator_info_t allocator,
                               mux_image_t *out_image);
  void (*destroy_image)(mux_device_t device, mux_image_t image, mux_allocator_info_t allocator);
  /** As bind_buffer_memory. */
  mux_result_t (*bind_image_memory)(mux_device_t device, mux_memory_t memory, mux_image_t image, uint64_t offset);
  /** Optional. Writes at most `count` formats to `out_formats` (null when `count` is 0); `out_count` may be null, and
   * otherwise gets the number of all formats. At least one of the two outputs is non-null. */
  mux_result_t (*get_supported_image_formats)(mux_device_t device, mux_image_type_e image_type,
                                              mux_allocation_type_e allocation_type, uint32_t count,
                                              mux_image_format_e *out_formats, uint32_t *out_count);

  /* ---------------------------------------------------------------- queues and synchronisation */

  /** The type is known and the index below the info's `queue_types[type]`. The queue belongs to the device and stays
   * the same at every call. */
  mux_result_t (*get_queue)(mux_device_t device, mux_queue_type_e queue_type, uint32_t queue_index,
                            mux_queue_t *out_queue);
  /** The fence starts out not signalled. */
  mux_result_t (*create_fence)(mux_device_t device, mux_allocator_info_t allocator, mux_fence_t *out_fence);
  void (*destroy_fence)(mux_device_t device, mux_fence_t fence, mux_allocator_info_t allocator);
  /** No dispatch that signals the fence is under way. Forgets its failure too. */
  mux_result_t (*reset_fence)(mux_fence_t fence);
  /** The semaphore starts out not signalled. */
  mux_result_t (*create_semaphore)(mux_device_t device, mux_allocator_info_t allocator, mux_semaphore_t *out_semaphore);
  /** May come from inside a completion callback, but not for a semaphore that the completing dispatch signals. */
  void (*destroy_semaphore)(mux_device_t device, mux_semaphore_t semaphore, mux_allocator_info_t allocator);
  /** No dispatch that signals or waits for the semaphore is under way. May come from inside a completion callback. */
  mux_result_t (*reset_semaphore)(mux_semaphore_t semaphore);

  /* ---------------------------------------------------------------- command buffers
   * States: recording (new or reset) -> finalized -> dispatched -> finalized. The target tracks them and returns
   * mux_error_invalid_value for: recording or finalizing when not recording, dispatching or updating when not
   * finalized, resetting while dispatched. */

  /** `callback_info` is null or has a callback; the target keeps the pointer, which outlives the command buffer. */
  mux_result_t (*create_command_buffer)(mux_device_t device, mux_callback_info_t callback_info,
                                        mux_allocator_info_t allocator, mux_command_buffer_t *out_command_buffer);
  /** Not dispatched; may come from inside its own completion callback. Frees its sync points. */
  void (*destroy_command_buffer)(mux_device_t device, mux_command_buffer_t command_buffer,
                                 mux_allocator_info_t allocator);
  mux_result_t (*finalize_command_buffer)(mux_command_buffer_t command_buffer);
  /** Empties it and opens it for recording, from whatever state but dispatched; its sync points become invalid. May
   * come from inside its own completion callback: it is no longer dispatched then. */
  mux_result_t (*reset_command_buffer)(mux_command_buffer_t command_buffer);
  /** Optional; null unless the device has can_clone_command_buffers. Left to the target: that `command_buffer` is
   * finalized (mux_error_invalid_value). The clone is finalized and independent: updating one leaves the other. */
  mux_result_t (*clone_command_buffer)(mux_device_t device, mux_allocator_info_t allocator,
                                       mux_command_buffer_t command_buffer, mux_command_buffer_t *out_command_buffer);

  /* ---------------------------------------------------------------- commands
   * Each appends one command, numbered 0, 1, ... in the order of recording (the mux_command_id_t of
   * update_descriptors). Sync points belong to the same command buffer; as commands run as if in order, a target may
   * ignore them. `out_sync_point` may be null; what it receives belongs to the command buffer, until it is reset or
   * destroyed. Left to the target in each (mux_error_invalid_value): that the command buffer is recording, and that
   * buffers and images are bound to memory. Host pointers are used when the command executes. */

  mux_result_t (*command_read_buffer)(mux_command_buffer_t command_buffer, mux_buffer_t buffer, uint64_t offset,
                                      void *host_pointer, uint64_t size, MUX_SYNC_PARAMETERS);
  /** Regions (at least one; copied by the target) lie inside the buffer, their extents and pitches are at least 1; so
   * in the other two. */
  mux_result_t (*command_read_buffer_regions)(mux_command_buffer_t command_buffer, mux_buffer_t buffer,
                                              void *host_pointer, const mux_buffer_region_info_t *regions,
                                              uint64_t regions_length, MUX_SYNC_PARAMETERS);
  mux_result_t (*command_write_buffer)(mux_command_buffer_t command_buffer, mux_buffer_t buffer, uint64_t offset,
                                       const void *host_pointer, uint64_t size, MUX_SYNC_PARAMETERS);
  mux_result_t (*command_write_buffer_regions)(mux_command_buffer_t command_buffer, mux_buffer_t buffer,
                                               const void *host_pointer, const mux_buffer_region_info_t *regions,
                                               uint64_t regions_length, MUX_SYNC_PARAMETERS);
  /** Source and destination do not overlap inside one buffer; so in the next one. */
  mux_result_t (*command_copy_buffer)(mux_command_buffer_t command_buffer, mux_buffer_t src_buffer, uint64_t src_offset,
                                      mux_buffer_t dst_buffer, uint64_t dst_offset, uint64_t size, MUX_SYNC_PARAMETERS);
  mux_result_t (*command_copy_buffer_regions)(mux_command_buffer_t command_buffer, mux_buffer_t src_buffer,
                                              mux_buffer_t dst_buffer, const mux_buffer_region_info_t *regions,
                                              uint64_t regions_length, MUX_SYNC_PARAMETERS);
  /** `pattern_size` is 1 to 128 (any number, not only powers of two) and divides `offset` and `size`. The target copies
   * the pattern. */
  mux_result_t (*command_fill_buffer)(mux_command_buffer_t command_buffer, mux_buffer_t buffer, uint64_t offset,
                                      uint64_t size, const void *pattern_pointer, uint64_t pattern_size,
                                      MUX_SYNC_PARAMETERS);
  /** Optional, with the next one; null unless the device has shares_host_memory. The ranges are not empty, lie inside
   * the address space and do not overlap. */
  mux_result_t (*command_copy_pointer)(mux_command_buffer_t command_buffer, void *destination, const void *source,
                                       uint64_t size, MUX_SYNC_PARAMETERS);
  /** `pattern_size` is 1 to 128 and divides `size`. The target copies the pattern. */
  mux_result_t (*command_fill_pointer)(mux_command_buffer_t command_buffer, void *destination, uint64_t size,
                                       const void *pattern_pointer, uint64_t pattern_size, MUX_SYNC_PARAMETERS);
  /** Image commands are optional, null unless the device has image_support. Offsets and extents are pixels inside the
   * image, the layer of a 1d array in y and of a 2d array in z; extents are at least 1. `row_size` and `slice_size`:
   * bytes between rows and slices at `pointer`, 0 for tightly packed, otherwise large enough. */
  mux_result_t (*command_read_image)(mux_command_buffer_t command_buffer, mux_image_t image, mux_offset_3d_t offset,
                                     mux_extent_3d_t extent, uint64_t row_size, uint64_t slice_size, void *pointer,
                                     MUX_SYNC_PARAMETERS);
  mux_result_t (*command_write_image)(mux_command_buffer_t command_buffer, mux_image_t image, mux_offset_3d_t offset,
                                      mux_extent_3d_t extent, uint64_t row_size, uint64_t slice_size,
                                      const void *pointer, MUX_SYNC_PARAMETERS);
  /** `color` is one pixel in the image's own format, `color_size` its `pixel_size`. The target copies it. */
  mux_result_t (*command_fill_image)(mux_command_buffer_t command_buffer, mux_image_t image, const void *color,
                                     uint32_t color_size, mux_offset_3d_t offset, mux_extent_3d_t extent,
                                     MUX_SYNC_PARAMETERS);
  /** Formats are the same; boxes inside one image do not overlap. */
  mux_result_t (*command_copy_image)(mux_command_buffer_t command_buffer, mux_image_t src_image, mux_image_t dst_image,
                                     mux_offset_3d_t src_offset, mux_offset_3d_t dst_offset, mux_extent_3d_t extent,
                                     MUX_SYNC_PARAMETERS);
  /** The buffer side is tightly packed; so in the next one. */
  mux_result_t (*command_copy_image_to_buffer)(mux_command_buffer_t command_buffer, mux_image_t src_image,
                                               mux_buffer_t dst_buffer, mux_offset_3d_t src_offset, uint64_t dst_offset,
                                               mux_extent_3d_t extent, MUX_SYNC_PARAMETERS);
  mux_result_t (*command_copy_buffer_to_image)(mux_command_buffer_t command_buffer, mux_buffer_t src_buffer,
                                               mux_image_t dst_image, uint64_t src_offset, mux_offset_3d_t dst_offset,
                                               mux_extent_3d_t extent, MUX_SYNC_PARAMETERS);
  /** `dimensions` is 1 to 3, all three `local_size` at least 1 and within the device's limits (each and their product),
   * global sizes at least 1, offset + size and the number of work-items do not overflow, each descriptor well formed:
   * known type, handle of the right kind and target, offset inside the buffer, non-null plain data of non-zero length,
   * non-zero local size. Left to the target: that number and types of the descriptors fit the kernel, and the kernel's
   * own required local size (mux_error_invalid_value). Called for every launch: it must be fast. The target copies
   * everything. */
  mux_result_t (*command_nd_range)(mux_command_buffer_t command_buffer, mux_kernel_t kernel,
                                   mux_ndrange_options_t options, MUX_SYNC_PARAMETERS);
  /** Optional; null unless the device has descriptors_updatable. Descriptors (at least one) are as well formed as for
   * command_nd_range. Left to the target (mux_error_invalid_value): the command buffer is not finalized, the command
   * does not exist or is no ND-range, an index is no argument, type or plain-data length differ. All or nothing. */
  mux_result_t (*update_descriptors)(mux_command_buffer_t command_buffer, mux_command_id_t command_id,
                                     uint64_t num_args, const uint64_t *arg_indices,
                                     const mux_descriptor_info_t *descriptors);
  mux_result_t (*command_user_callback)(mux_command_buffer_t command_buffer, mux_command_user_callback_t user_function,
                                        void *user_data, MUX_SYNC_PARAMETERS);
  /** Optional with all query-pool operations. The slots `query_index` to `query_index + query_count - 1` exist; so in
   * the next two. Left to the target: begin and end pair up inside one command buffer (mux_error_invalid_value). */
  mux_result_t (*command_begin_query)(mux_command_buffer_t command_buffer, mux_query_pool_t query_pool,
                                      uint32_t query_index, uint32_t query_count, MUX_SYNC_PARAMETERS);
  mux_result_t (*command_end_query)(mux_command_buffer_t command_buffer, mux_query_pool_t query_pool,
                                    uint32_t query_index, uint32_t query_count, MUX_SYNC_PARAMETERS);
  mux_result_t (*command_reset_query_pool)(mux_command_buffer_t command_buffer, mux_query_pool_t query_pool,
                                           uint32_t query_index, uint32_t query_count, MUX_SYNC_PARAMETERS);

  /* ---------------------------------------------------------------- queries */

  /** Optional; null unless the device has query_counter_support. Writes at most `count` counters and descriptions (each
   * array may be null; both are when `count` is 0); `out_count` may be null, and otherwise gets the number of all. */
  mux_result_t (*get_supported_query_counters)(mux_device_t device, mux_queue_type_e queue_type, uint32_t count,
                                               mux_query_counter_t *out_counters,
                                               mux_query_counter_description_t *out_descriptions, uint32_t *out_count);
  /** Optional. `counter_configs` has `query_count` entries for counters (the device then has query_counter_support) and
   * is null for durations. Left to the target: unknown uuids (mux_error_invalid_value). Results start out zero. */
  mux_result_t (*create_query_pool)(mux_queue_t queue, mux_query_type_e query_type, uint32_t query_count,
                                    const mux_query_counter_config_t *counter_configs, mux_allocator_info_t allocator,
                                    mux_query_pool_t *out_query_pool);
  void (*destroy_query_pool)(mux_queue_t queue, mux_query_pool_t query_pool, mux_allocator_info_t allocator);
  /** Optional; null unless the device has query_counter_support. */
  mux_result_t (*get_query_counter_required_passes)(mux_queue_t queue, uint32_t query_count,
                                                    const mux_query_counter_config_t *counter_configs,
                                                    uint32_t *out_pass_count);
  /** Optional. `stride` is at least the result's size and results fit into `size` bytes at `data`: a
   * mux_query_duration_result_s or mux_query_counter_result_s every `stride` bytes. */
  mux_result_t (*get_query_pool_results)(mux_queue_t queue, mux_query_pool_t query_pool, uint32_t query_index,
                                         uint32_t query_count, size_t size, void *data, size_t stride);

  /* ---------------------------------------------------------------- executables and kernels */

  /** `binary` is non-null and not empty, and otherwise untrusted: anything malformed is mux_error_invalid_binary. It
   * may be freed after the call. */
  mux_result_t (*create_executable)(mux_device_t device, const void *binary, uint64_t binary_length,
                                    mux_allocator_info_t allocator, mux_executable_t *out_executable);
  /** Optional; null unless the device has shares_host_memory. `name` has `name_length` bytes (at least 1). */
  mux_result_t (*get_executable_variable)(mux_device_t device, mux_executable_t executable, const char *name,
                                          uint64_t name_length, void **out_address, uint64_t *out_size);
  /** Its kernels are destroyed and no command buffer refers to them. */
  void (*destroy_executable)(mux_device_t device, mux_executable_t executable, mux_allocator_info_t allocator);
  /** `name` has `name_length` bytes (at least 1) and need not end with a NUL. */
  mux_result_t (*create_kernel)(mux_device_t device, mux_executable_t executable, const char *name,
                                uint64_t name_length, mux_allocator_info_t allocator, mux_kernel_t *out_kernel);
  /** Optional; null unless the device has supports_builtin_kernels. */
  mux_result_t (*create_built_in_kernel)(mux_device_t device, const char *name, uint64_t name_length,
                                         mux_allocator_info_t allocator, mux_kernel_t *out_kernel);
  void (*destroy_kernel)(mux_device_t device, mux_kernel_t kernel, mux_allocator_info_t allocator);
  /** Optional, as the next two; called only when the device's max_sub_group_count is not 0. Sizes are at least 1. */
  mux_result_t (*query_sub_group_size_for_local_size)(mux_kernel_t kernel, size_t local_size_x, size_t local_size_y,
                                                      size_t local_size_z, size_t *out_sub_group_size);
  mux_result_t (*query_local_size_for_sub_group_count)(mux_kernel_t kernel, size_t sub_group_count,
                                                       size_t *out_local_size_x, size_t *out_local_size_y,
                                                       size_t *out_local_size_z);
  mux_result_t (*query_max_num_sub_groups)(mux_kernel_t kernel, size_t *out_max_num_sub_groups);
  /** Optional. All four outputs are non-null; sizes are at least 1. */
  mux_result_t (*query_wfv_info_for_local_size)(mux_kernel_t kernel, size_t local_size_x, size_t local_size_y,
                                                size_t local_size_z, mux_wfv_status_e *out_wfv_status,
                                                size_t *out_work_width_x, size_t *out_work_width_y,
                                                size_t *out_work_width_z);

  /** Optional; called only for kernels that have `has_versions`. */
  mux_result_t (*tune_kernel)(mux_kernel_t kernel, uint64_t remembered, mux_tuning_callback_t measured,
                              void *user_data);

  /* ---------------------------------------------------------------- execution */

  /** Called for every batch: it must be fast and must not wait for the work. From any thread, also from inside
   * completion and user callbacks, several at once on one queue. Queue and command buffer are of one device; `fence`
   * and `user_function` may be null; no semaphore is in both lists. The lists are the caller's: copy them. Left to the
   * target (mux_error_invalid_value): the command buffer is not finalized or is dispatched already.
   *
   * The command buffer starts when all wait semaphores are signalled, and not before; a dispatch with none may start at
   * once, whatever was dispatched before. When it has ended: `user_function` is called (with no target lock held), then
   * the signal semaphores are signalled, then the fence. When the command buffer fails, or a semaphore that it waited
   * for was signalled by a failure, it does not run further, `user_function` gets the error (that of the failure it
   * waited for), semaphores and fence are signalled all the same, marked as failed. Semaphores stay signalled until
   * reset; the target does not touch a wait semaphore once `user_function` is called. */
  mux_result_t (*dispatch)(mux_queue_t queue, mux_command_buffer_t command_buffer, mux_fence_t fence,
                           const mux_semaphore_t *wait_semaphores, uint32_t wait_semaphores_length,
                           const mux_semaphore_t *signal_semaphores, uint32_t signal_semaphores_length,
                           mux_dispatch_callback_t user_function, void *user_data);
  /** Optional. The next dispatch of the calling thread on the queue is followed by a wait for it, on the same thread:
   * if that can execute commands, nobody else has to be woken for this dispatch. */
  mux_result_t (*announce_wait)(mux_queue_t queue);
  /** Optional. The dispatch with that fence fails as soon as possible: commands that have not begun are not executed,
   * and kernels that run are ended. Returns without waiting for that; mux_error_invalid_value when there is no such
   * dispatch (any more). */
  mux_result_t (*cancel_dispatch)(mux_queue_t queue, mux_fence_t fence);
  /** Optional. Called in `user_function` of the dispatch with that fence: signals its semaphores and the fence now, as
   * the thread is about to wait for something that waits for them. The fence may be waited for in the callback then;
   * the dispatch is complete, for wait_all, when the callback has returned. */
  mux_result_t (*signal_dispatch)(mux_queue_t queue, mux_fence_t fence);
  /** Waits at most `timeout` nanoseconds (0: only looks; UINT64_MAX: no limit). The calling thread may execute commands
   * meanwhile. mux_fence_not_ready, mux_error_fence_failure when the work failed, or mux_success. */
  mux_result_t (*try_wait)(mux_queue_t queue, uint64_t timeout, mux_fence_t fence);
  /** try_wait without a limit. */
  mux_result_t (*wait)(mux_queue_t queue, mux_fence_t fence);
  /** Returns when everything dispatched on the queue before the call is complete, its callbacks returned. mux_success
   * also when some of that work failed. */
  mux_result_t (*wait_all)(mux_queue_t queue);
} mux_target_t;

/* ------------------------------------------------------------ ids */

static inline mux_id_t mux_id_make(mux_object_id_e object, mux_target_id_t target) { return (mux_id_t)object | target; }
static inline mux_object_id_t mux_id_object(mux_id_t id) { return id & 0xffff0000u; }
static inline mux_target_id_t mux_id_target(mux_id_t id) { return id & 0xffffu; }

/* ------------------------------------------------------------ storage of objects */

/** Zeroed storage for an object, or null; `alignment` is a power of two. Freed with `mux_object_free`. */
static inline void *mux_object_allocate(mux_allocator_info_t allocator, size_t size, size_t alignment) {
  void *object = allocator.alloc(allocator.user_data, size, alignment);
  return object ? memset(object, 0, size) : NULL;
}

static inline void mux_object_free(mux_allocator_info_t allocator, void *object) {
  allocator.free(allocator.user_data, object);
}

/* ------------------------------------------------------------ registration
 * A target NAME defines `const mux_target_t NAME_mux_target`. The build generates the list from QUERN_TARGETS (see
 * source/mux/CMakeLists.txt), the only place that names targets; a target's id is its index in it plus one. */

extern const mux_target_t *const mux_targets[];
extern const uint32_t mux_targets_length;

#endif
