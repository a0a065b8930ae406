/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Teams: workers that stay with whoever executes commands, from one region to the next and from one dispatch to the
 * next, without a lock or a system call in between. */
#ifndef HOST_RUNTIME_SCHEDULING_TEAM_H
#define HOST_RUNTIME_SCHEDULING_TEAM_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "mux/mux.h"

struct host_region_t;
struct host_scheduler_t;
struct host_thread_t;
struct host_worker_t;

/** Two cache lines, which processors fetch together. */
#define HOST_LINES 128
#define HOST_TEAM_CAPACITY 512u
#define HOST_TEAMS 32u
/** host_team_t.keep. */
#define HOST_KEEP_ALL UINT32_MAX

/** The share of the member with this rank, and what it tells the owner. */
typedef struct host_member_share_t {
  /** share.h. */
  alignas(HOST_LINES) _Atomic uint64_t word;
  /** Ticks that it spent with parts, and units that it took; valid once it has finished. */
  uint64_t busy;
  uint32_t units;
  /** Tag of the last region that the member took part in and is done with. */
  _Atomic uint32_t finished;
} host_member_share_t;

/** Owned by one executing thread at a time, in between by none. Members that find nothing to do for some time leave. */
typedef struct host_team_t {
  /** The last region: its tag and, below, its shares. The owner writes it and the next two members. */
  alignas(HOST_LINES) _Atomic uint64_t call;
  _Atomic uint32_t units;
  /** Valid for those who take part. */
  struct host_region_t *region;

  /** The owner waits in a futex call. */
  alignas(HOST_LINES) _Atomic uint32_t sleeps;

  /** Members of higher ranks shall leave: others need them. */
  alignas(HOST_LINES) _Atomic uint32_t keep;
  /** Members, and the highest rank of one; 0 when there is none. Scheduler locked to change them. */
  _Atomic uint32_t count, top;
  atomic_bool is_owned;
  /** Constant. */
  struct host_scheduler_t *scheduler;
  host_member_share_t *shares;

  /** Scheduler locked: in its list of owned or unowned teams; the executing thread; members by rank, from 1 on, and how
   * many more the owner would like. */
  alignas(HOST_LINES) list_t link;
  struct host_thread_t *owner;
  struct host_worker_t **members;
  uint32_t wants;

  /** The owner's: tag of its last region; ticks that missing members have cost lately, and until when that counts. */
  uint32_t tag;
  uint64_t loss, loss_end;
} host_team_t;

static inline uint32_t host_call_tag(uint64_t call) { return (uint32_t)(call >> 32); }
static inline uint32_t host_call_shares(uint64_t call) { return (uint32_t)call; }

/** Part of a scheduler. Scheduler locked, but for constant members. */
typedef struct host_teams_t {
  /** Constant. */
  host_team_t *list;
  uint32_t capacity, limit;
  /** Those that have ever been owned. */
  uint32_t known;
  list_t owned, unowned;
  /** Members of owned teams. */
  uint32_t members;
} host_teams_t;

/** Frees nothing but memory. mux_error_out_of_memory. */
MUX_MUST_CHECK mux_result_t host_teams_init(struct host_scheduler_t *scheduler);
void host_teams_destroy(host_teams_t *teams);

/* ---- scheduler locked ---- */

/** A team for `thread`, which begins to execute: the one that was owned last, as its members may still be there. Null
 * when there is none left. */
host_team_t *host_team_acquire(struct host_scheduler_t *scheduler, struct host_thread_t *thread);
void host_team_release(struct host_scheduler_t *scheduler, host_team_t *team);

/** Makes `worker` a member of a team that wants more; false when there is none. */
bool host_team_find(struct host_scheduler_t *scheduler, struct host_worker_t *worker);

/** `worker` is a member no more. */
void host_team_leave(struct host_worker_t *worker);

/** Tells teams how many members they may keep, so that each executing thread gets about as many and ready dispatches
 * are not left waiting. After whatever may change that. */
void host_teams_rebalance(struct host_scheduler_t *scheduler);

/** Members of teams that nobody owns: they look for dispatches. */
uint32_t host_teams_spare(const host_teams_t *teams);

/** In the child of a fork: no member is left, and no owner but the calling thread. */
void host_teams_after_fork(struct host_scheduler_t *scheduler);

/* ---- scheduler unlocked ---- */

/** Announces the region to the members. The calling thread owns the team, and its last region is over. */
void host_team_publish(host_team_t *team, struct host_region_t *region);

/** Makes up to `count` idle or new workers members and wakes them, each of which wakes others: the calling thread, the
 * owner, wakes one. */
void host_team_wake(struct host_scheduler_t *scheduler, host_team_t *team, uint32_t count);

/** Takes part in the regions of the calling worker's team until nothing has come for some time: true; or until others
 * need it. */
bool host_team_serve(struct host_worker_t *worker, struct host_thread_t *thread);

static inline bool host_team_is_left(const host_team_t *team, uint32_t rank) {
  return rank > atomic_load_explicit(&team->keep, memory_order_relaxed);
}

#endif
