/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What device queries say of command buffers, and cl/command_buffer keeps. */
#ifndef CL_API_COMMAND_BUFFER_QUERIES_H
#define CL_API_COMMAND_BUFFER_QUERIES_H

#include "cl/api/command_buffer_declarations.h"

/** All that a queue may have for command buffers to be enqueued on it; it needs none of them. */
#define COMMAND_BUFFER_QUEUE_PROPERTIES (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)

/** Every aspect can be updated. */
#define DISPATCH_FIELDS                                                                                               \
  (CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR | CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | \
   CL_MUTABLE_DISPATCH_ARGUMENTS_KHR | CL_MUTABLE_DISPATCH_EXEC_INFO_KHR)

#endif
