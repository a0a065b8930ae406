/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels that run are not slowed by the compilation of special ones: nobody waits for it, and it is of a low priority,
 * the thread and the compiler's process alike. A fork does wait. */
#include <dirent.h>
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "cl/program/specializer.h"
#include "cl/program/variant.h"
#include "program_fixture.h"

/* Launches that are worth a variant of their own: more than enough of them. */
enum { ITEMS = 1 << 20, LOCAL = 64, MANY = 80, NICER = 10 };

static const char source[] =
    "kernel void sums(global uint *out, local uint *t) {\n"
    "  uint l = get_local_id(0);\n"
    "  t[l] = get_global_id(0);\n"
    "  for (uint s = get_local_size(0) / 2; s; s >>= 1) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (l < s) t[l] += t[l + s];\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[get_global_id(0)] = t[0];\n"
    "}\n";

/** The time zone is passed on to compilers: it marks ours. */
static char mark[64];

/** What the thread that makes variants was, and when it may go on. */
static struct {
  sem_t begun, gate, done;
  pthread_t thread;
  int nice, policy, rounding, compilers;
} maker;

/* ---------------------------------------------------------------- priorities */

static int own_nice(void) { return getpriority(PRIO_PROCESS, (id_t)gettid()); }

/** True when a compiler that this process's driver started is `process`. */
static bool is_our_compiler(long process) {
  char path[64], environment[4096];
  snprintf(path, sizeof path, "/proc/%ld/environ", process);
  FILE *file = fopen(path, "r");
  if (!file) return false;
  const size_t size = fread(environment, 1, sizeof environment, file);
  fclose(file);
  return memmem(environment, size, mark, strlen(mark)) != NULL;
}

/** Compilers of ours that have this nice value. */
static int compilers_count(int nice) {
  int count = 0;
  DIR *folder = opendir("/proc");
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    const long process = strtol(entry->d_name, NULL, 10);
    if (process <= 0 || process == getpid() || !is_our_compiler(process)) continue;
    count += getpriority(PRIO_PROCESS, (id_t)process) == nice;
  }
  if (folder) closedir(folder);
  return count;
}

/* ---------------------------------------------------------------- the thread */

void __real_variant_make(variant_t *variant);
/** The name that the linker gives. */
void __wrap_variant_make(variant_t *variant);

void __wrap_variant_make(variant_t *variant) {
  maker.thread = pthread_self();
  maker.nice = own_nice();
  maker.policy = sched_getscheduler(0);
  maker.rounding = fegetround();
  sem_post(&maker.begun);
  while (sem_wait(&maker.gate)) continue;
  __real_variant_make(variant);
  maker.compilers = compilers_count(maker.nice);
  sem_post(&maker.done);
}

static void await(sem_t *semaphore) {
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 60;
  assert_int_equal(sem_timedwait(semaphore, &end), 0);
}

/* ---------------------------------------------------------------- tests */

static void launch(cl_kernel kernel) {
  const size_t global = ITEMS, local = LOCAL;
  assert_int_equal(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), CL_SUCCESS);
}

static void expect_sums(void) {
  cl_uint last = 0, sum = 0;
  for (cl_uint i = ITEMS - LOCAL; i < ITEMS; i++) sum += i;
  assert_int_equal(
      clEnqueueReadBuffer(queue, buffer, CL_TRUE, (ITEMS - 1) * sizeof last, sizeof last, &last, 0, NULL, NULL),
      CL_SUCCESS);
  assert_int_equal(last, sum);
}

static atomic_bool has_paused;

static void *pause_and_resume(void *unused) {
  (void)unused;
  specializer_pause();
  atomic_store(&has_paused, true);
  specializer_resume();
  return NULL;
}

static void special_kernels_take_no_core_from_those_that_run(void **state) {
  (void)state;
  cl_int error;
  const int nice = own_nice();
  cl_kernel kernel = clCreateKernel(program, "sums", &error);
  assert_int_equal(error, CL_SUCCESS);
  assert_int_equal(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer), CL_SUCCESS);
  assert_int_equal(clSetKernelArg(kernel, 1, LOCAL * sizeof(cl_uint), NULL), CL_SUCCESS);
  /* What computes in another way than usual is not for the compiler, whoever starts its thread. */
  assert_int_equal(fesetround(FE_UPWARD), 0);
  for (int i = 0; i < MANY; i++) launch(kernel);
  expect_sums();
  await(&maker.begun);
  assert_int_equal(fesetround(FE_TONEAREST), 0);
  assert_int_equal(maker.rounding, FE_TONEAREST);
  assert_false(pthread_equal(maker.thread, pthread_self()));
  assert_int_equal(maker.policy, sched_getscheduler(0));
  assert_int_equal(maker.nice, nice + NICER < 19 ? nice + NICER : 19);
  assert_int_equal(own_nice(), nice);
  /* Launches go on, with the general code. */
  for (int i = 0; i < MANY; i++) launch(kernel);
  expect_sums();
  /* A fork waits for what is under way. */
  pthread_t forker;
  assert_int_equal(pthread_create(&forker, NULL, pause_and_resume, NULL), 0);
  usleep(20000);
  assert_false(atomic_load(&has_paused));
  sem_post(&maker.gate);
  assert_int_equal(pthread_join(forker, NULL), 0);
  await(&maker.done);
  /* One for it, the other has built the program. */
  assert_int_equal(maker.compilers, 1);
  assert_int_equal(compilers_count(nice), 1);
  launch(kernel);
  expect_sums();
  assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

static int begin(void **state) {
  (void)state;
  snprintf(mark, sizeof mark, "quern-test-%d", (int)getpid());
  setenv("TZ", mark, 1);
  if (sem_init(&maker.begun, 0, 0) || sem_init(&maker.gate, 0, 0) || sem_init(&maker.done, 0, 0)) return -1;
  return fixture_open(source, ITEMS);
}

static int end(void **state) {
  (void)state;
  return fixture_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(special_kernels_take_no_core_from_those_that_run, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
