/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * How many threads a job is worth. */
#ifndef HOST_RUNTIME_SCHEDULING_PLAN_H
#define HOST_RUNTIME_SCHEDULING_PLAN_H

#include <stdint.h>

#include "host/runtime/scheduling/region.h"
#include "host/runtime/scheduling/team.h"

/** Ticks, about ten microseconds: what costs less is over before a sleeping thread would be awake. */
#define HOST_WORTH_HELP_TICKS 25000u

/** Decides for the parts `first` to `end - 1` of `plan`, which on one thread are expected to take `expected` ticks; 0
 * when that is not known. `team` is owned by the calling thread. No helpers: it is best to be alone. */
void host_plan_make(host_plan_t *plan, struct host_scheduler_t *scheduler, host_team_t *team, uint64_t expected);

#endif
