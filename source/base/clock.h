/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The clock of profiling, device timer and traces. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Nanoseconds of CLOCK_MONOTONIC. Thread safe. */
uint64_t clock_now_ns(void);

#ifdef __cplusplus
}
#endif

#endif
