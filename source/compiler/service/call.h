/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * One request to a compiler process, what it asks meanwhile, and its answer. */
#ifndef COMPILER_SERVICE_CALL_H
#define COMPILER_SERVICE_CALL_H

#include "compiler/interface.h"
#include "compiler/service/message.h"
#include "compiler/service/pool.h"

typedef struct call_t {
  message_kind_e kind;
  /** Where the compiler is meanwhile, for messages: "in the linker". */
  const char *stage;
  /** What is asked for files and takes lines and stages. */
  const compiler_host_t *host;
  /** The request. */
  text_t message;
  /** The answer, and what is left of it. */
  text_t answer;
  message_reader_t reader;
  /** Why there is no answer. */
  text_t failure;
  /** In this process, at the request or its answer. */
  bool is_out_of_memory;
} call_t;

/** False when the compiler's process ended, took too long (QUERN_COMPILER_TIMEOUT) or said too much
 * (QUERN_COMPILER_OUTPUT); it is of no more use then, and `failure` is an error for the build log. A null
 * connection is one that has failed before, and been told of. Thread safe. */
__attribute__((warn_unused_result)) bool call_run(connection_t *connection, call_t *call);

/** A request without an answer; what happens to it does not matter. Thread safe. */
void call_send(connection_t *connection, call_t *call);

/** A number that no module of the process has had. Thread safe. */
uint32_t call_module_id(connection_t *connection);

void call_free(call_t *call);

#endif
