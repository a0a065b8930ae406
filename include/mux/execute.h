/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Functions of Mux: queries, executables, kernels, dispatching and waiting. Include mux/mux.h. */
#ifndef MUX_EXECUTE_H
#define MUX_EXECUTE_H

#include "mux/object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------ queries */

/** Lists the hardware counters of a queue type. `count`: entries of both arrays, 0 when both are null; either may be
 * null. `out_count` (may be null) gets the number of all. Thread safe.
 * mux_error_invalid_value: bad device; unknown queue type; an array with count 0.
 * mux_error_null_out_parameter: all outputs null; no array with a count.
 * mux_error_feature_unsupported: no query_counter_support. */
MUX_MUST_CHECK mux_result_t muxGetSupportedQueryCounters(mux_device_t device, mux_queue_type_e queue_type,
                                                         uint32_t count, mux_query_counter_t *out_counters,
                                                         mux_query_counter_description_t *out_descriptions,
                                                         uint32_t *out_count);

/** Makes a pool of `query_count` results, zero at first. `counter_configs`: one per query for counters, null for
 * durations; read during the call. The caller owns the pool. Thread safe.
 * mux_error_invalid_value: bad queue; unknown type; count 0; configs null for counters or given for durations; an
 * unknown counter uuid. mux_error_feature_unsupported: counters without query_counter_support; the device has no query
 * pools.
 * mux_error_null_out_parameter. mux_error_null_allocator_callback. mux_error_out_of_memory. */
MUX_MUST_CHECK mux_result_t muxCreateQueryPool(mux_queue_t queue, mux_query_type_e query_type, uint32_t query_count,
                                               const mux_query_counter_config_t *counter_configs,
                                               mux_allocator_info_t allocator, mux_query_pool_t *out_query_pool);

/** Destroys a query pool that no command buffer refers to. Thread safe for distinct pools. */
void muxDestroyQueryPool(mux_queue_t queue, mux_query_pool_t query_pool, mux_allocator_info_t allocator);

/** Gives how often work must be run so that all these counters are measured. Thread safe.
 * mux_error_invalid_value: bad queue; count 0; null configs; an unknown counter uuid. mux_error_null_out_parameter.
 * mux_error_feature_unsupported: no query_counter_support. */
MUX_MUST_CHECK mux_result_t muxGetQueryCounterRequiredPasses(mux_queue_t queue, uint32_t query_count,
                                                             const mux_query_counter_config_t *counter_configs,
                                                             uint32_t *out_pass_count);

/** Copies results to `data`, of `size` bytes: one mux_query_duration_result_s or mux_query_counter_result_s (after the
 * pool's type) every `stride` bytes. Results are those of completed commands. Thread safe.
 * mux_error_invalid_value: bad queue or pool; count 0; slots beyond the pool; stride below the result's size; `size`
 * too small. mux_error_null_out_parameter: null `data`. mux_error_feature_unsupported: the device has no query
 * pools. */
MUX_MUST_CHECK mux_result_t muxGetQueryPoolResults(mux_queue_t queue, mux_query_pool_t query_pool, uint32_t query_index,
                                                   uint32_t query_count, size_t size, void *data, size_t stride);

/* ------------------------------------------------------------ executables and kernels */

/** Loads a binary that the target's code generation made; it is copied as needed. The caller owns the executable.
 * Thread safe.
 * mux_error_invalid_value: bad device; null `binary`; length 0. mux_error_invalid_binary: anything that the device
 * cannot load. mux_error_null_out_parameter. mux_error_null_allocator_callback. mux_error_out_of_memory. */
MUX_MUST_CHECK mux_result_t muxCreateExecutable(mux_device_t device, const void *binary, uint64_t binary_length,
                                                mux_allocator_info_t allocator, mux_executable_t *out_executable);

/** Where a variable of the executable's program lies in global memory, by name (`name_length` bytes; no NUL needed),
 * and its size in bytes. The address is good for kernels, muxCommandCopyPointer and, between commands, the host, as
 * long as the executable lives. Thread safe.
 * mux_error_invalid_value: bad device or executable; null or empty name. mux_error_missing_variable: no such name.
 * mux_error_feature_unsupported: no shares_host_memory. mux_error_null_out_parameter. */
MUX_MUST_CHECK mux_result_t muxGetExecutableVariable(mux_device_t device, mux_executable_t executable, const char *name,
                                                     uint64_t name_length, void **out_address, uint64_t *out_size);

/** Destroys an executable; its kernels must be gone. Thread safe for distinct executables. */
void muxDestroyExecutable(mux_device_t device, mux_executable_t executable, mux_allocator_info_t allocator);

/** Gives a kernel of the executable by name (`name_length` bytes; no NUL needed). The caller owns it; the executable
 * must outlive it. Thread safe.
 * mux_error_invalid_value: bad device or executable; null or empty name. mux_error_missing_kernel: no such name.
 * mux_error_null_out_parameter. mux_error_null_allocator_callback. mux_error_out_of_memory. */
MUX_MUST_CHECK mux_result_t muxCreateKernel(mux_device_t device, mux_executable_t executable, const char *name,
                                            uint64_t name_length, mux_allocator_info_t allocator,
                                            mux_kernel_t *out_kernel);

/** Gives a kernel of the device itself, one of the info's `builtin_kernel_declarations`. Otherwise as muxCreateKernel.
 * mux_error_feature_unsupported: no supports_builtin_kernels. */
MUX_MUST_CHECK mux_result_t muxCreateBuiltInKernel(mux_device_t device, const char *name, uint64_t name_length,
                                                   mux_allocator_info_t allocator, mux_kernel_t *out_kernel);

/** Destroys a kernel that no command buffer refers to. Thread safe for distinct kernels. */
void muxDestroyKernel(mux_device_t device, mux_kernel_t kernel, mux_allocator_info_t allocator);

/** Gives the size of the largest sub-group (the last one may be smaller) in a work-group of that local size: at most
 * its work-items. Thread safe.
 * mux_error_invalid_value: bad kernel; a size of 0. mux_error_null_out_parameter.
 * mux_error_feature_unsupported: the device has no sub-groups (max_sub_group_count is 0). */
MUX_MUST_CHECK mux_result_t muxQuerySubGroupSizeForLocalSize(mux_kernel_t kernel, size_t local_size_x,
                                                             size_t local_size_y, size_t local_size_z,
                                                             size_t *out_sub_group_size);

/** Gives a one-dimensional local size (y and z are 1) with that many full sub-groups, or 0, 0, 0 if there is none.
 * mux_error_invalid_value: bad kernel; `sub_group_count` 0. Otherwise as muxQuerySubGroupSizeForLocalSize. */
MUX_MUST_CHECK mux_result_t muxQueryLocalSizeForSubGroupCount(mux_kernel_t kernel, size_t sub_group_count,
                                                              size_t *out_local_size_x, size_t *out_local_size_y,
                                                              size_t *out_local_size_z);

/** Gives the largest number of sub-groups that a work-group of the kernel can have. Otherwise as
 * muxQuerySubGroupSizeForLocalSize. */
MUX_MUST_CHECK mux_result_t muxQueryMaxNumSubGroups(mux_kernel_t kernel, size_t *out_max_num_sub_groups);

/** Tells whether the kernel was vectorized across work-items, and how many it handles at once in each dimension, for
 * that local size: at most that. Thread safe.
 * mux_error_invalid_value: bad kernel; a size of 0. mux_error_null_out_parameter: any output null.
 * mux_error_feature_unsupported: the target does not vectorize. */
MUX_MUST_CHECK mux_result_t muxQueryWFVInfoForLocalSize(mux_kernel_t kernel, size_t local_size_x, size_t local_size_y,
                                                        size_t local_size_z, mux_wfv_status_e *out_wfv_status,
                                                        size_t *out_work_width_x, size_t *out_work_width_y,
                                                        size_t *out_work_width_z);

/** For a kernel that `has_versions`, before it is recorded: what an earlier process was told of it, and who is told
 * what this one measures. `remembered` is a number that `measured` got for the kernel of that name in an equal
 * executable on an equal device; 0: none. The target may take other numbers for 0. `measured`, which may be null, is
 * called with `user_data` and a number that is not 0 when more is known of the kernel: from any thread, with commands
 * of the kernel under way, until the kernel is destroyed. It calls no Mux function and does not wait. Not thread safe.
 * mux_error_invalid_value: bad kernel. mux_error_feature_unsupported: the kernel has one version. */
MUX_MUST_CHECK mux_result_t muxTuneKernel(mux_kernel_t kernel, uint64_t remembered, mux_tuning_callback_t measured,
                                          void *user_data);

/* ------------------------------------------------------------ execution */

/** Starts a finalized command buffer once all wait semaphores are signalled; returns without waiting for it. Dispatches
 * are ordered by semaphores only. At the end: `user_function` is called, then the signal semaphores are signalled, then
 * the fence; all of it also after a failure. A dispatch that waits for a failed one does not run, and fails alike. An
 * empty command buffer is legal. `fence` and `user_function` may be null; the lists are read during the call. A
 * semaphore stays signalled until reset, is signalled by one dispatch at a time, and may be waited for by many.
 * Everything named must live until the end; wait semaphores are not touched once `user_function` is called.
 * `user_function` may call any Mux function that does not wait, and after muxSignalDispatch those, too, that wait for a
 * fence. Thread safe.
 * Fence and semaphores are of the queue's device, which nobody checks.
 * mux_error_invalid_value: bad queue, command buffer, fence or semaphore, or of different targets; a command buffer of
 * another device; one that is not finalized or is dispatched already; a list that does not fit its length; a semaphore
 * in both lists.
 * mux_error_out_of_memory. On error nothing was started and nothing is called. */
MUX_MUST_CHECK mux_result_t muxDispatch(mux_queue_t queue, mux_command_buffer_t command_buffer, mux_fence_t fence,
                                        const mux_semaphore_t *wait_semaphores, uint32_t wait_semaphores_length,
                                        const mux_semaphore_t *signal_semaphores, uint32_t signal_semaphores_length,
                                        mux_dispatch_callback_t user_function, void *user_data);

/** Before muxDispatch: the calling thread will wait for its next dispatch on the queue, by its fence or for all, as
 * soon as muxDispatch has returned, and nothing comes in between that waits. The target then need not make another
 * thread execute what the calling thread can; without the wait it may never begin. Only that dispatch is meant.
 * Thread safe.
 * mux_error_invalid_value: bad queue. mux_error_feature_unsupported: nothing changes. */
MUX_MUST_CHECK mux_result_t muxAnnounceWait(mux_queue_t queue);

/** Ends the dispatch with that fence as soon as possible, as failed: kernels that run are left where they are, what has
 * not begun does not begin. Returns without waiting. Thread safe.
 * mux_error_invalid_value: bad queue or fence, or of different targets; no such dispatch, as it is complete perhaps.
 * mux_error_feature_unsupported: the target does not do that. */
MUX_MUST_CHECK mux_result_t muxCancelDispatch(mux_queue_t queue, mux_fence_t fence);

/** In the completion callback of the dispatch with that fence: signals its semaphores and the fence at once, instead of
 * after the callback. From here on the callback may wait for fences, and use again what was signalled.
 * mux_error_invalid_value: bad queue or fence, or of different targets; no such dispatch.
 * mux_error_feature_unsupported: the target does not do that; nothing is signalled early. */
MUX_MUST_CHECK mux_result_t muxSignalDispatch(mux_queue_t queue, mux_fence_t fence);

/** Waits until the fence is signalled, at most `timeout` nanoseconds: 0 only looks, UINT64_MAX waits without limit. The
 * calling thread may execute commands meanwhile, and exceed the timeout by what one of them takes. Not to be called
 * from a callback, except with timeout 0 or after muxSignalDispatch. Thread safe.
 * mux_fence_not_ready: not signalled in time. mux_error_fence_failure: signalled by a failure.
 * mux_error_invalid_value: bad queue or fence, or of different targets. */
MUX_MUST_CHECK mux_result_t muxTryWait(mux_queue_t queue, uint64_t timeout, mux_fence_t fence);

/** muxTryWait without a limit; never mux_fence_not_ready. */
MUX_MUST_CHECK mux_result_t muxWait(mux_queue_t queue, mux_fence_t fence);

/** Waits until everything dispatched on the queue before the call is complete and its callbacks have returned. Success
 * also when some of it failed: the callbacks were told. Not to be called from a callback. Thread safe.
 * mux_error_invalid_value: bad queue. */
MUX_MUST_CHECK mux_result_t muxWaitAll(mux_queue_t queue);

#ifdef __cplusplus
}
#endif

#endif
