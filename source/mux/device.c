/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Devices: enumeration over all targets, creation, destruction. */
#include "mux/validate.h"

mux_result_t muxGetDeviceInfos(uint32_t device_types, uint64_t device_infos_length, mux_device_info_t *out_device_infos,
                               uint64_t *out_device_infos_length) {
  MUX_REQUIRE(device_types && !(device_types & ~(uint32_t)mux_device_type_all), "device_types is 0 or unknown");
  MUX_REQUIRE(!out_device_infos || device_infos_length, "out_device_infos has length 0");
  if (device_infos_length || !out_device_infos_length) MUX_REQUIRE_OUTPUT(out_device_infos);

  uint64_t total = 0;
  for (mux_target_id_t id = 1; id <= mux_targets_length; id++) {
    const uint64_t room = total < device_infos_length ? device_infos_length - total : 0;
    uint64_t found = 0;
    const mux_result_t result =
        mux_target_find(id)->get_device_infos(id, device_types, room, room ? out_device_infos + total : NULL, &found);
    if (result) return mux_refuse(__func__, result, mux_target_find(id)->name);
    total += found;
  }
  if (out_device_infos_length) *out_device_infos_length = total;
  return mux_success;
}

/* Length of the run of infos that belong to one target. */
static uint64_t run_length(const mux_device_info_t *infos, uint64_t length) {
  uint64_t run = 1;
  while (run < length && mux_id_target(infos[run]->id) == mux_id_target(infos[0]->id)) run++;
  return run;
}

mux_result_t muxCreateDevices(uint64_t devices_length, const mux_device_info_t *device_infos,
                              mux_allocator_info_t allocator, mux_device_t *out_devices) {
  MUX_REQUIRE(devices_length && device_infos, "there are no device infos");
  for (uint64_t i = 0; i < devices_length; i++) MUX_REQUIRE_HANDLE(device_infos[i], device);
  MUX_REQUIRE_ALLOCATOR(allocator);
  MUX_REQUIRE_OUTPUT(out_devices);

  uint64_t created = 0;
  while (created < devices_length) {
    const uint64_t run = run_length(device_infos + created, devices_length - created);
    const mux_result_t result = mux_target_find(device_infos[created]->id)
                                    ->create_devices(run, device_infos + created, allocator, out_devices + created);
    if (result) {
      while (created) muxDestroyDevice(out_devices[--created], allocator);
      return result;
    }
    created += run;
  }
  return mux_success;
}

void muxDestroyDevice(mux_device_t device, mux_allocator_info_t allocator) {
  MUX_REQUIRE_DESTROYABLE(device, device, device, device, allocator);
  mux_target_find(device->id)->destroy_device(device, allocator);
}

static bool domain_is_known(mux_affinity_domain_e domain) {
  const uint32_t known = mux_affinity_domain_numa | mux_affinity_domain_l4_cache | mux_affinity_domain_l3_cache |
                         mux_affinity_domain_l2_cache | mux_affinity_domain_l1_cache;
  const uint32_t bits = domain;
  return bits && !(bits & ~known) && !(bits & (bits - 1));
}

mux_result_t muxGetAffinityPartition(mux_device_t device, mux_affinity_domain_e domain, uint64_t counts_length,
                                     uint32_t *out_counts, uint64_t *out_counts_length) {
  MUX_REQUIRE_HANDLE(device, device);
  const mux_target_t *target = mux_target_find(device->id);
  MUX_REQUIRE_FEATURE(device->info->supports_sub_devices && target->get_affinity_partition,
                      "the device has no sub-devices");
  MUX_REQUIRE(domain_is_known(domain), "domain is not one known bit");
  MUX_REQUIRE(!out_counts || counts_length, "out_counts has length 0");
  if (counts_length || !out_counts_length) MUX_REQUIRE_OUTPUT(out_counts);
  uint64_t total = 0;
  const mux_result_t result = target->get_affinity_partition(device, domain, counts_length, out_counts, &total);
  if (!result && out_counts_length) *out_counts_length = total;
  return result;
}

mux_result_t muxCreateSubDevice(mux_device_t device, uint32_t first_unit, uint32_t unit_count,
                                mux_allocator_info_t allocator, mux_device_t *out_device) {
  MUX_REQUIRE_HANDLE(device, device);
  const mux_target_t *target = mux_target_find(device->id);
  MUX_REQUIRE_FEATURE(device->info->supports_sub_devices && target->create_sub_device, "the device has no sub-devices");
  MUX_REQUIRE(mux_range_is_inside(first_unit, unit_count, device->info->compute_units),
              "the device does not have these units");
  MUX_REQUIRE_ALLOCATOR(allocator);
  MUX_REQUIRE_OUTPUT(out_device);
  return target->create_sub_device(device, first_unit, unit_count, allocator, out_device);
}

mux_result_t muxGetDeviceThreads(mux_device_t device, uint64_t threads_length, mux_thread_info_s *out_threads,
                                 uint64_t *out_threads_length) {
  MUX_REQUIRE_HANDLE(device, device);
  const mux_target_t *target = mux_target_find(device->id);
  MUX_REQUIRE_FEATURE(target->get_device_threads, "the device has no threads");
  MUX_REQUIRE(!out_threads || threads_length, "out_threads has length 0");
  if (threads_length || !out_threads_length) MUX_REQUIRE_OUTPUT(out_threads);
  uint64_t total = 0;
  const mux_result_t result = target->get_device_threads(device, threads_length, out_threads, &total);
  if (!result && out_threads_length) *out_threads_length = total;
  return result;
}
