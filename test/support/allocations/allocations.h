/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Stands between the driver's code and the functions that give it memory and threads: makes them fail, counts what is
 * not given back.
 *
 * The linker leads the calls of the program's own code here (CMakeLists.txt beside this file lists them). Shared
 * libraries are not concerned: the C library, cmocka, and the compiler library, which does not survive a failed
 * allocation. */
#ifndef SUPPORT_ALLOCATIONS_H
#define SUPPORT_ALLOCATIONS_H

#include <stdbool.h>

typedef enum allocations_mode_e {
  /** One allocation fails; the ones after it do not. */
  allocations_fail_one,
  /** This one fails, and all after it. */
  allocations_fail_from,
  /** Every thread fails, and nothing else; the number does not matter. */
  allocations_fail_threads,
} allocations_mode_e;

/** From now on, allocation number `number` (the next one is 1) of all threads fails. */
void allocations_arm(allocations_mode_e mode, long number);
/** No allocation fails any more. True when one has since allocations_arm. */
bool allocations_disarm(void);

/** Blocks and bytes of mappings, of this program's own code, that were allocated and not freed. */
long allocations_live_blocks(void);
long allocations_live_pages(void);

#endif
