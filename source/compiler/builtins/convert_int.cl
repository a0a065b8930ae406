/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Conversions to int. */

#define D int
#define D_S int
#define D_BITS 32
#define D_SIGNED 1
#include "convert_to_integer.clh"
