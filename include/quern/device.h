/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Devices: what they are and can do. Include quern/interop.h. */
#ifndef QUERN_DEVICE_H
#define QUERN_DEVICE_H

#include "quern/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/** X(name, type, name in OpenCL): what a device tells of itself. Sets of bits (..._config, ..._capabilities,
 * ..._properties, ..._cache_type) have OpenCL's values on every backend. */
#define QUERN_DEVICE_INFO_LIST(X)                                                   \
  X(type, device_type, CL_DEVICE_TYPE)                                              \
  X(name, text, CL_DEVICE_NAME)                                                     \
  X(vendor, text, CL_DEVICE_VENDOR)                                                 \
  X(version, text, CL_DEVICE_VERSION)                                               \
  X(driver_version, text, CL_DRIVER_VERSION)                                        \
  X(opencl_c_version, text, CL_DEVICE_OPENCL_C_VERSION)                             \
  X(profile, text, CL_DEVICE_PROFILE)                                               \
  X(extensions, text, CL_DEVICE_EXTENSIONS)                                         \
  X(builtin_kernels, text, CL_DEVICE_BUILT_IN_KERNELS)                              \
  X(vendor_id, uint32, CL_DEVICE_VENDOR_ID)                                         \
  X(is_available, flag, CL_DEVICE_AVAILABLE)                                        \
  X(is_compiler_available, flag, CL_DEVICE_COMPILER_AVAILABLE)                      \
  X(is_linker_available, flag, CL_DEVICE_LINKER_AVAILABLE)                          \
  X(is_endian_little, flag, CL_DEVICE_ENDIAN_LITTLE)                                \
  X(address_bits, uint32, CL_DEVICE_ADDRESS_BITS)                                   \
  X(max_compute_units, uint32, CL_DEVICE_MAX_COMPUTE_UNITS)                         \
  X(max_clock_frequency, uint32, CL_DEVICE_MAX_CLOCK_FREQUENCY)                     \
  X(max_work_item_dimensions, uint32, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS)           \
  X(max_work_item_sizes, sizes, CL_DEVICE_MAX_WORK_ITEM_SIZES)                      \
  X(max_work_group_size, size, CL_DEVICE_MAX_WORK_GROUP_SIZE)                       \
  X(max_sub_groups, uint32, CL_DEVICE_MAX_NUM_SUB_GROUPS)                           \
  X(max_parameter_size, size, CL_DEVICE_MAX_PARAMETER_SIZE)                         \
  X(preferred_vector_width_char, uint32, CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR)     \
  X(preferred_vector_width_short, uint32, CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT)   \
  X(preferred_vector_width_int, uint32, CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT)       \
  X(preferred_vector_width_long, uint32, CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG)     \
  X(preferred_vector_width_half, uint32, CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF)     \
  X(preferred_vector_width_float, uint32, CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT)   \
  X(preferred_vector_width_double, uint32, CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE) \
  X(native_vector_width_char, uint32, CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR)           \
  X(native_vector_width_short, uint32, CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT)         \
  X(native_vector_width_int, uint32, CL_DEVICE_NATIVE_VECTOR_WIDTH_INT)             \
  X(native_vector_width_long, uint32, CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG)           \
  X(native_vector_width_half, uint32, CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF)           \
  X(native_vector_width_float, uint32, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT)         \
  X(native_vector_width_double, uint32, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE)       \
  X(half_fp_config, uint64, CL_DEVICE_HALF_FP_CONFIG)                               \
  X(single_fp_config, uint64, CL_DEVICE_SINGLE_FP_CONFIG)                           \
  X(double_fp_config, uint64, CL_DEVICE_DOUBLE_FP_CONFIG)                           \
  X(global_memory_size, uint64, CL_DEVICE_GLOBAL_MEM_SIZE)                          \
  X(global_memory_cache_type, uint32, CL_DEVICE_GLOBAL_MEM_CACHE_TYPE)              \
  X(global_memory_cache_size, uint64, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE)              \
  X(global_memory_cache_line_size, uint32, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE)     \
  X(local_memory_size, uint64, CL_DEVICE_LOCAL_MEM_SIZE)                            \
  X(max_memory_allocation_size, uint64, CL_DEVICE_MAX_MEM_ALLOC_SIZE)               \
  X(memory_base_address_alignment, uint32, CL_DEVICE_MEM_BASE_ADDR_ALIGN)           \
  X(max_constant_buffer_size, uint64, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE)           \
  X(max_constant_arguments, uint32, CL_DEVICE_MAX_CONSTANT_ARGS)                    \
  X(has_host_unified_memory, flag, CL_DEVICE_HOST_UNIFIED_MEMORY)                   \
  X(has_error_correction, flag, CL_DEVICE_ERROR_CORRECTION_SUPPORT)                 \
  X(svm_capabilities, uint64, CL_DEVICE_SVM_CAPABILITIES)                           \
  X(has_images, flag, CL_DEVICE_IMAGE_SUPPORT)                                      \
  X(max_read_image_arguments, uint32, CL_DEVICE_MAX_READ_IMAGE_ARGS)                \
  X(max_write_image_arguments, uint32, CL_DEVICE_MAX_WRITE_IMAGE_ARGS)              \
  X(image2d_max_width, size, CL_DEVICE_IMAGE2D_MAX_WIDTH)                           \
  X(image2d_max_height, size, CL_DEVICE_IMAGE2D_MAX_HEIGHT)                         \
  X(image3d_max_width, size, CL_DEVICE_IMAGE3D_MAX_WIDTH)                           \
  X(image3d_max_height, size, CL_DEVICE_IMAGE3D_MAX_HEIGHT)                         \
  X(image3d_max_depth, size, CL_DEVICE_IMAGE3D_MAX_DEPTH)                           \
  X(image_max_buffer_size, size, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE)                   \
  X(image_max_array_size, size, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE)                     \
  X(max_samplers, uint32, CL_DEVICE_MAX_SAMPLERS)                                   \
  X(execution_capabilities, uint64, CL_DEVICE_EXECUTION_CAPABILITIES)               \
  X(queue_properties, uint64, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES)                   \
  X(profiling_timer_resolution, size, CL_DEVICE_PROFILING_TIMER_RESOLUTION)         \
  X(printf_buffer_size, size, CL_DEVICE_PRINTF_BUFFER_SIZE)                         \
  X(max_sub_devices, uint32, CL_DEVICE_PARTITION_MAX_SUB_DEVICES)

typedef enum quern_device_info_e {
#define QUERN_DEVICE_INFO_ENUM(name, type, opencl) quern_device_info_##name,
  QUERN_DEVICE_INFO_LIST(QUERN_DEVICE_INFO_ENUM)
#undef QUERN_DEVICE_INFO_ENUM
      quern_device_info_total
} quern_device_info_t;

/** Writes one fact about the device to `out_value`, whose `size` must be that of the fact's type. What the device does
 * not know is 0 or "". Read once, when the device is first seen. The functions below do the same with types checked.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: unknown `info`, wrong size, `out_value` null. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_device_get_info(quern_device_t device, quern_device_info_t info,
                                                                size_t size, void *out_value);

/** quern_device_get_name(device, &text), and so on for each line of QUERN_DEVICE_INFO_LIST. */
#define QUERN_DEVICE_INFO_FUNCTION(name, type, opencl)                                                       \
  QUERN_MUST_CHECK static inline quern_result_t quern_device_get_##name(quern_device_t device,               \
                                                                        QUERN_INFO_TYPE_##type *out_value) { \
    return quern_device_get_info(device, quern_device_info_##name, sizeof(*out_value), (void *)out_value);   \
  }
QUERN_DEVICE_INFO_LIST(QUERN_DEVICE_INFO_FUNCTION)
#undef QUERN_DEVICE_INFO_FUNCTION

/** Whether the device's extensions have the name `extension`.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: `out_has` is null, `extension` is null, empty or
 * has a space. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_device_has_extension(quern_device_t device, const char *extension,
                                                                     bool *out_has);

/** The platform that the device belongs to, for a sub-device that of its root device.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: `out_platform` is null. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_device_get_platform(quern_device_t device,
                                                                    quern_platform_t *out_platform);

/** One more reference to the device, given back with quern_device_release. Root devices live as long as the process;
 * only sub-devices, which come from quern_device_make_from_native, are really counted.
 * Errors: quern_error_invalid_object. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_device_retain(quern_device_t device);

/** Gives a reference back; with the last one of a sub-device the handle and its native reference go.
 * Errors: quern_error_invalid_object. Not marked as to be checked: there is nothing a caller could do. */
QUERN_API quern_result_t quern_device_release(quern_device_t device);

#ifdef __cplusplus
}
#endif

#endif
