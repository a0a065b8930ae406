/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The host backend: one platform with one device, described by the C library alone. */
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "interop/object/registry.h"

/* A positive answer of sysconf, or 0. */
static uint64_t ask_system(int name) {
  long value = sysconf(name);
  return value > 0 ? (uint64_t)value : 0;
}

/* CPUs this process may use. The fixed set has 1024; on a larger machine the call fails, and all CPUs count. */
static uint32_t count_cpus(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return (uint32_t)CPU_COUNT(&set);
  uint32_t online = (uint32_t)ask_system(_SC_NPROCESSORS_ONLN);
  return online ? online : 1;
}

static uint64_t largest_cache(void) {
  uint64_t third = ask_system(_SC_LEVEL3_CACHE_SIZE), second = ask_system(_SC_LEVEL2_CACHE_SIZE);
  return third > second ? third : second;
}

static void read_memory(interop_device_info_t *info) {
  uint64_t bytes = ask_system(_SC_PHYS_PAGES) * ask_system(_SC_PAGESIZE);
  info->global_memory_size = info->max_memory_allocation_size = bytes;
  info->global_memory_cache_size = largest_cache();
  info->global_memory_cache_line_size = (uint32_t)ask_system(_SC_LEVEL1_DCACHE_LINESIZE);
  info->memory_base_address_alignment = 8 * _Alignof(max_align_t);
  info->has_host_unified_memory = true;
}

static void read_execution(interop_device_info_t *info) {
  info->type = quern_device_type_host;
  info->is_available = true;
  info->is_endian_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
  info->address_bits = 8 * sizeof(void *);
  info->max_compute_units = count_cpus();
  info->max_work_item_dimensions = 3;
  info->max_work_item_sizes = (quern_sizes_t){{SIZE_MAX, SIZE_MAX, SIZE_MAX}};
  /* A host function is called once for each point of a range; there are no groups of them. */
  info->max_work_group_size = 1;
  info->profiling_timer_resolution = 1;
}

static bool read_texts(quern_platform_t platform, quern_device_t device) {
  static const char vendor[] = "The Quern authors", version[] = "Quern " INTEROP_VERSION;
  struct utsname system;
  const char *machine = uname(&system) == 0 ? system.machine : "host";
#define PLATFORM_TEXT(what, text) \
  interop_info_set_text(&interop_platform_info_table, &platform->info, quern_platform_info_##what, text)
#define DEVICE_TEXT(what, text) \
  interop_info_set_text(&interop_device_info_table, &device->info, quern_device_info_##what, text)
  return PLATFORM_TEXT(name, "Host") && PLATFORM_TEXT(vendor, vendor) && PLATFORM_TEXT(version, version) &&
         PLATFORM_TEXT(profile, "FULL_PROFILE") && DEVICE_TEXT(name, machine) && DEVICE_TEXT(vendor, vendor) &&
         DEVICE_TEXT(version, version) && DEVICE_TEXT(driver_version, INTEROP_VERSION) &&
         DEVICE_TEXT(profile, "FULL_PROFILE");
#undef PLATFORM_TEXT
#undef DEVICE_TEXT
}

static quern_result_t open_host(interop_backend_state_t *state) {
  quern_platform_t platform = interop_platform_create(state, NULL);
  quern_device_t device = platform ? interop_device_create(platform, NULL) : NULL;
  if (!device || !interop_platform_add_device(platform, device)) goto free_device;
  read_execution(&device->info);
  read_memory(&device->info);
  if (!read_texts(platform, device) || !interop_backend_add_platform(state, platform)) goto free_platform;
  return quern_success;

free_device:
  interop_device_destroy(device);
free_platform:
  interop_platform_destroy(platform);
  return interop_fail_memory();
}

const interop_backend_t interop_backend_host = {.open = open_host};
