/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * How entry points are declared: CL_ENTRY cl_int CL_API_CALL clName(...). Everything else in the library is hidden. */
#ifndef CL_API_ENTRY_H
#define CL_API_ENTRY_H

#include "cl/object/object.h"

/** Makes an entry point visible outside the library; icd/exports.map must name it too. */
#define CL_ENTRY __attribute__((visibility("default")))

#endif
