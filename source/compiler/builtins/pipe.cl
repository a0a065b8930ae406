/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Pipes (OpenCL C section 6.15.17), under the names that Clang gives its built-in functions: each gets size and
 * alignment of the kernel's packets too. How a pipe lies in memory is told in compiler/pipe.h.
 *
 * A reservation is its first position plus 1, so that 0 is none; how many slots it has stands in the first of them. */

#include "collective_memory.clh"
#include "compiler/pipe.h"
#include "sub_group.clh"

typedef global pipe_header_t *pipe_t;

/* The compiler replaces calls of these by their argument (passes/opaque_types.cpp). */
#define ACCESSOR __attribute__((const))
ACCESSOR pipe_t __quern_pipe_read(read_only pipe uchar);
ACCESSOR pipe_t __quern_pipe_write(write_only pipe uchar);
ACCESSOR ulong __quern_reservation(reserve_id_t);
ACCESSOR reserve_id_t __quern_reserve_id(ulong);
SUB_GROUP_OVER ulong __quern_sub_group_broadcast(ulong value, uint index);

/* What counts packets is a call for each work-item; what moves them is not, and vectors of packets stay vectors. */
#define OUTLINED static __attribute__((noinline))
#define INLINED __attribute__((always_inline))
#define ALL memory_scope_all_svm_devices

HELPER global pipe_slot_t *slots(pipe_t ring) { return (global pipe_slot_t *)(ring + 1); }

/* What a slot's state must be to be reserved at this position; one more is what it becomes. */
HELPER uint wanted_state(pipe_t ring, ulong position, bool reads)
{
  return 2 * (uint)(position / ring->capacity) + (reads ? 1 : 0);
}

HELPER bool slots_are_ready(pipe_t ring, ulong position, uint count, bool reads)
{
  for (ulong i = position; i < position + count; i++) {
    global pipe_slot_t *slot = slots(ring) + i % ring->capacity;
    if (__opencl_atomic_load(&slot->state, memory_order_acquire, ALL) != wanted_state(ring, i, reads))
      return false;
  }
  return true;
}

/* Slots that are not ready are a refusal only if the counter still stands there: else they were someone else's. */
HELPER ulong reserve(pipe_t ring, uint count, bool reads)
{
  if (count == 0 || count > ring->capacity)
    return 0;
  global atomic_ulong *next = reads ? &ring->next_read : &ring->next_write;
  ulong position = __opencl_atomic_load(next, memory_order_relaxed, ALL);
  for (;;) {
    if (slots_are_ready(ring, position, count, reads)) {
      if (__opencl_atomic_compare_exchange_strong(next, &position, position + count, memory_order_relaxed,
                                                  memory_order_relaxed, ALL))
        break;
    } else {
      ulong now = __opencl_atomic_load(next, memory_order_relaxed, ALL);
      if (now == position)
        return 0;
      position = now;
    }
  }
  slots(ring)[position % ring->capacity].count = count;
  return position + 1;
}

HELPER void commit(pipe_t ring, ulong reservation, bool reads)
{
  if (reservation == 0)
    return;
  ulong position = reservation - 1;
  uint count = slots(ring)[position % ring->capacity].count;
  for (ulong i = position; i < position + count; i++) {
    uint state = wanted_state(ring, i, reads) + 1;
    __opencl_atomic_store(&slots(ring)[i % ring->capacity].state, state, memory_order_release, ALL);
  }
  if (!reads)
    __opencl_atomic_fetch_add(&ring->written, count, memory_order_relaxed, ALL);
}

OUTLINED ulong reserve_read(pipe_t ring, uint count) { return reserve(ring, count, true); }
OUTLINED ulong reserve_write(pipe_t ring, uint count) { return reserve(ring, count, false); }
OUTLINED void commit_read(pipe_t ring, ulong reservation) { commit(ring, reservation, true); }
OUTLINED void commit_write(pipe_t ring, ulong reservation) { commit(ring, reservation, false); }

/* Null when the reservation has no such packet, or the kernel thinks of packets of another size. */
HELPER global uchar *packet_at(pipe_t ring, ulong reservation, uint index, uint size)
{
  if (reservation == 0 || size != ring->packet_size)
    return 0;
  ulong position = reservation - 1;
  if (index != 0 && index >= slots(ring)[position % ring->capacity].count)
    return 0;
  return (global uchar *)ring + ring->first_packet + (position + index) % ring->capacity * size;
}

/* Size and alignment are constants where this is inlined. */
#define COPY_AS(T, to, to_space, from, from_space)                                                                     \
  for (uint i = 0; i < size / sizeof(T); i++)                                                                          \
  ((to_space T *)to)[i] = ((const from_space T *)from)[i]
#define DEFINE_COPY(name, to_space, from_space)                                                                        \
  HELPER void name(to_space void *to, const from_space void *from, uint size, uint align)                              \
  {                                                                                                                    \
    uint unit = size | align;                                                                                          \
    if (unit % 8 == 0)                                                                                                 \
      COPY_AS(ulong, to, to_space, from, from_space);                                                                  \
    else if (unit % 4 == 0)                                                                                            \
      COPY_AS(uint, to, to_space, from, from_space);                                                                   \
    else if (unit % 2 == 0)                                                                                            \
      COPY_AS(ushort, to, to_space, from, from_space);                                                                 \
    else                                                                                                               \
      COPY_AS(uchar, to, to_space, from, from_space);                                                                  \
  }
DEFINE_COPY(take_packet, generic, global)
DEFINE_COPY(put_packet, global, generic)

INLINED int __read_pipe_2(read_only pipe uchar p, generic void *packet, uint size, uint align)
{
  pipe_t ring = __quern_pipe_read(p);
  if (size != ring->packet_size)
    return -1;
  ulong reservation = reserve_read(ring, 1);
  if (reservation == 0)
    return -1;
  take_packet(packet, packet_at(ring, reservation, 0, size), size, align);
  commit_read(ring, reservation);
  return 0;
}

INLINED int __write_pipe_2(write_only pipe uchar p, generic void *packet, uint size, uint align)
{
  pipe_t ring = __quern_pipe_write(p);
  if (size != ring->packet_size)
    return -1;
  ulong reservation = reserve_write(ring, 1);
  if (reservation == 0)
    return -1;
  put_packet(packet_at(ring, reservation, 0, size), packet, size, align);
  commit_write(ring, reservation);
  return 0;
}

INLINED int __read_pipe_4(read_only pipe uchar p, reserve_id_t id, uint index, generic void *packet, uint size,
                          uint align)
{
  pipe_t ring = __quern_pipe_read(p);
  global uchar *from = packet_at(ring, __quern_reservation(id), index, size);
  if (!from)
    return -1;
  take_packet(packet, from, size, align);
  return 0;
}

INLINED int __write_pipe_4(write_only pipe uchar p, reserve_id_t id, uint index, generic void *packet, uint size,
                           uint align)
{
  pipe_t ring = __quern_pipe_write(p);
  global uchar *to = packet_at(ring, __quern_reservation(id), index, size);
  if (!to)
    return -1;
  put_packet(to, packet, size, align);
  return 0;
}

/* The first work-item reserves and commits for its work-group: between two barriers, so that what it leaves for the
 * others is read before a second reservation overwrites it, and after one, so that all packets are in place. */
HELPER bool is_first(void) { return get_local_linear_id() == 0; }

/* One of the sub-group's work-items does it for all that are there. */
SUB_GROUP_HELPER uint elected(void) { return ctz(__quern_sub_group_ballot(1)); }

#define DEFINE_DIRECTION(direction, access, suffix)                                                                    \
  INLINED reserve_id_t __reserve_##direction##_pipe(access pipe uchar p, uint count, uint size, uint align)            \
  {                                                                                                                    \
    return __quern_reserve_id(reserve_##direction(__quern_pipe_##direction(p), count));                                \
  }                                                                                                                    \
  INLINED void __commit_##direction##_pipe(access pipe uchar p, reserve_id_t id, uint size, uint align)                \
  {                                                                                                                    \
    commit_##direction(__quern_pipe_##direction(p), __quern_reservation(id));                                          \
  }                                                                                                                    \
  INLINED reserve_id_t __work_group_reserve_##direction##_pipe(access pipe uchar p, uint count, uint size, uint align) \
  {                                                                                                                    \
    private ulong *answer = (private ulong *)answer_memory();                                                          \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    if (is_first())                                                                                                    \
      *answer = reserve_##direction(__quern_pipe_##direction(p), count);                                               \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    return __quern_reserve_id(*answer);                                                                                \
  }                                                                                                                    \
  INLINED void __work_group_commit_##direction##_pipe(access pipe uchar p, reserve_id_t id, uint size, uint align)     \
  {                                                                                                                    \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    if (is_first())                                                                                                    \
      commit_##direction(__quern_pipe_##direction(p), __quern_reservation(id));                                        \
  }                                                                                                                    \
  INLINED SUB_GROUP reserve_id_t __sub_group_reserve_##direction##_pipe(access pipe uchar p, uint count, uint size,    \
                                                                        uint align)                                    \
  {                                                                                                                    \
    ulong answer = 0;                                                                                                  \
    uint one = elected();                                                                                              \
    if (__quern_sub_group_local_id() == one)                                                                           \
      answer = reserve_##direction(__quern_pipe_##direction(p), count);                                                \
    return __quern_reserve_id(__quern_sub_group_broadcast(answer, one));                                               \
  }                                                                                                                    \
  INLINED SUB_GROUP void __sub_group_commit_##direction##_pipe(access pipe uchar p, reserve_id_t id, uint size,        \
                                                               uint align)                                             \
  {                                                                                                                    \
    __quern_sub_group_barrier();                                                                                       \
    if (__quern_sub_group_local_id() == elected())                                                                     \
      commit_##direction(__quern_pipe_##direction(p), __quern_reservation(id));                                        \
  }                                                                                                                    \
  INLINED uint __get_pipe_num_packets_##suffix(access pipe uchar p, uint size, uint align)                             \
  {                                                                                                                    \
    return packet_count(__quern_pipe_##direction(p));                                                                  \
  }                                                                                                                    \
  INLINED uint __get_pipe_max_packets_##suffix(access pipe uchar p, uint size, uint align)                             \
  {                                                                                                                    \
    return __quern_pipe_##direction(p)->capacity;                                                                      \
  }

/* Others may be at work: between the two loads, and between a state and the counter. */
OUTLINED uint packet_count(pipe_t ring)
{
  ulong read = __opencl_atomic_load(&ring->next_read, memory_order_acquire, ALL);
  ulong written = __opencl_atomic_load(&ring->written, memory_order_acquire, ALL);
  return written > read ? (uint)min(written - read, (ulong)ring->capacity) : 0;
}

DEFINE_DIRECTION(read, read_only, ro)
DEFINE_DIRECTION(write, write_only, wo)

__attribute__((overloadable, always_inline)) bool is_valid_reserve_id(reserve_id_t id)
{
  return __quern_reservation(id) != 0;
}
