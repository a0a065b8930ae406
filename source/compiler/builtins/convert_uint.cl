/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Conversions to uint. */

#define D uint
#define D_S int
#define D_BITS 32
#define D_SIGNED 0
#include "convert_to_integer.clh"
