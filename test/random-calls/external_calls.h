/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Random calls of extensions. */
#ifndef RANDOM_CALLS_EXTERNAL_CALLS_H
#define RANDOM_CALLS_EXTERNAL_CALLS_H

#include "world.h"

/** Finds the functions; false when one is missing. */
bool external_calls_load(void);

void import_buffer(world_t *world);
void hand_over_memory(world_t *world);
void create_semaphore(world_t *world);
void share_semaphore(world_t *world);
void access_variable(world_t *world);

#endif
