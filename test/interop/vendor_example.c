/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The example backend: objects, a list of commands, and threads that run those that wait for nothing any more. */
#include "vendor_example.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { device_count = 2, thread_count = 2, alignment_bits = 1024 };

/** Every counted object. */
typedef struct object_t {
  atomic_int references;
  quern_object_t kind;
  example_t *owner;
  /** What it belongs to, held: a context, or a program's kernels. */
  struct object_t *parent;
  /** Buffers. */
  char *bytes;
  size_t size;
  bool owns_bytes;
  void (*on_destroy)(void *argument);
  void *on_destroy_argument;
  /** Queues: in order, a command waits for the one before. */
  int *device;
  quern_queue_flags_t flags;
  struct object_t *last;
  /** Kernels. */
  char name[32];
  /** Events: guarded by the lock. */
  quern_vendor_status_t status;
  const char *message;
  uint64_t times[3];
  void (*notify)(void *argument);
  void *notify_argument;
  /** The event's command, with copies of all that it points to. */
  quern_vendor_command_t command;
  struct object_t *queue, **waits;
  size_t wait_count;
  quern_range_t range;
  quern_vendor_argument_t *arguments;
  char pattern[128];
  struct object_t *next;
} object_t;

static int platform, devices[device_count];

static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  /** Events of commands that have not begun. */
  object_t *first;
  size_t running;
  bool has_threads;
} engine = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* ------------------------------------------------------------ objects */

static object_t *create(example_t *owner, quern_object_t kind, object_t *parent) {
  object_t *object = calloc(1, sizeof(*object));
  if (!object) return NULL;
  atomic_init(&object->references, 1);
  object->kind = kind;
  object->owner = owner;
  object->parent = parent;
  if (parent) atomic_fetch_add(&parent->references, 1);
  atomic_fetch_add(&owner->objects, 1);
  return object;
}

static object_t *hold(object_t *object) {
  atomic_fetch_add(&object->references, 1);
  return object;
}

static void drop(object_t *object) {
  if (!object || atomic_fetch_sub(&object->references, 1) != 1) return;
  for (size_t i = 0; i < object->wait_count; i++) drop(object->waits[i]);
  drop(object->queue);
  drop(object->last);
  if (object->owns_bytes) free(object->bytes);
  if (object->on_destroy) object->on_destroy(object->on_destroy_argument);
  drop(object->parent);
  free((void *)object->waits);
  free(object->arguments);
  atomic_fetch_sub(&object->owner->objects, 1);
  free(object);
}

static bool is_device(const void *native) { return native == &devices[0] || native == &devices[1]; }

static quern_result_t retain(void *data, quern_object_t kind, void *native) {
  (void)data;
  (void)kind;
  if (!is_device(native)) hold(native);
  return quern_success;
}

static void release(void *data, quern_object_t kind, void *native) {
  (void)data;
  (void)kind;
  if (!is_device(native)) drop(native);
}

static quern_result_t give(object_t *object, void **out) {
  if (!object) return quern_error_out_of_memory;
  *out = object;
  return quern_success;
}

/* ------------------------------------------------------------ platforms and devices */

static quern_result_t list(size_t have, int *items, size_t capacity, void **out_items, size_t *out_count) {
  for (size_t i = 0; i < have && i < capacity; i++) out_items[i] = &items[i];
  *out_count = have;
  return quern_success;
}

static quern_result_t list_platforms(void *data, size_t capacity, void **out_platforms, size_t *out_count) {
  const example_t *example = data;
  return list(example->is_absent ? 0 : 1, &platform, capacity, out_platforms, out_count);
}

static quern_result_t list_devices(void *data, void *of, size_t capacity, void **out_devices, size_t *out_count) {
  (void)data;
  (void)of;
  return list(device_count, devices, capacity, out_devices, out_count);
}

static quern_result_t write_fact(const void *fact, size_t fact_size, size_t size, void *out_value) {
  if (fact_size != size) return quern_error_invalid_argument;
  memcpy(out_value, fact, size);
  return quern_success;
}

#define FACT(type, value) write_fact((const void *)&(const type){value}, sizeof(type), size, out_value)

static quern_result_t get_platform_info(void *data, void *of, quern_platform_info_t info, size_t size,
                                        void *out_value) {
  (void)data;
  (void)of;
  switch (info) {
    case quern_platform_info_name: return FACT(char *, "Example");
    case quern_platform_info_vendor: return FACT(char *, "The Quern authors");
    default: return quern_error_not_found;
  }
}

static quern_result_t get_device_info(void *data, void *device, quern_device_info_t info, size_t size,
                                      void *out_value) {
  (void)data;
  switch (info) {
    case quern_device_info_name: return FACT(char *, device == &devices[0] ? "separate" : "unified");
    case quern_device_info_type: return FACT(quern_device_type_t, quern_device_type_accelerator);
    case quern_device_info_max_compute_units: return FACT(uint32_t, thread_count);
    case quern_device_info_memory_base_address_alignment: return FACT(uint32_t, alignment_bits);
    case quern_device_info_has_host_unified_memory: return FACT(bool, device == &devices[1]);
    case quern_device_info_is_available: return FACT(bool, true);
    default: return quern_error_not_found;
  }
}

static quern_result_t find_platform(void *data, void *device, void **out_platform) {
  (void)data;
  if (!is_device(device)) return quern_error_invalid_argument;
  *out_platform = &platform;
  return quern_success;
}

/* ------------------------------------------------------------ contexts, queues, buffers, programs */

static quern_result_t create_context(void *data, void *of, size_t count, void *const *of_devices, void **out_context) {
  object_t *context = create(data, quern_object_context, NULL);
  (void)of;
  if (context) context->size = count;
  if (context) context->device = of_devices[0];
  return give(context, out_context);
}

static quern_result_t list_context_devices(void *data, void *context, size_t capacity, void **out_devices,
                                           size_t *out_count) {
  const object_t *object = context;
  (void)data;
  *out_count = object->size;
  for (size_t i = 0; i < capacity && i < object->size; i++)
    out_devices[i] = object->size == 1 ? object->device : &devices[i];
  return quern_success;
}

static quern_result_t create_queue(void *data, void *context, void *device, quern_queue_flags_t flags,
                                   void **out_queue) {
  object_t *queue = create(data, quern_object_queue, context);
  if (queue) queue->device = device;
  if (queue) queue->flags = flags;
  return give(queue, out_queue);
}

static quern_result_t read_queue(void *data, void *queue, void **out_context, void **out_device,
                                 quern_queue_flags_t *out_flags) {
  const object_t *object = queue;
  (void)data;
  *out_context = object->parent;
  *out_device = object->device;
  *out_flags = object->flags;
  return quern_success;
}

static quern_result_t create_buffer(void *data, void *context, size_t bytes, void *host, bool is_shared,
                                    void **out_buffer) {
  object_t *buffer = create(data, quern_object_buffer, context);
  if (!buffer) return quern_error_out_of_memory;
  buffer->size = bytes;
  buffer->owns_bytes = !is_shared;
  buffer->bytes = is_shared ? host : malloc(bytes);
  if (!buffer->bytes) {
    drop(buffer);
    return quern_error_out_of_memory;
  }
  if (host && !is_shared) memcpy(buffer->bytes, host, bytes);
  return give(buffer, out_buffer);
}

static quern_result_t create_part(void *data, void *buffer, size_t offset, size_t bytes, void **out_part) {
  object_t *part = create(data, quern_object_buffer, buffer);
  if (part) part->bytes = ((object_t *)buffer)->bytes + offset;
  if (part) part->size = bytes;
  return give(part, out_part);
}

static quern_result_t on_destroy(void *data, void *buffer, void (*function)(void *argument), void *argument) {
  object_t *object = buffer;
  (void)data;
  object->on_destroy = function;
  object->on_destroy_argument = argument;
  return quern_success;
}

static quern_result_t get_buffer_size(void *data, void *buffer, size_t *out_bytes) {
  (void)data;
  *out_bytes = ((const object_t *)buffer)->size;
  return quern_success;
}

static quern_result_t create_program(void *data, void *context, const char *source, const char *options,
                                     void **out_program) {
  (void)options;
  if (strchr(source, '(')) {
    quern_vendor_set_message("a program is a list of names,\nnot a source");
    return quern_error_build_failed;
  }
  return give(create(data, quern_object_program, context), out_program);
}

static quern_result_t create_kernel(void *data, void *program, const char *name, void **out_kernel) {
  static const char *const names[] = {"add", "scale", "chase", "fault", "late"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (strcmp(names[i], name) != 0) continue;
    object_t *kernel = create(data, quern_object_kernel, program);
    if (kernel) strcpy(kernel->name, name);
    return give(kernel, out_kernel);
  }
  return quern_error_not_found;
}

static quern_result_t find_context(void *data, quern_object_t kind, void *native, void **out_context) {
  object_t *object = native;
  (void)data;
  (void)kind;
  while (object->kind != quern_object_context)
    object = object->kind == quern_object_event ? object->queue : object->parent;
  *out_context = object;
  return quern_success;
}

static quern_result_t allocate(void *data, void *context, void *device, quern_usm_kind_t kind, size_t bytes,
                               size_t alignment, void **out_address) {
  (void)data;
  (void)context;
  (void)device;
  (void)kind;
  return posix_memalign(out_address, alignment > 64 ? alignment : 64, bytes) == 0 ? quern_success
                                                                                  : quern_error_out_of_memory;
}

static void deallocate(void *data, void *context, void *address) {
  (void)data;
  (void)context;
  free(address);
}

/* ------------------------------------------------------------ running */

static void *address_of(const object_t *event, uint32_t index) {
  for (size_t i = 0; i < event->command.argument_count; i++) {
    const quern_vendor_argument_t *argument = &event->arguments[i];
    if (argument->index != index) continue;
    return argument->is_address ? (void *)(uintptr_t)argument->address : ((object_t *)argument->buffer)->bytes;
  }
  return NULL;
}

static int value_of(const object_t *event, uint32_t index) {
  int value = 0;
  for (size_t i = 0; i < event->command.argument_count; i++) {
    if (event->arguments[i].index == index) memcpy(&value, event->arguments[i].bytes, sizeof(value));
  }
  return value;
}

/* Returns why it failed, or null. */
static const char *run_kernel(const object_t *event) {
  const object_t *kernel = event->command.kernel;
  int *x = address_of(event, 0), *y;
  if (!strcmp(kernel->name, "fault")) return "the kernel fails on purpose";
  if (!strcmp(kernel->name, "late")) nanosleep(&(const struct timespec){0, 20000000}, NULL);
  for (size_t i = 0; i < event->range.global[0]; i++) {
    size_t at = event->range.offset[0] + i;
    switch (kernel->name[0]) {
      case 'l':
      case 'a': x[at] += value_of(event, 1); break;
      case 's':
        y = address_of(event, 1);
        y[at] = x[at] * value_of(event, 2);
        break;
      default:
        for (int j = 0; j < 2; j++) ((int **)(void *)x)[j][at]++;
    }
  }
  return NULL;
}

static void run_fill(char *to, const object_t *event) {
  const quern_vendor_command_t *command = &event->command;
  for (size_t i = 0; i < command->bytes; i += command->pattern_size) {
    memcpy(to + i, event->pattern, command->pattern_size);
  }
}

static const char *run(const object_t *event) {
  const quern_vendor_command_t *command = &event->command;
  const char *from = command->from ? ((object_t *)command->from)->bytes + command->from_offset : command->source;
  char *to = command->to ? ((object_t *)command->to)->bytes + command->to_offset : command->host;
  switch (command->action) {
    case quern_vendor_kernel: return run_kernel(event);
    case quern_vendor_copy:
    case quern_vendor_read:
    case quern_vendor_write: memcpy(to, from, command->bytes); break;
    case quern_vendor_fill: run_fill(to, event); break;
    case quern_vendor_copy_addresses: memcpy(command->to_address, command->from_address, command->bytes); break;
    case quern_vendor_fill_addresses: run_fill(command->to_address, event); break;
    default: break;
  }
  return NULL;
}

static bool is_over(const object_t *event) { return event->status >= quern_vendor_complete; }

/* The first command that waits for nothing, out of the list. With the lock. */
static object_t *take(void) {
  for (object_t **link = &engine.first; *link; link = &(*link)->next) {
    object_t *event = *link;
    bool is_ready = true;
    for (size_t i = 0; i < event->wait_count; i++) is_ready &= is_over(event->waits[i]);
    if (!is_ready) continue;
    *link = event->next;
    return event;
  }
  return NULL;
}

/* In order, the last of what it waits for is only the one before it in the queue. With the lock. */
static const char *find_failure(const object_t *event) {
  for (size_t i = 0; i < event->command.wait_count; i++) {
    if (event->waits[i]->status == quern_vendor_failed) return "what the command waited for failed";
  }
  return NULL;
}

/* Gives back what it waited for, so that chains do not keep all that was. */
static void end(object_t *event, const char *failure) {
  pthread_mutex_lock(&engine.lock);
  event->message = failure;
  event->times[2] = now();
  event->status = failure ? quern_vendor_failed : quern_vendor_complete;
  void (*notify)(void *) = event->notify;
  void *argument = event->notify_argument;
  size_t count = event->wait_count;
  event->wait_count = 0;
  object_t *queue = event->queue;
  bool is_last = queue->last == event;
  if (is_last) queue->last = NULL;
  pthread_cond_broadcast(&engine.changed);
  pthread_mutex_unlock(&engine.lock);
  for (size_t i = 0; i < count; i++) drop(event->waits[i]);
  if (is_last) drop(event);
  if (notify) notify(argument);
}

static void *work(void *data) {
  (void)data;
  pthread_mutex_lock(&engine.lock);
  for (;;) {
    object_t *event = take();
    if (!event) {
      pthread_cond_wait(&engine.changed, &engine.lock);
      continue;
    }
    engine.running++;
    event->status = quern_vendor_running;
    event->times[1] = now();
    const char *failure = find_failure(event);
    pthread_mutex_unlock(&engine.lock);
    end(event, failure ? failure : run(event));
    drop(event);
    pthread_mutex_lock(&engine.lock);
    engine.running--;
    pthread_cond_broadcast(&engine.changed);
  }
  return NULL;
}

/* With the lock. */
static void start_threads(void) {
  pthread_t thread;
  if (engine.has_threads) return;
  engine.has_threads = true;
  for (int i = 0; i < thread_count; i++) {
    if (pthread_create(&thread, NULL, work, NULL) == 0) pthread_detach(thread);
  }
}

void example_finish(void) {
  pthread_mutex_lock(&engine.lock);
  while (engine.first || engine.running) pthread_cond_wait(&engine.changed, &engine.lock);
  pthread_mutex_unlock(&engine.lock);
}

/* ------------------------------------------------------------ enqueuing */

static bool copy_command(object_t *event, const quern_vendor_command_t *command) {
  event->command = *command;
  event->waits = calloc(command->wait_count + 1, sizeof(object_t *));
  event->arguments = calloc(command->argument_count + 1, sizeof(*event->arguments));
  if (!event->waits || !event->arguments) return false;
  for (size_t i = 0; i < command->wait_count; i++) event->waits[event->wait_count++] = hold(command->waits[i]);
  if (command->pattern_size) memcpy(event->pattern, command->pattern, command->pattern_size);
  if (command->range) event->range = *command->range;
  for (size_t i = 0; i < command->argument_count; i++) {
    event->arguments[i] = command->arguments[i];
    /* All kernels have at most one value, of an int. */
    if (!command->arguments[i].bytes) continue;
    memcpy(event->pattern, command->arguments[i].bytes, sizeof(int));
    event->arguments[i].bytes = event->pattern;
  }
  event->queue = hold(command->queue);
  return true;
}

/* The library keeps buffers and kernels until the event is complete. */
static quern_result_t enqueue(void *data, const quern_vendor_command_t *command, void **out_event) {
  object_t *queue = command->queue, *event = create(data, quern_object_event, NULL);
  if (!event) return quern_error_out_of_memory;
  if (command->action == quern_vendor_advise) {
    drop(event);
    return quern_error_feature_not_supported;
  }
  if (!copy_command(event, command)) {
    drop(event);
    return quern_error_out_of_memory;
  }
  pthread_mutex_lock(&engine.lock);
  start_threads();
  object_t *before = queue->last;
  bool in_order = !(queue->flags & quern_queue_out_of_order);
  if (in_order) {
    if (before && !is_over(before)) event->waits[event->wait_count++] = hold(before);
    queue->last = hold(event);
  }
  event->times[0] = now();
  object_t **link = &engine.first;
  while (*link) link = &(*link)->next;
  *link = hold(event);
  pthread_cond_broadcast(&engine.changed);
  pthread_mutex_unlock(&engine.lock);
  if (in_order && before) drop(before);
  *out_event = event;
  return quern_success;
}

static quern_vendor_status_t get_status(void *data, void *event, const char **out_message) {
  const object_t *object = event;
  (void)data;
  pthread_mutex_lock(&engine.lock);
  quern_vendor_status_t status = object->status;
  if (status == quern_vendor_failed) *out_message = object->message;
  pthread_mutex_unlock(&engine.lock);
  return status;
}

static void wait(void *data, void *event) {
  (void)data;
  pthread_mutex_lock(&engine.lock);
  while (!is_over(event)) pthread_cond_wait(&engine.changed, &engine.lock);
  pthread_mutex_unlock(&engine.lock);
}

static quern_result_t notify(void *data, void *event, void (*function)(void *argument), void *argument) {
  object_t *object = event;
  (void)data;
  pthread_mutex_lock(&engine.lock);
  bool is_now = is_over(object);
  bool is_taken = !is_now && object->notify;
  if (!is_now && !is_taken) {
    object->notify = function;
    object->notify_argument = argument;
  }
  pthread_mutex_unlock(&engine.lock);
  if (is_now) function(argument);
  return is_taken ? quern_error_feature_not_supported : quern_success;
}

static quern_result_t get_times(void *data, void *event, uint64_t *out_enqueued, uint64_t *out_began,
                                uint64_t *out_ended) {
  const object_t *object = event;
  (void)data;
  *out_enqueued = object->times[0];
  *out_began = object->times[1];
  *out_ended = object->times[2];
  return quern_success;
}

static quern_result_t create_event(void *data, void *context, void **out_event) {
  object_t *event = create(data, quern_object_event, NULL);
  if (event) event->queue = hold(context);
  return give(event, out_event);
}

static void complete_event(void *data, void *event, bool is_success) {
  (void)data;
  end(event, is_success ? NULL : "the group failed");
}

/* Commands that use the buffer are complete when the library maps it. */
static quern_result_t map(void *data, void *queue, void *buffer, quern_access_t access, size_t offset, size_t bytes,
                          void **out_address) {
  (void)data;
  (void)queue;
  (void)access;
  (void)bytes;
  *out_address = ((object_t *)buffer)->bytes + offset;
  return quern_success;
}

static quern_result_t unmap(void *data, void *queue, void *buffer, void *address) {
  (void)data;
  (void)queue;
  (void)buffer;
  (void)address;
  return quern_success;
}

const quern_vendor_functions_t example_functions = {
    .size = sizeof(quern_vendor_functions_t),
    .natives = 1u << quern_object_platform | 1u << quern_object_device | 1u << quern_object_context |
               1u << quern_object_queue | 1u << quern_object_event | 1u << quern_object_buffer |
               1u << quern_object_program | 1u << quern_object_kernel,
    .list_platforms = list_platforms,
    .list_devices = list_devices,
    .get_platform_info = get_platform_info,
    .get_device_info = get_device_info,
    .retain = retain,
    .release = release,
    .create_context = create_context,
    .create_queue = create_queue,
    .create_buffer = create_buffer,
    .on_destroy = on_destroy,
    .create_part = create_part,
    .map = map,
    .unmap = unmap,
    .create_program = create_program,
    .create_kernel = create_kernel,
    .allocate = allocate,
    .deallocate = deallocate,
    .enqueue = enqueue,
    .get_status = get_status,
    .wait = wait,
    .notify = notify,
    .get_times = get_times,
    .create_event = create_event,
    .complete_event = complete_event,
    .find_platform = find_platform,
    .list_context_devices = list_context_devices,
    .read_queue = read_queue,
    .find_context = find_context,
    .get_buffer_size = get_buffer_size,
};
