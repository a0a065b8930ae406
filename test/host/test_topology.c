/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What is read of a machine's topology: of machines that hwloc makes up (HWLOC_SYNTHETIC), of the real one, and without
 * the library. Linked with --wrap=dlopen, dlsym and dlclose, so that it can be missing, or be another version. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/runtime/machine/topology.h"
#include "support.h"

/* ---------------------------------------------------------------- the library */

static struct {
  bool is_missing;
  /** A function that it lacks; one that is another one. */
  const char *lacks, *replaced;
  void *replacement;
  /** Opened and not closed. */
  int open;
} library;

void *__real_dlopen(const char *name, int flags);
void *__wrap_dlopen(const char *name, int flags);
void *__wrap_dlopen(const char *name, int flags) {
  if (library.is_missing) return NULL;
  void *opened = __real_dlopen(name, flags);
  library.open += opened != NULL;
  return opened;
}

int __real_dlclose(void *handle);
int __wrap_dlclose(void *handle);
int __wrap_dlclose(void *handle) {
  library.open--;
  return __real_dlclose(handle);
}

void *__real_dlsym(void *handle, const char *name);
void *__wrap_dlsym(void *handle, const char *name);
void *__wrap_dlsym(void *handle, const char *name) {
  if (library.lacks && !strcmp(name, library.lacks)) return NULL;
  if (library.replaced && !strcmp(name, library.replaced)) return library.replacement;
  return __real_dlsym(handle, name);
}

/* ---------------------------------------------------------------- reading */

static host_cpus_t allowed;
static host_topology_t topology;

static int begin(void **state) {
  (void)state;
  memset(&library, 0, sizeof library);
  memset(&allowed, 0, sizeof allowed);
  memset(&topology, 0x55, sizeof topology);
  unsetenv("HWLOC_SYNTHETIC");
  return 0;
}

/* The library is not kept. */
static int end(void **state) {
  (void)state;
  return library.open ? -1 : 0;
}

static bool read_synthetic(const char *description) {
  setenv("HWLOC_SYNTHETIC", description, 1);
  host_topology_read(&topology, &allowed);
  if (!topology.is_real) return true;
  print_message("skipped: no hwloc here\n");
  return false;
}

/* Two memory nodes, each with a cache of the third level over two of the second; two processors share each of those. */
static void neighbours_share_caches_and_nodes(void **state) {
  (void)state;
  if (!read_synthetic("numa:2 l3:1 l2:2 l1:1 pu:2")) skip();
  assert_int_equal(topology.count, 8);
  for (uint32_t i = 0; i < 8; i++) {
    const host_topology_cpu_t *cpu = &topology.cpus[i];
    assert_int_equal(cpu->cpu, i);
    assert_int_equal(cpu->node, i / 4);
    assert_int_equal(cpu->domain[host_domain_numa], i / 4);
    assert_int_equal(cpu->domain[host_domain_l3], i / 4);
    assert_int_equal(cpu->domain[host_domain_l2], i / 2);
    assert_int_equal(cpu->domain[host_domain_l1], i / 2);
    assert_int_equal(cpu->domain[host_domain_l4], -1);
  }
}

static void expect_nodes_of(uint32_t count, uint32_t processors) {
  assert_int_equal(topology.count, count);
  for (uint32_t i = 0; i < count; i++) {
    assert_int_equal(topology.cpus[i].node, i / processors);
    assert_int_equal(topology.cpus[i].domain[host_domain_numa], i / processors);
  }
}

/* No cache has the processors of a node: there are several in one, several nodes behind one, or none at all. */
static void nodes_need_no_cache_of_their_own(void **state) {
  (void)state;
  if (!read_synthetic("pack:2 numa:1 l3:4 pu:2")) skip();
  expect_nodes_of(16, 8);
  assert_int_equal(topology.cpus[15].domain[host_domain_l3], 7);
  assert_true(read_synthetic("pack:2 l3:1 group:2 numa:1 l2:2 pu:2"));
  expect_nodes_of(16, 4);
  assert_int_equal(topology.cpus[15].domain[host_domain_l3], 1);
  assert_true(read_synthetic("numa:3 pu:5"));
  expect_nodes_of(15, 5);
}

/* The system's numbers of nodes and processors are not those by which hwloc counts. */
static void numbers_are_the_systems(void **state) {
  (void)state;
  if (!read_synthetic("numa:2(indexes=5,3) pu:2(indexes=6,4,2,0)")) skip();
  assert_int_equal(topology.count, 4);
  for (uint32_t i = 0; i < 4; i++) {
    assert_int_equal(topology.cpus[i].cpu, 2 * i);
    assert_int_equal(topology.cpus[i].node, i < 2 ? 3 : 5);
    assert_int_equal(topology.cpus[i].domain[host_domain_numa], i / 2);
    assert_int_equal(topology.cpus[i].domain[host_domain_l2], -1);
  }
}

/* The mask is about the machine, not about one that is made up. */
static void the_mask_is_not_for_made_up_machines(void **state) {
  (void)state;
  host_cpus_add(&allowed, 1);
  if (!read_synthetic("l2:3 pu:1")) skip();
  assert_int_equal(topology.count, 3);
}

/* More processors than there can be. */
static void a_large_machine_is_cut_off(void **state) {
  (void)state;
  if (!read_synthetic("numa:3 pu:2731")) skip();
  assert_int_equal(topology.count, HOST_CPU_LIMIT);
  assert_int_equal(topology.cpus[HOST_CPU_LIMIT - 1].cpu, HOST_CPU_LIMIT - 1);
  assert_int_equal(topology.cpus[HOST_CPU_LIMIT - 1].node, 2);
}

/* ---------------------------------------------------------------- the machine */

static void the_machines_processors_are_those_of_the_mask(void **state) {
  (void)state;
  host_cpus_t mine = {0};
  assert_int_equal(sched_getaffinity(0, sizeof mine, mine.parts), 0);
  host_topology_read(&topology, &mine);
  assert_true(topology.is_real);
  assert_in_range(topology.count, 1, host_cpus_count(&mine));
  for (uint32_t i = 0; i < topology.count; i++) assert_true(host_cpus_have(&mine, topology.cpus[i].cpu));
  const uint32_t last = topology.cpus[topology.count - 1].cpu;
  host_cpus_add(&allowed, last);
  host_topology_read(&topology, &allowed);
  assert_int_equal(topology.count, 1);
  assert_int_equal(topology.cpus[0].cpu, last);
}

static void what_is_read_once_is_kept(void **state) {
  (void)state;
  host_cpus_add(&allowed, 3);
  library.is_missing = true;
  const host_topology_t *first = host_topology_get(&allowed);
  assert_int_equal(first->count, 1);
  assert_int_equal(first->cpus[0].cpu, 3);
  library.is_missing = false;
  host_cpus_add(&allowed, 4);
  assert_ptr_equal(host_topology_get(&allowed), first);
  assert_int_equal(first->count, 1);
}

/* ---------------------------------------------------------------- without the library */

static void expect_numbers(void) {
  static const uint32_t cpus[] = {2, 5, HOST_CPU_LIMIT - 1};
  memset(&allowed, 0, sizeof allowed);
  for (int i = 0; i < 3; i++) host_cpus_add(&allowed, cpus[i]);
  host_topology_read(&topology, &allowed);
  assert_true(topology.is_real);
  assert_int_equal(topology.count, 3);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(topology.cpus[i].cpu, cpus[i]);
    assert_int_equal(topology.cpus[i].node, -1);
    for (int domain = 0; domain < host_domain_count; domain++) assert_int_equal(topology.cpus[i].domain[domain], -1);
  }
}

static void without_the_library_processors_are_numbers(void **state) {
  (void)state;
  library.is_missing = true;
  expect_numbers();
}

static void without_a_mask_one_stands_for_all(void **state) {
  (void)state;
  library.is_missing = true;
  host_topology_read(&topology, &allowed);
  assert_int_equal(topology.count, 1);
  assert_int_equal(topology.cpus[0].cpu, 0);
  assert_int_equal(topology.cpus[0].node, -1);
  assert_false(topology.is_real);
}

static unsigned other_version(void) { return 1u << 16; }
static int give_up(void *unused) { return (void)unused, -1; }

/* Lacks a function, has another interface, cannot look at the machine: as if it were missing, and closed again. */
static void a_library_that_cannot_be_used_is_none(void **state) {
  (void)state;
  library.lacks = "hwloc_bitmap_isset";
  expect_numbers();
  library.lacks = NULL;
  unsigned (*version)(void) = other_version;
  int (*failure)(void *) = give_up;
  library.replaced = "hwloc_get_api_version";
  memcpy(&library.replacement, &version, sizeof version);
  expect_numbers();
  library.replaced = "hwloc_topology_init";
  memcpy(&library.replacement, &failure, sizeof failure);
  expect_numbers();
  library.replaced = "hwloc_topology_load";
  expect_numbers();
}

/* ---------------------------------------------------------------- around fork */

static void *read_topology(void *out) {
  host_topology_get(&allowed);
  *(volatile bool *)out = true;
  return NULL;
}

static void the_lock_keeps_readers_out(void **state) {
  (void)state;
  static volatile bool has_read;
  pthread_t reader;
  host_cpus_add(&allowed, 0);
  host_topology_lock();
  assert_int_equal(pthread_create(&reader, NULL, read_topology, (void *)&has_read), 0);
  usleep(20000);
  assert_false(has_read);
  host_topology_unlock();
  assert_int_equal(pthread_join(reader, NULL), 0);
  assert_true(has_read);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(neighbours_share_caches_and_nodes), TEST(nodes_need_no_cache_of_their_own),
      TEST(numbers_are_the_systems),           TEST(the_mask_is_not_for_made_up_machines),
      TEST(a_large_machine_is_cut_off),        TEST(the_machines_processors_are_those_of_the_mask),
      TEST(what_is_read_once_is_kept),         TEST(without_the_library_processors_are_numbers),
      TEST(without_a_mask_one_stands_for_all), TEST(a_library_that_cannot_be_used_is_none),
      TEST(the_lock_keeps_readers_out),
  };
#undef TEST
  return cmocka_run_group_tests(tests, NULL, NULL);
}
