/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_khr_command_buffer 0.9.8 and cl_khr_command_buffer_mutable_dispatch 0.9.5, as the driver implements them.
 *
 * The <CL/cl_ext.h> of many systems declares an earlier revision, whose functions have other parameters and whose
 * structs another layout, under the same names. So what changed is declared here under names of its own, which begin
 * with `quern_`; constants and types that all revisions share come from <CL/cl_ext.h> where it has them. */
#ifndef CL_API_COMMAND_BUFFER_DECLARATIONS_H
#define CL_API_COMMAND_BUFFER_DECLARATIONS_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#ifndef CL_ENABLE_BETA_EXTENSIONS
#define CL_ENABLE_BETA_EXTENSIONS
#endif
#include <CL/cl.h>
#include <CL/cl_ext.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR
#define CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR 0x129A
#endif
#ifndef CL_COMMAND_BUFFER_CONTEXT_KHR
#define CL_COMMAND_BUFFER_CONTEXT_KHR 0x1299
#endif
#ifndef CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
#define CL_COMMAND_BUFFER_STATE_FINALIZED_KHR 2
#endif
#ifndef CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR
#define CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B7
#define CL_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B8
#define CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR (1 << 0)
#endif
#ifndef CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR
#define CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR 0x12A2
#endif

/** cl_command_properties_khr, cl_command_buffer_update_type_khr, cl_mutable_dispatch_asserts_khr. */
typedef cl_properties quern_command_properties;
typedef cl_uint quern_command_buffer_update_type;
typedef cl_bitfield quern_mutable_dispatch_asserts;

/** CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR; earlier revisions have another value. */
#define QUERN_UPDATE_MUTABLE_DISPATCH_CONFIG 0

/** cl_mutable_dispatch_config_khr; what its lists point to is the same in all revisions. */
typedef struct quern_mutable_dispatch_config {
  cl_mutable_command_khr command;
  cl_uint num_args;
  cl_uint num_svm_args;
  cl_uint num_exec_infos;
  cl_uint work_dim;
  const cl_mutable_dispatch_arg_khr *arg_list;
  const cl_mutable_dispatch_arg_khr *arg_svm_list;
  const cl_mutable_dispatch_exec_info_khr *exec_info_list;
  const size_t *global_work_offset;
  const size_t *global_work_size;
  const size_t *local_work_size;
} quern_mutable_dispatch_config;

/* The parameters that all recording functions begin and end with. */
#define QUERN_COMMAND_HEAD \
  cl_command_buffer_khr command_buffer, cl_command_queue command_queue, const quern_command_properties *properties
#define QUERN_COMMAND_TAIL                                                                                            \
  cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point, \
      cl_mutable_command_khr *mutable_handle

typedef cl_int(CL_API_CALL *quern_clCommandBarrierWithWaitListKHR_fn)(QUERN_COMMAND_HEAD, QUERN_COMMAND_TAIL);
typedef cl_int(CL_API_CALL *quern_clCommandCopyBufferKHR_fn)(QUERN_COMMAND_HEAD, cl_mem src_buffer, cl_mem dst_buffer,
                                                             size_t src_offset, size_t dst_offset, size_t size,
                                                             QUERN_COMMAND_TAIL);
typedef cl_int(CL_API_CALL *quern_clCommandCopyBufferRectKHR_fn)(QUERN_COMMAND_HEAD, cl_mem src_buffer,
                                                                 cl_mem dst_buffer, const size_t *src_origin,
                                                                 const size_t *dst_origin, const size_t *region,
                                                                 size_t src_row_pitch, size_t src_slice_pitch,
                                                                 size_t dst_row_pitch, size_t dst_slice_pitch,
                                                                 QUERN_COMMAND_TAIL);
typedef cl_int(CL_API_CALL *quern_clCommandFillBufferKHR_fn)(QUERN_COMMAND_HEAD, cl_mem buffer, const void *pattern,
                                                             size_t pattern_size, size_t offset, size_t size,
                                                             QUERN_COMMAND_TAIL);
typedef cl_int(CL_API_CALL *quern_clCommandSVMMemcpyKHR_fn)(QUERN_COMMAND_HEAD, void *dst_ptr, const void *src_ptr,
                                                            size_t size, QUERN_COMMAND_TAIL);
typedef cl_int(CL_API_CALL *quern_clCommandSVMMemFillKHR_fn)(QUERN_COMMAND_HEAD, void *svm_ptr, const void *pattern,
                                                             size_t pattern_size, size_t size, QUERN_COMMAND_TAIL);
typedef cl_int(CL_API_CALL *quern_clCommandCopyBufferToImageKHR_fn)(QUERN_COMMAND_HEAD, cl_mem src_buffer,
                                                                    cl_mem dst_image, size_t src_offset,
                                                                    const size_t *dst_origin, const size_t *region,
                                                                    QUERN_COMMAND_TAIL);
typedef cl_int(CL_API_CALL *quern_clCommandCopyImageKHR_fn)(QUERN_COMMAND_HEAD, cl_mem src_image, cl_mem dst_image,
                                                            const size_t *src_origin, const size_t *dst_origin,
                                                            const size_t *region, QUERN_COMMAND_TAIL);
typedef cl_int(CL_API_CALL *quern_clCommandCopyImageToBufferKHR_fn)(QUERN_COMMAND_HEAD, cl_mem src_image,
                                                                    cl_mem dst_buffer, const size_t *src_origin,
                                                                    const size_t *region, size_t dst_offset,
                                                                    QUERN_COMMAND_TAIL);
typedef cl_int(CL_API_CALL *quern_clCommandFillImageKHR_fn)(QUERN_COMMAND_HEAD, cl_mem image, const void *fill_color,
                                                            const size_t *origin, const size_t *region,
                                                            QUERN_COMMAND_TAIL);
typedef cl_int(CL_API_CALL *quern_clCommandNDRangeKernelKHR_fn)(QUERN_COMMAND_HEAD, cl_kernel kernel, cl_uint work_dim,
                                                                const size_t *global_work_offset,
                                                                const size_t *global_work_size,
                                                                const size_t *local_work_size, QUERN_COMMAND_TAIL);
typedef cl_int(CL_API_CALL *quern_clUpdateMutableCommandsKHR_fn)(cl_command_buffer_khr command_buffer,
                                                                 cl_uint num_configs,
                                                                 const quern_command_buffer_update_type *config_types,
                                                                 const void **configs);

#ifdef __cplusplus
}
#endif

#endif
