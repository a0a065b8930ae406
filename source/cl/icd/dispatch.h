/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The table through which the ICD loader calls this driver (cl_khr_icd). */
#ifndef CL_ICD_DISPATCH_H
#define CL_ICD_DISPATCH_H

struct _cl_icd_dispatch;

/** The first word of every object points here. */
extern const struct _cl_icd_dispatch icd_dispatch;

#endif
