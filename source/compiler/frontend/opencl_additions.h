/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What Clang's own OpenCL header lacks, laid behind it in the file that every program includes: OpenCL C. Between
 * `begin` and `end` Clang learns the extension's name, so that a program may enable it. */

#ifdef cl_khr_async_work_group_copy_fence
#pragma OPENCL EXTENSION cl_khr_async_work_group_copy_fence : begin
void __attribute__((overloadable, convergent)) async_work_group_copy_fence(cl_mem_fence_flags flags);
#pragma OPENCL EXTENSION cl_khr_async_work_group_copy_fence : end
#endif

#ifdef cl_khr_extended_async_copies
#pragma OPENCL EXTENSION cl_khr_extended_async_copies : begin
event_t __attribute__((overloadable, convergent))
async_work_group_copy_2D2D(__local void *dst, size_t dst_offset, const __global void *src, size_t src_offset,
                           size_t num_bytes_per_element, size_t num_elements_per_line, size_t num_lines,
                           size_t src_total_line_length, size_t dst_total_line_length, event_t event);
event_t __attribute__((overloadable, convergent))
async_work_group_copy_2D2D(__global void *dst, size_t dst_offset, const __local void *src, size_t src_offset,
                           size_t num_bytes_per_element, size_t num_elements_per_line, size_t num_lines,
                           size_t src_total_line_length, size_t dst_total_line_length, event_t event);
event_t __attribute__((overloadable, convergent))
async_work_group_copy_3D3D(__local void *dst, size_t dst_offset, const __global void *src, size_t src_offset,
                           size_t num_bytes_per_element, size_t num_elements_per_line, size_t num_lines,
                           size_t num_planes, size_t src_total_line_length, size_t src_total_plane_area,
                           size_t dst_total_line_length, size_t dst_total_plane_area, event_t event);
event_t __attribute__((overloadable, convergent))
async_work_group_copy_3D3D(__global void *dst, size_t dst_offset, const __local void *src, size_t src_offset,
                           size_t num_bytes_per_element, size_t num_elements_per_line, size_t num_lines,
                           size_t num_planes, size_t src_total_line_length, size_t src_total_plane_area,
                           size_t dst_total_line_length, size_t dst_total_plane_area, event_t event);
#pragma OPENCL EXTENSION cl_khr_extended_async_copies : end
#endif

#ifdef cl_intel_split_work_group_barrier
#pragma OPENCL EXTENSION cl_intel_split_work_group_barrier : begin
void __attribute__((overloadable, convergent)) intel_work_group_barrier_arrive(cl_mem_fence_flags flags);
void __attribute__((overloadable, convergent)) intel_work_group_barrier_wait(cl_mem_fence_flags flags);
#if defined(__OPENCL_CPP_VERSION__) || __OPENCL_C_VERSION__ >= 200
void __attribute__((overloadable, convergent))
intel_work_group_barrier_arrive(cl_mem_fence_flags flags, memory_scope scope);
void __attribute__((overloadable, convergent))
intel_work_group_barrier_wait(cl_mem_fence_flags flags, memory_scope scope);
#endif
#pragma OPENCL EXTENSION cl_intel_split_work_group_barrier : end
#endif
