/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The application's signals are not for threads that compile. */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "test_device.h"

enum { builds = 2 };

/** Enough kernels that several threads compile them. */
static const char source[] =
    "#define K(name) kernel void name(global float *p, int n) {"
    " for (int i = 0; i < n; i++) p[get_global_id(0)] += sin(p[i]) * cos(p[i + 1]) / tan(p[i + 2]); }\n"
    "#define F(name) K(name##1) K(name##2) K(name##3) K(name##4)\n"
    "F(a) F(b) F(c) F(d) F(e) F(f)\n";

static atomic_bool done;

/** True when the thread would take the signal; false too for one that is gone. Of one that goes while its file is read
 * Linux tells that it blocks nothing, in a process of no threads. */
static bool takes(const char *thread, int signal) {
  char path[64], line[256];
  unsigned long long blocked = ~0ull, threads = 0;
  snprintf(path, sizeof path, "/proc/self/task/%s/status", thread);
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    sscanf(line, "Threads: %llu", &threads);
    if (sscanf(line, "SigBlk: %llx", &blocked) == 1) break;
  }
  if (file) fclose(file);
  return threads > 0 && !(blocked >> (signal - 1) & 1);
}

/** How many threads of the process would take a signal, and how many there are. */
typedef struct count_t {
  int takers, all;
} count_t;

static count_t count_threads(int signal) {
  count_t count = {0};
  DIR *folder = opendir("/proc/self/task");
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    if (entry->d_name[0] == '.') continue;
    count.all++;
    count.takers += takes(entry->d_name, signal);
  }
  if (folder) closedir(folder);
  return count;
}

/** Looks again and again; the most that it saw goes to `data`. */
static void *watch(void *data) {
  count_t *most = data;
  while (!atomic_load(&done)) {
    const count_t now = count_threads(SIGUSR1);
    if (now.all > most->all) most->all = now.all;
    if (now.takers > most->takers) most->takers = now.takers;
  }
  return NULL;
}

static void threads_that_compile_take_no_signals(void **state) {
  (void)state;
  pthread_t watcher;
  count_t most = {0};
  if (access("/proc/self/task", R_OK)) skip();
  const int before = count_threads(SIGUSR1).all;
  assert_int_equal(pthread_create(&watcher, NULL, watch, &most), 0);
  for (int i = 0; i < builds; i++) ASSERT_CL(clReleaseProgram(test_program(source, NULL)));
  atomic_store(&done, true);
  pthread_join(watcher, NULL);
  /* This one and the watcher. */
  assert_int_equal(most.takers, 2);
  if (most.all > before + 1) return;
  print_message("skipped: no other thread was seen to compile\n");
  skip();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(threads_that_compile_take_no_signals)};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
