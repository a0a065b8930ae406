/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the driver answers to clGetDeviceInfo beside OpenCL's queries: what a device's threads have done. Other drivers
 * answer CL_INVALID_VALUE. */
#ifndef QUERN_THREADS_H
#define QUERN_THREADS_H

#include <CL/cl.h>

/** An array of cl_device_thread_quern: first threads of the application together, which execute while they wait, then
 * each worker thread, zeros for one that was not needed yet. The number stays the same. The value is above those that
 * Khronos gives out. */
#define CL_DEVICE_THREADS_QUERN 0x51524E01u

/** Since the device was made; a worker that works now is up to some launches behind. */
typedef struct cl_device_thread_quern {
  /** Nanoseconds: executing; waiting for work without sleeping; looking for others' work; on the way from being woken
   * to going on. */
  cl_ulong busy, idle, stealing, waking;
  /** How often: took part in a launch or large copy of another thread; executed a batch of commands; took over work of
   * another thread; was woken. */
  cl_ulong shares, batches, steals, wakes;
} cl_device_thread_quern;

#endif
