/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * async_work_group_copy and its kin: every work-item copies its share, and waiting is a barrier. Barriers in two
 * halves. */

#include "builtins.clh"

/* Always inlined: no code generator passes an event_t to a call. */
#define INLINED __attribute__((overloadable, always_inline))

HELPER size_t own_index(void)
{
  return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}
HELPER size_t group_size(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }

#define DEFINE_COPY(T, from, to)                                                                                       \
  INLINED event_t async_work_group_copy(to T *target, const from T *source, size_t count, event_t event)               \
  {                                                                                                                    \
    for (size_t i = own_index(), step = group_size(); i < count; i += step)                                            \
      target[i] = source[i];                                                                                           \
    return event;                                                                                                      \
  }
#define DEFINE_GATHER(T)                                                                                               \
  INLINED event_t async_work_group_strided_copy(local T *target, const global T *source, size_t count, size_t stride,  \
                                                event_t event)                                                         \
  {                                                                                                                    \
    for (size_t i = own_index(), step = group_size(); i < count; i += step)                                            \
      target[i] = source[i * stride];                                                                                  \
    return event;                                                                                                      \
  }
#define DEFINE_SCATTER(T)                                                                                              \
  INLINED event_t async_work_group_strided_copy(global T *target, const local T *source, size_t count, size_t stride,  \
                                                event_t event)                                                         \
  {                                                                                                                    \
    for (size_t i = own_index(), step = group_size(); i < count; i += step)                                            \
      target[i * stride] = source[i];                                                                                  \
    return event;                                                                                                      \
  }
#define DEFINE_PREFETCH(T)                                                                                             \
  OVER void prefetch(const global T *p, size_t count) { }

#define DEFINE_FOR(T)                                                                                                  \
  DEFINE_COPY(T, global, local)                                                                                        \
  DEFINE_COPY(T, local, global)                                                                                        \
  DEFINE_GATHER(T)                                                                                                     \
  DEFINE_SCATTER(T)                                                                                                    \
  DEFINE_PREFETCH(T)
#define DEFINE_FOR_WIDTHS(T)                                                                                           \
  DEFINE_FOR(T) DEFINE_FOR(T##2) DEFINE_FOR(T##3) DEFINE_FOR(T##4) DEFINE_FOR(T##8) DEFINE_FOR(T##16)

DEFINE_FOR_WIDTHS(char)
DEFINE_FOR_WIDTHS(uchar)
DEFINE_FOR_WIDTHS(short)
DEFINE_FOR_WIDTHS(ushort)
DEFINE_FOR_WIDTHS(int)
DEFINE_FOR_WIDTHS(uint)
DEFINE_FOR_WIDTHS(long)
DEFINE_FOR_WIDTHS(ulong)
DEFINE_FOR_WIDTHS(half)
DEFINE_FOR_WIDTHS(float)
DEFINE_FOR_WIDTHS(double)

#define DEFINE_WAIT(space)                                                                                             \
  INLINED void wait_group_events(int count, space event_t *events)                                                     \
  {                                                                                                                    \
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                                               \
  }
EACH_ADDRESS_SPACE(DEFINE_WAIT)

/* Lines of bytes, one after the other to the work-items; offsets, lengths and areas count elements. */
#define DEFINE_BOX(to, from)                                                                                           \
  INLINED event_t async_work_group_copy_3D3D(to void *target, size_t target_offset, const from void *source,           \
                                             size_t source_offset, size_t size, size_t length, size_t lines,           \
                                             size_t planes, size_t source_line, size_t source_plane,                   \
                                             size_t target_line, size_t target_plane, event_t event)                   \
  {                                                                                                                    \
    for (size_t i = own_index(), step = group_size(); i < lines * planes; i += step) {                                 \
      size_t plane = i / lines, line = i % lines;                                                                      \
      size_t source_at = source_offset + plane * source_plane + line * source_line;                                    \
      size_t target_at = target_offset + plane * target_plane + line * target_line;                                    \
      __builtin_memcpy((to uchar *)target + target_at * size, (const from uchar *)source + source_at * size,           \
                       length * size);                                                                                 \
    }                                                                                                                  \
    return event;                                                                                                      \
  }                                                                                                                    \
  INLINED event_t async_work_group_copy_2D2D(to void *target, size_t target_offset, const from void *source,           \
                                             size_t source_offset, size_t size, size_t length, size_t lines,           \
                                             size_t source_line, size_t target_line, event_t event)                    \
  {                                                                                                                    \
    return async_work_group_copy_3D3D(target, target_offset, source, source_offset, size, length, lines, 1,            \
                                      source_line, 0, target_line, 0, event);                                          \
  }
DEFINE_BOX(local, global)
DEFINE_BOX(global, local)

/* What one work-item has copied another may copy on. */
INLINED void async_work_group_copy_fence(cl_mem_fence_flags flags) { barrier(flags); }

/* cl_intel_split_work_group_barrier. Who arrives goes on; all of them wait where they are to wait, which is further
 * than they must. */
INLINED void intel_work_group_barrier_arrive(cl_mem_fence_flags flags)
{
  __c11_atomic_thread_fence(memory_order_release);
}
INLINED void intel_work_group_barrier_arrive(cl_mem_fence_flags flags, memory_scope scope)
{
  __c11_atomic_thread_fence(memory_order_release);
}
INLINED void intel_work_group_barrier_wait(cl_mem_fence_flags flags) { barrier(flags); }
INLINED void intel_work_group_barrier_wait(cl_mem_fence_flags flags, memory_scope scope)
{
  work_group_barrier(flags, scope);
}
