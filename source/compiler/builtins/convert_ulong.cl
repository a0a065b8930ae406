/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Conversions to ulong. */

#define D ulong
#define D_S long
#define D_BITS 64
#define D_SIGNED 0
#include "convert_to_integer.clh"
