/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * How many threads are used, while affinity mask, quota of the control group and load of the machine change. */
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "fixture.h"
#include "host/runtime/device.h"
#include "host/runtime/machine/futex.h"
#include "host/runtime/machine/load.h"
#include "host/runtime/scheduling/supply.h"

enum { MOST = 16 };
#define MS ((uint64_t)1000 * 1000)
#define SLICE ((uint64_t)5000 * HOST_MICROSECOND_TICKS)
#define SHORT_WORK ((uint64_t)50 * HOST_MICROSECOND_TICKS)
#define LONG_WORK ((uint64_t)12500 * HOST_MICROSECOND_TICKS)
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

/* Ten milliseconds of twenty are what the second thread is worth. */
static void two_threads_stay_two_for_less_than_one_is_worth(void **state) {
  (void)state;
  host_supply_t supply = supply_make(true);
  atomic_store(&supply.allowed, 2);
  for (int i = 0; i < 4; ++i) {
    sleep_ms(40);
    host_supply_lose(&supply, SLICE);
  }
  assert_int_equal(host_supply_for(&supply, SHORT_WORK), 2);
  host_supply_lose(&supply, 2 * SLICE);
  assert_int_equal(host_supply_for(&supply, SHORT_WORK), 1);
  /* The same holds for one that is tried. */
  while (host_supply_for(&supply, SHORT_WORK) < 2) sleep_ms(5);
  sleep_ms(5);
  host_supply_lose(&supply, SLICE);
  assert_int_equal(host_supply_for(&supply, SHORT_WORK), 2);
  host_supply_lose(&supply, SLICE);
  assert_int_equal(host_supply_for(&supply, SHORT_WORK), 1);
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

/* ---------------------------------------------------------------- load */

static const host_cpus_t *asked_for;
static bool room;

static bool room_get(host_steal_t *steal, const host_cpus_t *cpus) {
  assert_non_null(steal);
  asked_for = cpus;
  return room;
}

/* The system put two threads on one processor, with another one idle. */
static void no_thread_is_given_up_while_processors_are_idle(void **state) {
  (void)state;
  const host_cpus_t cpus = {0};
  host_supply_t supply = supply_make(true);
  supply.cpus = &cpus;
  supply.has_room = room_get;
  room = true;
  for (int i = 0; i < 5; ++i) {
    sleep_ms(10);
    host_supply_lose(&supply, SLICE);
  }
  assert_ptr_equal(asked_for, &cpus);
  assert_int_equal(host_supply_for(&supply, SHORT_WORK), MOST);
  room = false;
  host_supply_lose(&supply, SLICE);
  assert_int_equal(host_supply_for(&supply, SHORT_WORK), MOST - MOST / 4);
}

static void loads_are_read(void **state) {
  (void)state;
  assert_int_equal(host_load_parse("0.20 0.18 0.12 3/80 11206\n"), 3);
  assert_int_equal(host_load_parse("0.20 0.18 0.12 120/4000 11206\n"), 120);
  assert_int_equal(host_load_parse("0.20 0.18\n"), 0);
  assert_int_equal(host_load_parse("0.20 0.18 0.12 3\n"), 0);
  assert_int_equal(host_load_parse(""), 0);
}

static atomic_bool busy;

static void *keep_busy(void *argument) {
  while (atomic_load(&busy)) continue;
  return argument;
}

static void more_threads_than_processors_leave_no_room(void **state) {
  (void)state;
  enum { CAPACITY = 1024 };
  static pthread_t threads[CAPACITY];
  const uint32_t count = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN) + 1;
  host_cpus_t all;
  memset(&all, 0xff, sizeof all);
  assert_in_range(count, 2, CAPACITY);
  atomic_store(&busy, true);
  for (uint32_t i = 0; i < count; ++i) assert_int_equal(pthread_create(&threads[i], NULL, keep_busy, NULL), 0);
  host_steal_t steal = {0};
  const bool has_room = host_load_has_room(&steal, &all);
  atomic_store(&busy, false);
  for (uint32_t i = 0; i < count; ++i) pthread_join(threads[i], NULL);
  assert_false(has_room);
}

/* Others may wait for a processor of the mask, although the system has idle ones. */
static void a_mask_without_all_processors_tells_nothing(void **state) {
  (void)state;
  const host_cpus_t none = {0};
  host_steal_t steal = {0};
  assert_false(host_load_has_room(&steal, &none));
}

static void stolen_time_is_read(void **state) {
  (void)state;
  const uint64_t unit = 1000 * MS / (uint64_t)sysconf(_SC_CLK_TCK);
  assert_int_equal(host_steal_parse("cpu  100 2 30 4000 5 6 7 890 11 12\ncpu0 1 2 3 4 5 6 7 8 9 10\n"), 890 * unit);
  assert_int_equal(host_steal_parse("cpu  100 2 30 4000 5 6 7\n"), 0);
  assert_int_equal(host_steal_parse("cpu0 100 2 30 4000 5 6 7 890 11 12\n"), 0);
  assert_int_equal(host_steal_parse(""), 0);
}

static uint64_t stolen;

static uint64_t stolen_get(void) { return stolen; }

static void the_hypervisor_takes_processors(void **state) {
  (void)state;
  host_steal_t steal = {0};
  stolen = 5000 * MS;
  /* There is no interval yet; then one that is too short. */
  assert_int_equal(host_steal_update(&steal, 10000 * MS, stolen_get), 0);
  stolen += 300 * MS;
  assert_int_equal(host_steal_update(&steal, 10050 * MS, stolen_get), 0);
  assert_int_equal(host_steal_update(&steal, 10100 * MS, stolen_get), 3);
  assert_int_equal(host_steal_update(&steal, 10150 * MS, stolen_get), 3);
  /* A quarter of a processor is none, two thirds are one. */
  stolen += 50 * MS;
  assert_int_equal(host_steal_update(&steal, 10300 * MS, stolen_get), 0);
  stolen += 200 * MS;
  assert_int_equal(host_steal_update(&steal, 10600 * MS, stolen_get), 1);
  /* Long ago. */
  stolen += 3000 * MS;
  assert_int_equal(host_steal_update(&steal, 11700 * MS, stolen_get), 0);
  /* The system's counter can go back when processors are taken out (proc(5) says so of idle times). */
  stolen -= 1000 * MS;
  assert_int_equal(host_steal_update(&steal, 11900 * MS, stolen_get), 0);
}

/* ---------------------------------------------------------------- peers */

static char table_path[64];
static host_peers_t *table;

static host_peers_t *table_get(void) { return table; }

static int table_begin(void **state) {
  (void)state;
  snprintf(table_path, sizeof table_path, "/tmp/quern-peers-%d", (int)getpid());
  table = host_peers_open(table_path);
  return table ? 0 : -1;
}

static int table_end(void **state) {
  (void)state;
  return munmap(table, sizeof *table) || unlink(table_path);
}

static host_cpus_t cpus_make(uint32_t begin, uint32_t end) {
  host_cpus_t cpus;
  memset(&cpus, 0, sizeof cpus);
  for (uint32_t cpu = begin; cpu < end; ++cpu) host_cpus_add(&cpus, cpu);
  return cpus;
}

static host_supply_t peer_make(const host_cpus_t *cpus) {
  host_supply_t supply = supply_make(true);
  supply.peers = table_get;
  supply.cpus = cpus;
  return supply;
}

/* As a launch does, later than any interval between two looks at the table. */
static uint32_t peer_launch(host_supply_t *supply) {
  sleep_ms(10);
  return host_supply_for(supply, SHORT_WORK);
}

static void peers_share_processors(void **state) {
  (void)state;
  const host_cpus_t all = cpus_make(0, 16), half = cpus_make(8, 16), others = cpus_make(1000, 1100);
  host_peer_place_t places[4] = {0};
  const uint64_t now = host_ticks();
  assert_int_equal(host_peers_meet(table, &places[0], &all, now), 0);
  assert_int_equal(host_peers_meet(table, &places[1], &all, now), 8);
  assert_int_equal(host_peers_meet(table, &places[2], &half, now), 2);
  assert_int_equal(host_peers_meet(table, &places[0], &all, now), 6);
  assert_int_equal(host_peers_meet(table, &places[3], &others, now), 0);
  assert_int_equal(host_peers_meet(table, &places[0], &all, now), 6);
}

/* Those beyond the 64th too, each for itself. */
static void processors_of_large_machines_are_shared(void **state) {
  (void)state;
  host_cpus_t cpus = cpus_make(64, 65);
  host_cpus_add(&cpus, 66);
  host_cpus_add(&cpus, 68);
  host_peer_place_t places[2] = {0};
  const uint64_t now = host_ticks();
  assert_int_equal(host_peers_meet(table, &places[0], &cpus, now), 0);
  assert_int_equal(host_peers_meet(table, &places[1], &cpus, now), 1);
}

static void each_peer_has_a_thread(void **state) {
  (void)state;
  const host_cpus_t all = cpus_make(0, 2);
  host_peer_place_t places[5] = {0};
  const uint64_t now = host_ticks();
  for (uint32_t i = 0; i < 5; ++i) assert_int_equal(host_peers_meet(table, &places[i], &all, now), i ? 1 : 0);
}

#define TICKS(ms) ((uint64_t)(ms) * 1000 * HOST_MICROSECOND_TICKS)

static void who_has_no_work_is_no_peer(void **state) {
  (void)state;
  const host_cpus_t all = cpus_make(0, 16);
  host_peer_place_t first = {0}, second = {0};
  const uint64_t now = host_ticks();
  host_peers_meet(table, &first, &all, now);
  assert_int_equal(host_peers_meet(table, &second, &all, now + TICKS(90)), 8);
  assert_int_equal(host_peers_meet(table, &second, &all, now + TICKS(110)), 0);
  assert_int_equal(host_peers_meet(table, &first, &all, now + TICKS(110)), 8);
}

static void entries_of_the_dead_are_used_again(void **state) {
  (void)state;
  const host_cpus_t all = cpus_make(0, 16);
  host_peer_place_t places[HOST_PEERS_CAPACITY + 1] = {0};
  const uint64_t now = host_ticks(), later = now + TICKS(11000);
  for (uint32_t i = 0; i < HOST_PEERS_CAPACITY; ++i) host_peers_meet(table, &places[i], &all, now);
  /* The table is full: no share is known. */
  assert_int_equal(host_peers_meet(table, &places[HOST_PEERS_CAPACITY], &all, now), 0);
  assert_int_equal(host_peers_meet(table, &places[HOST_PEERS_CAPACITY], &all, later), 0);
  assert_int_equal(host_peers_meet(table, &places[1], &all, later), 8);
  /* Its entry has another owner now. */
  assert_int_equal(places[HOST_PEERS_CAPACITY].entry, 0);
  assert_int_equal(host_peers_meet(table, &places[0], &all, later), 5);
  assert_int_not_equal(places[0].entry, 0);
}

static void a_table_that_is_not_ours_is_refused(void **state) {
  (void)state;
  char path[80];
  snprintf(path, sizeof path, "%s-link", table_path);
  assert_int_equal(symlink(table_path, path), 0);
  assert_null(host_peers_open(path));
  unlink(path);
  assert_int_equal(link(table_path, path), 0);
  assert_null(host_peers_open(path));
  unlink(path);
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_null(host_peers_open(path));
  unlink(path);
  assert_int_equal(chmod(table_path, 0660), 0);
  assert_null(host_peers_open(table_path));
  assert_null(host_peers_open("/nonexistent/table"));
}

static void nonsense_in_the_table_is_harmless(void **state) {
  (void)state;
  const host_cpus_t all = cpus_make(0, 16);
  host_supply_t supply = peer_make(&all);
  memset(table, 0xff, sizeof *table);
  for (int i = 0; i < 3; ++i) assert_in_range(peer_launch(&supply), 1, MOST);
  memset(table, 0x11, sizeof *table);
  for (int i = 0; i < 3; ++i) assert_in_range(peer_launch(&supply), 1, MOST);
}

static void peers_come_down_to_what_is_fair_at_once(void **state) {
  (void)state;
  const host_cpus_t all = cpus_make(0, 16);
  host_supply_t first = peer_make(&all), second = peer_make(&all);
  /* The peer may have little to do: nothing is given up before time slices are lost. */
  assert_int_equal(peer_launch(&first), MOST);
  assert_int_equal(peer_launch(&second), MOST);
  assert_int_equal(peer_launch(&first), MOST);
  host_supply_lose(&first, SLICE);
  host_supply_lose(&second, SLICE);
  assert_int_equal(host_supply_for(&first, SHORT_WORK), MOST / 2);
  assert_int_equal(host_supply_for(&second, SHORT_WORK), MOST / 2);
}

static host_peers_t *no_table(void) { return NULL; }

/* Where the table cannot be had, nobody knows what is fair. */
static void without_a_table_nothing_is_known_of_peers(void **state) {
  (void)state;
  const host_cpus_t all = cpus_make(0, 16);
  host_supply_t supply = peer_make(&all);
  supply.peers = no_table;
  assert_int_equal(peer_launch(&supply), MOST);
  host_supply_lose(&supply, SLICE);
  assert_int_equal(host_supply_for(&supply, SHORT_WORK), MOST - MOST / 4);
}

static void who_has_less_than_is_fair_gives_up_nothing(void **state) {
  (void)state;
  const host_cpus_t all = cpus_make(0, 16);
  host_supply_t first = peer_make(&all), second = peer_make(&all);
  peer_launch(&first);
  peer_launch(&second);
  peer_launch(&first);
  host_supply_lose(&first, SLICE);
  sleep_ms(10);
  host_supply_lose(&first, SLICE);
  assert_int_equal(host_supply_for(&first, SHORT_WORK), MOST / 2);
  /* Others than peers, who take much more. */
  for (int i = 0; i < 5; ++i) {
    sleep_ms(5);
    host_supply_lose(&first, 2 * SLICE);
  }
  assert_in_range(host_supply_for(&first, SHORT_WORK), 1, MOST / 2 - 1);
}

static void who_stays_has_all_when_peers_go(void **state) {
  (void)state;
  const host_cpus_t all = cpus_make(0, 16);
  host_supply_t first = peer_make(&all), second = peer_make(&all);
  peer_launch(&first);
  peer_launch(&second);
  peer_launch(&first);
  host_supply_lose(&first, SLICE);
  assert_int_equal(host_supply_for(&first, SHORT_WORK), MOST / 2);
  sleep_ms(120);
  assert_int_equal(host_supply_for(&first, SHORT_WORK), MOST);
}

/* The child of a fork is a peer of its parent. */
static void a_child_has_an_entry_of_its_own(void **state) {
  (void)state;
  const host_cpus_t all = cpus_make(0, 16);
  host_supply_t supply = peer_make(&all);
  peer_launch(&supply);
  const uint64_t owner = supply.place.owner;
  host_supply_after_fork(&supply);
  peer_launch(&supply);
  assert_int_not_equal(supply.place.owner, owner);
  assert_int_equal(atomic_load(&supply.fair), 8);
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
      cmocka_unit_test(two_threads_stay_two_for_less_than_one_is_worth),
      cmocka_unit_test(one_too_many_is_given_up_again),
      cmocka_unit_test(threads_come_back),
      cmocka_unit_test(nothing_changes_unless_it_adapts),
      cmocka_unit_test(no_thread_is_given_up_while_processors_are_idle),
      cmocka_unit_test(loads_are_read),
      cmocka_unit_test(more_threads_than_processors_leave_no_room),
      cmocka_unit_test(a_mask_without_all_processors_tells_nothing),
      cmocka_unit_test(stolen_time_is_read),
      cmocka_unit_test(the_hypervisor_takes_processors),
      cmocka_unit_test_setup_teardown(peers_share_processors, table_begin, table_end),
      cmocka_unit_test_setup_teardown(processors_of_large_machines_are_shared, table_begin, table_end),
      cmocka_unit_test(without_a_table_nothing_is_known_of_peers),
      cmocka_unit_test_setup_teardown(each_peer_has_a_thread, table_begin, table_end),
      cmocka_unit_test_setup_teardown(who_has_no_work_is_no_peer, table_begin, table_end),
      cmocka_unit_test_setup_teardown(entries_of_the_dead_are_used_again, table_begin, table_end),
      cmocka_unit_test_setup_teardown(a_table_that_is_not_ours_is_refused, table_begin, table_end),
      cmocka_unit_test_setup_teardown(nonsense_in_the_table_is_harmless, table_begin, table_end),
      cmocka_unit_test_setup_teardown(peers_come_down_to_what_is_fair_at_once, table_begin, table_end),
      cmocka_unit_test_setup_teardown(who_has_less_than_is_fair_gives_up_nothing, table_begin, table_end),
      cmocka_unit_test_setup_teardown(who_stays_has_all_when_peers_go, table_begin, table_end),
      cmocka_unit_test_setup_teardown(a_child_has_an_entry_of_its_own, table_begin, table_end),
      cmocka_unit_test(quota_is_followed),
      cmocka_unit_test_setup_teardown(mask_is_followed, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
