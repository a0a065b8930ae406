/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What this process is to the user who started it. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** True when the process has more rights than the user who started it, as set-user-ID and set-group-ID programs and
 * those with file capabilities do (AT_SECURE). That user, who chose the environment, then chooses no files, no code and
 * no output. Thread safe. */
bool process_has_more_rights(void);

#ifdef __cplusplus
}
#endif

#endif
