/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lists of what the importer of SPIR-V knows. */
#include "cl/api/spirv_queries.h"

#include "cl/api/entry.h"
#include "cl/device/device.h"

typedef struct known_t {
  cl_uint number;
  bool is_supported;
} known_t;

static const known_t capabilities[] = {
#define CAPABILITY(number, name, is_supported) {number, is_supported},
#include "compiler/spirv_capabilities.def"
#undef CAPABILITY
};

static const char *const extensions[] = {
#define EXTENSION(name) #name,
#include "compiler/spirv_extensions.def"
#undef EXTENSION
};

static const char *const sets[] = {"OpenCL.std", "OpenCL.DebugInfo.100", "NonSemantic.Shader.DebugInfo.100"};

cl_int il_versions_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size) {
  (void)info;
  enum { count = 7 };
  cl_name_version versions[count] = {0};
  for (cl_uint i = 0; i < count; i++) {
    versions[i] = (cl_name_version){.version = CL_MAKE_VERSION(1, i, 0), .name = "SPIR-V"};
  }
  return info_answer(capacity, out_value, out_size, versions, compiler_is_present() ? sizeof versions : 0);
}

cl_int spirv_sets_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size) {
  (void)info;
  return info_answer(capacity, out_value, out_size, sets, compiler_is_present() ? sizeof sets : 0);
}

cl_int spirv_extensions_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size) {
  (void)info;
  return info_answer(capacity, out_value, out_size, extensions, compiler_is_present() ? sizeof extensions : 0);
}

cl_int spirv_capabilities_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size) {
  (void)info;
  cl_uint supported[sizeof capabilities / sizeof *capabilities];
  size_t count = 0;
  for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++) {
    if (capabilities[i].is_supported) supported[count++] = capabilities[i].number;
  }
  return info_answer(capacity, out_value, out_size, supported, compiler_is_present() ? count * sizeof *supported : 0);
}
