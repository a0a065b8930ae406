/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Counter queries: plausible values where the system permits counters, no claim where it does not. */
#include <dirent.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kernels.h"
#include "support.h"

enum { COUNTER_LIMIT = 32, PAGE_COUNT = 2048, PAGE_BYTES = 4096, PAGE_GROUPS = PAGE_BYTES / sizeof(uint32_t) };

static host_test_t test;
static mux_query_counter_t counters[COUNTER_LIMIT];
static mux_query_counter_description_t descriptions[COUNTER_LIMIT];
static uint32_t counter_count;

static int begin(void **state) {
  (void)state;
  host_test_begin(&test);
  counter_count = 0;
  if (!test.info->query_counter_support) return 0;
  assert_int_equal(muxGetSupportedQueryCounters(test.device, mux_queue_type_compute, COUNTER_LIMIT, counters,
                                                descriptions, &counter_count),
                   mux_success);
  assert_in_range(counter_count, 1, COUNTER_LIMIT);
  return 0;
}

static int end(void **state) {
  (void)state;
  host_test_end(&test);
  return 0;
}

/** Leaves the test where the system permits no counters. */
static void need_counters(void) {
  if (counter_count) return;
  print_message("skipped: perf_event_open is not permitted here\n");
  skip();
}

/** The number of the counter with that name; skips the test without it. */
static uint32_t counter_index(const char *name) {
  need_counters();
  for (uint32_t i = 0; i < counter_count; i++)
    if (!strcmp(descriptions[i].name, name)) return i;
  print_message("skipped: there is no counter of %s here\n", name);
  skip();
  return 0;
}

/** A pool with a slot for each counter there is. */
static mux_query_pool_t pool_create(void) {
  mux_query_counter_config_t configs[COUNTER_LIMIT] = {{0}};
  mux_query_pool_t pool = NULL;
  for (uint32_t i = 0; i < counter_count; i++) configs[i].uuid = counters[i].uuid;
  assert_int_equal(muxCreateQueryPool(test.queue, mux_query_type_counter, counter_count, configs, allocator, &pool),
                   mux_success);
  return pool;
}

static void results_read(mux_query_pool_t pool, uint64_t results[COUNTER_LIMIT]) {
  struct mux_query_counter_result_s raw[COUNTER_LIMIT];
  assert_int_equal(muxGetQueryPoolResults(test.queue, pool, 0, counter_count, sizeof raw, raw, sizeof raw[0]),
                   mux_success);
  for (uint32_t i = 0; i < counter_count; i++) results[i] = raw[i].uint64;
}

static void query_begin(mux_command_buffer_t commands, mux_query_pool_t pool) {
  assert_int_equal(muxCommandBeginQuery(commands, pool, 0, counter_count, 0, NULL, NULL), mux_success);
}

static void query_end(mux_command_buffer_t commands, mux_query_pool_t pool) {
  assert_int_equal(muxCommandEndQuery(commands, pool, 0, counter_count, 0, NULL, NULL), mux_success);
}

/** Pages that nobody has touched, of the small kind. */
static void *fresh_pages(void) {
  void *pages = mmap(NULL, (size_t)PAGE_COUNT * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(pages != MAP_FAILED);
  madvise(pages, (size_t)PAGE_COUNT * PAGE_BYTES, MADV_NOHUGEPAGE);
  return pages;
}

/** Touches all of them, by as many threads as come to help. */
static void touch_record(mux_command_buffer_t commands, mux_kernel_t mark, void *pages) {
  mux_descriptor_info_t arg = {.type = mux_descriptor_info_type_custom_buffer,
                               .custom_buffer_descriptor = {.data = pages}};
  assert_int_equal(launch_record(commands, mark, (size_t)PAGE_COUNT * PAGE_GROUPS, 1, &arg, 1), mux_success);
}

static void pages_free(void *pages) { munmap(pages, (size_t)PAGE_COUNT * PAGE_BYTES); }

static void work_of_all_threads_is_counted(void **state) {
  (void)state;
  uint32_t faults = counter_index("page faults");
  mux_query_pool_t pool = pool_create();
  mux_kernel_t mark = kernel_create(&test, "mark");
  for (int round = 0; round < 10; round++) {
    uint64_t results[COUNTER_LIMIT] = {0};
    void *before = fresh_pages(), *during = fresh_pages(), *after = fresh_pages();
    mux_command_buffer_t commands = command_buffer_create(&test);
    touch_record(commands, mark, before);
    query_begin(commands, pool);
    touch_record(commands, mark, during);
    query_end(commands, pool);
    touch_record(commands, mark, after);
    run(&test, commands);
    results_read(pool, results);
    /* A page may fault twice, once to be read and once to be written; a few are the driver's own. */
    assert_in_range(results[faults], PAGE_COUNT, 2 * PAGE_COUNT + PAGE_COUNT / 2);
    command_buffer_destroy(&test, commands);
    pages_free(before);
    pages_free(during);
    pages_free(after);
  }
  kernel_destroy(&test, mark);
  muxDestroyQueryPool(test.queue, pool, allocator);
}

static uint64_t now_ns(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

enum { BUSY_NS = 5000000, STEPS = 100000 };

/** Uses the processor for some milliseconds. */
static void be_busy(mux_queue_t queue, mux_command_buffer_t commands, void *user_data) {
  (void)queue, (void)commands, (void)user_data;
  static volatile uint32_t value;
  uint64_t end = now_ns(CLOCK_THREAD_CPUTIME_ID) + BUSY_NS;
  do
    for (int i = 0; i < STEPS; i++) value = value + 1;
  while (now_ns(CLOCK_THREAD_CPUTIME_ID) < end);
}

/** What a value must be after so much work; `wall` nanoseconds have passed meanwhile. */
static void check_value(uint32_t index, uint64_t value, uint64_t wall) {
  const char *name = descriptions[index].name;
  print_message("%s: %llu\n", name, (unsigned long long)value);
  if (counters[index].unit == mux_query_counter_unit_nanoseconds)
    assert_in_range(value, BUSY_NS, wall * test.info->compute_units);
  if (!strcmp(name, "instructions")) assert_true(value > STEPS);
  if (!strcmp(name, "cycles")) assert_in_range(value, STEPS, wall * 10 * test.info->compute_units);
  if (!strcmp(name, "branches")) assert_true(value >= STEPS);
}

static void values_are_plausible(void **state) {
  (void)state;
  need_counters();
  uint64_t results[COUNTER_LIMIT] = {0};
  mux_query_pool_t pool = pool_create();
  mux_command_buffer_t commands = command_buffer_create(&test);
  query_begin(commands, pool);
  assert_int_equal(muxCommandUserCallback(commands, be_busy, NULL, 0, NULL, NULL), mux_success);
  query_end(commands, pool);
  uint64_t start = now_ns(CLOCK_MONOTONIC);
  run(&test, commands);
  uint64_t wall = now_ns(CLOCK_MONOTONIC) - start;
  results_read(pool, results);
  for (uint32_t i = 0; i < counter_count; i++) check_value(i, results[i], wall);
  command_buffer_destroy(&test, commands);
  muxDestroyQueryPool(test.queue, pool, allocator);
}

static void a_query_begins_anew_and_is_reset(void **state) {
  (void)state;
  uint32_t clock = counter_index("task clock");
  uint64_t results[COUNTER_LIMIT] = {0};
  mux_query_pool_t pool = pool_create();
  mux_command_buffer_t busy = command_buffer_create(&test), idle = command_buffer_create(&test);
  mux_command_buffer_t reset = command_buffer_create(&test);
  results_read(pool, results);
  assert_int_equal(results[clock], 0);
  query_begin(busy, pool);
  assert_int_equal(muxCommandUserCallback(busy, be_busy, NULL, 0, NULL, NULL), mux_success);
  query_end(busy, pool);
  query_begin(idle, pool);
  query_end(idle, pool);
  assert_int_equal(muxCommandResetQueryPool(reset, pool, 0, counter_count, 0, NULL, NULL), mux_success);
  run(&test, busy);
  run(&test, idle);
  results_read(pool, results);
  assert_in_range(results[clock], 1, BUSY_NS - 1);
  run(&test, reset);
  results_read(pool, results);
  for (uint32_t i = 0; i < counter_count; i++) assert_int_equal(results[i], 0);
  command_buffer_destroy(&test, busy);
  command_buffer_destroy(&test, idle);
  command_buffer_destroy(&test, reset);
  muxDestroyQueryPool(test.queue, pool, allocator);
}

/* Not other files: any thread may look into /proc for a moment to learn how busy the machine is. */
static int open_counters(void) {
  static const char name[] = "anon_inode:[perf_event]";
  int count = 0;
  DIR *files = opendir("/proc/self/fd");
  if (!files) return -1;
  for (const struct dirent *file; (file = readdir(files));) {
    char path[sizeof "/proc/self/fd/" + sizeof file->d_name], target[sizeof name];
    snprintf(path, sizeof path, "/proc/self/fd/%s", file->d_name);
    const ssize_t length = readlink(path, target, sizeof target);
    count += length == sizeof name - 1 && !memcmp(target, name, sizeof name - 1);
  }
  closedir(files);
  return count;
}

/** One counter of the test's own is seen among the open files. */
static void need_visible_counters(void) {
  struct perf_event_attr attributes = {
      .type = PERF_TYPE_SOFTWARE, .size = sizeof attributes, .config = PERF_COUNT_SW_TASK_CLOCK, .exclude_kernel = 1};
  int file = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  assert_true(file >= 0);
  assert_int_equal(open_counters(), 1);
  close(file);
}

static mux_result_t finished;

static void result_note(mux_command_buffer_t commands, mux_result_t result, void *user_data) {
  (void)commands, (void)user_data;
  finished = result;
}

/* The end of the query is never executed. */
static void a_query_that_fails_leaves_nothing_open(void **state) {
  (void)state;
  need_counters();
  need_visible_counters();
  mux_query_pool_t pool = pool_create();
  mux_kernel_t crash = kernel_create(&test, "crash");
  mux_command_buffer_t commands = command_buffer_create(&test);
  host_test_buffer_t counts = buffer_create(&test, 1000 * sizeof(uint32_t));
  const uint64_t how = kernels_crash_write, where = 500;
  mux_descriptor_info_t args[] = {buffer_arg(counts.buffer),
                                  value_arg(&how, sizeof how),
                                  value_arg(&where, sizeof where),
                                  {.type = mux_descriptor_info_type_custom_buffer}};
  query_begin(commands, pool);
  assert_int_equal(launch_record(commands, crash, 1000, 1, args, 4), mux_success);
  query_end(commands, pool);
  assert_int_equal(muxFinalizeCommandBuffer(commands), mux_success);
  for (int i = 0; i < 5; i++) {
    assert_int_equal(muxDispatch(test.queue, commands, NULL, NULL, 0, NULL, 0, result_note, NULL), mux_success);
    assert_int_equal(muxWaitAll(test.queue), mux_success);
    assert_int_equal(finished, mux_error_failure);
  }
  assert_int_equal(open_counters(), 0);
  command_buffer_destroy(&test, commands);
  buffer_destroy(&test, &counts);
  kernel_destroy(&test, crash);
  muxDestroyQueryPool(test.queue, pool, allocator);
}

/* ---------------------------------------------------------------- where the system permits none */

/** From now on perf_event_open is not permitted to this process. */
static int counters_deny(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

enum { child_well = 0, child_not_denied = 10, child_claims = 11, child_unusable = 12 };

static int denied_run(void) {
  mux_device_info_t info = NULL;
  mux_device_t device = NULL;
  uint32_t count = 0;
  if (counters_deny()) return child_not_denied;
  if (muxGetDeviceInfos(mux_device_type_cpu, 1, &info, NULL) || muxCreateDevices(1, &info, allocator, &device))
    return child_unusable;
  if (info->query_counter_support || info->max_hardware_counters) return child_claims;
  if (muxGetSupportedQueryCounters(device, mux_queue_type_compute, 0, NULL, NULL, &count) !=
      mux_error_feature_unsupported)
    return child_claims;
  muxDestroyDevice(device, allocator);
  return child_well;
}

static void without_permission_there_are_none(void **state) {
  (void)state;
  int status = 0;
  pid_t child = fork();
  if (!child) _exit(denied_run());
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  if (WEXITSTATUS(status) == child_not_denied) {
    print_message("skipped: system calls cannot be filtered here\n");
    skip();
  }
  assert_int_equal(WEXITSTATUS(status), child_well);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      /* First: the driver looks for counters once. */
      cmocka_unit_test(without_permission_there_are_none),
      cmocka_unit_test_setup_teardown(work_of_all_threads_is_counted, begin, end),
      cmocka_unit_test_setup_teardown(values_are_plausible, begin, end),
      cmocka_unit_test_setup_teardown(a_query_begins_anew_and_is_reset, begin, end),
      cmocka_unit_test_setup_teardown(a_query_that_fails_leaves_nothing_open, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
