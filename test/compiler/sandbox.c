/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What a compiler process can still do: threads and memory; and what it cannot, whatever Clang is made to do. */
#include "compiler/service/program/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { address_space = 1 << 30 };

static void *fill(void *data) {
  void *memory = calloc(1, 1 << 20);
  free(memory);
  return memory ? data : NULL;
}

/* Each in a process of its own, in the sandbox: 0 when it is as it should be. */

static int compute(void) {
  pthread_t thread;
  void *answer = NULL;
  int address;
  if (pthread_create(&thread, NULL, fill, &address) || pthread_join(thread, &answer)) return 1;
  return answer == &address ? 0 : 2;
}

static int read_file(void) { return open("/proc/self/exe", O_RDONLY) < 0 && open("/etc/passwd", O_RDONLY) < 0 ? 0 : 1; }

static int write_file(void) { return open("/tmp/quern-sandbox", O_WRONLY | O_CREAT, 0600) < 0 ? 0 : 1; }

static int remove_file(void) { return unlink("/tmp/quern-sandbox-none") < 0 && errno == EPERM ? 0 : 1; }

static int use_network(void) {
  return socket(AF_INET, SOCK_STREAM, 0) < 0 && socket(AF_UNIX, SOCK_DGRAM, 0) < 0 ? 0 : 1;
}

static int start_process(void) {
  const long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  return child < 0 ? 0 : 1;
}

static int start_program(void) {
  char *const arguments[] = {"true", NULL};
  execv("/bin/true", arguments);
  return errno == EPERM ? 0 : 1;
}

static int make_code(void) {
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) return 1;
  memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 2;
  return mprotect(memory, 4096, PROT_READ | PROT_EXEC) ? 0 : 3;
}

static int signal_others(void) { return kill(getppid(), 0) < 0 ? 0 : 1; }

static int take_all_memory(void) { return malloc((size_t)2 * address_space) ? 1 : 0; }

static void run(int (*body)(void)) {
  int status = 0;
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    sandbox_enter(address_space);
    _exit(body());
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

#define CASE(name, body)           \
  static void name(void **state) { \
    (void)state;                   \
    run(body);                     \
  }

CASE(threads_and_memory_work, compute)
CASE(no_file_is_read, read_file)
CASE(no_file_is_written, write_file)
CASE(no_file_is_removed, remove_file)
CASE(no_network_is_used, use_network)
CASE(no_process_is_started, start_process)
CASE(no_program_is_started, start_program)
CASE(no_code_is_made, make_code)
CASE(no_signal_is_sent, signal_others)
CASE(memory_is_bounded, take_all_memory)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_and_memory_work), cmocka_unit_test(no_file_is_read),
      cmocka_unit_test(no_file_is_written),      cmocka_unit_test(no_file_is_removed),
      cmocka_unit_test(no_network_is_used),      cmocka_unit_test(no_process_is_started),
      cmocka_unit_test(no_program_is_started),   cmocka_unit_test(no_code_is_made),
      cmocka_unit_test(no_signal_is_sent),       cmocka_unit_test(memory_is_bounded),
  };
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  printf("skipped: there is no sandbox for what a sanitizer's runtime does\n");
  return 0;
#endif
  if (prctl(PR_GET_SECCOMP) < 0) {
    printf("skipped: this kernel has no seccomp\n");
    return 0;
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}
