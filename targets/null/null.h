/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The null target's own objects: each begins with the public part that mux.h declares. */
#ifndef NULL_NULL_H
#define NULL_NULL_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/list.h"
#include "mux/target.h"

typedef struct null_queue_t {
  struct mux_queue_s base;
} null_queue_t;

typedef struct null_device_t {
  struct mux_device_s base;
  mux_allocator_info_t allocator;
  null_queue_t queue;
  /** Executes all work, and calls back. */
  pthread_t thread;

  /** Guards everything below, the state of fences and semaphores, and query results. A leaf: nothing is called under
   * it. */
  pthread_mutex_t lock;
  /** Something is dispatched, complete, or `is_stopping` is set. */
  pthread_cond_t changed;
  /** null_dispatch_t in the order of muxDispatch, until they are complete. */
  list_t outstanding;
  uint64_t next_sequence;
  bool is_stopping;
} null_device_t;

typedef struct null_memory_t {
  struct mux_memory_s base;
  uint8_t *storage;
  bool owns_storage;
  /** Taken and given back by any thread. */
  atomic_bool is_mapped;
} null_memory_t;

typedef struct null_buffer_t {
  struct mux_buffer_s base;
  /** Null until it is bound; so for images. */
  uint8_t *bytes;
} null_buffer_t;

typedef struct null_image_t {
  struct mux_image_s base;
  uint8_t *bytes;
} null_image_t;

/** Of a fence or a semaphore. `result` is that of the dispatch that signalled it. */
typedef struct null_signal_t {
  null_device_t *device;
  bool is_signalled;
  mux_result_t result;
} null_signal_t;

typedef struct null_fence_t {
  struct mux_fence_s base;
  null_signal_t signal;
} null_fence_t;

typedef struct null_semaphore_t {
  struct mux_semaphore_s base;
  null_signal_t signal;
} null_semaphore_t;

typedef struct null_kernel_t {
  struct mux_kernel_s base;
} null_kernel_t;

typedef struct null_query_pool_t {
  struct mux_query_pool_s base;
  struct mux_query_duration_result_s results[];
} null_query_pool_t;

/* ------------------------------------------------------------ commands */

/** A box in memory of host or device, which are the same here. */
typedef struct null_box_t {
  uint8_t *bytes;
  /** Bytes from row to row, from slice to slice. */
  mux_extent_2d_t pitch;
} null_box_t;

typedef enum null_kind_e {
  null_kind_copy,
  null_kind_fill,
  null_kind_copy_id,
  null_kind_callback,
  null_kind_begin_query,
  null_kind_end_query,
  null_kind_reset_query,
} null_kind_e;

enum { null_max_pattern_size = 128, null_copy_id_arguments = 2 };

/** Commands own all they need by value: cloning a command buffer copies the array. */
typedef struct null_command_t {
  null_kind_e kind;
  /** Position among the recorded commands; one command of many regions is several of these with the same id. */
  mux_command_id_t id;
  union {
    struct {
      null_box_t src, dst;
      /** Bytes, rows, slices. */
      mux_extent_3d_t extent;
    } copy;
    struct {
      null_box_t dst;
      mux_extent_3d_t extent;
      uint8_t pattern[null_max_pattern_size];
      uint64_t pattern_size;
    } fill;
    /** The built-in kernel: out[i] = first + i for each work-item i. */
    struct {
      uint64_t work_items;
      uint8_t *out;
      /** Bytes from `out` to the end of its buffer. */
      uint64_t room;
      uint64_t first;
    } copy_id;
    struct {
      mux_command_user_callback_t function;
      void *user_data;
    } callback;
    struct {
      null_query_pool_t *pool;
      uint32_t index, count;
      /** While recording: begun and not ended. */
      bool is_open;
    } query;
  };
} null_command_t;

typedef enum null_state_e { null_state_recording, null_state_finalized, null_state_dispatched } null_state_e;

typedef struct null_command_buffer_t {
  struct mux_command_buffer_s base;
  mux_callback_info_t callback_info;
  mux_allocator_info_t allocator;
  /** One thread records, but another may be the one that ends a dispatch. */
  _Atomic null_state_e state;
  null_command_t *commands;
  size_t length, capacity;
  /** Commands run in order anyway, so that one sync point stands for all. */
  struct mux_sync_point_s sync_point;
} null_command_buffer_t;

/** Appends `count` zeroed commands that make up one recorded command, and gives out the sync point. */
MUX_MUST_CHECK mux_result_t null_record(mux_command_buffer_t command_buffer, size_t count, MUX_SYNC_PARAMETERS,
                                        null_command_t **out_commands);

/** The start routine of a device's thread, whose argument is the null_device_t. */
void *null_device_run(void *device);

/** Runs the commands until one fails; tells the command buffer's diagnostics callback why. No lock is held. */
mux_result_t null_command_buffer_execute(mux_queue_t queue, null_command_buffer_t *command_buffer);

/* ------------------------------------------------------------ operations
 * The operations that this target has; all others are optional and it does not claim their features. */

#define NULL_OPERATION_LIST(X)       \
  X(get_device_infos)                \
  X(create_devices)                  \
  X(destroy_device)                  \
  X(allocate_memory)                 \
  X(create_memory_from_host)         \
  X(free_memory)                     \
  X(map_memory)                      \
  X(unmap_memory)                    \
  X(flush_mapped_memory_to_device)   \
  X(flush_mapped_memory_from_device) \
  X(create_buffer)                   \
  X(destroy_buffer)                  \
  X(bind_buffer_memory)              \
  X(create_image)                    \
  X(destroy_image)                   \
  X(bind_image_memory)               \
  X(get_supported_image_formats)     \
  X(get_queue)                       \
  X(create_fence)                    \
  X(destroy_fence)                   \
  X(reset_fence)                     \
  X(create_semaphore)                \
  X(destroy_semaphore)               \
  X(reset_semaphore)                 \
  X(create_command_buffer)           \
  X(destroy_command_buffer)          \
  X(finalize_command_buffer)         \
  X(reset_command_buffer)            \
  X(clone_command_buffer)            \
  X(command_read_buffer)             \
  X(command_read_buffer_regions)     \
  X(command_write_buffer)            \
  X(command_write_buffer_regions)    \
  X(command_copy_buffer)             \
  X(command_copy_buffer_regions)     \
  X(command_fill_buffer)             \
  X(command_read_image)              \
  X(command_write_image)             \
  X(command_fill_image)              \
  X(command_copy_image)              \
  X(command_copy_image_to_buffer)    \
  X(command_copy_buffer_to_image)    \
  X(command_nd_range)                \
  X(update_descriptors)              \
  X(command_user_callback)           \
  X(command_begin_query)             \
  X(command_end_query)               \
  X(command_reset_query_pool)        \
  X(create_query_pool)               \
  X(destroy_query_pool)              \
  X(get_query_pool_results)          \
  X(create_executable)               \
  X(destroy_executable)              \
  X(create_kernel)                   \
  X(create_built_in_kernel)          \
  X(destroy_kernel)                  \
  X(dispatch)                        \
  X(try_wait)                        \
  X(wait)                            \
  X(wait_all)

/* The prototype of each comes from its pointer in the table, so that it is written once. */
#define NULL_OPERATION_DECLARE(operation) __typeof__(*((mux_target_t *)0)->operation) null_##operation;
NULL_OPERATION_LIST(NULL_OPERATION_DECLARE)
#undef NULL_OPERATION_DECLARE

#endif
