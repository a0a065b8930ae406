/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Functions of Mux: devices, memory, buffers, images, queues, fences, semaphores. Include mux/mux.h. */
#ifndef MUX_DEVICE_H
#define MUX_DEVICE_H

#include "mux/object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------ devices */

/** Lists the devices of all targets. Infos live as long as the process; nobody frees them.
 * `device_types`: mask of mux_device_type_e; `device_infos_length`: entries of `out_device_infos`, 0 when that is null;
 * `out_device_infos_length` (may be null) gets the number of all matching devices, however many were asked for.
 * Call it with (0, null) first to count, then to fill. Thread safe.
 * mux_error_invalid_value: no or an unknown type bit; an array with length 0.
 * mux_error_null_out_parameter: both outputs null; a null array with a length.
 * mux_error_failure, mux_error_out_of_memory: a target could not look for its devices. */
MUX_MUST_CHECK mux_result_t muxGetDeviceInfos(uint32_t device_types, uint64_t device_infos_length,
                                              mux_device_info_t *out_device_infos, uint64_t *out_device_infos_length);

/** Makes one device from each info; `out_devices` has `devices_length` entries. All are created, or none: what
 * `out_devices` then holds is no device. A device info may be used several times: the devices are independent. The
 * caller owns them: muxDestroyDevice. Thread safe. mux_error_invalid_value: length 0; null `device_infos`; an info that
 * is null or no info. mux_error_null_out_parameter: null `out_devices`. mux_error_null_allocator_callback: null alloc
 * or free. mux_error_out_of_memory. mux_error_device_entry_hook_failed: the device did not start.
 * mux_error_feature_unsupported: the device cannot be used on this machine. */
MUX_MUST_CHECK mux_result_t muxCreateDevices(uint64_t devices_length, const mux_device_info_t *device_infos,
                                             mux_allocator_info_t allocator, mux_device_t *out_devices);

/** Destroys a device and its queues. Its other objects must be gone and its work complete. `allocator` is the one that
 * created it, here and in every destroy function. Every destroy function ignores an invalid handle or a null `free`
 * (category `api` of QUERN_DEBUG says so). Thread safe for distinct devices. */
void muxDestroyDevice(mux_device_t device, mux_allocator_info_t allocator);

/** How a device falls apart along `domain`: the numbers of its compute units that share one memory or cache, in the
 * units' order, so that each part is a range of units. Together they are all units. One part: the device cannot be
 * divided that way. Works for sub-devices too.
 * `counts_length`: entries of `out_counts`, 0 when that is null; `out_counts_length` (may be null) gets the number of
 * parts, however many were asked for. Thread safe. The first call may take a millisecond.
 * mux_error_invalid_value: bad device; `domain` is not one known bit; an array with length 0.
 * mux_error_feature_unsupported: the device does not claim `supports_sub_devices`.
 * mux_error_null_out_parameter: both outputs null; a null array with a length. */
MUX_MUST_CHECK mux_result_t muxGetAffinityPartition(mux_device_t device, mux_affinity_domain_e domain,
                                                    uint64_t counts_length, uint32_t *out_counts,
                                                    uint64_t *out_counts_length);

/** Makes a sub-device: a device whose work runs on `unit_count` of the compute units of `device`, from `first_unit` on,
 * and nowhere else. Sub-devices may overlap, and do not keep their parent from using all of its units. Its info is its
 * own, lives as long as it, and differs in `compute_units` only. It has queues of its own. What else belongs to a
 * device, it shares with its parent (docs/mux.md, section 3). The caller owns it: muxDestroyDevice, before its parent,
 * and not from a callback of its own work. Thread safe; may be called on a sub-device.
 * mux_error_invalid_value: bad device; `unit_count` 0; units that `device` does not have.
 * mux_error_feature_unsupported: the device does not claim `supports_sub_devices`.
 * mux_error_null_out_parameter. mux_error_null_allocator_callback. mux_error_out_of_memory. */
MUX_MUST_CHECK mux_result_t muxCreateSubDevice(mux_device_t device, uint32_t first_unit, uint32_t unit_count,
                                               mux_allocator_info_t allocator, mux_device_t *out_device);

/** What a thread of a device has done since the device was made: nanoseconds that it executed, waited for work without
 * sleeping, looked for others' work, and took to go on after it was woken; how often it took part in what another
 * thread executes, executed a command buffer, took over work of another thread, and was woken. */
typedef struct mux_thread_info_s {
  uint64_t busy, idle, stealing, waking;
  uint64_t shares, dispatches, steals, wakes;
} mux_thread_info_s;

/** Asks what the threads of `device` did: first those of the application together, then each of its own;
 * zeros for one that was not needed yet, so that the number stays the same.
 * `threads_length`: entries of `out_threads`, 0 when that is null; `out_threads_length` (may be null) gets the number
 * of threads, however many were asked for. Thread safe; threads that work now may be a little behind.
 * mux_error_invalid_value: bad device; an array with length 0.
 * mux_error_feature_unsupported: the device has no threads of its own.
 * mux_error_null_out_parameter: both outputs null; a null array with a length. */
MUX_MUST_CHECK mux_result_t muxGetDeviceThreads(mux_device_t device, uint64_t threads_length,
                                                mux_thread_info_s *out_threads, uint64_t *out_threads_length);

/* ------------------------------------------------------------ memory */

/** Allocates `size` bytes of device memory, contents undefined. The caller owns it: muxFreeMemory. Thread safe.
 * `heap`: one bit of a mux_memory_requirements_s's `supported_heaps`; 1 is the heap that every device has.
 * `memory_properties`: mask of mux_memory_property_e. `alignment`: bytes, a power of two, or 0 for the device's own.
 * mux_error_invalid_value: bad device; size 0; `heap` not a single bit, or a heap that the device lacks; unknown
 * property bits, or host_coherent or host_cached without host_visible; unknown allocation type; bad alignment.
 * mux_error_feature_unsupported: alloc_host with neither coherent_host nor cached_host, or alloc_device without
 * alloc_device among the device's allocation capabilities.
 * mux_error_null_out_parameter. mux_error_null_allocator_callback.
 * mux_error_out_of_memory: also when `size` is above the device's `allocation_size`. */
MUX_MUST_CHECK mux_result_t muxAllocateMemory(mux_device_t device, size_t size, uint32_t heap,
                                              uint32_t memory_properties, mux_allocation_type_e allocation_type,
                                              uint32_t alignment, mux_allocator_info_t allocator,
                                              mux_memory_t *out_memory);

/** Makes the `size` bytes at `host_pointer` device memory. They stay the caller's, must outlive the memory, and are the
 * device's while work uses them. Properties are host_visible and host_coherent (host_cached where the device has only
 * cached_host). Destroyed with muxFreeMemory. Thread safe.
 * mux_error_invalid_value: bad device; size 0; null `host_pointer`.
 * mux_error_feature_unsupported: the device has neither coherent_host nor cached_host, or cannot use that storage.
 * mux_error_null_out_parameter. mux_error_null_allocator_callback. mux_error_out_of_memory. */
MUX_MUST_CHECK mux_result_t muxCreateMemoryFromHost(mux_device_t device, size_t size, void *host_pointer,
                                                    mux_allocator_info_t allocator, mux_memory_t *out_memory);

/** Frees memory that is not mapped and that nothing in use is bound to. Storage of the host stays. Thread safe for
 * distinct memory. */
void muxFreeMemory(mux_device_t device, mux_memory_t memory, mux_allocator_info_t allocator);

/** Gives the host address of `size` bytes from `offset` on, valid until muxUnmapMemory. There is one mapping at a time.
 * Thread safe: of several threads, one gets the mapping, and sees what was written in those before.
 * mux_error_invalid_value: bad device or memory; memory that is not host_visible; size 0; a range beyond the memory;
 * memory that is mapped already. mux_error_null_out_parameter. mux_error_out_of_memory: no address space. */
MUX_MUST_CHECK mux_result_t muxMapMemory(mux_device_t device, mux_memory_t memory, uint64_t offset, uint64_t size,
                                         void **out_data);

/** Ends the mapping; its address is invalid from here on. Thread safe.
 * mux_error_invalid_value: bad device or memory; memory that is not mapped. */
MUX_MUST_CHECK mux_result_t muxUnmapMemory(mux_device_t device, mux_memory_t memory);

/** Makes what the host wrote into a part of the mapping visible to commands dispatched afterwards. Needed for memory
 * that is not host_coherent; for coherent memory it does nothing and succeeds. Thread safe.
 * mux_error_invalid_value: bad device or memory; memory that is not host_visible or not mapped; size 0; a range
 * beyond the memory. */
MUX_MUST_CHECK mux_result_t muxFlushMappedMemoryToDevice(mux_device_t device, mux_memory_t memory, uint64_t offset,
                                                         uint64_t size);

/** Makes what completed commands wrote visible to the host; otherwise like muxFlushMappedMemoryToDevice. */
MUX_MUST_CHECK mux_result_t muxFlushMappedMemoryFromDevice(mux_device_t device, mux_memory_t memory, uint64_t offset,
                                                           uint64_t size);

/* ------------------------------------------------------------ buffers and images */

/** Makes a buffer of `size` bytes without storage: muxBindBufferMemory gives it some. Its `memory_requirements` say
 * which; their `size` is the size asked for. The caller owns it. Thread safe.
 * mux_error_invalid_value: bad device; size 0. mux_error_null_out_parameter. mux_error_null_allocator_callback.
 * mux_error_out_of_memory. */
MUX_MUST_CHECK mux_result_t muxCreateBuffer(mux_device_t device, size_t size, mux_allocator_info_t allocator,
                                            mux_buffer_t *out_buffer);

/** Destroys a buffer that no command buffer refers to. The memory stays. Thread safe for distinct buffers. */
void muxDestroyBuffer(mux_device_t device, mux_buffer_t buffer, mux_allocator_info_t allocator);

/** Binds a buffer to memory, once, from byte `offset` on. Several buffers may share memory. Thread safe for distinct
 * buffers.
 * mux_error_invalid_value: bad device, memory or buffer; a buffer that is bound already; `offset` no multiple of the
 * required alignment; memory too small; memory of a heap that is not supported. */
MUX_MUST_CHECK mux_result_t muxBindBufferMemory(mux_device_t device, mux_memory_t memory, mux_buffer_t buffer,
                                                uint64_t offset);

/** Makes an image without storage: muxBindImageMemory. Dimensions are pixels; those that the type lacks are 1.
 * `array_layers`: 0, or the layers of an array of 1d or 2d images. `row_size`, `slice_size`: bytes from row to row and
 * from slice (or layer) to slice, 0 for tightly packed; a slice size needs a row size. The caller owns it. Thread safe.
 * mux_error_invalid_value: bad device; unknown type or format; a dimension that is 0, not 1 where the type lacks it, or
 * above the device's limit; layers of a 3d image or above the limit; a pitch too small for the row or slice.
 * mux_error_feature_unsupported: no image_support.
 * mux_error_null_out_parameter. mux_error_null_allocator_callback. mux_error_out_of_memory. */
MUX_MUST_CHECK mux_result_t muxCreateImage(mux_device_t device, mux_image_type_e type, mux_image_format_e format,
                                           uint32_t width, uint32_t height, uint32_t depth, uint32_t array_layers,
                                           uint64_t row_size, uint64_t slice_size, mux_allocator_info_t allocator,
                                           mux_image_t *out_image);

/** Makes an image of `level_count` mipmap levels, each half as large as the one before in each dimension, rounded down,
 * but not below 1; layers stay. Rows and slices are tightly packed, and all levels lie in the memory that the image is
 * bound to. As an object of commands it is its first level; kernels get all. Otherwise as muxCreateImage.
 * mux_error_invalid_value: also no levels, or more than it takes to come down to one pixel.
 * mux_error_feature_unsupported: no mipmapped_images. */
MUX_MUST_CHECK mux_result_t muxCreateMipmappedImage(mux_device_t device, mux_image_type_e type,
                                                    mux_image_format_e format, uint32_t width, uint32_t height,
                                                    uint32_t depth, uint32_t array_layers, uint32_t level_count,
                                                    mux_allocator_info_t allocator, mux_image_t *out_image);

/** Destroys an image that no command buffer refers to, with its levels; a level alone stays. The memory stays too.
 * Thread safe for distinct images. */
void muxDestroyImage(mux_device_t device, mux_image_t image, mux_allocator_info_t allocator);

/** As muxBindBufferMemory, with all levels; mux_error_invalid_value also for a level alone.
 * mux_error_feature_unsupported: no image_support. */
MUX_MUST_CHECK mux_result_t muxBindImageMemory(mux_device_t device, mux_memory_t memory, mux_image_t image,
                                               uint64_t offset);

/** Lists the formats of images of a type in memory of an allocation type. `count`: entries of `out_formats`, 0 when
 * that is null; `out_count` (may be null) gets the number of all. Thread safe.
 * mux_error_invalid_value: bad device; unknown type or allocation type; an array with count 0.
 * mux_error_null_out_parameter: both outputs null; a null array with a count.
 * mux_error_feature_unsupported: no image_support. */
MUX_MUST_CHECK mux_result_t muxGetSupportedImageFormats(mux_device_t device, mux_image_type_e image_type,
                                                        mux_allocation_type_e allocation_type, uint32_t count,
                                                        mux_image_format_e *out_formats, uint32_t *out_count);

/* ------------------------------------------------------------ queues and synchronisation */

/** Gives one of the device's queues; the device owns it and gives the same one at every call. Thread safe.
 * mux_error_invalid_value: bad device; unknown type; index not below the info's `queue_types[queue_type]`.
 * mux_error_null_out_parameter. mux_error_out_of_memory: the first use of the queue. */
MUX_MUST_CHECK mux_result_t muxGetQueue(mux_device_t device, mux_queue_type_e queue_type, uint32_t queue_index,
                                        mux_queue_t *out_queue);

/** Makes a fence, not signalled: it tells the host that a dispatch is complete. The caller owns it. Thread safe.
 * mux_error_invalid_value: bad device. mux_error_null_out_parameter. mux_error_null_allocator_callback.
 * mux_error_out_of_memory. */
MUX_MUST_CHECK mux_result_t muxCreateFence(mux_device_t device, mux_allocator_info_t allocator, mux_fence_t *out_fence);

/** Destroys a fence that no dispatch under way will signal and nobody waits for. Thread safe for distinct fences. */
void muxDestroyFence(mux_device_t device, mux_fence_t fence, mux_allocator_info_t allocator);

/** Makes a fence not signalled again; no dispatch under way may be about to signal it. Not thread safe for one fence.
 * mux_error_invalid_value: bad fence. */
MUX_MUST_CHECK mux_result_t muxResetFence(mux_fence_t fence);

/** Makes a semaphore, not signalled: it orders dispatches. The caller owns it. Thread safe.
 * mux_error_invalid_value: bad device. mux_error_null_out_parameter. mux_error_null_allocator_callback.
 * mux_error_out_of_memory. */
MUX_MUST_CHECK mux_result_t muxCreateSemaphore(mux_device_t device, mux_allocator_info_t allocator,
                                               mux_semaphore_t *out_semaphore);

/** Destroys a semaphore that no dispatch under way signals or waits for; so not inside the completion callback of the
 * dispatch that signals it (it is signalled after the callback). Thread safe for distinct semaphores. */
void muxDestroySemaphore(mux_device_t device, mux_semaphore_t semaphore, mux_allocator_info_t allocator);

/** Makes a semaphore not signalled again, for reuse; no dispatch under way may signal or wait for it. A dispatch that
 * waits has done so when its completion callback is called. Not thread safe for one semaphore.
 * mux_error_invalid_value: bad semaphore. */
MUX_MUST_CHECK mux_result_t muxResetSemaphore(mux_semaphore_t semaphore);

#ifdef __cplusplus
}
#endif

#endif
