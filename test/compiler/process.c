/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The compiler's process: the application does not notice it, and it has nothing of the application's. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "compiler_process.h"

enum { threads = 4, rounds = 6, inherited = 200, descriptors = 256, most_growth = 8 << 20 };

static volatile sig_atomic_t child_signals;

static void count_signal(int signal) {
  (void)signal;
  child_signals++;
}

/* ------------------------------------------------------------ in the application */

static void no_library_is_mapped_and_memory_stays(void **state) {
  (void)state;
  const size_t before = test_resident_bytes();
  const build_t build = build_number(1);
  const size_t after = test_resident_bytes();
  ASSERT_CL(build.error);
  assert_false(test_is_mapped("libquern-compiler"));
  assert_true(after < before + most_growth);
}

static int count_descriptors(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/fd");
  assert_non_null(folder);
  while (readdir(folder)) count++;
  closedir(folder);
  return count;
}

/** A new process: what it has of the application's, whose life it does not survive. */
static int look_at_new_process(void) {
  void *state = NULL;
  struct stat status;
  build_t build;
  char path[64];
  signal(SIGTERM, SIG_IGN);
  signal(SIGCHLD, count_signal);
  /* Inherited by every program that is not careful. */
  const int file = open("/dev/null", O_RDONLY);
  if (file < 0 || dup2(file, inherited) < 0 || test_device_open(&state)) return 1;
  const int before = count_descriptors();
  const pid_t process = build_and_look(&build, 20);
  if (build.error || process <= 0 || kill(process, 0)) return 2;
  /* The socket, and what it prints. */
  if (count_descriptors() > before + 2) return 3;
  if (getpgid(process) == getpgrp() || getsid(process) == getsid(0)) return 4;
  snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)process, inherited);
  if (!lstat(path, &status)) return 5;
  snprintf(path, sizeof path, "/proc/%d/status", (int)process);
  FILE *text = fopen(path, "r");
  unsigned long long ignored = ~0ull, blocked = ~0ull;
  char line[256];
  while (text && fgets(line, sizeof line, text)) {
    sscanf(line, "SigIgn: %llx", &ignored);
    sscanf(line, "SigBlk: %llx", &blocked);
  }
  if (text) fclose(text);
  if (ignored >> (SIGTERM - 1) & 1 || blocked) return 6;
  /* A process that is killed while idle is replaced, and leaves no entry. */
  kill(process, SIGKILL);
  if (!ends_soon(process)) return 7;
  const pid_t next = build_and_look(&build, 21);
  if (build.error || next <= 0 || next == process) return 8;
  if (waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD || child_signals) return 9;
  printf("%d", (int)next);
  return 0;
}

static void a_new_process_is_not_noticed_and_goes_with_the_application(void **state) {
  (void)state;
  char output[64];
  assert_int_equal(test_run_self("look", output, sizeof output), 0);
  assert_true(atoi(output) > 0);
  assert_true(ends_soon(atoi(output)));
}

/* ------------------------------------------------------------ descriptors */

/** What an application that becomes a daemon does; its next files get the numbers. */
static int close_descriptors(void) {
  void *state = NULL;
  build_t build;
  char name[] = "/tmp/quern-process-XXXXXX", text[16];
  if (test_device_open(&state) || build_number(30).error) return 1;
  const int file = mkstemp(name);
  for (int i = 3; i < 64; i++) {
    if (i != file) close(i);
  }
  for (int i = 3; i < 64; i++) dup2(file, i);
  unlink(name);
  build = build_number(31);
  if (build.error) return 2;
  if (pread(file, text, sizeof text, 0) != 0) return 3;
  return fcntl(file, F_GETFD) < 0 ? 4 : 0;
}

static void descriptors_that_the_application_closed_are_not_used(void **state) {
  (void)state;
  ASSERT_CHILD("close");
}

/** No descriptor is free: the process that there is serves, and a failure is not remembered. */
static int exhaust_descriptors(void) {
  void *state = NULL;
  int last = -1, count = 0, files[descriptors];
  const struct rlimit limit = {descriptors, descriptors};
  if (setrlimit(RLIMIT_NOFILE, &limit) || test_device_open(&state)) return 1;
  while ((last = open("/dev/null", O_RDONLY)) >= 0) files[count++] = last;
  if (build_number(40).error == CL_SUCCESS) return 3;
  for (int i = 0; i < count; i++) close(files[i]);
  if (build_number(41).error) return 4;
  while (open("/dev/null", O_RDONLY) >= 0) continue;
  const cl_int error = build_number(42).error;
  /* What looks at the process in the end may open files. */
  for (int i = 64; i < descriptors; i++) close(i);
  return error ? 5 : 0;
}

static void a_lack_of_descriptors_is_not_remembered(void **state) {
  (void)state;
  ASSERT_CHILD("exhaust");
}

/* ------------------------------------------------------------ memory */

/** Pages of one small file, mapped until more than 2 GiB are resident, as in applications with large arrays: that is
 * what the kernel tells the compiler's process of its own, too. It stays for the next build. */
static int build_with_large_memory(void) {
  enum { piece = 64 << 20, pieces = 36 };
  void *state = NULL;
  build_t build;
  const int file = memfd_create("pages", 0);
  if (file < 0 || ftruncate(file, piece) || test_device_open(&state)) return 1;
  for (int i = 0; i < pieces; i++) {
    if (mmap(NULL, piece, PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0) == MAP_FAILED) return 2;
  }
  const pid_t process = build_and_look(&build, 50);
  if (build.error) {
    printf("%s", build.log);
    return 3;
  }
  if (process <= 0) return 4;
  return build_and_look(&build, 51) != 0 || build.error;
}

static void an_application_may_have_large_memory(void **state) {
  (void)state;
  ASSERT_CHILD("large");
}

/* ------------------------------------------------------------ threads */

static void *build_rounds(void *data) {
  for (int i = 0; i < rounds; i++) {
    if (build_number((int)(size_t)data * 1000 + i).error) return NULL;
  }
  return data;
}

static void threads_build_at_once(void **state) {
  (void)state;
  pthread_t ids[threads];
  for (size_t i = 0; i < threads; i++) {
    assert_int_equal(pthread_create(&ids[i], NULL, build_rounds, (void *)(i + 100)), 0);
  }
  for (size_t i = 0; i < threads; i++) {
    void *answer = NULL;
    pthread_join(ids[i], &answer);
    assert_non_null(answer);
  }
}

/** Linking needs several modules at once. */
static void programs_are_linked(void **state) {
  (void)state;
  static const char *const sources[] = {"int a(int x) { return x + 1; }\n", "int b(int x) { return x * 2; }\n",
                                        "int a(int x); int b(int x); kernel void k(global int *p) { *p = a(b(*p)); }"};
  cl_program parts[3];
  cl_int error;
  for (int i = 0; i < 3; i++) {
    parts[i] = clCreateProgramWithSource(dut.context, 1, (const char **)(uintptr_t)&sources[i], NULL, &error);
    ASSERT_CL(clCompileProgram(parts[i], 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
  }
  cl_program linked = clLinkProgram(dut.context, 0, NULL, NULL, 3, parts, NULL, NULL, &error);
  ASSERT_CL(error);
  for (int i = 0; i < 3; i++) ASSERT_CL(clReleaseProgram(parts[i]));
  ASSERT_CL(clReleaseProgram(linked));
}

int main(int argc, char **argv) {
  setenv("QUERN_DEBUG", "loader", 1);
  if (argc == 2 && !strcmp(argv[1], "look")) return look_at_new_process();
  if (argc == 2 && !strcmp(argv[1], "close")) return close_descriptors();
  if (argc == 2 && !strcmp(argv[1], "exhaust")) return exhaust_descriptors();
  if (argc == 2 && !strcmp(argv[1], "large")) return build_with_large_memory();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_library_is_mapped_and_memory_stays),
      cmocka_unit_test(a_new_process_is_not_noticed_and_goes_with_the_application),
      cmocka_unit_test(descriptors_that_the_application_closed_are_not_used),
      cmocka_unit_test(a_lack_of_descriptors_is_not_remembered),
      cmocka_unit_test(an_application_may_have_large_memory),
      cmocka_unit_test(threads_build_at_once),
      cmocka_unit_test(programs_are_linked),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
