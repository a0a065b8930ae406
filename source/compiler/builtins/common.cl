/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Common functions of half, float and double. */

#include "builtins.clh"
#define BODY "common_body.clh"

#define DEGREES 57.295779513082320876798 /* 180/pi */
#define RADIANS 0.017453292519943295769  /* pi/180 */

#include "format_half.clh"
#include "each_width.clh"
#include "format_float.clh"
#include "each_width.clh"
#include "format_double.clh"
#include "each_width.clh"
