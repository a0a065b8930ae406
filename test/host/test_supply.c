/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * How many threads are used, while affinity mask, quota of the control group and load of the machine change. */
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "fixture.h"
#include "host/runtime/device.h"
#include "host/runtime/machine/futex.h"
#include "host/runtime/scheduling/supply.h"

enum { MOST = 16 };
#define MS ((uint64_t)1000 * 1000)
#define SLICE (5000u * HOST_MICROSECOND_TICKS)
#define SHORT_WORK (50u * HOST_MICROSECOND_TICKS)
#define LONG_WORK (12500u * HOST_MICROSECOND_TICKS)
/* Longer than it takes until something is looked at again, or one more thread is tried. */
#define PATIENCE (3000 * MS)

static void sleep_ms(unsigned ms) { usleep(ms * 1000); }

static host_supply_t supply_make(bool adapts) {
  host_supply_t supply;
  host_supply_init(&supply, MOST);
  supply.adapts = adapts;
  return supply;
}

/* ---------------------------------------------------------------- other processes */

static void lost_time_slices_leave_fewer_threads(void **state) {
  (void)state;
  host_supply_t supply = supply_make(true);
  assert_int_equal(host_supply_for(&supply, SHORT_WORK), MOST);
  sleep_ms(10);
  host_supply_lose(&supply, SLICE);
  assert_int_equal(host_supply_for(&supply, SHORT_WORK), MOST - MOST / 4);
  /* The same crowd, seen by another thread. */
  host_supply_lose(&supply, SLICE);
  assert_int_equal(host_supply_for(&supply, SHORT_WORK), MOST - MOST / 4);
  sleep_ms(10);
  host_supply_lose(&supply, SLICE);
  assert_int_equal(host_supply_for(&supply, SHORT_WORK), 9);
}

static void long_work_has_its_threads_all_the_same(void **state) {
  (void)state;
  host_supply_t supply = supply_make(true);
  for (int i = 0; i < 20; ++i) {
    sleep_ms(10);
    host_supply_lose(&supply, SLICE);
  }
  assert_int_equal(host_supply_for(&supply, SHORT_WORK), 1);
  assert_in_range(host_supply_for(&supply, LONG_WORK), 10, 13);
  assert_int_equal(host_supply_for(&supply, 100 * LONG_WORK), MOST);
}

static void what_the_system_does_for_itself_is_no_crowd(void **state) {
  (void)state;
  host_supply_t supply = supply_make(true);
  sleep_ms(10);
  for (int i = 0; i < 100; ++i) host_supply_lose(&supply, 100u * HOST_MICROSECOND_TICKS);
  assert_int_equal(host_supply_for(&supply, SHORT_WORK), MOST);
}

static void one_time_slice_is_no_crowd(void **state) {
  (void)state;
  host_supply_t supply = supply_make(true);
  for (int i = 0; i < 3; ++i) {
    sleep_ms(40);
    host_supply_lose(&supply, 3000u * HOST_MICROSECOND_TICKS);
  }
  assert_int_equal(host_supply_for(&supply, SHORT_WORK), MOST);
}

static void one_too_many_is_given_up_again(void **state) {
  (void)state;
  host_supply_t supply = supply_make(true);
  sleep_ms(10);
  host_supply_lose(&supply, SLICE);
  sleep_ms(60);
  assert_int_equal(host_supply_for(&supply, SHORT_WORK), MOST - MOST / 4 + 1);
  sleep_ms(10);
  host_supply_lose(&supply, SLICE);
  assert_int_equal(host_supply_for(&supply, SHORT_WORK), MOST - MOST / 4);
}

static void threads_come_back(void **state) {
  (void)state;
  host_supply_t supply = supply_make(true);
  sleep_ms(10);
  host_supply_lose(&supply, SLICE);
  const uint64_t end = clock_now_ns() + PATIENCE;
  while (host_supply_for(&supply, SHORT_WORK) < MOST) {
    assert_true(clock_now_ns() < end);
    sleep_ms(1);
  }
}

static void nothing_changes_unless_it_adapts(void **state) {
  (void)state;
  host_supply_t supply = supply_make(false);
  sleep_ms(10);
  host_supply_lose(&supply, SLICE);
  assert_int_equal(host_supply_for(&supply, SHORT_WORK), MOST);
}

/* ---------------------------------------------------------------- quota */

static char root[] = "/tmp/quern-supply-XXXXXX";

static void folder_make(const char *folder) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", root, folder);
  assert_int_equal(mkdir(path, 0700), 0);
}

static void file_write(const char *name, const char *text) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", root, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void allowed_becomes(host_supply_t *supply, uint32_t expected) {
  const uint64_t end = clock_now_ns() + PATIENCE;
  while (host_supply_allowed(supply) != expected) {
    assert_true(clock_now_ns() < end);
    host_supply_look(supply);
    sleep_ms(1);
  }
}

static uint32_t own_processors(void) {
  host_cpus_t cpus;
  assert_int_equal(sched_getaffinity(0, sizeof cpus, cpus.parts), 0);
  return host_cpus_count(&cpus);
}

static void quota_is_followed(void **state) {
  (void)state;
  const uint32_t all = own_processors() < MOST ? own_processors() : MOST;
  host_supply_t supply = supply_make(false);
  assert_non_null(mkdtemp(root));
  static const char *const folders[] = {"proc", "proc/self", "sys", "sys/fs", "sys/fs/cgroup"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i) folder_make(folders[i]);
  file_write("proc/self/cgroup", "0::/\n");
  file_write("sys/fs/cgroup/cpu.max", "100000 100000\n");
  supply.follows = true;
  supply.root = root;
  host_supply_watch(&supply);
  allowed_becomes(&supply, 1);
  file_write("sys/fs/cgroup/cpu.max", "max 100000\n");
  allowed_becomes(&supply, all);
  char command[128];
  snprintf(command, sizeof command, "rm -r '%s'", root);
  assert_int_equal(system(command), 0);
}

/* ---------------------------------------------------------------- mask */

/* What `taskset -a -p` does, in a process of its own. */
static void processors_set_from_outside(const host_cpus_t *cpus) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", (int)getpid());
  const pid_t child = fork();
  if (!child) {
    DIR *threads = opendir(path);
    for (struct dirent *entry; threads && (entry = readdir(threads));)
      if (entry->d_name[0] != '.') sched_setaffinity(atoi(entry->d_name), sizeof *cpus, cpus->parts);
    _exit(threads ? 0 : 1);
  }
  int status = -1;
  assert_true(child > 0);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

static void launches_until_limit_is(mux_kernel_t kernel, uint32_t expected) {
  enum { groups = 400 };
  host_scheduler_t *scheduler = &host_device(test.device)->scheduler;
  host_test_buffer_t buffer = buffer_create(&test, groups * sizeof(uint32_t));
  uint64_t period = 1, work = 20000, end = clock_now_ns() + PATIENCE;
  mux_descriptor_info_t args[] = {buffer_arg(buffer.buffer), value_arg(&period, 8), value_arg(&work, 8)};
  uint32_t launches = 0;
  do {
    mux_command_buffer_t commands = command_buffer_create(&test);
    assert_int_equal(launch_record(commands, kernel, groups, 1, args, 3), mux_success);
    run(&test, commands);
    command_buffer_destroy(&test, commands);
    ++launches;
    assert_true(clock_now_ns() < end);
  } while (host_scheduler_limit(scheduler) != expected);
  for (uint32_t group = 0; group < groups; ++group) assert_int_equal(((const uint32_t *)buffer.data)[group], launches);
  buffer_destroy(&test, &buffer);
}

static void mask_is_followed(void **state) {
  (void)state;
  host_scheduler_t *scheduler = &host_device(test.device)->scheduler;
  const uint32_t all = own_processors();
  host_cpus_t before, one;
  if (!scheduler->weather.supply.follows || all < 2 || scheduler->thread_limit != all) {
    print_message("needs two processors, and QUERN_NUM_THREADS must not say how many threads\n");
    skip();
  }
  assert_int_equal(sched_getaffinity(0, sizeof before, before.parts), 0);
  memset(&one, 0, sizeof one);
  for (uint32_t cpu = 0; !host_cpus_count(&one); ++cpu)
    if (host_cpus_have(&before, cpu)) host_cpus_add(&one, cpu);
  mux_kernel_t kernel = kernel_create(&test, "uneven");
  launches_until_limit_is(kernel, all);
  processors_set_from_outside(&one);
  launches_until_limit_is(kernel, 1);
  processors_set_from_outside(&before);
  launches_until_limit_is(kernel, all);
  kernel_destroy(&test, kernel);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lost_time_slices_leave_fewer_threads),
      cmocka_unit_test(long_work_has_its_threads_all_the_same),
      cmocka_unit_test(what_the_system_does_for_itself_is_no_crowd),
      cmocka_unit_test(one_time_slice_is_no_crowd),
      cmocka_unit_test(one_too_many_is_given_up_again),
      cmocka_unit_test(threads_come_back),
      cmocka_unit_test(nothing_changes_unless_it_adapts),
      cmocka_unit_test(quota_is_followed),
      cmocka_unit_test_setup_teardown(mask_is_followed, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
