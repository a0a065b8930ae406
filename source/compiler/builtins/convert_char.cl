/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Conversions to char. */

#define D char
#define D_S char
#define D_BITS 8
#define D_SIGNED 1
#include "convert_to_integer.clh"
