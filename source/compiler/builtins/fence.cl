/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Fences. */

#include "builtins.clh"

/* A fence orders all memory: which part the flags name makes no difference to a CPU. Within a work-group, total order
 * of what others see is not asked for. */
OVER void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope)
{
  if (order == memory_order_relaxed)
    return;
  if (order == memory_order_seq_cst && (scope == memory_scope_device || scope == memory_scope_all_svm_devices))
    __c11_atomic_thread_fence(memory_order_seq_cst);
  else
    __c11_atomic_thread_fence(memory_order_acq_rel);
}

OVER void mem_fence(cl_mem_fence_flags flags) { __c11_atomic_thread_fence(memory_order_acq_rel); }
OVER void read_mem_fence(cl_mem_fence_flags flags) { __c11_atomic_thread_fence(memory_order_acquire); }
OVER void write_mem_fence(cl_mem_fence_flags flags) { __c11_atomic_thread_fence(memory_order_release); }

/* Only the kernel's own compilation could tell local memory; an over-wide fence is always right. */
BUILTIN cl_mem_fence_flags get_fence(const void *p) { return CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE; }
BUILTIN cl_mem_fence_flags get_fence(void *p) { return CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE; }
