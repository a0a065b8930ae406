/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_intel_bfloat16_conversions: bfloat16 in the bits of ushort. */

#include "builtins.clh"

#define BODY "convert_bfloat16_body.clh"
#include "each_width.clh"
