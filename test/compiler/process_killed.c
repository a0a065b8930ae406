/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Builds whose compiler is killed at any moment: each gives the right program, or fails and says why; and nothing is
 * left of them. `test_compiler_process_killed 1000` does as many; as a test it does few. */
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "compiler_process.h"

enum { few_builds = 60, warm_up = 10, longest_wait = 200, most_growth = 4 << 20 };

static int build_count = few_builds;

/** What the killer knows. */
static atomic_bool is_done;
static atomic_uint kills;

/** True when the process is a compiler that this process's driver started: nobody else's is killed. */
static bool is_ours(const char *entry, const char *mark) {
  char path[64], environment[4096];
  snprintf(path, sizeof path, "/proc/%.20s/environ", entry);
  FILE *file = fopen(path, "r");
  if (!file) return false;
  const size_t size = fread(environment, 1, sizeof environment - 1, file);
  fclose(file);
  return memmem(environment, size, mark, strlen(mark)) != NULL;
}

/** The time zone is passed on: it marks our compilers. */
static char mark[64];

static void kill_one(void) {
  DIR *folder = opendir("/proc");
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    const pid_t process = atoi(entry->d_name);
    if (process <= 0 || process == getpid() || !is_ours(entry->d_name, mark)) continue;
    if (!kill(process, SIGKILL)) atomic_fetch_add(&kills, 1);
    break;
  }
  if (folder) closedir(folder);
}

static void *kill_now_and_then(void *data) {
  unsigned seed = 1;
  while (!atomic_load(&is_done)) {
    pause_milliseconds(rand_r(&seed) % longest_wait);
    kill_one();
  }
  return data;
}

static int count_descriptors(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/fd");
  while (folder && readdir(folder)) count++;
  if (folder) closedir(folder);
  return count;
}

/** What the kernel writes, -1 when its build failed; fails when that was not told, or is wrong. */
static bool build_and_run(int number, bool *out_failed) {
  char source[256];
  snprintf(source, sizeof source, "kernel void k(global int *p) { for (int i = 0; i < 9; i++) p[i] += %d; }\n", number);
  const char *text = source;
  cl_int error, values[9] = {0};
  char log[4096] = "";
  cl_program program = clCreateProgramWithSource(dut.context, 1, &text, NULL, &error);
  error = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
  clGetProgramBuildInfo(program, dut.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
  *out_failed = error != CL_SUCCESS;
  if (error != CL_SUCCESS) {
    clReleaseProgram(program);
    return error == CL_BUILD_PROGRAM_FAILURE && strstr(log, "error: the compiler's process");
  }
  const size_t one = 1;
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  cl_mem buffer = clCreateBuffer(dut.context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &error);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  ASSERT_CL(clEnqueueReadBuffer(dut.queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseProgram(program));
  return values[0] == number && values[8] == number;
}

static void builds_are_right_or_fail(void **state) {
  (void)state;
  pthread_t killer;
  int failed = 0;
  bool has_failed;
  for (int i = 0; i < warm_up; i++) assert_true(build_and_run(i, &has_failed));
  const int descriptors = count_descriptors();
  const size_t memory = test_resident_bytes();
  assert_int_equal(pthread_create(&killer, NULL, kill_now_and_then, NULL), 0);
  for (int i = 0; i < build_count; i++) {
    assert_true(build_and_run(i + 1000, &has_failed));
    failed += has_failed;
  }
  atomic_store(&is_done, true);
  pthread_join(killer, NULL);
  /* An idle one may have been killed last. */
  assert_true(build_and_run(7, &has_failed) && !has_failed);
  print_message("%d builds, %u compilers killed, %d builds failed\n", build_count, atomic_load(&kills), failed);
  assert_true(atomic_load(&kills) > 0 && failed > 0 && failed < build_count);
  assert_true(count_descriptors() <= descriptors);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  assert_int_equal(errno, ECHILD);
  assert_false(test_is_mapped("libquern-compiler"));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  /* A sanitizer keeps what was freed. */
  assert_true(test_resident_bytes() < memory + most_growth);
#else
  (void)memory;
#endif
}

int main(int argc, char **argv) {
  if (argc == 2) build_count = atoi(argv[1]);
  snprintf(mark, sizeof mark, "TZ=:/quern/%d", (int)getpid());
  setenv("TZ", mark + strlen("TZ="), 1);
  const struct CMUnitTest tests[] = {cmocka_unit_test(builds_are_right_or_fail)};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
