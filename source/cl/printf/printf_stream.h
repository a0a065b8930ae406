/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The way of what kernels print: from the buffer that they write into to the standard output. */
#ifndef CL_PRINTF_PRINTF_STREAM_H
#define CL_PRINTF_PRINTF_STREAM_H

#include "cl/object/object.h"
#include "compiler/program_info.h"
#include "mux/mux.h"

/** One buffer, for all launches of the kernels of an executable: records of launches that run at the same time lie
 * mixed in it, and whoever drains it prints them all. */
typedef struct printf_stream_t printf_stream_t;

#ifndef CL_PRINTF_CALLBACK_ARM
#define CL_PRINTF_CALLBACK_ARM 0x40B0
#define CL_PRINTF_BUFFERSIZE_ARM 0x40B1
#endif

/** Where output goes; with no function, to the standard output. `function` is called with `length` characters, not
 * terminated, when a command completes; with no lock held. */
typedef struct printf_sink_t {
  void(CL_CALLBACK *function)(const char *buffer, size_t length, size_t complete, void *user_data);
  void *user_data;
} printf_sink_t;

/** `sink` is copied. `info` has the formats and must outlive the stream. CL_OUT_OF_RESOURCES when the device has no
 * memory that the host sees too. */
cl_int printf_stream_create(mux_device_t device, const program_info_t *info, const printf_sink_t *sink,
                            printf_stream_t **out_stream);
/** Null is allowed. */
void printf_stream_destroy(printf_stream_t *stream);

/** The descriptor of the buffer. */
mux_descriptor_info_t printf_stream_descriptor(const printf_stream_t *stream);

/** Prints and empties what the buffer has. Thread safe, also beside running kernels. */
void printf_stream_drain(printf_stream_t *stream);

#endif
