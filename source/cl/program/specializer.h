/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The thread that makes variants of kernels (program/variant.h) and keeps what was measured of kernels
 * (program/tuning.h): one per process, which comes with the first of these jobs and ends when there is none. */
#ifndef CL_PROGRAM_SPECIALIZER_H
#define CL_PROGRAM_SPECIALIZER_H

#include "cl/program/tuning.h"
#include "cl/program/variant.h"

/** Takes a variant that is variant_state_queued, and sees to variant_make: on the thread, or at once when the
 * environment says so (QUERN_SPECIALIZE=2). What the application has released when it is its turn is not made. Thread
 * safe; to be called with no lock held but those of a user command buffer. */
void specializer_submit(variant_t *variant);

/** Sees to tuning_keep in the same way. The tuning's executable is held by the caller. Thread safe; any thread may call
 * it that holds no lock. */
void specializer_keep(const tuning_t *tuning, uint64_t measured);

/** Around fork(): pause waits until no variant is being made, and begins none before resume. In the child, forget comes
 * before resume: what was to be made there is not. */
void specializer_pause(void);
void specializer_resume(void);
void specializer_forget(void);

#endif
