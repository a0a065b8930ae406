/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A file of the user in /dev/shm. Others may have made one of that name: it counts only if it is the user's own and
 * nobody else can write to it. */
#include "host/runtime/machine/peers.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/process.h"
#include "host/runtime/machine/futex.h"

#define MILLISECOND_TICKS (1000u * (uint64_t)HOST_MICROSECOND_TICKS)
/* Who had work so lately will have more. */
#define ACTIVE_TICKS (100 * MILLISECOND_TICKS)
/* Who had none for so long can have another entry when it comes back. */
#define FORGOTTEN_TICKS (10000 * MILLISECOND_TICKS)
/* A change of the table's layout changes its name. */
#define TABLE_PATH "/dev/shm/quern-peers-1-%u"

/* ---------------------------------------------------------------- the file */

static bool is_own(int file) {
  struct stat status;
  return !fstat(file, &status) && S_ISREG(status.st_mode) && status.st_uid == geteuid() && status.st_nlink == 1 &&
         !(status.st_mode & (S_IRWXG | S_IRWXO));
}

/* Room is taken at once: memory of a full file system would be a fault when it is written. */
static host_peers_t *file_map(int file) {
  if (posix_fallocate(file, 0, sizeof(host_peers_t))) return NULL;
  void *peers = mmap(NULL, sizeof(host_peers_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return peers == MAP_FAILED ? NULL : peers;
}

host_peers_t *host_peers_open(const char *path) {
  const int file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) return NULL;
  host_peers_t *peers = is_own(file) ? file_map(file) : NULL;
  close(file);
  return peers;
}

static host_peers_t *table;

static void table_open(void) {
  char path[64];
  if (process_has_more_rights()) return;
  snprintf(path, sizeof path, TABLE_PATH, (unsigned)geteuid());
  table = host_peers_open(path);
  if (!table) log_write(log_threads, "%s cannot be used: threads of other processes are not counted", path);
}

host_peers_t *host_peers_get(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, table_open);
  return table;
}

/* ---------------------------------------------------------------- entries */

/* Clocks of processors may differ a little. */
static bool is_within(uint64_t then, uint64_t now, uint64_t ticks) {
  return (now > then ? now - then : then - now) < ticks;
}

static uint64_t owner_make(uint64_t now) {
  static _Atomic uint32_t count;
  const uint64_t number = atomic_fetch_add_explicit(&count, 1, memory_order_relaxed) + 1;
  return (now << 24) ^ ((uint64_t)getpid() << 8) ^ number;
}

static bool entry_take(host_peer_t *entry, uint64_t owner, uint64_t now) {
  uint64_t known = atomic_load_explicit(&entry->owner, memory_order_relaxed);
  if (known && is_within(atomic_load_explicit(&entry->active, memory_order_relaxed), now, FORGOTTEN_TICKS))
    return false;
  return atomic_compare_exchange_strong_explicit(&entry->owner, &known, owner, memory_order_relaxed,
                                                 memory_order_relaxed);
}

static host_peer_t *entry_find(host_peers_t *peers, host_peer_place_t *place, uint64_t now) {
  place->owner = owner_make(now);
  for (uint32_t i = 0; place->owner && i < HOST_PEERS_CAPACITY; ++i) {
    if (!entry_take(&peers->entries[i], place->owner, now)) continue;
    place->entry = i;
    return &peers->entries[i];
  }
  place->owner = 0;
  return NULL;
}

/* Its own entry, unless that was given to another device meanwhile. */
static host_peer_t *entry_of(host_peers_t *peers, host_peer_place_t *place, uint64_t now) {
  host_peer_t *entry = &peers->entries[place->entry];
  if (place->owner && atomic_load_explicit(&entry->owner, memory_order_relaxed) == place->owner) return entry;
  return entry_find(peers, place, now);
}

static void entry_renew(host_peer_t *entry, const host_cpus_t *cpus, uint64_t now) {
  uint64_t words[HOST_PEERS_CPUS / 64];
  memcpy(words, cpus->parts, sizeof words);
  for (uint32_t i = 0; i < HOST_PEERS_CPUS / 64; ++i)
    if (atomic_load_explicit(&entry->cpus[i], memory_order_relaxed) != words[i])
      atomic_store_explicit(&entry->cpus[i], words[i], memory_order_relaxed);
  atomic_store_explicit(&entry->active, now, memory_order_relaxed);
}

/* ---------------------------------------------------------------- shares */

typedef struct active_t {
  const host_peer_t *entries[HOST_PEERS_CAPACITY];
  uint32_t count;
} active_t;

static void active_find(active_t *active, const host_peers_t *peers, const host_peer_t *own, uint64_t now) {
  active->count = 0;
  for (uint32_t i = 0; i < HOST_PEERS_CAPACITY; ++i) {
    const host_peer_t *entry = &peers->entries[i];
    if (entry != own && atomic_load_explicit(&entry->owner, memory_order_relaxed) &&
        is_within(atomic_load_explicit(&entry->active, memory_order_relaxed), now, ACTIVE_TICKS))
      active->entries[active->count++] = entry;
  }
}

static bool peer_has(const host_peer_t *entry, uint32_t cpu) {
  return cpu < HOST_PEERS_CPUS && atomic_load_explicit(&entry->cpus[cpu / 64], memory_order_relaxed) >> cpu % 64 & 1;
}

/* Whole processors; a little is added for what sums of fractions lack. */
static uint32_t share_count(const active_t *active, const host_cpus_t *cpus) {
  double share = 1e-6;
  bool meets = false;
  for (uint32_t cpu = 0, left = host_cpus_count(cpus); left; ++cpu) {
    uint32_t users = 1;
    if (!host_cpus_have(cpus, cpu)) continue;
    --left;
    for (uint32_t i = 0; i < active->count; ++i) users += peer_has(active->entries[i], cpu);
    share += 1.0 / users;
    meets = meets || users > 1;
  }
  return !meets ? 0 : share < 1 ? 1 : (uint32_t)share;
}

uint32_t host_peers_meet(host_peers_t *peers, host_peer_place_t *place, const host_cpus_t *cpus, uint64_t now) {
  host_peer_t *own = entry_of(peers, place, now);
  active_t active;
  if (!own) return 0;
  entry_renew(own, cpus, now);
  active_find(&active, peers, own, now);
  return active.count ? share_count(&active, cpus) : 0;
}
