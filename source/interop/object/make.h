/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Making objects without their native ones, for making them new and for making them of native ones. All have one
 * reference; null means out of memory. */
#ifndef INTEROP_OBJECT_MAKE_H
#define INTEROP_OBJECT_MAKE_H

#include "interop/object/memory.h"
#include "interop/object/program.h"
#include "interop/object/queue.h"

quern_context_t interop_context_create(size_t count, const quern_device_t *devices, quern_async_handler_t handler,
                                       void *data);
quern_queue_t interop_queue_create(quern_context_t context, quern_device_t device, quern_queue_flags_t flags);
quern_program_t interop_program_create(quern_context_t context, void *native);
quern_kernel_t interop_kernel_create(quern_context_t context, void *native);

/** The memory object's contents are in `native` (its reference is taken over), or null on the host. */
QUERN_MUST_CHECK quern_result_t interop_memory_settle(quern_memory_t memory, quern_context_t context, void *native);

/** Bytes of a pixel; 0 when the layout's values are not known. */
size_t interop_pixel_size(uint32_t channel_order, uint32_t channel_type);

#endif
