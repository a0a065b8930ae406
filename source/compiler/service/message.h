/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the process that builds and its compiler say to each other, over a stream socket.
 *
 * The compiler answers every request but message_settings and message_destroy; before its answer it may ask for files,
 * which are answered at once, and send lines of its log and stages of the program. Numbers are of this machine, both
 * being of one build. Neither trusts a length that the other tells. */
#ifndef COMPILER_SERVICE_MESSAGE_H
#define COMPILER_SERVICE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/** Kind, and what it carries: u is a number of 32 bits, w one of 64, b a sequence of bytes. */
typedef enum message_kind_e {
  /* To the compiler. */
  message_settings = 1,     /* b options */
  message_create,           /* u module, b target, b extensions, b features */
  message_destroy,          /* u module */
  message_compile_opencl_c, /* u module, b working folder, b source, b options, u count: (b name, b source) */
  message_compile_spirv,    /* u module, b data, b options, u count: (u id, w size, w value) */
  message_link,             /* u module, b options, u count: u module */
  message_specialize,       /* u module, b kernel, u count: (u kind, u index, u format, b sampler, 3 u size) */
  message_finalize,         /* u module */
  message_serialize,        /* u module */
  message_deserialize,      /* u module, b data */
  message_file,             /* u error, b include_file_t, b content */
  /* From the compiler. */
  message_ready,       /* u interface version, u process */
  message_refused,     /* b reason: it cannot compile */
  message_leaving,     /* nothing: a request that it did not answer was not looked at */
  message_answer,      /* u result, u kind, b log; compilation: u repeatable, b dependencies; finalize: b executable,
                     * b program information, b portable object; serialize: b blob */
  message_file_status, /* b path */
  message_file_read,   /* b path */
  message_print,       /* b line */
  message_dump,        /* u begins a program, b suffix, b data */
} message_kind_e;

/* ------------------------------------------------------------ content */

/** Zero-initialise to begin; the text's `failed` tells in the end whether memory ran out. */
void message_put_number(text_t *message, uint32_t value);
void message_put_wide(text_t *message, uint64_t value);
void message_put_bytes(text_t *message, const void *data, size_t size);
void message_put_text(text_t *message, const char *text);

/** What is left of a message; zero `failed` to begin. Reading past the end sets it, and gives zeros. */
typedef struct message_reader_t {
  const char *at, *end;
  bool failed;
} message_reader_t;

message_reader_t message_reader(const text_t *message);
uint32_t message_get_number(message_reader_t *reader);
uint64_t message_get_wide(message_reader_t *reader);
/** Bytes within the message. Never null. */
const char *message_get_bytes(message_reader_t *reader, size_t *out_size);
/** Bytes without a NUL, which follow one in the message: a string. */
const char *message_get_text(message_reader_t *reader);

/* ------------------------------------------------------------ transport */

typedef enum message_result_e {
  message_done,
  /** The other one has gone. */
  message_closed,
  /** Not by then. */
  message_late,
  /** Longer than allowed. */
  message_too_long,
  message_out_of_memory,
} message_result_e;

/** Sends one message. `deadline`: of clock_now_ns, 0 for none. Raises no signal. One thread at a time. */
__attribute__((warn_unused_result)) message_result_e message_send(int socket, message_kind_e kind,
                                                                  const text_t *message, uint64_t deadline);

/** Receives one message into `out`, whose content is replaced. One thread at a time. */
__attribute__((warn_unused_result)) message_result_e message_receive(int socket, message_kind_e *out_kind, text_t *out,
                                                                     uint64_t limit, uint64_t deadline);

#endif
