/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What an application does with the driver, in pieces, each of which copes with any call failing for want of memory. */
#ifndef CL_INTERNAL_MEMORY_SCENARIOS_H
#define CL_INTERNAL_MEMORY_SCENARIOS_H

#include <stdbool.h>
#include <stddef.h>

#include "cl/object/object.h"

typedef struct scenario_t {
  const char *name;
  /** Does it all, and releases everything. */
  void (*run)(void);
  /** It makes something that is then kept as long as the process: worth a new process for each allocation. */
  bool first_use;
} scenario_t;

extern const scenario_t scenarios[];
extern const size_t scenario_count;
/** Compiles, links and fails to build: for programs that have the compiler library. */
extern const scenario_t build_scenario;

/** What has gone wrong, since the first call: a call gave an error that is not one of memory, or succeeded and did not
 * do its work. Empty when nothing has. */
extern char scenario_complaint[256];
/** Calls that failed, since the first call. */
extern size_t scenario_failures;
/** The last one that did. */
extern const char *scenario_last_failure;

/** The device, found when first asked for; null when that failed. */
cl_device_id scenario_device(void);

/** Makes the program binary that the scenarios load, in a process of its own, so that this one has not used the driver.
 * Once, before memory runs out. */
void scenario_binary_make(void);

#endif
