/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Formatting of what kernels print (OpenCL C, section 6.15.14, "printf"). */
#ifndef CL_PRINTF_PRINTF_H
#define CL_PRINTF_PRINTF_H

#include "base/text.h"
#include "compiler/program_info.h"

/** Appends to `out` what the `size` bytes of records at `records` print (compiler/printf.h). Formats and strings come
 * from `info`. Records are written by kernels, and checked: false, and nothing more printed, at the first one that is
 * malformed. A conversion without argument prints nothing; one whose argument is of another type prints its bits. */
bool printf_format_records(text_t *out, const program_info_t *info, const void *records, size_t size);

#endif
