/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Many threads make the first call at once; all see the same platforms and devices. Argument: the fake library. */
#include <pthread.h>

#include "support.h"

enum { thread_count = 8 };

typedef struct seen_t {
  quern_platform_t platforms[test_list_capacity];
  size_t count;
  quern_device_t device;
  quern_result_t result;
} seen_t;

static pthread_barrier_t barrier;

static void *look(void *data) {
  seen_t *seen = data;
  pthread_barrier_wait(&barrier);
  seen->result = quern_platform_list(test_list_capacity, seen->platforms, &seen->count);
  if (seen->result == quern_success) {
    seen->result = quern_device_select(quern_selector_default, NULL, &seen->device);
  }
  return NULL;
}

static void all_threads_see_the_same(void **state) {
  (void)state;
  seen_t seen[thread_count];
  pthread_t threads[thread_count];
  memset(seen, 0, sizeof(seen));
  pthread_barrier_init(&barrier, NULL, thread_count);
  for (int i = 0; i < thread_count; i++) assert_int_equal(pthread_create(&threads[i], NULL, look, &seen[i]), 0);
  for (int i = 0; i < thread_count; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&barrier);
  assert_int_equal(seen[0].result, quern_success);
  assert_int_equal(seen[0].count, 4);
  for (int i = 1; i < thread_count; i++) assert_memory_equal(&seen[i], &seen[0], sizeof(seen[0]));
}

int main(int argc, char **argv) {
  test_configure(argc > 1 ? argv[1] : "");
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_threads_see_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
