/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clGetDeviceInfo. */
#include <stdio.h>
#include <stdlib.h>

#include "cl/api/command_buffer_queries.h"
#include "cl/api/entry.h"
#include "cl/api/spirv_queries.h"
#include "cl/device/capability.h"
#include "cl/device/device.h"
#include "cl/device/external_memory.h"
#include "cl/device/identity.h"
#include "cl/device/uuid.h"
#include "cl/queueing/partition.h"
#include "cl/queueing/refuse.h"
#include "quern/threads.h"

/* cl_khr_kernel_clock, which older headers do not have. */
#ifndef CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR
#define CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR 0x1076
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR (1 << 0)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR (1 << 1)
#endif

/* cl_ext_float_atomics, likewise: loading and storing, adding, minimum and maximum. */
#ifndef CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT
#define CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT 0x4231
#define CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT 0x4232
#define CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT 0x4233
#endif
static const cl_bitfield float_atomics = 7 | 7 << 16; /* in global and local memory */

enum { max_parameter_size = 4096 };

static const cl_device_atomic_capabilities atomic_capabilities =
    CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST |
    CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;

static const cl_device_svm_capabilities svm_capabilities = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER |
                                                           CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                                                           CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS;

/* Unified shared memory of every kind, that of the system included: all or nothing. */
static cl_device_unified_shared_memory_capabilities_intel usm(mux_device_info_t info) {
  return info->shares_host_memory
             ? CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
                   CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |
                   CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL
             : 0;
}

static cl_device_thread_quern thread_quern(const mux_thread_info_s *info) {
  return (cl_device_thread_quern){.busy = info->busy,
                                  .idle = info->idle,
                                  .stealing = info->stealing,
                                  .waking = info->waking,
                                  .shares = info->shares,
                                  .batches = info->dispatches,
                                  .steals = info->steals,
                                  .wakes = info->wakes};
}

static cl_int device_threads_answer(cl_device_id device, size_t capacity, void *out_value, size_t *out_size) {
  uint64_t count = 0;
  if (muxGetDeviceThreads(device->mux_device, 0, NULL, &count)) return CL_INVALID_VALUE;
  mux_thread_info_s *infos = calloc(count, sizeof *infos);
  cl_device_thread_quern *threads = calloc(count, sizeof *threads);
  cl_int error = CL_OUT_OF_HOST_MEMORY;
  if (!infos || !threads) goto end;
  error = CL_INVALID_VALUE;
  if (muxGetDeviceThreads(device->mux_device, count, infos, NULL)) goto end;
  for (uint64_t i = 0; i < count; ++i) threads[i] = thread_quern(&infos[i]);
  error = info_answer(capacity, out_value, out_size, threads, count * sizeof *threads);

end:
  free(infos);
  free(threads);
  return error;
}

/* cl_intel_required_subgroup_size */
static cl_int sub_group_sizes_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size) {
  return info_answer(capacity, out_value, out_size, info->sub_group_sizes, info->num_sub_group_sizes * sizeof(size_t));
}

/* Elements of a vector, of those counts that OpenCL C has a type for. */
static cl_uint vector_width(uint32_t bytes, uint32_t element_size) {
  uint32_t count = bytes / element_size;
  return count < 1 ? 1 : count > 16 ? 16 : count;
}

static cl_device_fp_config fp_config(uint32_t capabilities) {
  static const struct {
    uint32_t capability;
    cl_device_fp_config config;
  } table[] = {
      {mux_floating_point_capabilities_denorm, CL_FP_DENORM},
      {mux_floating_point_capabilities_inf_nan, CL_FP_INF_NAN},
      {mux_floating_point_capabilities_rte, CL_FP_ROUND_TO_NEAREST},
      {mux_floating_point_capabilities_rtz, CL_FP_ROUND_TO_ZERO},
      {mux_floating_point_capabilities_rtp | mux_floating_point_capabilities_rtn, CL_FP_ROUND_TO_INF},
      {mux_floating_point_capabilities_fma, CL_FP_FMA},
      {mux_floating_point_capabilities_soft, CL_FP_SOFT_FLOAT},
      {mux_floating_point_capabilities_full, CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT},
  };
  cl_device_fp_config config = 0;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if ((capabilities & table[i].capability) == table[i].capability) config |= table[i].config;
  }
  return config;
}

/* By this, applications that keep program binaries tell those that another version of the driver has made. */
static cl_int driver_version_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size) {
  char text[64];
  snprintf(text, sizeof text, PLATFORM_RELEASE " (binaries %u.%u)", PLATFORM_BINARY_VERSION, info->executable_version);
  return info_answer_string(capacity, out_value, out_size, text);
}

static cl_device_mem_cache_type cache_type(mux_device_info_t info) {
  if (info->cache_capabilities & mux_cache_capabilities_write) return CL_READ_WRITE_CACHE;
  return info->cache_capabilities & mux_cache_capabilities_read ? CL_READ_ONLY_CACHE : CL_NONE;
}

static cl_int answer(cl_device_id device, cl_device_info name, size_t capacity, void *out_value, size_t *out_size) {
  mux_device_info_t info = device->info;
  switch (name) {
#define VALUE(name, type, expression)                                        \
  case name: {                                                               \
    const type value = (expression);                                         \
    return info_answer(capacity, out_value, out_size, &value, sizeof(type)); \
  }
#define TEXT(name, string) \
  case name: return info_answer_string(capacity, out_value, out_size, string);
#define ARRAY(name, type, ...)                                              \
  case name: {                                                              \
    const type value[] = {__VA_ARGS__};                                     \
    return info_answer(capacity, out_value, out_size, value, sizeof value); \
  }
#define EMPTY(name) \
  case name: return info_answer(capacity, out_value, out_size, NULL, 0);
#define LIST(name, function) \
  case name: return function(info, capacity, out_value, out_size);
#define DEVICE_LIST(name, function) \
  case name: return function(device, capacity, out_value, out_size);
#include "cl/api/device_info.def"
    default: return CL_INVALID_VALUE;
  }
}

CL_ENTRY cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info param_name, size_t param_value_size,
                                            void *param_value, size_t *param_value_size_ret) {
  REQUIRE(device_is_valid(device), __func__, NULL, CL_INVALID_DEVICE, "device is not a device");
  cl_int error = answer(device, param_name, param_value_size, param_value, param_value_size_ret);
  REQUIRE(!error, __func__, NULL, error, "query 0x%x is unknown, or its answer needs more than %zu bytes", param_name,
          param_value_size);
  return CL_SUCCESS;
}
