/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The compiler's process when the application forks, changes its user or its root, or may start none. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "compiler_process.h"

enum { forks = 20, other_user = 65534 };

/** The child's status. */
static int wait_for(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ------------------------------------------------------------ fork */

/** The parent's process serves the parent alone; the child's goes with the child. */
static int fork_and_build(void) {
  void *state = NULL;
  build_t build;
  if (test_device_open(&state)) return 1;
  const pid_t first = build_and_look(&build, 1);
  if (build.error || !first) return 2;
  for (int i = 0; i < forks; i++) {
    const pid_t child = fork();
    if (child == 0) {
      const pid_t own = build_and_look(&build, 100 + i);
      _exit(build.error || !own || own == first ? 1 : 0);
    }
    if (build_and_look(&build, 200 + i) || build.error) return 3;
    if (wait_for(child)) return 4;
  }
  /* A child that builds nothing does not keep the parent's one alive. */
  const pid_t child = fork();
  if (child == 0) {
    /* Whoever reads it waits for its end. */
    close(STDOUT_FILENO);
    pause();
    _exit(0);
  }
  printf("%d %d", (int)first, (int)child);
  return 0;
}

static void a_child_has_its_own(void **state) {
  (void)state;
  char output[64];
  int first = 0, child = 0;
  assert_int_equal(test_run_self("fork", output, sizeof output), 0);
  assert_int_equal(sscanf(output, "%d %d", &first, &child), 2);
  const bool has_ended = ends_soon(first);
  kill(child, SIGKILL);
  assert_true(has_ended);
}

static void *build_always(void *data) {
  for (int i = 0; i < forks * 2; i++) {
    if (build_number(1000 + i).error) return NULL;
  }
  return data;
}

/** While another thread builds: neither side waits for the other one's answers. */
static int fork_meanwhile(void) {
  void *state = NULL, *answer = NULL;
  pthread_t thread;
  if (test_device_open(&state) || pthread_create(&thread, NULL, build_always, &dut)) return 1;
  for (int i = 0; i < forks; i++) {
    const pid_t child = fork();
    if (child == 0) _exit(build_number(i).error != CL_SUCCESS);
    if (wait_for(child)) return 2;
  }
  pthread_join(thread, &answer);
  return answer ? 0 : 3;
}

static void forks_while_a_thread_builds(void **state) {
  (void)state;
  ASSERT_CHILD("meanwhile");
}

/* ------------------------------------------------------------ rights */

static int change_user(void) {
  void *state = NULL;
  build_t build;
  char path[64], line[256];
  unsigned user = 0;
  if (test_device_open(&state)) return 1;
  const pid_t first = build_and_look(&build, 1);
  if (build.error || !first) return 2;
  if (setgid(other_user) || setuid(other_user)) return 3;
  const pid_t second = build_and_look(&build, 2);
  if (build.error || !second || second == first) return 4;
  snprintf(path, sizeof path, "/proc/%d/status", (int)second);
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) sscanf(line, "Uid: %u", &user);
  if (file) fclose(file);
  return user == other_user && ends_soon(first) ? 0 : 5;
}

static void after_setuid_there_is_a_new_one(void **state) {
  (void)state;
  if (geteuid() != 0) {
    print_message("skipped: only root changes its user\n");
    skip();
  }
  ASSERT_CHILD("user");
}

/** In a root without the compiler the process that there is still serves; what is included is looked for there. */
static int change_root(void) {
  void *state = NULL;
  char root[] = "/tmp/quern-root-XXXXXX", path[64];
  if (test_device_open(&state) || build_number(1).error || !mkdtemp(root)) return 1;
  snprintf(path, sizeof path, "%s/inside.h", root);
  FILE *file = fopen(path, "w");
  if (!file || fputs("#define VALUE 3\n", file) < 0 || fclose(file)) return 2;
  const int outside = open("/", O_RDONLY | O_DIRECTORY);
  if (chroot(root) || chdir("/")) return 3;
  const cl_int inside =
      build_source("#include \"/inside.h\"\nkernel void k(global int *p) { *p = VALUE; }\n", NULL).error;
  if (fchdir(outside) || chroot(".")) return 4;
  unlink(path);
  rmdir(root);
  return inside ? 5 : 0;
}

static void after_chroot_files_are_those_of_the_new_root(void **state) {
  (void)state;
  if (geteuid() != 0) {
    print_message("skipped: only root changes its root\n");
    skip();
  }
  ASSERT_CHILD("root");
}

/* ------------------------------------------------------------ no process */

/** In process instead, and in a process again once that is possible. */
static int limit_processes(void) {
  void *state = NULL;
  build_t build;
  struct rlimit limit;
  /* The limit does not hold for root; the driver's threads are there before. */
  if (geteuid() == 0 && (setgid(other_user) || setuid(other_user))) return 1;
  if (test_device_open(&state) || getrlimit(RLIMIT_NPROC, &limit)) return 2;
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = 0;
  if (setrlimit(RLIMIT_NPROC, &limit)) return 3;
  if (build_and_look(&build, 1) || build.error || !test_is_mapped("libquern-compiler")) return 4;
  limit.rlim_cur = before;
  if (setrlimit(RLIMIT_NPROC, &limit)) return 5;
  return build_and_look(&build, 2) && !build.error ? 0 : 6;
}

static void without_a_process_programs_are_built_here(void **state) {
  (void)state;
  ASSERT_CHILD("limit");
}

/** System calls that start a process end the application, as some sandboxes have it. */
static int restrict_calls(void) {
  void *state = NULL;
  build_t build;
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socketpair, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execve, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  if (test_device_open(&state)) return 1;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 2;
  return !build_and_look(&build, 1) && !build.error && test_is_mapped("libquern-compiler") ? 0 : 3;
}

static void a_restricted_application_builds_here(void **state) {
  (void)state;
  if (prctl(PR_GET_SECCOMP) != 0) {
    print_message("skipped: system calls are restricted already, or cannot be\n");
    skip();
  }
  ASSERT_CHILD("restricted");
}

static int build_here(void) {
  void *state = NULL;
  build_t build;
  if (test_device_open(&state)) return 1;
  return !build_and_look(&build, 1) && !build.error && test_is_mapped("libquern-compiler") ? 0 : 2;
}

static void an_option_builds_here(void **state) {
  (void)state;
  setenv("QUERN_COMPILER", "in-process", 1);
  ASSERT_CHILD("here");
  unsetenv("QUERN_COMPILER");
}

/* ------------------------------------------------------------ the end */

static void *build_for_ever(void *data) {
  for (int i = 0; build_number(i).error == CL_SUCCESS; i++) continue;
  return data;
}

/** exit() while a thread compiles. */
static int leave_meanwhile(void) {
  void *state = NULL;
  pthread_t thread;
  if (test_device_open(&state) || pthread_create(&thread, NULL, build_for_ever, NULL)) return 1;
  pause_milliseconds(50 + getpid() % 40);
  exit(0);
}

static void the_application_ends_while_a_thread_builds(void **state) {
  (void)state;
  for (int i = 0; i < forks; i++) ASSERT_CHILD("leave");
  setenv("QUERN_COMPILER", "in-process", 1);
  for (int i = 0; i < forks; i++) ASSERT_CHILD("leave");
  unsetenv("QUERN_COMPILER");
}

/** An application that is a subreaper gets the process for a child when it is orphaned, and does not see it end. */
static int build_as_subreaper(void) {
  void *state = NULL;
  build_t build;
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) || test_device_open(&state)) return 1;
  for (int i = 0; i < 3; i++) {
    const pid_t process = build_and_look(&build, i);
    if (build.error || !process || kill(process, SIGKILL) || !ends_soon(process)) return 2;
  }
  if (build_and_look(&build, 9) == 0 || build.error) return 3;
  /* The one that lives. */
  return waitpid(-1, NULL, WNOHANG) == 0 ? 0 : 4;
}

static void a_subreaper_keeps_no_zombies(void **state) {
  (void)state;
  ASSERT_CHILD("subreaper");
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    int (*run)(void);
  } roles[] = {{"fork", fork_and_build},       {"meanwhile", fork_meanwhile}, {"user", change_user},
               {"root", change_root},          {"limit", limit_processes},    {"here", build_here},
               {"restricted", restrict_calls}, {"leave", leave_meanwhile},    {"subreaper", build_as_subreaper}};
  setenv("QUERN_DEBUG", "loader", 1);
  for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
    if (argc == 2 && !strcmp(argv[1], roles[i].name)) return roles[i].run();
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_child_has_its_own),
      cmocka_unit_test(forks_while_a_thread_builds),
      cmocka_unit_test(after_setuid_there_is_a_new_one),
      cmocka_unit_test(after_chroot_files_are_those_of_the_new_root),
      cmocka_unit_test(without_a_process_programs_are_built_here),
      cmocka_unit_test(a_restricted_application_builds_here),
      cmocka_unit_test(an_option_builds_here),
      cmocka_unit_test(the_application_ends_while_a_thread_builds),
      cmocka_unit_test(a_subreaper_keeps_no_zombies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
