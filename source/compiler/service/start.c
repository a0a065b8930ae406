/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Starting the compiler's process, so that the application notices nothing of it.
 *
 * execve makes the signal of a process's end SIGCHLD, whatever it was made with, so the compiler cannot be a child of
 * the application: a first process, which shares memory and ends without a signal, starts it and leaves at once. The
 * compiler belongs to init from then on, or to the nearest subreaper. Both run before their parents go on
 * (CLONE_VFORK): nothing of a large application is copied. */
#include "compiler/service/start.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/options.h"

enum {
  stack_size = 64 << 10,
  /** Descriptors below are the compiler's. */
  first_foreign = service_socket + 1,
  /** Where there is no close_range. */
  most_descriptors = 65536,
  largest_output = 1 << 20,
};

/* What the new processes read and write, in the memory of the application. */
typedef struct launch_t {
  const char *program;
  char *const *arguments, *const *environment;
  /** For the compiler's descriptors 0 to 2, and service_socket. */
  int output, stderr_file, socket;
  /** Bytes of the longest file that the compiler may write. */
  rlim_t largest_output;
  char *stack;
  /** errno's number when there is no compiler. */
  volatile int error;
} launch_t;

/* ------------------------------------------------------------ in the new processes */

/* No function here may take a lock or allocate: the application's other threads run. System calls are made without the
 * C library's functions, in whose place the application or a sanitizer may have others, with state that it shares. A
 * sanitizer would take these stacks for the calling thread's. */
#define ON_OTHER_STACK __attribute__((no_sanitize_address, no_sanitize_thread))

#ifdef __SANITIZE_THREAD__
/* Its own clone takes every new process for one with memory of its own. */
extern int __clone(int (*function)(void *data), void *stack, int flags, void *data, ...);
#define clone __clone
#endif

ON_OTHER_STACK static _Noreturn void leave(void) {
  for (;;) syscall(SYS_exit_group, EXIT_SUCCESS);
}

ON_OTHER_STACK static void limit(int resource, rlim_t value) {
  struct rlimit limits;
  if (syscall(SYS_prlimit64, 0, resource, NULL, &limits)) return;
  limits.rlim_cur = value < limits.rlim_max ? value : limits.rlim_max;
  syscall(SYS_prlimit64, 0, resource, &limits, NULL);
}

ON_OTHER_STACK static void close_others(void) {
#ifdef SYS_close_range
  if (!syscall(SYS_close_range, first_foreign, ~0u, 0)) return;
#endif
  struct rlimit limits;
  rlim_t count = syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limits) ? most_descriptors : limits.rlim_cur;
  if (count > most_descriptors) count = most_descriptors;
  for (int i = first_foreign; (rlim_t)i < count; i++) syscall(SYS_close, i);
}

/* A copy that is none of the numbers that others go to; negative when there can be none. */
ON_OTHER_STACK static long move_away(int file) { return syscall(SYS_fcntl, file, F_DUPFD, first_foreign); }

/* The originals may be among the numbers that they go to. */
ON_OTHER_STACK static bool place_descriptors(const launch_t *launch) {
  const long output = move_away(launch->output), stderr_file = move_away(launch->stderr_file);
  const long socket = move_away(launch->socket);
  const long files[first_foreign] = {output, output, stderr_file, socket};
  for (int i = 0; i < first_foreign; i++) {
    if (files[i] < 0 || syscall(SYS_dup3, files[i], i, 0) < 0) return false;
  }
  close_others();
  return true;
}

/* What is ignored stays so over execve, and so does the mask. The kernel's struct is four words at most, and zero for
 * the default. */
ON_OTHER_STACK static void reset_signals(void) {
  const unsigned long normal[4] = {0}, none[2] = {0};
  for (int i = 1; i < NSIG; i++) syscall(SYS_rt_sigaction, i, normal, NULL, NSIG / 8);
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, none, NULL, NSIG / 8);
}

ON_OTHER_STACK static int compiler_main(void *data) {
  launch_t *launch = data;
  syscall(SYS_setsid);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, launch->largest_output);
  if (place_descriptors(launch) && !syscall(SYS_chdir, "/")) {
    reset_signals();
    syscall(SYS_execve, launch->program, launch->arguments, launch->environment);
  }
  launch->error = errno;
  leave();
}

ON_OTHER_STACK static int first_main(void *data) {
  launch_t *launch = data;
  if (clone(compiler_main, launch->stack + stack_size, CLONE_VM | CLONE_VFORK | SIGCHLD, launch) < 0) {
    launch->error = errno;
  }
  leave();
}

/* ------------------------------------------------------------ in the application */

/* All of them, the C library's own too. */
static void signals_hold(sigset_t *previous) {
  sigset_t all;
  memset(&all, 0xff, sizeof all);
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, previous, NSIG / 8);
}

static void signals_release(const sigset_t *previous) {
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, previous, NULL, NSIG / 8);
}

/* 0, or errno's number. */
static int launch_run(launch_t *launch) {
  char *stacks = mmap(NULL, 2 * stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stacks == MAP_FAILED) return errno;
  launch->stack = stacks + stack_size;
  sigset_t previous;
  signals_hold(&previous);
  const pid_t first = clone(first_main, stacks + stack_size, CLONE_VM | CLONE_VFORK, launch);
  const int error = first < 0 ? errno : 0;
  while (first > 0 && waitpid(first, NULL, __WCLONE) < 0 && errno == EINTR) continue;
  signals_release(&previous);
  munmap(stacks, 2 * stack_size);
  return error ? error : launch->error;
}

enum { most_variables = 8 };

static void list_environment(const text_t *text, char *list[most_variables]) {
  size_t count = 0;
  for (char *entry = text->data; entry && entry < text->data + text->length; entry += strlen(entry) + 1) {
    if (count + 1 < most_variables) list[count++] = entry;
  }
  list[count] = NULL;
}

static int start_with(const char *program, const char *library, const service_process_t *process, int socket,
                      rlim_t largest) {
  char *variables[most_variables], *arguments[] = {(char *)(uintptr_t)program, (char *)(uintptr_t)library, NULL};
  text_t environment = {0};
  options_program_environment(&environment);
  list_environment(&environment, variables);
  launch_t launch = {.program = program,
                     .arguments = arguments,
                     .environment = variables,
                     .output = process->output,
                     .stderr_file = process->output,
                     .socket = socket,
                     .largest_output = largest};
  const int error = launch_run(&launch);
  text_free(&environment);
  return error;
}

/* Appending, so that both sides may write and cut it. */
static int make_output(void) {
  const int file = memfd_create("quern-compiler", MFD_CLOEXEC);
  if (file < 0) return -1;
  if (!fcntl(file, F_SETFL, O_APPEND)) return file;
  close(file);
  return -1;
}

bool service_start(const char *program, const char *library, bool prints_on_stderr, service_process_t *out,
                   text_t *reason) {
  int sockets[2];
  *out = (service_process_t){.socket = -1, .output = -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets)) {
    text_appendf(reason, "no socket for %s: %s", program, strerror(errno));
    return false;
  }
  out->output = prints_on_stderr ? STDERR_FILENO : make_output();
  /* What is printed on purpose may be long, and go to a file. */
  const rlim_t largest = prints_on_stderr ? RLIM_INFINITY : largest_output;
  const int error = out->output < 0 ? errno : start_with(program, library, out, sockets[1], largest);
  close(sockets[1]);
  if (prints_on_stderr) out->output = -1;
  if (error) {
    text_appendf(reason, "cannot start %s: %s", program, strerror(error));
    close(sockets[0]);
    if (out->output >= 0) close(out->output);
    *out = (service_process_t){.socket = -1, .output = -1};
    return false;
  }
  out->socket = sockets[0];
  return true;
}
