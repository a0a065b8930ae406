// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Quern authors
// The public headers are C++17, and their functions can be linked and called from it. What a backend's native types are
// comes with that backend's header alone.
#include "quern/interop.hpp"
#if defined(CL_VERSION_1_0) || defined(CL_SUCCESS)
#error "quern/interop.hpp includes OpenCL's headers"
#endif
#include <cstring>
#include <vector>

#include "quern/opencl.h"
#include "quern/vendor.h"

static int score(quern_device_t device, void *) {
  bool available = false;
  return quern_device_get_is_available(device, &available) == quern_success && available ? 1 : -1;
}

int main() {
  std::size_t count = 0;
  if (quern_platform_list(0, nullptr, &count) != quern_success || count == 0) return 1;
  std::vector<quern_platform_t> platforms(count);
  if (quern_platform_list(count, platforms.data(), nullptr) != quern_success) return 1;

  const char *name = nullptr;
  if (quern_platform_get_name(platforms[0], &name) != quern_success || std::strcmp(name, "Host") != 0) return 1;
  quern_device_t device = nullptr;
  if (quern_device_select(score, nullptr, &device) != quern_success) return 1;
  cl_platform_id native = nullptr;
  return quern_opencl_platform_get_native(platforms[0], &native) == quern_error_backend_mismatch ? 0 : 1;
}
