/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Simulates waking and stealing with up to 256 threads: simulation-threads [--check]. Shares are those of the runtime
 * (share.h), time is counted. The latencies are what was measured on 16 processors of one socket. Prints the tables of
 * docs/decisions/threads.md; --check only says whether what is concluded there still holds. */
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/runtime/scheduling/share.h"

/* ---- nanoseconds, measured */

/** A cache line from one core to another. */
static const double line_ns = 145;
/** A futex call that wakes a sleeper; from its begin until the sleeper goes on. */
static const double call_ns = 1760, wake_ns = 10900;
/** Taking a run of the own share. */
static const double claim_ns = 25;
/** What each thread adds to publishing and gathering, beside 280 ns for the first. */
static const double gather_base_ns = 280, gather_thread_ns = 16;

enum { MOST_THREADS = 256, UNITS_PER_THREAD = 128, MOST_UNITS = MOST_THREADS * UNITS_PER_THREAD };
static const unsigned thread_counts[] = {16, 64, 128, 256};
enum { COUNTS = sizeof(thread_counts) / sizeof(thread_counts[0]) };

/* ---- waking */

/** Who wakes `children` others before it begins; the owner wakes `owner_children`. */
typedef struct tree_t {
  const char *name;
  unsigned owner_children, children;
} tree_t;

static const tree_t trees[] = {{"owner wakes all", MOST_THREADS, 0},  {"owner wakes 1, each wakes 1", 1, 1},
                               {"owner wakes 1, each wakes 2", 1, 2}, {"owner wakes 2, each wakes 2", 2, 2},
                               {"owner wakes 1, each wakes 4", 1, 4}, {"owner wakes 4, each wakes 4", 4, 4}};
enum { TREES = sizeof(trees) / sizeof(trees[0]), CHOSEN_TREE = 2 };

typedef struct waking_t {
  double owner, mean, last;
} waking_t;

/** Microseconds: until the owner goes on, until threads go on in the mean, and until all do. */
static waking_t waking_simulate(const tree_t *tree, unsigned threads) {
  double ready[MOST_THREADS] = {0}, sum = 0, last = 0;
  unsigned next = 1;
  waking_t waking = {0};
  for (unsigned i = 0; i < threads; i++) {
    const unsigned children = i == 0 ? tree->owner_children : tree->children;
    double now = ready[i];
    for (unsigned child = 0; child < children && next < threads; child++, now += call_ns) ready[next++] = now + wake_ns;
    if (i == 0) waking.owner = now / 1000;
    sum += now;
    last = fmax(last, now);
  }
  waking.mean = sum / threads / 1000;
  waking.last = last / 1000;
  return waking;
}

/* ---- stealing */

typedef enum order_e { ORDER_NONE, ORDER_ALL, ORDER_CUBE, ORDER_COUNTER, ORDERS } order_e;
static const char *const order_names[ORDERS] = {"static shares alone", "steals from all in turn",
                                                "steals from ranks at powers of two", "one shared counter"};

typedef enum load_e { LOAD_EVEN, LOAD_LAST, LOAD_RISING, LOAD_SCATTERED, LOAD_LATE, LOADS } load_e;
static const char *const load_names[LOADS] = {"even", "last 1/32 cost 31 times", "rising", "scattered 1/32",
                                              "even, a thread is late"};

static double unit_ns[MOST_UNITS];
static unsigned char executed[MOST_UNITS];

/** `mean` nanoseconds for each unit in the mean. */
static void load_make(load_e load, unsigned units, double mean) {
  double sum = 0;
  for (unsigned i = 0; i < units; i++) {
    double cost = 1;
    if (load == LOAD_LAST) cost = i >= units - units / 32 ? 31 : 1;
    if (load == LOAD_RISING) cost = (double)i * i + 1;
    if (load == LOAD_SCATTERED) cost = i * 2654435761u >> 27 == 0 ? 31 : 1;
    unit_ns[i] = cost;
    sum += cost;
  }
  for (unsigned i = 0; i < units; i++) unit_ns[i] *= mean * units / sum;
}

typedef struct thread_t {
  _Atomic uint64_t share;
  double now;
  unsigned looks; /**< at others' shares, since it last had work */
  bool done;
} thread_t;

static thread_t threads[MOST_THREADS];
static unsigned counter;
static double counter_free;

static double run_execute(const host_run_t *run) {
  double time = 0;
  for (unsigned unit = run->first; unit < run->first + run->count; unit++) {
    time += unit_ns[unit];
    executed[unit]++;
  }
  return time;
}

/** The next one to look at; its own rank when it has looked at all that it may. */
static unsigned victim_of(order_e order, unsigned rank, unsigned looks, unsigned count) {
  if (order == ORDER_ALL) return looks + 1 < count ? (rank + looks + 1) % count : rank;
  if (order == ORDER_CUBE && 1u << looks < count) return rank ^ 1u << looks;
  return rank;
}

static void counter_step(thread_t *thread, unsigned units, unsigned count) {
  /* Guided: the line is with one thread at a time. */
  thread->now = fmax(thread->now, counter_free) + line_ns;
  counter_free = thread->now;
  if (counter == units) {
    thread->done = true;
    return;
  }
  const unsigned left = units - counter, length = left / (4 * count) > 0 ? left / (4 * count) : 1;
  const host_run_t run = {counter, length};
  counter += length;
  thread->now += run_execute(&run);
}

static void share_step(order_e order, const host_division_t *division, unsigned rank, uint32_t least) {
  thread_t *thread = &threads[rank];
  host_run_t run;
  if (host_share_claim(&thread->share, least, &run)) {
    thread->now += claim_ns + run_execute(&run);
    thread->looks = 0;
    return;
  }
  const unsigned victim = victim_of(order, rank, thread->looks, division->shares);
  if (victim == rank) {
    thread->done = true;
    return;
  }
  thread->now += line_ns;
  thread->looks++;
  if (!host_share_steal(&threads[victim].share, division, victim, least, &run)) return;
  thread->share = host_share_word(division->tag, HOST_SHARE_JOINED, run.first, run.first + run.count);
  thread->looks = 0;
  /* Before anybody else can see it. */
  if (host_share_claim(&thread->share, least, &run)) thread->now += line_ns + run_execute(&run);
}

static thread_t *earliest(unsigned count) {
  thread_t *found = NULL;
  for (unsigned i = 0; i < count; i++)
    if (!threads[i].done && (found == NULL || threads[i].now < found->now)) found = &threads[i];
  return found;
}

/** Microseconds until all is done, gathering included; each thread has `work` microseconds of it in the mean. */
static double region_simulate(order_e order, load_e load, unsigned count, double work) {
  const unsigned units = count * UNITS_PER_THREAD;
  const host_division_t division = {.tag = 1, .shares = count, .units = units};
  load_make(load, units, work * 1000 / UNITS_PER_THREAD);
  const uint32_t least = (uint32_t)fmax(1, 500 / (work * 1000 / UNITS_PER_THREAD));
  memset(executed, 0, sizeof(executed));
  counter = 0;
  counter_free = 0;
  for (unsigned i = 0; i < count; i++)
    threads[i] = (thread_t){.share = host_share_interpret(&division, i, 0) | HOST_SHARE_JOINED,
                            .now = load == LOAD_LATE && i == count / 2 ? 3e6 : line_ns};
  double end = 0;
  for (thread_t *thread; (thread = earliest(count)) != NULL;) {
    if (order == ORDER_COUNTER)
      counter_step(thread, units, count);
    else
      share_step(order, &division, (unsigned)(thread - threads), least);
    /* A thread that comes when nothing is left has no part, and nobody waits for it. */
    if (!thread->done || thread->now < 3e6) end = fmax(end, thread->now);
  }
  for (unsigned i = 0; i < units; i++)
    if (executed[i] != 1) abort();
  return (end + gather_base_ns + gather_thread_ns * count) / 1000;
}

/* ---- output */

static void waking_print(void) {
  printf("| µs until the owner / the mean thread / all go on |");
  for (int c = 0; c < COUNTS; c++) printf(" %u threads |", thread_counts[c]);
  printf("\n|---|--:|--:|--:|--:|\n");
  for (int t = 0; t < TREES; t++) {
    printf("| %s |", trees[t].name);
    for (int c = 0; c < COUNTS; c++) {
      const waking_t waking = waking_simulate(&trees[t], thread_counts[c]);
      printf(" %.1f / %.0f / %.0f |", waking.owner, waking.mean, waking.last);
    }
    printf("\n");
  }
}

static void stealing_print(double work) {
  printf("\n| %.0f µs for each thread in the mean; µs | |", work);
  for (int c = 0; c < COUNTS; c++) printf(" %u threads |", thread_counts[c]);
  printf("\n|---|---|--:|--:|--:|--:|\n");
  for (int load = 0; load < LOADS; load++)
    for (int order = 0; order < ORDERS; order++) {
      printf("| %s | %s |", load_names[load], order_names[order]);
      for (int c = 0; c < COUNTS; c++)
        printf(" %.1f |", region_simulate((order_e)order, (load_e)load, thread_counts[c], work));
      printf("\n");
    }
}

static bool holds(bool claim, const char *what) {
  if (!claim) fprintf(stderr, "does not hold: %s\n", what);
  return claim;
}

static bool conclusions_hold(void) {
  const waking_t all = waking_simulate(&trees[0], MOST_THREADS), tree = waking_simulate(&trees[CHOSEN_TREE], 256);
  const double turn = region_simulate(ORDER_ALL, LOAD_EVEN, MOST_THREADS, 20);
  const double cube = region_simulate(ORDER_CUBE, LOAD_EVEN, MOST_THREADS, 20);
  const double turn_rising = region_simulate(ORDER_ALL, LOAD_RISING, MOST_THREADS, 1000);
  const double cube_rising = region_simulate(ORDER_CUBE, LOAD_RISING, MOST_THREADS, 1000);
  bool good = holds(tree.last < all.last / 3 && tree.owner < all.owner / 100, "a tree wakes all sooner");
  good = holds(cube < turn, "looking at few shares is cheaper than at all") && good;
  good = holds(cube_rising < turn_rising, "looking at few shares balances as well") && good;
  return good;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--check") == 0) return conclusions_hold() ? 0 : 1;
  waking_print();
  stealing_print(20);
  stealing_print(1000);
  return 0;
}
