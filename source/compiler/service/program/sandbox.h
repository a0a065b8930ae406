/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the process can no longer do once its libraries are loaded. */
#ifndef COMPILER_SERVICE_PROGRAM_SANDBOX_H
#define COMPILER_SERVICE_PROGRAM_SANDBOX_H

#include <stdint.h>

/** From here on the process and all its threads can use memory, threads, clocks and the descriptors that are open: no
 * files, no network, no programs, no other processes, no code but what is mapped. Address space is bounded to what is
 * mapped and `memory` bytes. As far as the kernel can: Landlock (5.13) and seccomp each alone keep it from files.
 * Before the second thread. */
void sandbox_enter(uint64_t memory);

#endif
