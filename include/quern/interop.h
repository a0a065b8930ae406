/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The interop library: one model of devices, memory and command groups over every backend. Guide: docs/interop.md. */
#ifndef QUERN_INTEROP_H
#define QUERN_INTEROP_H

/* Conventions of all functions.
 * - Results: a function that can fail returns quern_result_t; quern_last_error_message tells the reason. On error no
 *   output is written and nothing is kept.
 * - Handles: "bad" is null, or of another kind as far as its tag tells; a bad handle gives quern_error_invalid_object.
 *   A released handle is not detected.
 * - Threads: every function may be called from any thread at any time, unless its comment says otherwise.
 * - Any function may return quern_error_out_of_memory; the comments do not repeat it.
 * - In functions that the library runs (tasks, host kernels, handlers) nothing may be waited for, and in an interop
 *   task no object may be made either: such calls are refused with quern_error_invalid_operation.
 * - Structs with a member `size` begin with their ..._INIT, so that members added later have their default.
 * What is special to one backend is in a header of its own, which this one does not include: quern/opencl.h. */

#include "quern/backend.h"  /* backends and the library's configuration */
#include "quern/context.h"  /* devices that work together, asynchronous errors */
#include "quern/device.h"   /* devices and what they can do */
#include "quern/event.h"    /* outcome of a command group */
#include "quern/group.h"    /* command groups: accessors, actions, tasks */
#include "quern/memory.h"   /* buffers and images */
#include "quern/native.h"   /* native objects of a backend, both ways */
#include "quern/platform.h" /* platforms and their devices */
#include "quern/program.h"  /* programs and kernels */
#include "quern/queue.h"    /* where command groups go */
#include "quern/result.h"   /* results and messages */
#include "quern/sampler.h"  /* how kernels read images */
#include "quern/selector.h" /* choosing a device */
#include "quern/usm.h"      /* unified memory, and groups that work with addresses */

#endif
