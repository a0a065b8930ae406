/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Counters where every call of the system is known: linked with --wrap=syscall, perf_event_open gives files that were
 * written here. What is counted then is exact, on every machine. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/log.h"
#include "host/runtime/machine/counter.h"
#include "support.h"

enum { HARDWARE = 6, ALL = 8, uuid_task_clock = 7, uuid_page_faults = 8, LOG = 64 };

/* What a file of perf_event_open says. */
typedef struct reading_t {
  uint64_t value, enabled, running;
} reading_t;

/* The system's side: which counters there are, what each file opened next says, and what was opened. */
static struct {
  /** By perf_event_attr's type and config. */
  bool lacks[2][16];
  reading_t next;
  size_t next_size;
  struct perf_event_attr opened[LOG];
  int count;
} fake;

long __wrap_syscall(long number, ...);

static long counter_open(const struct perf_event_attr *attributes, int process, int processor, int group,
                         unsigned long flags) {
  /* The calling thread, wherever it runs. */
  assert_int_equal(process, 0);
  assert_int_equal(processor, -1);
  assert_int_equal(group, -1);
  assert_true(flags & PERF_FLAG_FD_CLOEXEC);
  assert_in_range(fake.count, 0, LOG - 1);
  fake.opened[fake.count++] = *attributes;
  if (fake.lacks[attributes->type][attributes->config]) {
    errno = ENOENT;
    return -1;
  }
  int file = memfd_create("counter", MFD_CLOEXEC);
  assert_true(file >= 0);
  assert_int_equal(pwrite(file, &fake.next, fake.next_size, 0), fake.next_size);
  return file;
}

/* Nothing else of what runs here makes system calls by number. */
long __wrap_syscall(long number, ...) {
  va_list list;
  assert_int_equal(number, SYS_perf_event_open);
  va_start(list, number);
  const struct perf_event_attr *attributes = va_arg(list, const struct perf_event_attr *);
  int process = va_arg(list, int), processor = va_arg(list, int), group = va_arg(list, int);
  unsigned long flags = va_arg(list, unsigned long);
  va_end(list);
  return counter_open(attributes, process, processor, group, flags);
}

static int open_files(void) {
  int count = 0;
  DIR *files = opendir("/proc/self/fd");
  if (!files) return 0;
  while (readdir(files)) count++;
  closedir(files);
  return count;
}

static int files_before, lines;

static void line_count(const char *line, size_t length) {
  (void)line, (void)length;
  lines++;
}

static int begin(void **state) {
  (void)state;
  memset(&fake, 0, sizeof fake);
  fake.next = (reading_t){1000, 50, 50};
  fake.next_size = sizeof fake.next;
  files_before = open_files();
  assert_true(files_before > 0);
  lines = 0;
  log_redirect(line_count);
  return 0;
}

/* No counter's file outlives what it was opened for. */
static int end(void **state) {
  (void)state;
  return open_files() == files_before ? 0 : -1;
}

static void lack_hardware(void) { memset(fake.lacks[PERF_TYPE_HARDWARE], 1, sizeof fake.lacks[0]); }
static void lack_software(void) { memset(fake.lacks[PERF_TYPE_SOFTWARE], 1, sizeof fake.lacks[0]); }

/* ---------------------------------------------------------------- what there is */

static void hardware_counters_are_counted(void **state) {
  (void)state;
  bool any = false;
  assert_int_equal(host_counters_survey(&any), HARDWARE);
  assert_true(any);
  begin(NULL);
  fake.lacks[PERF_TYPE_HARDWARE][PERF_COUNT_HW_CACHE_MISSES] = true;
  any = false;
  assert_int_equal(host_counters_survey(&any), HARDWARE - 1);
  assert_true(any);
}

/* Most virtual machines: it costs three calls, not eight. */
static void a_machine_without_cycles_is_not_asked_for_more(void **state) {
  (void)state;
  bool any = false;
  lack_hardware();
  assert_int_equal(host_counters_survey(&any), 0);
  assert_true(any);
  assert_int_equal(fake.count, 2);
}

static void a_machine_may_have_hardware_counters_alone(void **state) {
  (void)state;
  bool any = false;
  lack_software();
  assert_int_equal(host_counters_survey(&any), HARDWARE);
  assert_true(any);
}

static void a_machine_may_have_none(void **state) {
  (void)state;
  bool any = true;
  lack_hardware();
  lack_software();
  assert_int_equal(host_counters_survey(&any), 0);
  assert_false(any);
  uint32_t count = 77;
  assert_int_equal(host_get_supported_query_counters(NULL, mux_queue_type_compute, 0, NULL, NULL, &count), mux_success);
  assert_int_equal(count, 0);
}

static void only_user_mode_is_counted(void **state) {
  (void)state;
  assert_non_null(host_counter_find(uuid_page_faults));
  assert_int_equal(fake.count, 1);
  assert_int_equal(fake.opened[0].type, PERF_TYPE_SOFTWARE);
  assert_int_equal(fake.opened[0].config, PERF_COUNT_SW_PAGE_FAULTS);
  assert_int_equal(fake.opened[0].size, sizeof fake.opened[0]);
  assert_true(fake.opened[0].exclude_kernel && fake.opened[0].exclude_hv);
  assert_false(fake.opened[0].disabled);
  assert_int_equal(fake.opened[0].read_format, PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
}

static void counters_are_found_by_their_numbers(void **state) {
  (void)state;
  for (uint32_t uuid = 1; uuid <= ALL; uuid++) assert_non_null(host_counter_find(uuid));
  assert_ptr_not_equal(host_counter_find(1), host_counter_find(2));
  assert_null(host_counter_find(0));
  assert_null(host_counter_find(ALL + 1));
  lack_software();
  assert_null(host_counter_find(uuid_task_clock));
  assert_non_null(host_counter_find(1));
}

static void counters_are_listed(void **state) {
  (void)state;
  mux_query_counter_t counters[ALL];
  mux_query_counter_description_t descriptions[ALL];
  uint32_t count = 0;
  assert_int_equal(host_get_supported_query_counters(NULL, mux_queue_type_compute, ALL, counters, descriptions, &count),
                   mux_success);
  assert_int_equal(count, ALL);
  for (uint32_t i = 0; i < ALL; i++) {
    assert_int_equal(counters[i].uuid, i + 1);
    assert_int_equal(counters[i].hardware_counters, i < HARDWARE ? 1 : 0);
    assert_int_equal(counters[i].storage, mux_query_counter_storage_uint64);
    assert_string_equal(descriptions[i].category, i < HARDWARE ? "processor" : "system");
    assert_true(descriptions[i].name[0] && descriptions[i].description[0]);
    for (uint32_t j = 0; j < i; j++) assert_string_not_equal(descriptions[i].name, descriptions[j].name);
  }
  assert_int_equal(counters[0].unit, mux_query_counter_unit_cycles);
  assert_int_equal(counters[uuid_task_clock - 1].unit, mux_query_counter_unit_nanoseconds);
}

/* With no room for all, those that fit, and how many there are. */
static void a_list_is_not_written_behind_its_end(void **state) {
  (void)state;
  mux_query_counter_t counters[3];
  mux_query_counter_description_t descriptions[3];
  uint32_t count = 0;
  memset(counters, 0x55, sizeof counters);
  memset(descriptions, 0x55, sizeof descriptions);
  assert_int_equal(host_get_supported_query_counters(NULL, mux_queue_type_compute, 2, counters, descriptions, &count),
                   mux_success);
  assert_int_equal(count, ALL);
  assert_int_equal(counters[1].uuid, 2);
  assert_string_equal(descriptions[1].name, "instructions");
  assert_int_equal(counters[2].uuid, 0x55555555);
  assert_int_equal((unsigned char)descriptions[2].name[0], 0x55);
  assert_int_equal(host_get_supported_query_counters(NULL, mux_queue_type_compute, 2, NULL, NULL, NULL), mux_success);
}

static void what_is_lacking_is_not_listed(void **state) {
  (void)state;
  mux_query_counter_t counters[ALL];
  uint32_t count = 0;
  lack_hardware();
  assert_int_equal(host_get_supported_query_counters(NULL, mux_queue_type_compute, ALL, counters, NULL, &count),
                   mux_success);
  assert_int_equal(count, ALL - HARDWARE);
  assert_int_equal(counters[0].uuid, uuid_task_clock);
  assert_int_equal(counters[1].uuid, uuid_page_faults);
}

static void one_pass_is_enough(void **state) {
  (void)state;
  mux_query_counter_config_t configs[] = {{.uuid = 1}, {.uuid = uuid_page_faults}, {.uuid = 99}};
  uint32_t passes = 0;
  assert_int_equal(host_get_query_counter_required_passes(NULL, 2, configs, &passes), mux_success);
  assert_int_equal(passes, 1);
  assert_int_equal(host_get_query_counter_required_passes(NULL, 3, configs, &passes), mux_error_invalid_value);
  assert_int_equal(host_get_query_counter_required_passes(NULL, 1, configs + 2, &passes), mux_error_invalid_value);
}

/* ---------------------------------------------------------------- counting */

static host_counting_t counting_of(uint32_t uuid) {
  host_counting_t counting = {.counter = host_counter_find(uuid), .file = -1};
  assert_non_null(counting.counter);
  return counting;
}

static void a_query_counts_from_its_beginning(void **state) {
  (void)state;
  host_counting_t *active = NULL, counting = counting_of(1);
  atomic_store(&counting.value, 5);
  host_counting_start(&active, &counting);
  assert_ptr_equal(active, &counting);
  assert_int_equal(atomic_load(&counting.value), 0);
  host_counting_stop(&active, &counting);
  assert_null(active);
  assert_int_equal(atomic_load(&counting.value), 1000);
  assert_int_equal(lines, 0);
}

/* A process may have closed its standard input. */
static void a_counter_may_be_file_zero(void **state) {
  (void)state;
  host_counting_t *active = NULL, counting = counting_of(1);
  int standard = dup(STDIN_FILENO);
  close(STDIN_FILENO);
  assert_non_null(host_counter_find(2));
  host_counting_start(&active, &counting);
  assert_int_equal(counting.file, 0);
  host_counting_stop(&active, &counting);
  assert_int_equal(fcntl(STDIN_FILENO, F_GETFD), -1);
  if (standard >= 0) assert_int_equal(dup2(standard, STDIN_FILENO), STDIN_FILENO);
  close(standard);
  assert_int_equal(atomic_load(&counting.value), 1000);
  assert_int_equal(lines, 0);
}

/* A counter that ran for a part of the time is taken for the whole. */
static void what_ran_for_a_part_is_scaled(void **state) {
  (void)state;
  static const struct {
    reading_t reading;
    uint64_t value;
  } cases[] = {{{1000, 200, 50}, 4000}, {{1000, 0, 0}, 0}, {{7, 3, 3}, 7}, {{0, 9, 3}, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    host_counting_t *active = NULL, counting = counting_of(2);
    fake.next = cases[i].reading;
    host_counting_start(&active, &counting);
    host_counting_stop(&active, &counting);
    assert_int_equal(atomic_load(&counting.value), cases[i].value);
  }
}

static void what_cannot_be_read_is_nothing(void **state) {
  (void)state;
  host_counting_t *active = NULL, counting = counting_of(1);
  fake.next_size = sizeof(uint64_t);
  host_counting_start(&active, &counting);
  host_counting_stop(&active, &counting);
  assert_int_equal(atomic_load(&counting.value), 0);
}

/* It was there when it was looked for, and is not any more; that is told. */
static void what_cannot_be_opened_is_nothing(void **state) {
  (void)state;
  host_counting_t *active = NULL, counting = counting_of(1);
  lack_hardware();
  atomic_store(&counting.value, 5);
  host_counting_start(&active, &counting);
  assert_true(counting.file < 0);
  assert_int_equal(lines, 1);
  int *files = host_counting_join(active);
  assert_non_null(files);
  host_counting_leave(active, files);
  host_counting_stop(&active, &counting);
  assert_null(active);
  assert_int_equal(atomic_load(&counting.value), 0);
}

static void queries_end_in_any_order(void **state) {
  (void)state;
  host_counting_t *active = NULL, first = counting_of(1), second = counting_of(2), third = counting_of(3);
  fake.next.value = 10;
  host_counting_start(&active, &first);
  fake.next.value = 20;
  host_counting_start(&active, &second);
  fake.next.value = 30;
  host_counting_start(&active, &third);
  host_counting_stop(&active, &second);
  assert_int_equal(atomic_load(&second.value), 20);
  assert_int_equal(atomic_load(&first.value), 0);
  /* It does not count any more. */
  host_counting_stop(&active, &second);
  assert_int_equal(atomic_load(&second.value), 20);
  assert_ptr_equal(active, &third);
  assert_ptr_equal(third.outer, &first);
  host_counting_stop_all(&active);
  assert_null(active);
  assert_int_equal(atomic_load(&first.value), 10);
  assert_int_equal(atomic_load(&third.value), 30);
}

static void who_helps_adds_to_each_query(void **state) {
  (void)state;
  host_counting_t *active = NULL, first = counting_of(1), second = counting_of(2);
  fake.next.value = 10;
  host_counting_start(&active, &first);
  fake.next.value = 20;
  host_counting_start(&active, &second);
  fake.count = 0;
  fake.next.value = 100;
  int *files = host_counting_join(active);
  assert_non_null(files);
  /* The helper's own: one for each query, of its kind. */
  assert_int_equal(fake.count, 2);
  assert_int_equal(fake.opened[0].config, PERF_COUNT_HW_INSTRUCTIONS);
  assert_int_equal(fake.opened[1].config, PERF_COUNT_HW_CPU_CYCLES);
  assert_int_equal(atomic_load(&first.value), 0);
  host_counting_leave(active, files);
  assert_int_equal(atomic_load(&first.value), 100);
  assert_int_equal(atomic_load(&second.value), 100);
  host_counting_stop_all(&active);
  assert_int_equal(atomic_load(&first.value), 110);
  assert_int_equal(atomic_load(&second.value), 120);
}

static void who_helps_without_queries_opens_nothing(void **state) {
  (void)state;
  assert_null(host_counting_join(NULL));
  host_counting_leave(NULL, NULL);
  assert_int_equal(fake.count, 0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(hardware_counters_are_counted),
      TEST(a_machine_without_cycles_is_not_asked_for_more),
      TEST(a_machine_may_have_hardware_counters_alone),
      TEST(a_machine_may_have_none),
      TEST(only_user_mode_is_counted),
      TEST(counters_are_found_by_their_numbers),
      TEST(counters_are_listed),
      TEST(a_list_is_not_written_behind_its_end),
      TEST(what_is_lacking_is_not_listed),
      TEST(one_pass_is_enough),
      TEST(a_query_counts_from_its_beginning),
      TEST(a_counter_may_be_file_zero),
      TEST(what_ran_for_a_part_is_scaled),
      TEST(what_cannot_be_read_is_nothing),
      TEST(what_cannot_be_opened_is_nothing),
      TEST(queries_end_in_any_order),
      TEST(who_helps_adds_to_each_query),
      TEST(who_helps_without_queries_opens_nothing),
  };
#undef TEST
  return cmocka_run_group_tests(tests, NULL, NULL);
}
