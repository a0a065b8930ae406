/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Executing copies and fills. */
#ifndef HOST_RUNTIME_COPY_H
#define HOST_RUNTIME_COPY_H

#include "host/runtime/command.h"

void host_copy(const host_command_copy_t *command);

/** Each region in turn; rows and slices that follow each other on both sides are copied as one. */
void host_copy_regions(const host_command_copy_regions_t *command);

void host_fill(const host_command_fill_t *command);
void host_fill_box(const host_command_fill_box_t *command);

#endif
