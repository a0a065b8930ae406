/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Functions of Mux: command buffers and the commands recorded into them. Include mux/mux.h. */
#ifndef MUX_COMMAND_H
#define MUX_COMMAND_H

#include "mux/object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------ command buffers
 * A command buffer is recording (new or reset), finalized, or dispatched; the end of a dispatch makes it finalized. */

/** Makes an empty command buffer, recording. `callback_info` may be null; otherwise it outlives the command buffer and
 * its clones and gets diagnostics about their work, on any thread. The caller owns the command buffer. Thread safe.
 * mux_error_invalid_value: bad device; `callback_info` without a callback.
 * mux_error_null_out_parameter. mux_error_null_allocator_callback. mux_error_out_of_memory. */
MUX_MUST_CHECK mux_result_t muxCreateCommandBuffer(mux_device_t device, mux_callback_info_t callback_info,
                                                   mux_allocator_info_t allocator,
                                                   mux_command_buffer_t *out_command_buffer);

/** Destroys a command buffer that is not dispatched, and its sync points; allowed inside its own completion callback.
 * Thread safe for distinct command buffers. */
void muxDestroyCommandBuffer(mux_device_t device, mux_command_buffer_t command_buffer, mux_allocator_info_t allocator);

/** Ends recording: from here on the command buffer can be dispatched, any number of times, one after the other.
 * Not thread safe for one command buffer.
 * mux_error_invalid_value: bad command buffer; one that is not recording; a query begun and not ended.
 * mux_error_out_of_memory. */
MUX_MUST_CHECK mux_result_t muxFinalizeCommandBuffer(mux_command_buffer_t command_buffer);

/** Empties a command buffer and opens it for recording; its sync points are gone. Allowed inside its own completion
 * callback. Not thread safe for one command buffer.
 * mux_error_invalid_value: bad command buffer; one that is dispatched. */
MUX_MUST_CHECK mux_result_t muxResetCommandBuffer(mux_command_buffer_t command_buffer);

/** Makes a finalized copy of a finalized command buffer, ND-range arguments included; updating one leaves the other as
 * it is. The caller owns the copy. Thread safe for distinct `command_buffer`.
 * mux_error_invalid_value: bad device or command buffer; one that is not finalized, or of another device.
 * mux_error_feature_unsupported: no can_clone_command_buffers.
 * mux_error_null_out_parameter. mux_error_null_allocator_callback. mux_error_out_of_memory. */
MUX_MUST_CHECK mux_result_t muxCloneCommandBuffer(mux_device_t device, mux_allocator_info_t allocator,
                                                  mux_command_buffer_t command_buffer,
                                                  mux_command_buffer_t *out_command_buffer);

/* ------------------------------------------------------------ commands
 * Every muxCommand function appends one command; commands of a command buffer run as if in order of recording. It takes
 * the sync points to wait for (of the same command buffer; a null list exactly when the number is 0), and may return
 * its own (`out_sync_point` may be null), which the command buffer owns until it is reset or destroyed. Buffers and
 * images are bound before a command names them. Objects that a command names must live, with the memory they are bound
 * to, until the command buffer has run for the last time or is reset. Host pointers are read or written when the
 * command executes, and must stay valid until then. Thread safe for distinct command buffers.
 *
 * Every one returns, and the comments below do not repeat:
 * mux_error_invalid_value: bad command buffer, or one that is not recording; a bad handle of another object, or one of
 * another target; a buffer or image that is not bound; a wait list that does not fit its length; a sync point that is
 * bad or of another command buffer.
 * mux_error_out_of_memory: the command could not be stored. */

#define MUX_SYNC_PARAMETERS \
  uint32_t num_sync_points_in_wait_list, const mux_sync_point_t *sync_point_wait_list, mux_sync_point_t *out_sync_point
/** Those parameters handed on. */
#define MUX_SYNC_ARGUMENTS num_sync_points_in_wait_list, sync_point_wait_list, out_sync_point

/** Copies `size` bytes at byte `offset` of the buffer to `host_pointer`.
 * mux_error_invalid_value: null `host_pointer`; size 0; a range beyond the buffer. */
MUX_MUST_CHECK mux_result_t muxCommandReadBuffer(mux_command_buffer_t command_buffer, mux_buffer_t buffer,
                                                 uint64_t offset, void *host_pointer, uint64_t size,
                                                 MUX_SYNC_PARAMETERS);

/** Copies boxes from the buffer to the host. In regions of read and write, "src" and "dst" follow the direction of the
 * data; buffer and pointer are the bases. Regions are copied while recording; they run in no particular order, so that
 * none may write what another one reads or writes, which nobody checks.
 * mux_error_invalid_value: null `host_pointer`; no regions; an extent or pitch of 0; a row pitch below the width; a box
 * that leaves the buffer. */
MUX_MUST_CHECK mux_result_t muxCommandReadBufferRegions(mux_command_buffer_t command_buffer, mux_buffer_t buffer,
                                                        void *host_pointer, const mux_buffer_region_info_t *regions,
                                                        uint64_t regions_length, MUX_SYNC_PARAMETERS);

/** Copies `size` bytes at `host_pointer` to byte `offset` of the buffer. Errors as muxCommandReadBuffer. */
MUX_MUST_CHECK mux_result_t muxCommandWriteBuffer(mux_command_buffer_t command_buffer, mux_buffer_t buffer,
                                                  uint64_t offset, const void *host_pointer, uint64_t size,
                                                  MUX_SYNC_PARAMETERS);

/** Copies boxes from the host to the buffer. Errors as muxCommandReadBufferRegions. */
MUX_MUST_CHECK mux_result_t muxCommandWriteBufferRegions(mux_command_buffer_t command_buffer, mux_buffer_t buffer,
                                                         const void *host_pointer,
                                                         const mux_buffer_region_info_t *regions,
                                                         uint64_t regions_length, MUX_SYNC_PARAMETERS);

/** Copies `size` bytes from one buffer to another, or inside one. Buffers that share memory must not overlap either,
 * which nobody checks.
 * mux_error_invalid_value: size 0; a range beyond its buffer; ranges of one buffer that overlap. */
MUX_MUST_CHECK mux_result_t muxCommandCopyBuffer(mux_command_buffer_t command_buffer, mux_buffer_t src_buffer,
                                                 uint64_t src_offset, mux_buffer_t dst_buffer, uint64_t dst_offset,
                                                 uint64_t size, MUX_SYNC_PARAMETERS);

/** Copies boxes from one buffer to another, or inside one; see muxCommandCopyBuffer.
 * mux_error_invalid_value: as muxCommandReadBufferRegions; boxes of one region in one buffer that overlap (with
 * different pitches: whose spans from first to last byte overlap). */
MUX_MUST_CHECK mux_result_t muxCommandCopyBufferRegions(mux_command_buffer_t command_buffer, mux_buffer_t src_buffer,
                                                        mux_buffer_t dst_buffer,
                                                        const mux_buffer_region_info_t *regions,
                                                        uint64_t regions_length, MUX_SYNC_PARAMETERS);

/** Repeats a pattern of `pattern_size` bytes, 1 to 128, over `size` bytes at byte `offset`. The pattern is copied while
 * recording.
 * mux_error_invalid_value: null pattern; a pattern size out of bounds or that does not divide both `offset` and `size`;
 * size 0; a range beyond the buffer. */
MUX_MUST_CHECK mux_result_t muxCommandFillBuffer(mux_command_buffer_t command_buffer, mux_buffer_t buffer,
                                                 uint64_t offset, uint64_t size, const void *pattern_pointer,
                                                 uint64_t pattern_size, MUX_SYNC_PARAMETERS);

/** Copies `size` bytes from one address of the process to another; the ranges do not overlap. Both are used when the
 * command executes.
 * mux_error_invalid_value: a null pointer; size 0; ranges that overlap or leave the address space.
 * mux_error_feature_unsupported, here and in the next one: no shares_host_memory. */
MUX_MUST_CHECK mux_result_t muxCommandCopyPointer(mux_command_buffer_t command_buffer, void *destination,
                                                  const void *source, uint64_t size, MUX_SYNC_PARAMETERS);

/** Repeats a pattern of `pattern_size` bytes, 1 to 128, over the `size` bytes at `destination`. The pattern is copied
 * while recording.
 * mux_error_invalid_value: a null pointer; a pattern size out of bounds or that does not divide `size`; size 0; a range
 * that leaves the address space. */
MUX_MUST_CHECK mux_result_t muxCommandFillPointer(mux_command_buffer_t command_buffer, void *destination, uint64_t size,
                                                  const void *pattern_pointer, uint64_t pattern_size,
                                                  MUX_SYNC_PARAMETERS);

/** Copies a box of pixels to the host. `offset` and `extent` are pixels; the layer is y of a 1d array and z of a 2d
 * array.
 * `row_size`, `slice_size`: bytes from row to row and slice to slice at `pointer`, 0 for tightly packed.
 * mux_error_invalid_value: null pointer; an extent of 0; a box that leaves the image; a row or slice size that is
 * neither 0 nor large enough. mux_error_feature_unsupported, here and in all image commands: no image_support. */
MUX_MUST_CHECK mux_result_t muxCommandReadImage(mux_command_buffer_t command_buffer, mux_image_t image,
                                                mux_offset_3d_t offset, mux_extent_3d_t extent, uint64_t row_size,
                                                uint64_t slice_size, void *pointer, MUX_SYNC_PARAMETERS);

/** Copies a box of pixels from the host. Errors as muxCommandReadImage. */
MUX_MUST_CHECK mux_result_t muxCommandWriteImage(mux_command_buffer_t command_buffer, mux_image_t image,
                                                 mux_offset_3d_t offset, mux_extent_3d_t extent, uint64_t row_size,
                                                 uint64_t slice_size, const void *pointer, MUX_SYNC_PARAMETERS);

/** Sets every pixel of a box to `color`: one pixel in the image's own format, copied while recording. `color_size` is
 * the image's `pixel_size`, 1 to 16 bytes.
 * mux_error_invalid_value: null color; another color size; an extent of 0; a box that leaves the image. */
MUX_MUST_CHECK mux_result_t muxCommandFillImage(mux_command_buffer_t command_buffer, mux_image_t image,
                                                const void *color, uint32_t color_size, mux_offset_3d_t offset,
                                                mux_extent_3d_t extent, MUX_SYNC_PARAMETERS);

/** Copies a box of pixels from one image to another, or inside one.
 * mux_error_invalid_value: different formats; an extent of 0; a box that leaves its image; boxes of one image that
 * overlap. */
MUX_MUST_CHECK mux_result_t muxCommandCopyImage(mux_command_buffer_t command_buffer, mux_image_t src_image,
                                                mux_image_t dst_image, mux_offset_3d_t src_offset,
                                                mux_offset_3d_t dst_offset, mux_extent_3d_t extent,
                                                MUX_SYNC_PARAMETERS);

/** Copies a box of pixels to a buffer, tightly packed from byte `dst_offset` on.
 * mux_error_invalid_value: an extent of 0; a box that leaves the image; pixels beyond the buffer. */
MUX_MUST_CHECK mux_result_t muxCommandCopyImageToBuffer(mux_command_buffer_t command_buffer, mux_image_t src_image,
                                                        mux_buffer_t dst_buffer, mux_offset_3d_t src_offset,
                                                        uint64_t dst_offset, mux_extent_3d_t extent,
                                                        MUX_SYNC_PARAMETERS);

/** Copies tightly packed pixels from byte `src_offset` of a buffer to a box of an image. Errors as
 * muxCommandCopyImageToBuffer. */
MUX_MUST_CHECK mux_result_t muxCommandCopyBufferToImage(mux_command_buffer_t command_buffer, mux_buffer_t src_buffer,
                                                        mux_image_t dst_image, uint64_t src_offset,
                                                        mux_offset_3d_t dst_offset, mux_extent_3d_t extent,
                                                        MUX_SYNC_PARAMETERS);

/** Runs a kernel over an ND-range. The descriptors, the sizes and the plain data are copied while recording.
 * mux_error_invalid_value: dimensions not 1 to 3; null or zero `global_size`; a global offset plus size beyond size_t,
 * or more work-items than 64 bits count; a local size of 0, or above the device's limit in one dimension
 * (max_work_group_size_x, y, z) or as a product (max_concurrent_work_items), or other than the kernel requires; null
 * descriptors with a length; descriptors that do not fit the kernel's arguments in number or type; a descriptor of
 * unknown type, with a bad handle, an offset not inside its buffer, null or empty plain data, or an empty local buffer.
 * mux_error_feature_unsupported: a custom buffer on a device without mux_custom_buffer_capabilities_data.
 * mux_error_out_of_memory: also when the local memory of kernel and arguments is above `shared_local_memory_size`. */
MUX_MUST_CHECK mux_result_t muxCommandNDRange(mux_command_buffer_t command_buffer, mux_kernel_t kernel,
                                              mux_ndrange_options_t options, MUX_SYNC_PARAMETERS);

/** Replaces arguments of an ND-range command in a command buffer that is finalized and not dispatched: argument
 * `arg_indices[i]` becomes `descriptors[i]`, copied like those of muxCommandNDRange. `command_id` is the command's
 * position, counting every command recorded from 0. All arguments are replaced, or none. Takes no sync points.
 * mux_error_invalid_value: bad command buffer, or one that is not finalized or is dispatched; `num_args` 0; a null
 * array; no such command, or no ND-range; an index that is no argument; a descriptor that is malformed, of another type
 * than recorded (a buffer and a null buffer are alike), or plain data of another length.
 * mux_error_feature_unsupported: no descriptors_updatable; a custom buffer as for muxCommandNDRange.
 * mux_error_out_of_memory: as for muxCommandNDRange. */
MUX_MUST_CHECK mux_result_t muxUpdateDescriptors(mux_command_buffer_t command_buffer, mux_command_id_t command_id,
                                                 uint64_t num_args, const uint64_t *arg_indices,
                                                 const mux_descriptor_info_t *descriptors);

/** Calls a host function in order, with the queue that the command buffer was dispatched to.
 * mux_error_invalid_value: null `user_function`. */
MUX_MUST_CHECK mux_result_t muxCommandUserCallback(mux_command_buffer_t command_buffer,
                                                   mux_command_user_callback_t user_function, void *user_data,
                                                   MUX_SYNC_PARAMETERS);

/** Starts measuring: what runs up to muxCommandEndQuery on the same slots is measured into `query_count` slots of the
 * pool, from `query_index` on.
 * mux_error_invalid_value: count 0; slots beyond the pool; slots that are begun already.
 * mux_error_feature_unsupported: the device has no query pools. */
MUX_MUST_CHECK mux_result_t muxCommandBeginQuery(mux_command_buffer_t command_buffer, mux_query_pool_t query_pool,
                                                 uint32_t query_index, uint32_t query_count, MUX_SYNC_PARAMETERS);

/** Ends measuring. mux_error_invalid_value: count 0; slots beyond the pool; slots not begun in this command buffer by
 * one command with the same slots. mux_error_feature_unsupported: the device has no query pools. */
MUX_MUST_CHECK mux_result_t muxCommandEndQuery(mux_command_buffer_t command_buffer, mux_query_pool_t query_pool,
                                               uint32_t query_index, uint32_t query_count, MUX_SYNC_PARAMETERS);

/** Sets results to zero. mux_error_invalid_value: count 0; slots beyond the pool.
 * mux_error_feature_unsupported: the device has no query pools. */
MUX_MUST_CHECK mux_result_t muxCommandResetQueryPool(mux_command_buffer_t command_buffer, mux_query_pool_t query_pool,
                                                     uint32_t query_index, uint32_t query_count, MUX_SYNC_PARAMETERS);

#ifdef __cplusplus
}
#endif

#endif
