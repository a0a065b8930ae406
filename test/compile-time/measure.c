/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Runs a command and says what it took: `compile-time-measure SECONDS COMMAND...` prints its exit status, milliseconds
 * of processor time, and the most kilobytes of memory on standard output. After that many seconds the command is
 * killed, and the status is 124. The command's own output goes to standard error. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;

static void kill_child(int number) {
  (void)number;
  kill(child, SIGKILL);
}

static _Noreturn void run(char **command, const char *seconds) {
  struct rlimit limit = {0, 0};
  setrlimit(RLIMIT_CORE, &limit);
  /* Processor time, which does not depend on what else runs. */
  limit.rlim_cur = limit.rlim_max = strtoul(seconds, NULL, 10);
  setrlimit(RLIMIT_CPU, &limit);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  execvp(command[0], command);
  perror(command[0]);
  _exit(127);
}

static double milliseconds(struct timeval time) { return (double)time.tv_sec * 1e3 + (double)time.tv_usec * 1e-3; }

int main(int argc, char **argv) {
  if (argc < 3) return EXIT_FAILURE;
  child = fork();
  if (child < 0) return EXIT_FAILURE;
  if (child == 0) run(argv + 2, argv[1]);
  signal(SIGTERM, kill_child);
  signal(SIGINT, kill_child);
  struct rusage usage;
  int status;
  while (wait4(child, &status, 0, &usage) < 0) {
  }
  int code = WIFEXITED(status)                                            ? WEXITSTATUS(status)
             : WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGXCPU ? 124
                                                                          : 128 + WTERMSIG(status);
  printf("%d %.0f %ld\n", code, milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime), usage.ru_maxrss);
  return EXIT_SUCCESS;
}
