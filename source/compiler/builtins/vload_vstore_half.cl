/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * vload_half and vstore_half in all forms and rounding modes. */

#include "builtins.clh"
#define BODY "narrowing_body.clh"
#include "each_width.clh"
#undef BODY
#define BODY "vload_vstore_half_body.clh"
#include "each_width.clh"
