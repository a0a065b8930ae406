/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Conversions to short. */

#define D short
#define D_S short
#define D_BITS 16
#define D_SIGNED 1
#include "convert_to_integer.clh"
