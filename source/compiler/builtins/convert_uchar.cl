/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Conversions to uchar. */

#define D uchar
#define D_S char
#define D_BITS 8
#define D_SIGNED 0
#include "convert_to_integer.clh"
