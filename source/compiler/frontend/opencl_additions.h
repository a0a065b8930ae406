/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What Clang's own OpenCL header lacks, laid behind it in the file that every program includes: OpenCL C. Between
 * `begin` and `end` Clang learns the extension's name, so that a program may enable it. Parameters have no names: a
 * program's own -D may define any. */

#ifdef cl_khr_async_work_group_copy_fence
#pragma OPENCL EXTENSION cl_khr_async_work_group_copy_fence : begin
void __attribute__((overloadable, convergent)) async_work_group_copy_fence(cl_mem_fence_flags);
#pragma OPENCL EXTENSION cl_khr_async_work_group_copy_fence : end
#endif

#ifdef cl_khr_extended_async_copies
#pragma OPENCL EXTENSION cl_khr_extended_async_copies : begin
event_t __attribute__((overloadable, convergent))
async_work_group_copy_2D2D(__local void *, size_t, const __global void *, size_t, size_t, size_t, size_t, size_t,
                           size_t, event_t);
event_t __attribute__((overloadable, convergent))
async_work_group_copy_2D2D(__global void *, size_t, const __local void *, size_t, size_t, size_t, size_t, size_t,
                           size_t, event_t);
event_t __attribute__((overloadable, convergent))
async_work_group_copy_3D3D(__local void *, size_t, const __global void *, size_t, size_t, size_t, size_t, size_t,
                           size_t, size_t, size_t, size_t, event_t);
event_t __attribute__((overloadable, convergent))
async_work_group_copy_3D3D(__global void *, size_t, const __local void *, size_t, size_t, size_t, size_t, size_t,
                           size_t, size_t, size_t, size_t, event_t);
#pragma OPENCL EXTENSION cl_khr_extended_async_copies : end
#endif

#ifdef cl_intel_split_work_group_barrier
#pragma OPENCL EXTENSION cl_intel_split_work_group_barrier : begin
void __attribute__((overloadable, convergent)) intel_work_group_barrier_arrive(cl_mem_fence_flags);
void __attribute__((overloadable, convergent)) intel_work_group_barrier_wait(cl_mem_fence_flags);
#if defined(__OPENCL_CPP_VERSION__) || __OPENCL_C_VERSION__ >= 200
void __attribute__((overloadable, convergent))
intel_work_group_barrier_arrive(cl_mem_fence_flags, memory_scope);
void __attribute__((overloadable, convergent))
intel_work_group_barrier_wait(cl_mem_fence_flags, memory_scope);
#endif
#pragma OPENCL EXTENSION cl_intel_split_work_group_barrier : end
#endif
