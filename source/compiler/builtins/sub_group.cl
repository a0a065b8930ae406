/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sub-groups: where a work-item is, barriers, votes and ballots. Sub-groups follow each other in the order of
 * get_local_linear_id; all but the last of a work-group have as many work-items as full_size says. */

#include "sub_group.clh"

HELPER uint group_size(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }
HELPER uint first_item(void) { return __quern_sub_group_first(0, 0); }

/* The full size is a power of two. */
HELPER uint groups_for(uint items) { return (items + full_size() - 1) >> ctz(full_size()); }

OVER uint get_sub_group_size(void)
{
  if (follows_lines()) return get_local_size(0);
  uint left = group_size() - first_item();
  return left < full_size() ? left : full_size();
}
OVER uint get_max_sub_group_size(void) { return largest_size(); }
OVER uint get_num_sub_groups(void)
{
  return follows_lines() ? get_local_size(1) * get_local_size(2) : groups_for(group_size());
}
OVER uint get_enqueued_num_sub_groups(void) { return groups_for(enqueued_group_size()); }
OVER uint get_sub_group_id(void)
{
  return follows_lines() ? first_item() / (uint)get_local_size(0) : first_item() >> ctz(full_size());
}
OVER uint get_sub_group_local_id(void) { return __quern_sub_group_local_id(); }

SUB_GROUP_OVER void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope)
{
  atomic_work_item_fence(flags, memory_order_acq_rel, scope);
  __quern_sub_group_barrier();
}
SUB_GROUP_OVER void sub_group_barrier(cl_mem_fence_flags flags) { sub_group_barrier(flags, memory_scope_sub_group); }

/* Work-items that are there, and those for which the condition holds. */
SUB_GROUP_HELPER ulong all_bits(void) { return __quern_sub_group_ballot(1); }
SUB_GROUP_HELPER ulong bits(int condition) { return __quern_sub_group_ballot(condition); }
HELPER uint own(void) { return __quern_sub_group_local_id(); }

SUB_GROUP_OVER int sub_group_any(int condition) { return bits(condition) != 0; }
SUB_GROUP_OVER int sub_group_all(int condition) { return bits(!condition) == 0; }
SUB_GROUP_OVER int sub_group_non_uniform_any(int condition) { return bits(condition) != 0; }
SUB_GROUP_OVER int sub_group_non_uniform_all(int condition) { return bits(!condition) == 0; }
SUB_GROUP_OVER int sub_group_elect(void) { return own() == ctz(all_bits()); }

#define DEFINE_ALL_EQUAL(T)                                                                                            \
  SUB_GROUP_OVER T __quern_sub_group_broadcast(T value, uint index);                                                   \
  SUB_GROUP_OVER int sub_group_non_uniform_all_equal(T value)                                                          \
  {                                                                                                                    \
    return bits(value != __quern_sub_group_broadcast(value, (uint)ctz(all_bits()))) == 0;                              \
  }
DEFINE_ALL_EQUAL(char)
DEFINE_ALL_EQUAL(uchar)
DEFINE_ALL_EQUAL(short)
DEFINE_ALL_EQUAL(ushort)
DEFINE_ALL_EQUAL(int)
DEFINE_ALL_EQUAL(uint)
DEFINE_ALL_EQUAL(long)
DEFINE_ALL_EQUAL(ulong)
DEFINE_ALL_EQUAL(half)
DEFINE_ALL_EQUAL(float)
DEFINE_ALL_EQUAL(double)

/* A ballot has 128 bits, of which the sub-group's are the first. */
HELPER uint4 as_ballot(ulong bits) { return (uint4)((uint)bits, (uint)(bits >> 32), 0, 0); }
HELPER ulong full_bits(void) { return ~0ul >> (64 - largest_size()); }
HELPER ulong as_bits(uint4 ballot) { return ((ulong)ballot.y << 32 | ballot.x) & full_bits(); }
HELPER ulong own_bit(void) { return 1ul << own(); }

SUB_GROUP_OVER uint4 sub_group_ballot(int condition) { return as_ballot(bits(condition)); }
OVER int sub_group_inverse_ballot(uint4 ballot) { return (as_bits(ballot) & own_bit()) != 0; }
OVER int sub_group_ballot_bit_extract(uint4 ballot, uint index) { return (as_bits(ballot) >> (index & 63) & 1) != 0; }
OVER uint sub_group_ballot_bit_count(uint4 ballot) { return popcount(as_bits(ballot)); }
OVER uint sub_group_ballot_inclusive_scan(uint4 ballot)
{
  return popcount(as_bits(ballot) & (own_bit() | (own_bit() - 1)));
}
OVER uint sub_group_ballot_exclusive_scan(uint4 ballot) { return popcount(as_bits(ballot) & (own_bit() - 1)); }
OVER uint sub_group_ballot_find_lsb(uint4 ballot) { return ctz(as_bits(ballot)); }
OVER uint sub_group_ballot_find_msb(uint4 ballot) { return 63 - clz(as_bits(ballot)); }

/* Of all work-items that the largest sub-group may have. */
OVER uint4 get_sub_group_eq_mask(void) { return as_ballot(own_bit()); }
OVER uint4 get_sub_group_ge_mask(void) { return as_ballot(full_bits() & ~(own_bit() - 1)); }
OVER uint4 get_sub_group_gt_mask(void) { return as_ballot(full_bits() & ~(own_bit() | (own_bit() - 1))); }
OVER uint4 get_sub_group_le_mask(void) { return as_ballot(own_bit() | (own_bit() - 1)); }
OVER uint4 get_sub_group_lt_mask(void) { return as_ballot(own_bit() - 1); }
