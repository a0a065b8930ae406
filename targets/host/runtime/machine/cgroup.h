/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the control groups of this process allow. */
#ifndef HOST_RUNTIME_MACHINE_CGROUP_H
#define HOST_RUNTIME_MACHINE_CGROUP_H

#include <stdint.h>

typedef struct host_cgroup_limits_t {
  /** Bytes; UINT64_MAX when there is no limit. */
  uint64_t memory;
  /** Processors' worth of time, rounded up; UINT32_MAX when there is no limit. */
  uint32_t processors;
} host_cgroup_limits_t;

/** Reads the limits of the calling process, of cgroup version 1 or 2: the smallest of its group and the groups above.
 * `root` is put before every path read ("" for the machine itself). Never fails: what cannot be read is no limit.
 * Thread safe. */
host_cgroup_limits_t host_cgroup_limits_read(const char *root);

#endif
