/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Executables. */
#include "mux/validate.h"

mux_result_t muxCreateExecutable(mux_device_t device, const void *binary, uint64_t binary_length,
                                 mux_allocator_info_t allocator, mux_executable_t *out_executable) {
  MUX_REQUIRE_HANDLE(device, device);
  MUX_REQUIRE(binary && binary_length, "binary is null or empty");
  MUX_REQUIRE_ALLOCATOR(allocator);
  MUX_REQUIRE_OUTPUT(out_executable);
  return mux_target_find(device->id)->create_executable(device, binary, binary_length, allocator, out_executable);
}

mux_result_t muxGetExecutableVariable(mux_device_t device, mux_executable_t executable, const char *name,
                                      uint64_t name_length, void **out_address, uint64_t *out_size) {
  MUX_REQUIRE_HANDLE(device, device);
  const mux_target_t *target = mux_target_find(device->id);
  MUX_REQUIRE_FEATURE(device->info->shares_host_memory && target->get_executable_variable,
                      "the device does not share the host's memory");
  MUX_REQUIRE_PEER(executable, executable, device);
  MUX_REQUIRE(name && name_length, "name is null or empty");
  MUX_REQUIRE_OUTPUT(out_address);
  MUX_REQUIRE_OUTPUT(out_size);
  return target->get_executable_variable(device, executable, name, name_length, out_address, out_size);
}

void muxDestroyExecutable(mux_device_t device, mux_executable_t executable, mux_allocator_info_t allocator) {
  MUX_REQUIRE_DESTROYABLE(device, device, executable, executable, allocator);
  mux_target_find(device->id)->destroy_executable(device, executable, allocator);
}
