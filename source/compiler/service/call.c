/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * One request to a compiler process, what it asks meanwhile, and its answer. */
#include "compiler/service/call.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/options.h"

enum {
  /** Seconds for a request that nobody waits for. */
  send_seconds = 10,
};

/* ------------------------------------------------------------ its end */

static void explain(const connection_t *connection, message_result_e result, call_t *call) {
  text_t *out = &call->failure;
  switch (result) {
    case message_late:
      text_appendf(out, "error: the compiler was stopped %s after %llu s (QUERN_COMPILER_TIMEOUT)\n", call->stage,
                   (unsigned long long)options_get()->compiler_timeout);
      return;
    case message_too_long:
      text_appendf(out, "error: the compiler gave more than %llu MiB %s (QUERN_COMPILER_OUTPUT)\n",
                   (unsigned long long)options_get()->compiler_output, call->stage);
      return;
    case message_out_of_memory:
      call->is_out_of_memory = true;
      text_appendf(out, "error: out of memory %s\n", call->stage);
      return;
    default: break;
  }
  text_t words = {0};
  connection_last_words(connection, &words);
  text_appendf(out, "error: the compiler's process ended %s%s\n%s", call->stage,
               words.length ? ":" : ", killed or out of memory", text_string(&words));
  text_free(&words);
}

/* What LLVM says of itself is nobody's business but who asks for it, and is not kept. */
static void drop_output(const connection_t *connection) {
  struct stat status;
  const int file = connection->output.number;
  if (file < 0 || fstat(file, &status) || !status.st_size || !descriptor_is_ours(&connection->output)) return;
  if (log_enabled(log_compiler)) {
    text_t words = {0};
    connection_last_words(connection, &words);
    log_write(log_compiler, "printed by the compiler: %s", text_string(&words));
    text_free(&words);
  }
  if (ftruncate(file, 0)) log_write(log_error, "the compiler's output is kept");
}

/* ------------------------------------------------------------ what it asks */

static message_result_e answer_file(const connection_t *connection, const call_t *call, message_kind_e kind,
                                    message_reader_t *reader, uint64_t deadline) {
  include_file_t file = {0};
  text_t content = {0}, message = {0};
  const char *path = message_get_text(reader);
  const int error =
      kind == message_file_read ? call->host->file_read(path, &file, &content) : call->host->file_status(path, &file);
  message_put_number(&message, (uint32_t)error);
  message_put_bytes(&message, &file, sizeof file);
  message_put_bytes(&message, content.data, error ? 0 : content.length);
  /* What is read for nobody would be a broken program. */
  message.failed |= error == ENOMEM;
  const message_result_e result = message_send(connection->socket.number, message_file, &message, deadline);
  text_free(&content);
  text_free(&message);
  return result;
}

static void take_line(message_reader_t *reader) {
  size_t length;
  const char *line = message_get_bytes(reader, &length);
  fwrite(line, 1, length, stderr);
}

/* A suffix is part of a file's name. */
static void take_stage(const call_t *call, message_reader_t *reader) {
  size_t size;
  const bool begins_program = message_get_number(reader) != 0;
  const char *suffix = message_get_text(reader), *data = message_get_bytes(reader, &size);
  if (!reader->failed && !strchr(suffix, '/')) call->host->dump(begins_program, suffix, data, size);
}

/* What comes before the answer. message_closed for what makes no sense. */
static message_result_e serve(const connection_t *connection, const call_t *call, message_kind_e kind,
                              uint64_t deadline) {
  message_reader_t reader = message_reader(&call->answer);
  switch (kind) {
    case message_file_status:
    case message_file_read: return answer_file(connection, call, kind, &reader, deadline);
    case message_print: take_line(&reader); break;
    case message_dump: take_stage(call, &reader); break;
    default: return message_closed;
  }
  return reader.failed ? message_closed : message_done;
}

/* ------------------------------------------------------------ requests */

static message_result_e exchange(const connection_t *connection, call_t *call) {
  const options_t *options = options_get();
  const uint64_t seconds = options->compiler_timeout, limit = options->compiler_output << 20;
  const uint64_t deadline = seconds ? clock_now_ns() + seconds * UINT64_C(1000000000) : 0;
  message_kind_e kind = message_leaving;
  message_result_e result = message_send(connection->socket.number, call->kind, &call->message, deadline);
  while (result == message_done) {
    result = message_receive(connection->socket.number, &kind, &call->answer, limit, deadline);
    if (result != message_done || kind == message_answer) break;
    result = serve(connection, call, kind, deadline);
  }
  call->reader = message_reader(&call->answer);
  return result;
}

bool call_run(connection_t *connection, call_t *call) {
  if (!connection) return false;
  call->is_out_of_memory = call->message.failed;
  if (call->is_out_of_memory) return false;
  pthread_mutex_lock(&connection->mutex);
  message_result_e result = message_closed;
  if (!atomic_load(&connection->is_dead) && descriptor_is_ours(&connection->socket)) {
    result = exchange(connection, call);
  }
  if (result == message_done) {
    drop_output(connection);
  } else {
    explain(connection, result, call);
    connection_end(connection);
    log_write(log_compiler, "%s", text_string(&call->failure));
  }
  pthread_mutex_unlock(&connection->mutex);
  return result == message_done;
}

void call_send(connection_t *connection, call_t *call) {
  pthread_mutex_lock(&connection->mutex);
  if (!atomic_load(&connection->is_dead) && descriptor_is_ours(&connection->socket)) {
    const uint64_t deadline = clock_now_ns() + send_seconds * UINT64_C(1000000000);
    const message_result_e result = message_send(connection->socket.number, call->kind, &call->message, deadline);
    if (result != message_done) connection_end(connection);
  }
  pthread_mutex_unlock(&connection->mutex);
}

uint32_t call_module_id(connection_t *connection) {
  pthread_mutex_lock(&connection->mutex);
  const uint32_t id = ++connection->next_module;
  pthread_mutex_unlock(&connection->mutex);
  return id;
}

void call_free(call_t *call) {
  text_free(&call->message);
  text_free(&call->answer);
  text_free(&call->failure);
}
