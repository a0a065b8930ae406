/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Conversions to long. */

#define D long
#define D_S long
#define D_BITS 64
#define D_SIGNED 1
#include "convert_to_integer.clh"
