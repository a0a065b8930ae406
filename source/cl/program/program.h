/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Program objects. */
#ifndef CL_PROGRAM_PROGRAM_H
#define CL_PROGRAM_PROGRAM_H

#include "cl/program/binary.h"
#include "cl/program/executable.h"
#include "cl/queueing/context.h"
#include "compiler/compiler.h"
#include "compiler/program_info.h"

typedef enum program_origin_e {
  program_origin_source,
  /** An intermediate language: SPIR-V. */
  program_origin_il,
  program_origin_binary,
  /** clLinkProgram. */
  program_origin_link,
} program_origin_e;

/** State of a program for one of its devices. */
typedef struct program_device_t {
  cl_device_id device;
  cl_build_status status;
  cl_program_binary_type type;
  /** Of the last build; null for "". */
  char *options;
  char *log;
  /** What CL_PROGRAM_BINARIES gives; null when there is none. */
  binary_t *binary;
  /** Null unless `binary` is an executable. Kernels can be made of it once `status` is CL_BUILD_SUCCESS. */
  executable_t *executable;
} program_device_t;

struct _cl_program {
  object_t object;
  cl_context context;
  program_origin_e origin;
  /** NUL-terminated; null unless made from source. */
  char *source;
  size_t source_length;
  /** Null unless made from an intermediate language. */
  void *il;
  size_t il_size;
  cl_uint device_count;
  /** States under `mutex`; the devices do not change. */
  program_device_t *devices;
  pthread_mutex_t mutex;
  /** Under `mutex`: a build is under way; kernel objects that the application holds. */
  bool building;
  cl_uint kernel_count;
  /** Under `mutex`: values given for specialization constants, one per id. */
  compiler_specialization_t *specializations;
  size_t specialization_count, specialization_capacity;
  /** Grows whenever one of them is set. */
  uint64_t specialization_version;
};

bool program_is_valid(cl_program program);

/** A program for `device_count` devices of `context`, with nothing in it. Null when out of memory. */
cl_program program_create(cl_context context, program_origin_e origin, cl_uint device_count,
                          const cl_device_id *devices);

/** Index of a device in `devices`, or -1. */
int64_t program_find_device(cl_program program, cl_device_id device);

/** Joins strings as clCreateProgramWithSource describes them. CL_INVALID_VALUE when one is null. */
cl_int program_set_source(cl_program program, cl_uint count, const char **strings, const size_t *lengths);

/** Copies an intermediate language. CL_INVALID_VALUE when it is no SPIR-V of a supported version. */
cl_int program_set_il(cl_program program, const void *il, size_t size);

/** Gives a specialization constant of the program's IL a value for the builds to come. CL_INVALID_SPEC_ID,
 * CL_INVALID_VALUE when the size is wrong. */
cl_int program_specialize(cl_program program, cl_uint id, size_t size, const void *value);

/** Loads an untrusted binary for the device of index `index`. CL_INVALID_BINARY. */
cl_int program_load_binary(cl_program program, cl_uint index, const void *data, size_t size);

/** Checks an untrusted binary for a device, and loads what it has when it is an executable (else `*out_executable` is
 * null), which the caller drops. CL_INVALID_BINARY. */
cl_int program_decode_binary(cl_device_id device, const binary_t *binary, cl_program_binary_type *out_type,
                             executable_t **out_executable);

/** For which device binaries are: code made for one does not run on another. Null when out of memory; free it. */
char *program_target_text(cl_device_id device);

/** Under the program's mutex: the executable of the first device that kernels can be made of, or null. */
executable_t *program_first_executable(cl_program program);
/** Under the program's mutex: that of one device, or null. */
executable_t *program_device_executable(const program_device_t *device);

#endif
