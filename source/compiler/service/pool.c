/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The application's compiler processes. */
#include "compiler/service/pool.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/options.h"
#include "compiler/interface.h"
#include "compiler/service/message.h"

enum {
  /** Until a new process is ready, in seconds: the library may come from a slow disk. */
  start_seconds = 120,
  /** Bytes of what it says of itself. */
  first_message_limit = 64 << 10,
  /** Longest part of what it printed that goes into a build log. */
  most_last_words = 4096,
};

/* The process has one. */
static struct {
  pthread_mutex_t mutex;
  /** Signalled when a connection becomes idle, or goes. */
  pthread_cond_t changed;
  list_t connections;
  /** Whose they are: a process that was made without the fork handlers has none. */
  pid_t process;
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER,
          .changed = PTHREAD_COND_INITIALIZER,
          .connections = {&pool.connections, &pool.connections}};

static connection_t *connection_at(list_t *node) { return LIST_ENTRY(node, connection_t, link); }

/* ------------------------------------------------------------ descriptors */

static descriptor_t descriptor_of(int number) {
  struct stat status;
  if (number < 0 || fstat(number, &status)) return (descriptor_t){.number = -1};
  return (descriptor_t){number, status.st_dev, status.st_ino};
}

bool descriptor_is_ours(const descriptor_t *descriptor) {
  struct stat status;
  return descriptor->number >= 0 && !fstat(descriptor->number, &status) && status.st_dev == descriptor->device &&
         status.st_ino == descriptor->inode;
}

static void descriptor_close(descriptor_t *descriptor) {
  if (descriptor_is_ours(descriptor)) close(descriptor->number);
  descriptor->number = -1;
}

/* ------------------------------------------------------------ connections */

static int own_priority(void) { return getpriority(PRIO_PROCESS, (id_t)gettid()); }

static void identify(connection_t *connection) {
  connection->priority = own_priority();
  connection->user = getuid();
  connection->effective_user = geteuid();
  connection->group = getgid();
  connection->effective_group = getegid();
}

/* The application may have given up rights, which the compiler then should not have either. */
static bool is_of_same_user(const connection_t *connection) {
  return connection->user == getuid() && connection->effective_user == geteuid() && connection->group == getgid() &&
         connection->effective_group == getegid();
}

void connection_end(connection_t *connection) {
  if (atomic_exchange(&connection->is_dead, true)) return;
  if (descriptor_is_ours(&connection->socket)) shutdown(connection->socket.number, SHUT_RDWR);
}

void connection_last_words(const connection_t *connection, text_t *out) {
  char words[most_last_words];
  struct stat status;
  if (!descriptor_is_ours(&connection->output) || fstat(connection->output.number, &status)) return;
  const off_t begin = status.st_size > most_last_words ? status.st_size - most_last_words : 0;
  const ssize_t size = pread(connection->output.number, words, sizeof words, begin);
  if (size <= 0) return;
  text_append_bytes(out, words, (size_t)size);
  if (words[size - 1] != '\n') text_append(out, "\n");
}

/* An application that is init, or a subreaper, has become the parent: nobody else takes the status. */
static void reap(pid_t process) {
  int is_subreaper = 0;
  prctl(PR_GET_CHILD_SUBREAPER, &is_subreaper);
  if (process <= 0 || (!is_subreaper && getpid() != 1)) return;
  const struct timespec pause = {.tv_nsec = 1000000};
  for (int i = 0; i < 100 && waitpid(process, NULL, WNOHANG) == 0; i++) nanosleep(&pause, NULL);
}

/* Nobody uses it. */
static void connection_free(connection_t *connection) {
  connection_end(connection);
  descriptor_close(&connection->socket);
  descriptor_close(&connection->output);
  pthread_mutex_destroy(&connection->mutex);
  free(connection);
}

/* Under the pool's mutex. */
static void connection_drop(connection_t *connection) {
  const pid_t process = connection->process;
  list_remove(&connection->link);
  connection_free(connection);
  reap(process);
}

/* An idle compiler says nothing until it leaves. */
static bool is_waiting(const connection_t *connection) {
  char byte;
  if (atomic_load(&connection->is_dead) || !descriptor_is_ours(&connection->socket)) return false;
  return recv(connection->socket.number, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0;
}

/* Under the pool's mutex: fork() must not copy the compiler's end of the socket. */
static connection_t *connection_start(const service_paths_t *paths, text_t *reason) {
  connection_t *connection = calloc(1, sizeof *connection);
  service_process_t process;
  if (!connection) {
    text_append(reason, "out of memory");
    return NULL;
  }
  if (!service_start(paths->program, paths->library, *options_get()->print_after, &process, reason)) {
    free(connection);
    return NULL;
  }
  connection->socket = descriptor_of(process.socket);
  connection->output = descriptor_of(process.output);
  pthread_mutex_init(&connection->mutex, NULL);
  identify(connection);
  list_append(&pool.connections, &connection->link);
  return connection;
}

/* ------------------------------------------------------------ a new process */

static message_result_e send_settings(const connection_t *connection, uint64_t deadline) {
  text_t options = {0}, message = {0};
  options_write(&options);
  if (!options.failed) message_put_bytes(&message, options.data, options.length);
  message.failed |= options.failed;
  const message_result_e result = message_send(connection->socket.number, message_settings, &message, deadline);
  text_free(&options);
  text_free(&message);
  return result;
}

/* Whether the new process can compile; one that says that it cannot, or speaks otherwise, always will. */
static bool read_first_message(connection_t *connection, message_kind_e kind, const text_t *message, text_t *reason) {
  message_reader_t reader = message_reader(message);
  if (kind == message_refused) {
    text_append(reason, message_get_text(&reader));
    return false;
  }
  const uint32_t version = message_get_number(&reader), process = message_get_number(&reader);
  if (kind != message_ready || reader.failed || version != COMPILER_INTERFACE_VERSION) {
    text_append(reason, "the compiler's program is not of this driver's version");
    return false;
  }
  connection->process = (pid_t)process;
  return true;
}

static bool wait_until_ready(connection_t *connection, bool *out_can_start, text_t *reason) {
  const uint64_t begin = clock_now_ns(), deadline = begin + start_seconds * UINT64_C(1000000000);
  message_kind_e kind;
  text_t message = {0};
  bool is_ready = false;
  message_result_e result = send_settings(connection, deadline);
  if (result == message_done) {
    result = message_receive(connection->socket.number, &kind, &message, first_message_limit, deadline);
  }
  if (result == message_done) {
    is_ready = *out_can_start = read_first_message(connection, kind, &message, reason);
  } else {
    /* One that was killed says nothing; the linker says which library is missing. */
    text_append(reason, "the compiler's process did not become ready: ");
    const size_t length = reason->length;
    connection_last_words(connection, reason);
    *out_can_start = reason->length == length;
    if (*out_can_start) text_append(reason, result == message_late ? "it takes too long" : "killed or out of memory");
  }
  text_free(&message);
  if (is_ready) {
    log_write(log_loader, "started compiler process %d in %.1f ms", (int)connection->process,
              (double)(clock_now_ns() - begin) * 1e-6);
  }
  return is_ready;
}

/* ------------------------------------------------------------ the pool */

void pool_lock(void) { pthread_mutex_lock(&pool.mutex); }

void pool_unlock(void) { pthread_mutex_unlock(&pool.mutex); }

/* The sockets are copies: shutdown would end the parent's compilers. Modules of other threads keep their connections,
 * which are dead. */
void pool_forget(void) {
  LIST_FOR_EACH_SAFE(node, &pool.connections) {
    connection_t *connection = connection_at(node);
    atomic_store(&connection->is_dead, true);
    list_remove(&connection->link);
    descriptor_close(&connection->socket);
    descriptor_close(&connection->output);
    if (!connection->module_count) free(connection);
  }
  pthread_cond_init(&pool.changed, NULL);
  pool.process = getpid();
}

static unsigned most_connections(void) {
  cpu_set_t set;
  const unsigned limit = (unsigned)options_get()->num_threads;
  unsigned count = sched_getaffinity(0, sizeof set, &set) ? 1 : (unsigned)CPU_COUNT(&set);
  if (limit && limit < count) count = limit;
  return count ? count : 1;
}

/* One that has modules of this thread already, or else one of its priority that is idle; under the mutex. */
static connection_t *find_connection(int priority) {
  connection_t *idle = NULL;
  LIST_FOR_EACH_SAFE(node, &pool.connections) {
    connection_t *connection = connection_at(node);
    if (connection->module_count) {
      const bool is_own = pthread_equal(connection->owner, pthread_self());
      if (is_own && !atomic_load(&connection->is_dead)) return connection;
    } else if (!is_waiting(connection) || !is_of_same_user(connection)) {
      connection_drop(connection);
    } else if (connection->priority == priority) {
      idle = connection;
    }
  }
  return idle;
}

static unsigned count_connections(int priority) {
  unsigned count = 0;
  LIST_FOR_EACH(node, &pool.connections) count += connection_at(node)->priority == priority;
  return count;
}

/* Under the mutex, which is given up while it waits. Null when nothing can be started and nobody will give one back. */
static connection_t *take_connection(const service_paths_t *paths, bool *out_is_new, text_t *reason) {
  const int priority = own_priority();
  for (;;) {
    connection_t *connection = find_connection(priority);
    const unsigned count = count_connections(priority);
    *out_is_new = false;
    if (!connection && count < most_connections()) {
      connection = connection_start(paths, reason);
      *out_is_new = connection;
      if (!connection && !count) return NULL;
    }
    if (connection) {
      connection->owner = pthread_self();
      connection->module_count++;
      return connection;
    }
    text_free(reason);
    pthread_cond_wait(&pool.changed, &pool.mutex);
  }
}

connection_t *pool_lease(const service_paths_t *paths, bool *out_can_start, text_t *reason) {
  bool is_new;
  pool_lock();
  if (pool.process != getpid()) pool_forget();
  connection_t *connection = take_connection(paths, &is_new, reason);
  pool_unlock();
  *out_can_start = connection;
  if (!connection || !is_new || wait_until_ready(connection, out_can_start, reason)) return connection;
  connection_end(connection);
  pool_return(connection);
  return NULL;
}

bool pool_is_running(void) {
  pool_lock();
  const bool is_running = pool.process == getpid() && !list_is_empty(&pool.connections);
  pool_unlock();
  return is_running;
}

void pool_return(connection_t *connection) {
  pool_lock();
  const bool is_free = --connection->module_count == 0;
  /* It is in no list in the child of a fork. */
  const bool is_listed = !list_is_empty(&connection->link);
  if (is_free && !is_listed) connection_free(connection);
  const bool is_useless = atomic_load(&connection->is_dead) || connection->has_given_up;
  if (is_free && is_listed && is_useless) connection_drop(connection);
  if (is_free) pthread_cond_broadcast(&pool.changed);
  pool_unlock();
}
