/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Messages over a stream socket. */
#include "compiler/service/message.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/clock.h"
#include "base/memory.h"

typedef struct header_t {
  uint64_t size;
  uint32_t kind, unused;
} header_t;

/* ------------------------------------------------------------ content */

void message_put_number(text_t *message, uint32_t value) {
  text_append_bytes(message, (const char *)&value, sizeof value);
}

void message_put_wide(text_t *message, uint64_t value) {
  text_append_bytes(message, (const char *)&value, sizeof value);
}

void message_put_bytes(text_t *message, const void *data, size_t size) {
  message_put_wide(message, size);
  text_append_bytes(message, data, size);
  text_append_bytes(message, "", 1);
}

void message_put_text(text_t *message, const char *text) { message_put_bytes(message, text, strlen(text)); }

message_reader_t message_reader(const text_t *message) {
  const char *begin = text_string(message);
  return (message_reader_t){begin, begin + message->length, false};
}

/* Null when there are not so many bytes left. */
static const char *take(message_reader_t *reader, size_t size) {
  if (reader->failed || (size_t)(reader->end - reader->at) < size) {
    reader->failed = true;
    return NULL;
  }
  const char *begin = reader->at;
  reader->at += size;
  return begin;
}

uint32_t message_get_number(message_reader_t *reader) {
  uint32_t value = 0;
  const char *bytes = take(reader, sizeof value);
  if (bytes) memcpy(&value, bytes, sizeof value);
  return value;
}

uint64_t message_get_wide(message_reader_t *reader) {
  uint64_t value = 0;
  const char *bytes = take(reader, sizeof value);
  if (bytes) memcpy(&value, bytes, sizeof value);
  return value;
}

const char *message_get_bytes(message_reader_t *reader, size_t *out_size) {
  const uint64_t size = message_get_wide(reader);
  size_t with_end;
  const char *bytes = size_add((size_t)size, (size_t)1, &with_end) ? take(reader, with_end) : NULL;
  if (bytes && bytes[size]) reader->failed = true;
  if (!bytes || bytes[size]) {
    reader->failed = true;
    *out_size = 0;
    return "";
  }
  *out_size = (size_t)size;
  return bytes;
}

const char *message_get_text(message_reader_t *reader) {
  size_t size;
  const char *text = message_get_bytes(reader, &size);
  if (strlen(text) == size) return text;
  reader->failed = true;
  return "";
}

/* ------------------------------------------------------------ transport */

/* Milliseconds for poll until the deadline, rounded up; -1 for none. */
static int wait_time(uint64_t deadline) {
  if (!deadline) return -1;
  const uint64_t now = clock_now_ns();
  if (now >= deadline) return 0;
  const uint64_t milliseconds = (deadline - now + 999999) / 1000000;
  return milliseconds > 1000000 ? 1000000 : (int)milliseconds;
}

/* Until the socket is ready for `events`, or closed, which the next call on it tells. */
static message_result_e wait_for(int socket, short events, uint64_t deadline) {
  for (;;) {
    struct pollfd entry = {.fd = socket, .events = events};
    const int count = poll(&entry, 1, wait_time(deadline));
    if (count > 0) return message_done;
    if (count < 0 && errno != EINTR) return message_closed;
    if (deadline && clock_now_ns() >= deadline) return message_late;
  }
}

/* What is not sent of two pieces after `count` bytes were. */
static void advance(struct iovec pieces[2], size_t count) {
  for (int i = 0; i < 2; i++) {
    const size_t done = count < pieces[i].iov_len ? count : pieces[i].iov_len;
    pieces[i].iov_base = (char *)pieces[i].iov_base + done;
    pieces[i].iov_len -= done;
    count -= done;
  }
}

message_result_e message_send(int socket, message_kind_e kind, const text_t *message, uint64_t deadline) {
  if (message->failed) return message_out_of_memory;
  header_t header = {.size = message->length, .kind = kind};
  struct iovec pieces[2] = {{&header, sizeof header}, {message->data, message->length}};
  while (pieces[0].iov_len + pieces[1].iov_len) {
    const struct msghdr call = {.msg_iov = pieces, .msg_iovlen = 2};
    const ssize_t count = sendmsg(socket, &call, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0) {
      advance(pieces, (size_t)count);
    } else if (errno == EAGAIN) {
      const message_result_e waited = wait_for(socket, POLLOUT, deadline);
      if (waited != message_done) return waited;
    } else if (errno != EINTR) {
      return errno == ENOMEM || errno == ENOBUFS ? message_out_of_memory : message_closed;
    }
  }
  return message_done;
}

static message_result_e receive_bytes(int socket, void *out, size_t size, uint64_t deadline) {
  for (size_t done = 0; done < size;) {
    const ssize_t count = recv(socket, (char *)out + done, size - done, MSG_DONTWAIT);
    if (count > 0) {
      done += (size_t)count;
    } else if (count < 0 && errno == EAGAIN) {
      const message_result_e waited = wait_for(socket, POLLIN, deadline);
      if (waited != message_done) return waited;
    } else if (count == 0 || errno != EINTR) {
      return message_closed;
    }
  }
  return message_done;
}

message_result_e message_receive(int socket, message_kind_e *out_kind, text_t *out, uint64_t limit, uint64_t deadline) {
  header_t header;
  message_result_e result = receive_bytes(socket, &header, sizeof header, deadline);
  if (result != message_done) return result;
  if (header.size > limit) return message_too_long;
  *out_kind = header.kind;
  out->length = 0;
  if (!array_reserve(&out->data, &out->capacity, (size_t)header.size + 1, 1)) return message_out_of_memory;
  result = receive_bytes(socket, out->data, (size_t)header.size, deadline);
  if (result != message_done) return result;
  out->length = (size_t)header.size;
  out->data[out->length] = '\0';
  return message_done;
}
