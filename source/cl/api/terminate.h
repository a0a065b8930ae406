/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_khr_terminate_context. */
#ifndef CL_API_TERMINATE_H
#define CL_API_TERMINATE_H

#include "cl/object/object.h"

cl_int CL_API_CALL terminate_context_khr(cl_context context);

#endif
