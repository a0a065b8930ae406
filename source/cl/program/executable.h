/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Executables as loaded for a device. */
#ifndef CL_PROGRAM_EXECUTABLE_H
#define CL_PROGRAM_EXECUTABLE_H

#include <pthread.h>

#include "cl/object/object.h"
#include "cl/printf/printf_stream.h"
#include "cl/program/binary.h"
#include "cl/program/tuning.h"
#include "cl/program/variant.h"
#include "compiler/program_info.h"
#include "mux/mux.h"

/** Shared by programs, kernels and running commands, so that a rebuilt or released program does not pull the code from
 * under a running kernel: they hold it through its internal count. Never handed to the application. */
typedef struct executable_t {
  object_t object;
  mux_device_t device;
  mux_executable_t code;
  program_info_t *info;
  /** Work-groups of its kernels must be uniform. */
  bool uniform_work_groups;
  /** Of program-scope objects (program/constructors.h): their constructors have run, or one of them has failed. */
  bool is_constructed, construction_failed;
  /** The object it was made from, when kernels of it can be specialized; null when not. */
  void *portable;
  size_t portable_size;
  pthread_mutex_t mutex;
  /** One per kernel of `info`, made at its first use; the constructors' last; under `mutex`. */
  mux_kernel_t *kernels;
  /** As many; of those that have several versions. */
  tuning_t *tunings;
  /** Of the code, where there is a cache. */
  hash128_t code_hash;
  /** One list per kernel, when there is a portable object. */
  variants_t *variants;
  /** Where its kernels print; made at first use; under `mutex`. */
  printf_stream_t *printf_stream;
} executable_t;

/** Loads the content of an executable binary. CL_INVALID_BINARY when its program information or code is malformed,
 * CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES. */
cl_int executable_create(mux_device_t device, const binary_content_t *content, executable_t **out_executable);

/** Index of a kernel in `info->kernels`, or -1. */
int64_t executable_find_kernel(const executable_t *executable, const char *name);

/** The Mux kernel of a kernel; the same at every call. Lives as long as the executable. */
cl_int executable_get_kernel(executable_t *executable, uint32_t index, mux_kernel_t *out_kernel);

/** Whether variants of a kernel are worth making for local sizes: its work-items share local memory, or they ask for
 * their work-group and are alone in it (`is_single`). */
bool kernel_varies_with_local_size(const program_kernel_info_t *info, mux_kernel_t kernel, bool is_single);

/** The kernels made from one of the executable's, whose Mux kernel is `kernel`; null when there are to be none: it has
 * neither images nor local memory and asks for nothing of its work-group, or prints, or QUERN_SPECIALIZE says no. Live
 * as long as the executable. */
variants_t *executable_get_variants(executable_t *executable, uint32_t index, mux_kernel_t kernel);

/** Where kernels of the executable print; lives as long as it. `sink`, copied, is that of the executable's context. */
cl_int executable_get_printf_stream(executable_t *executable, const printf_sink_t *sink, printf_stream_t **out_stream);

#endif
