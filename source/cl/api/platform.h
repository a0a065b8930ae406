/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The platform as entry points find it. */
#ifndef CL_API_PLATFORM_H
#define CL_API_PLATFORM_H

#include "cl/object/object.h"

/** The driver's platform, made with its devices at the first call; from then on forks are handled (fork.h). Null when
 * out of memory. Thread safe. */
cl_platform_id platform_open(void);

#endif
