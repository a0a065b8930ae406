/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Requests of the process that builds. */
#include "compiler/service/program/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "compiler/service/message.h"

enum {
  /** Milliseconds without a request until an idle process leaves. */
  idle_time = 30000,
  /** MiB that an idle process may have resident, to stay: what LLVM leaks and malloc keeps is given back. */
  largest_resident = 2048,
};

typedef struct entry_t {
  uint32_t id;
  compiler_module_t module;
} entry_t;

/* The process has one. */
static struct {
  const compiler_interface_t *compiler;
  int socket;
  /** Where the kernel tells how many pages are resident; negative where it does not. */
  int pages;
  /** Of the request that is being answered. */
  const char *working_folder;
  /** Modules that live. */
  entry_t *entries;
  size_t count, capacity;
  /** LLVM gave up: what it had is lost. */
  bool has_given_up;
  /** One message at a time: threads that generate code print too. */
  pthread_mutex_t send_mutex;
} service = {.pages = -1, .send_mutex = PTHREAD_MUTEX_INITIALIZER};

/* ------------------------------------------------------------ messages */

/* The other end has gone, or memory has: nobody is left to tell. Frees the message. */
static void send_message(message_kind_e kind, text_t *message) {
  pthread_mutex_lock(&service.send_mutex);
  if (message_send(service.socket, kind, message, 0) != message_done) _exit(EXIT_FAILURE);
  pthread_mutex_unlock(&service.send_mutex);
  text_free(message);
}

static message_kind_e receive(text_t *message) {
  message_kind_e kind;
  if (message_receive(service.socket, &kind, message, UINT64_MAX / 2, 0) != message_done) _exit(EXIT_FAILURE);
  return kind;
}

static void print_line(const char *line, size_t length) {
  text_t message = {0};
  message_put_bytes(&message, line, length);
  send_message(message_print, &message);
}

static void dump_stage(bool begins_program, const char *suffix, const void *data, size_t size) {
  text_t message = {0};
  message_put_number(&message, begins_program);
  message_put_text(&message, suffix);
  message_put_bytes(&message, data, size);
  send_message(message_dump, &message);
}

static bool working_folder(text_t *out) {
  text_append(out, service.working_folder);
  return *service.working_folder && !out->failed;
}

static int ask_for_file(message_kind_e kind, const char *path, include_file_t *out, text_t *content) {
  text_t message = {0};
  size_t size;
  message_put_text(&message, path);
  send_message(kind, &message);
  text_t answer = {0};
  if (receive(&answer) != message_file) _exit(EXIT_FAILURE);
  message_reader_t reader = message_reader(&answer);
  const int error = (int)message_get_number(&reader);
  const char *bytes = message_get_bytes(&reader, &size);
  if (size == sizeof *out) memcpy(out, bytes, size);
  bytes = message_get_bytes(&reader, &size);
  if (content) text_append_bytes(content, bytes, size);
  text_free(&answer);
  return error ? error : content && content->failed ? ENOMEM : 0;
}

static int file_status(const char *path, include_file_t *out) {
  return ask_for_file(message_file_status, path, out, NULL);
}

static int file_read(const char *path, include_file_t *out, text_t *content) {
  return ask_for_file(message_file_read, path, out, content);
}

const compiler_host_t serve_host = {
    .working_folder = working_folder,
    .file_status = file_status,
    .file_read = file_read,
    .print = print_line,
    .dump = dump_stage,
};

/* ------------------------------------------------------------ modules */

static compiler_module_t find_module(uint32_t id) {
  for (size_t i = 0; i < service.count; i++) {
    if (service.entries[i].id == id) return service.entries[i].module;
  }
  return NULL;
}

/* Null for what the other end calls a module and is none. */
static compiler_module_t read_module(message_reader_t *reader) { return find_module(message_get_number(reader)); }

static void destroy_module(uint32_t id) {
  for (size_t i = 0; i < service.count; i++) {
    if (service.entries[i].id != id) continue;
    service.compiler->module_destroy(service.entries[i].module);
    service.entries[i] = service.entries[--service.count];
    return;
  }
}

/* The names live as long as the module: they are leaked with the few targets that a process is used for. */
static char *keep(message_reader_t *reader) { return strdup(message_get_text(reader)); }

/* Most modules are of one target. */
static const compiler_target_t *read_target(message_reader_t *reader) {
  static compiler_target_t latest;
  message_reader_t ahead = *reader;
  const char *const name = message_get_text(&ahead), *const extensions = message_get_text(&ahead);
  const char *const features = message_get_text(&ahead);
  const bool is_same = latest.name && !strcmp(name, latest.name) && !strcmp(extensions, latest.extensions) &&
                       !strcmp(features, latest.features);
  if (!is_same)
    latest = (compiler_target_t){.name = keep(reader), .extensions = keep(reader), .features = keep(reader)};
  return latest.name && latest.extensions && latest.features ? &latest : NULL;
}

static compiler_result_t create_module(uint32_t id, message_reader_t *reader) {
  const compiler_target_t *target = read_target(reader);
  const bool has_room = array_reserve(&service.entries, &service.capacity, service.count + 1, sizeof(entry_t));
  if (!target || !has_room) return compiler_error_out_of_memory;
  entry_t entry = {.id = id};
  const compiler_result_t result = service.compiler->module_create(target, &entry.module);
  if (result == compiler_success) service.entries[service.count++] = entry;
  return result;
}

/* ------------------------------------------------------------ requests */

/* Zeroed, for as many elements as the message says and can have, one byte being the least; null without memory. */
static void *make_array(const message_reader_t *reader, size_t count, size_t size) {
  return count <= (size_t)(reader->end - reader->at) ? calloc(count + 1, size) : NULL;
}

static compiler_result_t compile_opencl_c(compiler_module_t module, message_reader_t *reader) {
  size_t length;
  service.working_folder = message_get_text(reader);
  const char *source = message_get_bytes(reader, &length), *options = message_get_text(reader);
  const size_t count = message_get_number(reader);
  compiler_header_t *headers = make_array(reader, count, sizeof *headers);
  if (!headers) return compiler_error_out_of_memory;
  for (size_t i = 0; i < count; i++) {
    headers[i].name = message_get_text(reader);
    headers[i].source = message_get_bytes(reader, &headers[i].length);
  }
  const compiler_result_t result =
      service.compiler->module_compile_opencl_c(module, source, length, options, headers, count);
  free(headers);
  return result;
}

static compiler_result_t compile_spirv(compiler_module_t module, message_reader_t *reader) {
  size_t size;
  const char *data = message_get_bytes(reader, &size), *options = message_get_text(reader);
  const size_t count = message_get_number(reader);
  compiler_specialization_t *values = make_array(reader, count, sizeof *values);
  /* The importer reads words. */
  uint32_t *words = malloc(size + 1);
  compiler_result_t result = compiler_error_out_of_memory;
  if (values && words) {
    memcpy(words, data, size);
    for (size_t i = 0; i < count; i++) {
      values[i].id = message_get_number(reader);
      values[i].size = (size_t)message_get_wide(reader);
      values[i].value = message_get_wide(reader);
    }
    result = service.compiler->module_compile_spirv(module, words, size, options, values, count);
  }
  free(words);
  free(values);
  return result;
}

static compiler_result_t link_modules(compiler_module_t module, message_reader_t *reader) {
  const char *options = message_get_text(reader);
  const size_t count = message_get_number(reader);
  compiler_module_t *inputs = make_array(reader, count, sizeof(compiler_module_t));
  if (!inputs) return compiler_error_out_of_memory;
  compiler_result_t result = compiler_success;
  for (size_t i = 0; i < count; i++) {
    inputs[i] = read_module(reader);
    if (!inputs[i]) result = compiler_error_invalid_value;
  }
  if (result == compiler_success) result = service.compiler->module_link(module, inputs, count, options);
  free(inputs);
  return result;
}

static compiler_result_t specialize(compiler_module_t module, message_reader_t *reader) {
  const char *kernel = message_get_text(reader);
  const size_t count = message_get_number(reader);
  compiler_known_argument_t *known = make_array(reader, count, sizeof *known);
  if (!known) return compiler_error_out_of_memory;
  for (size_t i = 0; i < count; i++) {
    size_t size;
    known[i].kind = (compiler_known_kind_e)message_get_number(reader);
    known[i].index = message_get_number(reader);
    known[i].format = (mux_image_format_e)message_get_number(reader);
    const char *sampler = message_get_bytes(reader, &size);
    if (size == sizeof known[i].sampler) memcpy(&known[i].sampler, sampler, size);
    for (int d = 0; d < 3; d++) known[i].local_size[d] = message_get_number(reader);
    const char *local_memory = message_get_bytes(reader, &size);
    if (size == sizeof known[i].local_memory) memcpy(&known[i].local_memory, local_memory, size);
  }
  const compiler_result_t result = service.compiler->module_specialize(module, kernel, known, count);
  free(known);
  return result;
}

static compiler_result_t deserialize(compiler_module_t module, message_reader_t *reader) {
  size_t size;
  const char *data = message_get_bytes(reader, &size);
  return service.compiler->module_deserialize(module, data, size);
}

typedef compiler_result_t (*give_function_t)(compiler_module_t module, const void **out_data, size_t *out_size);

static compiler_result_t put_blob(compiler_module_t module, give_function_t give, text_t *out) {
  const void *data = NULL;
  size_t size = 0;
  const compiler_result_t result = give(module, &data, &size);
  message_put_bytes(out, data, size);
  return result;
}

static compiler_result_t finalize(compiler_module_t module, text_t *out) {
  const compiler_interface_t *compiler = service.compiler;
  compiler_result_t result = compiler->module_finalize(module);
  if (result == compiler_success) result = put_blob(module, compiler->module_executable_binary, out);
  if (result == compiler_success) result = put_blob(module, compiler->module_program_info, out);
  if (result == compiler_success) result = put_blob(module, compiler->module_portable, out);
  return result;
}

static void put_dependencies(compiler_module_t module, text_t *out) {
  compiler_dependencies_t dependencies;
  service.compiler->module_dependencies(module, &dependencies);
  message_put_number(out, dependencies.is_repeatable);
  message_put_bytes(out, dependencies.data, dependencies.size);
}

/* `out` gets what the answer has of its own. */
static compiler_result_t answer(message_kind_e kind, compiler_module_t module, message_reader_t *reader, text_t *out) {
  compiler_result_t result = compiler_error_invalid_value;
  switch (kind) {
    case message_compile_opencl_c:
      result = compile_opencl_c(module, reader);
      put_dependencies(module, out);
      return result;
    case message_compile_spirv: return compile_spirv(module, reader);
    case message_link: return link_modules(module, reader);
    case message_specialize: return specialize(module, reader);
    case message_finalize: return finalize(module, out);
    case message_serialize: return put_blob(module, service.compiler->module_serialize, out);
    case message_deserialize: return deserialize(module, reader);
    default: return result;
  }
}

static void answer_request(message_kind_e kind, message_reader_t *reader) {
  const uint32_t id = message_get_number(reader);
  if (kind == message_destroy) {
    destroy_module(id);
    return;
  }
  text_t own = {0}, message = {0};
  compiler_result_t result = kind == message_create ? create_module(id, reader) : compiler_error_invalid_value;
  compiler_module_t module = find_module(id);
  if (kind != message_create && module) result = answer(kind, module, reader, &own);
  service.has_given_up |= result == compiler_error_internal;
  message_put_number(&message, (uint32_t)result);
  message_put_number(&message, module ? (uint32_t)service.compiler->module_kind(module) : 0);
  message_put_text(&message, module ? service.compiler->module_log(module) : "");
  text_append_bytes(&message, own.data, own.length);
  message.failed |= own.failed;
  text_free(&own);
  send_message(message_answer, &message);
}

/* ------------------------------------------------------------ the process */

/* MiB. What getrusage tells begins with what the application had resident when it started this process. */
static uint64_t resident_size(void) {
  char line[128];
  unsigned long long pages;
  const ssize_t size = service.pages < 0 ? -1 : pread(service.pages, line, sizeof line - 1, 0);
  if (size <= 0) return 0;
  line[size] = '\0';
  return sscanf(line, "%*u %llu", &pages) == 1 ? (pages * (uint64_t)sysconf(_SC_PAGESIZE)) >> 20 : 0;
}

/* Nothing is left of it but what LLVM and malloc keep. */
static bool should_leave(void) {
  return !service.count && (service.has_given_up || resident_size() > largest_resident);
}

/* False when there is none, and none has to be waited for. */
static bool wait_for_request(void) {
  struct pollfd entry = {.fd = service.socket, .events = POLLIN};
  int count;
  do {
    count = poll(&entry, 1, service.count ? -1 : idle_time);
  } while (count < 0 && errno == EINTR);
  return count != 0;
}

void serve_prepare(void) { service.pages = open("/proc/self/statm", O_RDONLY | O_CLOEXEC); }

void serve_run(const compiler_interface_t *compiler, int socket) {
  text_t request = {0};
  service.compiler = compiler;
  service.socket = socket;
  while (!should_leave() && wait_for_request()) {
    const message_kind_e kind = receive(&request);
    message_reader_t reader = message_reader(&request);
    service.working_folder = "";
    answer_request(kind, &reader);
    /* A large program is not kept until the next one. */
    text_free(&request);
  }
  text_t farewell = {0};
  send_message(message_leaving, &farewell);
}
