/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Control group limits: /proc/self/cgroup names the groups, /sys/fs/cgroup holds their files. */
#include "host/runtime/machine/cgroup.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/runtime/machine/text_file.h"

/* Version 1 says "no limit" with a number near 2^63. */
#define NO_LIMIT_FROM ((uint64_t)1 << 60)

static bool group_file_read(const char *root, const char *mount, const char *group, const char *name, char *text,
                            size_t capacity) {
  char path[PATH_MAX];
  int length = snprintf(path, sizeof path, "%s/sys/fs/cgroup%s%s/%s", root, mount, group, name);
  return length > 0 && (size_t)length < sizeof path && host_text_file_read(path, text, capacity);
}

static void memory_limit_apply(const char *text, host_cgroup_limits_t *limits) {
  char *end;
  unsigned long long value = strtoull(text, &end, 10);
  if (end != text && value < NO_LIMIT_FROM && value < limits->memory) limits->memory = value;
}

static void quota_apply(long long quota, long long period, host_cgroup_limits_t *limits) {
  if (quota <= 0 || period <= 0) return;
  long long processors = quota / period + (quota % period != 0);
  if (processors < (long long)limits->processors) limits->processors = (uint32_t)processors;
}

static void group_apply_v2(const char *root, const char *group, host_cgroup_limits_t *limits) {
  char text[128];
  long long quota, period;
  if (group_file_read(root, "", group, "memory.max", text, sizeof text)) memory_limit_apply(text, limits);
  if (group_file_read(root, "", group, "cpu.max", text, sizeof text) && sscanf(text, "%lld %lld", &quota, &period) == 2)
    quota_apply(quota, period, limits);
}

static void group_apply_memory_v1(const char *root, const char *group, host_cgroup_limits_t *limits) {
  char text[128];
  if (group_file_read(root, "/memory", group, "memory.limit_in_bytes", text, sizeof text))
    memory_limit_apply(text, limits);
}

static void group_apply_cpu_v1(const char *root, const char *group, host_cgroup_limits_t *limits) {
  char quota[64], period[64];
  if (group_file_read(root, "/cpu", group, "cpu.cfs_quota_us", quota, sizeof quota) &&
      group_file_read(root, "/cpu", group, "cpu.cfs_period_us", period, sizeof period))
    quota_apply(strtoll(quota, NULL, 10), strtoll(period, NULL, 10), limits);
}

/* From the group up to the root of the hierarchy. Inside a container the named group may not exist below the mount,
 * whose root is then the group itself; that is covered, as the walk ends there. */
static void groups_apply(const char *root, char *group,
                         void (*apply)(const char *root, const char *group, host_cgroup_limits_t *limits),
                         host_cgroup_limits_t *limits) {
  for (char *end = group + strlen(group); end; end = strrchr(group, '/')) {
    *end = '\0';
    apply(root, group, limits);
  }
}

static bool has_controller(const char *controllers, const char *name) {
  size_t length = strlen(name);
  for (const char *at = controllers; (at = strstr(at, name)); at += length) {
    bool starts = at == controllers || at[-1] == ',';
    if (starts && (at[length] == ',' || at[length] == '\0')) return true;
  }
  return false;
}

/* A line is "id:controllers:/path"; version 2 has no controllers. */
static void line_apply(const char *root, char *line, host_cgroup_limits_t *limits) {
  char *controllers = strchr(line, ':');
  char *group = controllers ? strchr(controllers + 1, ':') : NULL;
  if (!group || group[1] != '/') return;
  *controllers++ = '\0';
  *group++ = '\0';
  if (!*controllers)
    groups_apply(root, group, group_apply_v2, limits);
  else if (has_controller(controllers, "memory"))
    groups_apply(root, group, group_apply_memory_v1, limits);
  else if (has_controller(controllers, "cpu"))
    groups_apply(root, group, group_apply_cpu_v1, limits);
}

host_cgroup_limits_t host_cgroup_limits_read(const char *root) {
  host_cgroup_limits_t limits = {.memory = UINT64_MAX, .processors = UINT32_MAX};
  char path[PATH_MAX], text[8192], *state = NULL;
  int length = snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
  if (length < 0 || (size_t)length >= sizeof path || !host_text_file_read(path, text, sizeof text)) return limits;
  for (char *line = strtok_r(text, "\n", &state); line; line = strtok_r(NULL, "\n", &state))
    line_apply(root, line, &limits);
  return limits;
}
