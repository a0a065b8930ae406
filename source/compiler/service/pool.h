/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The application's compiler processes: as many as processors at most, each for one thread's build at a time. */
#ifndef COMPILER_SERVICE_POOL_H
#define COMPILER_SERVICE_POOL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/list.h"
#include "base/text.h"
#include "compiler/service/start.h"

/** What a descriptor was when it was made: an application that closes all descriptors may have another file there. */
typedef struct descriptor_t {
  int number;
  dev_t device;
  ino_t inode;
} descriptor_t;

typedef struct connection_t {
  /** Of the pool's list. This and what follows, up to the mutex, is guarded by the pool's. */
  list_t link;
  /** Modules that live in the process. While there are any it is this thread's. */
  unsigned module_count;
  pthread_t owner;
  /** Who the application was when it started. */
  uid_t user, effective_user;
  gid_t group, effective_group;
  /** The nice value that it has from the thread that started it: threads of another one have processes of their own, so
   * that what is compiled in the background leaves the processors to kernels, and nothing else is slow by it. */
  int priority;
  /** A request and its answer; another thread than the owner may have got a module. */
  pthread_mutex_t mutex;
  descriptor_t socket, output;
  /** Its number, for who is told to look for it; 0 before it is ready. */
  pid_t process;
  /** Set once, when the process is of no more use. */
  atomic_bool is_dead;
  /** LLVM has given up in it: it leaves with its last module, and is not given to anybody else. Set by the owner. */
  bool has_given_up;
  unsigned next_module;
} connection_t;

/** Where the compiler's program and library are. */
typedef struct service_paths_t {
  const char *program, *library;
} service_paths_t;

/** A compiler for one more module of the calling thread: the one that has its others, an idle one, or a new one, which
 * is ready. Waits for another thread's where there are enough. Null, and why: with `out_can_start`, a new one ended
 * before it was ready, which the next one need not; without, there can be none. Given back by pool_return. Thread
 * safe. */
connection_t *pool_lease(const service_paths_t *paths, bool *out_can_start, text_t *reason);

/** Whether there is a compiler that pool_lease could find. Thread safe. */
bool pool_is_running(void);

/** The module is no more. */
void pool_return(connection_t *connection);

/** Lets the process go; it ends by itself. Thread safe. */
void connection_end(connection_t *connection);

/** Appends the end of what the process printed: the signal that ended it, and LLVM's stack of what it was at. */
void connection_last_words(const connection_t *connection, text_t *out);

/** False when the number stands for another file now. */
bool descriptor_is_ours(const descriptor_t *descriptor);

/** Around fork(): a child has no compiler of its parent's. */
void pool_lock(void);
void pool_unlock(void);
void pool_forget(void);

#endif
