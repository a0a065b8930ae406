/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What this process is to the user who started it. */
#include "base/process.h"

#include <sys/auxv.h>

bool process_has_more_rights(void) { return getauxval(AT_SECURE) != 0; }
