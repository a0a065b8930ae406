/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Conversions to ushort. */

#define D ushort
#define D_S short
#define D_BITS 16
#define D_SIGNED 0
#include "convert_to_integer.clh"
