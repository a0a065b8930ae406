/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The compiler in a process of its own, as functions of the process that builds. */
#include "compiler/service/client.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "compiler/service/call.h"

/* As the caller sees it; the program itself is in the compiler's process. */
struct compiler_module_s {
  connection_t *connection;
  uint32_t id;
  compiler_target_t target;
  compiler_module_kind_e kind;
  text_t log, dependencies;
  bool is_repeatable;
  /** Of an executable. */
  text_t binary, info, portable;
  /** Of an object or library, as module_serialize or module_deserialize had it. */
  text_t blob;
};

static service_paths_t service_paths;
static const compiler_host_t *service_host;

void service_set(const service_paths_t *paths, const compiler_host_t *host) {
  service_paths = *paths;
  service_host = host;
}

/* ------------------------------------------------------------ calls */

static void replace(text_t *text, call_t *request) {
  size_t size;
  const char *bytes = message_get_bytes(&request->reader, &size);
  text_free(text);
  text_append_bytes(text, bytes, size);
  request->is_out_of_memory |= text->failed;
}

/* Sends the request and takes what every answer has; the rest is left to the reader. */
static compiler_result_t call(compiler_module_t module, call_t *request) {
  message_reader_t *reader = &request->reader;
  request->host = service_host;
  if (!call_run(module->connection, request)) {
    module->kind = compiler_module_empty;
    text_append(&module->log, text_string(&request->failure));
    return request->is_out_of_memory ? compiler_error_out_of_memory : compiler_error_internal;
  }
  const uint32_t result = message_get_number(reader), kind = message_get_number(reader);
  replace(&module->log, request);
  module->kind = kind <= compiler_module_executable ? (compiler_module_kind_e)kind : compiler_module_empty;
  /* As the process itself sees it: another thread's build would find it on its way out. */
  if (result >= compiler_error_internal) module->connection->has_given_up = true;
  return result <= compiler_error_internal ? (compiler_result_t)result : compiler_error_internal;
}

/* Ends what `call` began. */
static compiler_result_t call_end(compiler_module_t module, call_t *request, compiler_result_t result) {
  if (result == compiler_success && request->is_out_of_memory) {
    module->kind = compiler_module_empty;
    result = compiler_error_out_of_memory;
  }
  if (result == compiler_success && request->reader.failed) {
    text_append(&module->log, "error: the compiler's process gave an answer that makes no sense\n");
    connection_end(module->connection);
    result = compiler_error_internal;
  }
  call_free(request);
  return result;
}

static compiler_result_t call_simple(compiler_module_t module, call_t *request) {
  return call_end(module, request, call(module, request));
}

static call_t call_begin(compiler_module_t module, message_kind_e kind, const char *stage) {
  call_t request = {.kind = kind, .stage = stage};
  message_put_number(&request.message, module->id);
  return request;
}

/* ------------------------------------------------------------ modules */

static compiler_result_t create_in(compiler_module_t module, connection_t *connection) {
  module->connection = connection;
  module->id = call_module_id(connection);
  call_t request = call_begin(module, message_create, "at its beginning");
  message_put_text(&request.message, module->target.name);
  message_put_text(&request.message, module->target.extensions);
  message_put_text(&request.message, module->target.features);
  return call_simple(module, &request);
}

/* Makes the module in a process. One that had ended unnoticed, or ends before it does anything, is replaced. Where that
 * happens again and again, as it does without memory, the application is not to be put into the same danger: the module
 * is there and good for nothing but its log. */
static compiler_result_t create_in_process(compiler_module_t module) {
  enum { attempts = 5 };
  text_t reason = {0};
  for (int i = 0; i < attempts; i++) {
    bool can_start;
    text_free(&reason);
    text_free(&module->log);
    connection_t *connection = pool_lease(&service_paths, &can_start, &reason);
    if (!connection) log_write(log_loader, "no compiler process: %s", text_string(&reason));
    if (!connection && can_start) continue;
    const compiler_result_t result = connection ? create_in(module, connection) : compiler_error_unavailable;
    if (result == compiler_error_out_of_memory || !connection || !atomic_load(&connection->is_dead)) {
      text_free(&reason);
      return result;
    }
    pool_return(connection);
    module->connection = NULL;
  }
  text_appendf(&module->log, "error: %s\n", reason.length ? reason.data : "the compiler's process ends at once");
  text_free(&reason);
  return compiler_success;
}

static void module_destroy(compiler_module_t module) {
  if (!module) return;
  if (module->connection) {
    call_t request = call_begin(module, message_destroy, "");
    call_send(module->connection, &request);
    call_free(&request);
    pool_return(module->connection);
  }
  text_t *const texts[] = {&module->log,  &module->dependencies, &module->binary,
                           &module->info, &module->portable,     &module->blob};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) text_free(texts[i]);
  free(module);
}

static compiler_result_t module_create(const compiler_target_t *target, compiler_module_t *out_module) {
  if (!target || !out_module) return compiler_error_invalid_value;
  compiler_module_t module = calloc(1, sizeof *module);
  if (!module) return compiler_error_out_of_memory;
  module->target = *target;
  module->is_repeatable = true;
  const compiler_result_t result = create_in_process(module);
  if (result == compiler_success) {
    *out_module = module;
  } else {
    module_destroy(module);
  }
  return result;
}

static compiler_result_t module_compile_opencl_c(compiler_module_t module, const char *source, size_t length,
                                                 const char *options, const compiler_header_t *headers,
                                                 size_t header_count) {
  call_t request = call_begin(module, message_compile_opencl_c, "in the front end (OpenCL C)");
  text_t folder = {0};
  /* There may be none. */
  service_host->working_folder(&folder);
  request.message.failed |= folder.failed;
  message_put_bytes(&request.message, text_string(&folder), folder.length);
  text_free(&folder);
  message_put_bytes(&request.message, source, length);
  message_put_text(&request.message, options ? options : "");
  message_put_number(&request.message, (uint32_t)header_count);
  for (size_t i = 0; i < header_count; i++) {
    message_put_text(&request.message, headers[i].name);
    message_put_bytes(&request.message, headers[i].source, headers[i].length);
  }
  const compiler_result_t result = call(module, &request);
  module->is_repeatable = message_get_number(&request.reader) != 0;
  replace(&module->dependencies, &request);
  return call_end(module, &request, result);
}

static compiler_result_t module_compile_spirv(compiler_module_t module, const void *data, size_t size,
                                              const char *options, const compiler_specialization_t *specializations,
                                              size_t specialization_count) {
  call_t request = call_begin(module, message_compile_spirv, "in the importer of SPIR-V");
  message_put_bytes(&request.message, data, size);
  message_put_text(&request.message, options ? options : "");
  message_put_number(&request.message, (uint32_t)specialization_count);
  for (size_t i = 0; i < specialization_count; i++) {
    message_put_number(&request.message, specializations[i].id);
    message_put_wide(&request.message, specializations[i].size);
    message_put_wide(&request.message, specializations[i].value);
  }
  return call_simple(module, &request);
}

static compiler_result_t module_deserialize(compiler_module_t module, const void *data, size_t size) {
  call_t request = call_begin(module, message_deserialize, "while it read an object");
  message_put_bytes(&request.message, data, size);
  const compiler_result_t result = call_simple(module, &request);
  if (result == compiler_success) text_append_bytes(&module->blob, data, size);
  /* It can be had again. */
  if (module->blob.failed) text_free(&module->blob);
  return result;
}

static compiler_result_t module_serialize(compiler_module_t module, const void **out_data, size_t *out_size) {
  if (!module->blob.length) {
    call_t request = call_begin(module, message_serialize, "while it wrote an object");
    compiler_result_t result = call(module, &request);
    if (result == compiler_success) replace(&module->blob, &request);
    result = call_end(module, &request, result);
    if (result != compiler_success) return result;
  }
  *out_data = module->blob.data;
  *out_size = module->blob.length;
  return compiler_success;
}

bool service_is_same_process(compiler_module_t module, compiler_module_t other) {
  return module->connection == other->connection;
}

static compiler_result_t module_link(compiler_module_t module, const compiler_module_t *inputs, size_t input_count,
                                     const char *options) {
  call_t request = call_begin(module, message_link, "in the linker");
  message_put_text(&request.message, options ? options : "");
  message_put_number(&request.message, (uint32_t)input_count);
  for (size_t i = 0; i < input_count; i++) {
    assert(service_is_same_process(module, inputs[i]));
    message_put_number(&request.message, inputs[i]->id);
  }
  return call_simple(module, &request);
}

static compiler_result_t module_specialize(compiler_module_t module, const char *kernel,
                                           const compiler_known_argument_t *known, size_t known_count) {
  call_t request = call_begin(module, message_specialize, "while it specialized a kernel");
  message_put_text(&request.message, kernel);
  message_put_number(&request.message, (uint32_t)known_count);
  for (size_t i = 0; i < known_count; i++) {
    message_put_number(&request.message, known[i].kind);
    message_put_number(&request.message, known[i].index);
    message_put_number(&request.message, known[i].format);
    message_put_bytes(&request.message, &known[i].sampler, sizeof known[i].sampler);
    for (int d = 0; d < 3; d++) message_put_number(&request.message, known[i].local_size[d]);
    message_put_bytes(&request.message, &known[i].local_memory, sizeof known[i].local_memory);
  }
  text_free(&module->blob);
  return call_simple(module, &request);
}

static compiler_result_t module_finalize(compiler_module_t module) {
  call_t request = call_begin(module, message_finalize, "in passes and code generation");
  const compiler_result_t result = call(module, &request);
  text_free(&module->blob);
  if (result == compiler_success) {
    replace(&module->binary, &request);
    replace(&module->info, &request);
    replace(&module->portable, &request);
  }
  return call_end(module, &request, result);
}

/* ------------------------------------------------------------ what is here */

static compiler_module_kind_e module_kind(compiler_module_t module) { return module->kind; }

static const char *module_log(compiler_module_t module) { return text_string(&module->log); }

static void module_dependencies(compiler_module_t module, compiler_dependencies_t *out) {
  *out = (compiler_dependencies_t){
      .is_repeatable = module->is_repeatable, .data = module->dependencies.data, .size = module->dependencies.length};
}

static compiler_result_t give(compiler_module_t module, const text_t *text, const void **out_data, size_t *out_size) {
  if (module->kind != compiler_module_executable) return compiler_error_invalid_value;
  *out_data = text->data;
  *out_size = text->length;
  return compiler_success;
}

static compiler_result_t module_executable_binary(compiler_module_t module, const void **out_data, size_t *out_size) {
  return give(module, &module->binary, out_data, out_size);
}

static compiler_result_t module_program_info(compiler_module_t module, const void **out_data, size_t *out_size) {
  return give(module, &module->info, out_data, out_size);
}

static compiler_result_t module_portable(compiler_module_t module, const void **out_data, size_t *out_size) {
  return give(module, &module->portable, out_data, out_size);
}

const compiler_interface_t service_interface = {
    .version = COMPILER_INTERFACE_VERSION,
    .module_create = module_create,
    .module_destroy = module_destroy,
    .module_compile_opencl_c = module_compile_opencl_c,
    .module_compile_spirv = module_compile_spirv,
    .module_link = module_link,
    .module_specialize = module_specialize,
    .module_finalize = module_finalize,
    .module_kind = module_kind,
    .module_log = module_log,
    .module_dependencies = module_dependencies,
    .module_executable_binary = module_executable_binary,
    .module_program_info = module_program_info,
    .module_portable = module_portable,
    .module_serialize = module_serialize,
    .module_deserialize = module_deserialize,
};
