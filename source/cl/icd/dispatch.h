/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The table through which the ICD loader calls this driver, and what newer loaders ask for (cl_khr_icd 1 and 2). */
#ifndef CL_ICD_DISPATCH_H
#define CL_ICD_DISPATCH_H

#include "cl/object/object.h"

/** The function of that name; null when there is none. */
void *extension_function_find(const char *name);

/** clIcdGetFunctionAddressForPlatformKHR: any entry point or extension function; null for others. */
void *CL_API_CALL icd_get_function_address_for_platform_khr(cl_platform_id platform, const char *func_name);

/** clIcdSetPlatformDispatchDataKHR: what the second word of every object shall be from now on. A loader calls it before
 * anything else, while nobody else uses the platform. */
cl_int CL_API_CALL icd_set_platform_dispatch_data_khr(cl_platform_id platform, void *dispatch_data);

#endif
