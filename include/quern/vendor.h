/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Backends of others: a table of functions, registered at run time, becomes a backend beside those that the library
 * has. quern/interop.h does not include this. How to write one: docs/vendor-backends.md. */
#ifndef QUERN_VENDOR_H
#define QUERN_VENDOR_H

#include "quern/interop.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Native objects are the vendor's own, as pointers that are not null. All but platforms are counted: what a function
 * gives comes with a reference. Functions are called from any thread, several at once, never with a lock of the
 * library held that another call could need; they may not call the library, but for quern_vendor_set_message and the
 * function that `notify` was given. `data` is what the backend was registered with. A function that fails returns an
 * error of the library's, and may say more by quern_vendor_set_message. */

/** What a command is to do. */
typedef enum quern_vendor_action_e {
  /** Nothing but to be complete behind what it waits for; in an in-order queue, in its turn. */
  quern_vendor_marker,
  quern_vendor_kernel,
  quern_vendor_copy,
  quern_vendor_read,
  quern_vendor_write,
  quern_vendor_fill,
  /** Of unified memory; only where the table has `allocate`. */
  quern_vendor_copy_addresses,
  quern_vendor_fill_addresses,
  quern_vendor_prefetch,
  quern_vendor_advise
} quern_vendor_action_t;

/** An argument of a kernel. */
typedef struct quern_vendor_argument_t {
  uint32_t index;
  /** Which of these it is: a buffer, a sampler, an address, bytes, or when none is set, `size` bytes of local
   * memory. */
  void *buffer, *sampler;
  bool is_address;
  const void *address;
  size_t size;
  const void *bytes;
} quern_vendor_argument_t;

/** A command to enqueue. All that it points to lives until the call returns, but for `host` and addresses, which live
 * until it is complete. */
typedef struct quern_vendor_command_t {
  /** sizeof(quern_vendor_command_t) as the library was compiled. */
  size_t size;
  quern_vendor_action_t action;
  void *queue;
  /** Events of the queue's context. The command begins when all are complete; it fails if one has failed. In an
   * in-order queue it also begins when all enqueued there before are complete. */
  size_t wait_count;
  void *const *waits;
  /** Copy, read, write, fill: native buffers and byte offsets in them. */
  void *from, *to;
  size_t from_offset, to_offset;
  /** Bytes of all actions but kernels. */
  size_t bytes;
  /** Memory of the host that is read or written. */
  void *host;
  const void *source;
  /** Copy, fill, prefetch, advise: addresses. */
  void *to_address;
  const void *from_address;
  uint32_t advice;
  const void *pattern;
  size_t pattern_size;
  /** Kernel: its range, the arguments, and memory that it may reach by addresses that are no arguments. */
  void *kernel;
  const quern_range_t *range;
  size_t argument_count;
  const quern_vendor_argument_t *arguments;
  size_t indirect_count;
  void *const *indirect;
} quern_vendor_command_t;

typedef enum quern_vendor_status_e {
  quern_vendor_waiting,
  quern_vendor_running,
  quern_vendor_complete,
  /** Complete, and failed. */
  quern_vendor_failed
} quern_vendor_status_t;

/** All zero, then `size` and the functions, so that members added later are null. Those marked optional may be null. */
typedef struct quern_vendor_functions_t {
  /** sizeof(quern_vendor_functions_t) as the program was compiled. */
  size_t size;
  /** Set of kinds of objects whose native objects the application may have and bring: bits 1 << quern_object_<kind>. */
  uint32_t natives;

  /* --------------------------------------------------------- platforms and devices
   * Asked once, when the backend is opened. Lists fill in at most `capacity`, and tell the whole number. Native
   * platforms and root devices live as long as the process. */
  quern_result_t (*list_platforms)(void *data, size_t capacity, void **out_platforms, size_t *out_count);
  quern_result_t (*list_devices)(void *data, void *platform, size_t capacity, void **out_devices, size_t *out_count);
  /** Writes one fact, of the type that the list of facts says; texts are copied. What it refuses is not known. */
  quern_result_t (*get_platform_info)(void *data, void *platform, quern_platform_info_t info, size_t size,
                                      void *out_value);
  quern_result_t (*get_device_info)(void *data, void *device, quern_device_info_t info, size_t size, void *out_value);

  /* --------------------------------------------------------- objects */
  quern_result_t (*retain)(void *data, quern_object_t object, void *native);
  void (*release)(void *data, quern_object_t object, void *native);
  quern_result_t (*create_context)(void *data, void *platform, size_t count, void *const *devices, void **out_context);
  quern_result_t (*create_queue)(void *data, void *context, void *device, quern_queue_flags_t flags, void **out_queue);
  /** A buffer. `host` null: with undefined contents. Otherwise memory that it lies over (`is_shared`), or whose
   * contents it starts with. Shared memory is asked for only when all devices say has_host_unified_memory, its address
   * has their memory_base_address_alignment, and there is `on_destroy`. The host then sees in it what commands wrote
   * that are complete, and commands see what the host wrote before they were enqueued. */
  quern_result_t (*create_buffer)(void *data, void *context, size_t bytes, void *host, bool is_shared,
                                  void **out_buffer);
  /** Optional: calls `function(argument)` once when the buffer is gone for everybody. */
  quern_result_t (*on_destroy)(void *data, void *buffer, void (*function)(void *argument), void *argument);
  /** Optional: a range of a buffer as a buffer. */
  quern_result_t (*create_part)(void *data, void *buffer, size_t offset, size_t bytes, void **out_part);
  /** Waits until the host may use a range of a buffer, and gives its address; and the end of that. Of one buffer,
   * several ranges may be mapped at once. */
  quern_result_t (*map)(void *data, void *queue, void *buffer, quern_access_t access, size_t offset, size_t bytes,
                        void **out_address);
  quern_result_t (*unmap)(void *data, void *queue, void *buffer, void *address);
  /** Optional: programs and their kernels. */
  quern_result_t (*create_program)(void *data, void *context, const char *source, const char *options,
                                   void **out_program);
  quern_result_t (*create_kernel)(void *data, void *program, const char *name, void **out_kernel);
  /** Optional: samplers. */
  quern_result_t (*create_sampler)(void *data, void *context, const quern_sampler_description_t *description,
                                   void **out_sampler);
  /** Optional: unified memory, and its end. `device` null: for all of the context. */
  quern_result_t (*allocate)(void *data, void *context, void *device, quern_usm_kind_t kind, size_t bytes,
                             size_t alignment, void **out_address);
  void (*deallocate)(void *data, void *context, void *address);

  /* --------------------------------------------------------- execution */
  /** Enqueues, and gives the command's event; never waits. quern_error_feature_not_supported for an action that it does
   * not have: the group fails so. */
  quern_result_t (*enqueue)(void *data, const quern_vendor_command_t *command, void **out_event);
  /** Optional: has what was enqueued begin; without, it begins by itself. */
  void (*flush)(void *data, void *queue);
  /** How an event stands. On failure, `out_message` may get a text that lives as long as the event. */
  quern_vendor_status_t (*get_status)(void *data, void *event, const char **out_message);
  /** Waits until it is complete, be it by failure. */
  void (*wait)(void *data, void *event);
  /** Optional: calls `function(argument)` once when the event is complete, on any thread, or now. */
  quern_result_t (*notify)(void *data, void *event, void (*function)(void *argument), void *argument);
  /** Optional: when the command was enqueued, began and ended, in nanoseconds of any clock. */
  quern_result_t (*get_times)(void *data, void *event, uint64_t *out_enqueued, uint64_t *out_began,
                              uint64_t *out_ended);
  /** Optional: an event that stands for a group which has none, and its completion. */
  quern_result_t (*create_event)(void *data, void *context, void **out_event);
  void (*complete_event)(void *data, void *event, bool is_success);

  /* --------------------------------------------------------- native objects that the application brings
   * Optional, each with its bit in `natives`. */
  /** The native platform of a device. */
  quern_result_t (*find_platform)(void *data, void *device, void **out_platform);
  /** The devices of a context; as a list. */
  quern_result_t (*list_context_devices)(void *data, void *context, size_t capacity, void **out_devices,
                                         size_t *out_count);
  quern_result_t (*read_queue)(void *data, void *queue, void **out_context, void **out_device,
                               quern_queue_flags_t *out_flags);
  /** The context of an event, buffer, program, kernel or sampler. */
  quern_result_t (*find_context)(void *data, quern_object_t object, void *native, void **out_context);
  quern_result_t (*get_buffer_size)(void *data, void *buffer, size_t *out_bytes);
} quern_vendor_functions_t;

/** How many backends of others a process may have. */
enum { quern_vendor_capacity = 8 };

/** Registers a backend, for as long as the process lives; it is active from then on. `name` and `functions` are copied.
 * `out_backend` gets its value, which all functions take that take a backend. Its platforms are listed behind those of
 * the library's own backends, in the order of registration.
 * Errors: quern_error_invalid_argument: null, an empty name, the name of a backend that is there, a function missing
 * that is not optional, optional ones that need each other only in
 * part, a bit in `natives` without its functions, a size that no version has; quern_error_invalid_operation: there are
 * quern_vendor_capacity of them, or called in an interop task. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_vendor_register(const char *name,
                                                                const quern_vendor_functions_t *functions, void *data,
                                                                quern_backend_t *out_backend);

/** For a function of a vendor's that fails: the text becomes the calling thread's message, as one line. */
QUERN_API void quern_vendor_set_message(const char *message);

#ifdef __cplusplus
}
#endif

#endif
