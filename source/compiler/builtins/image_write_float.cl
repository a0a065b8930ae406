/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * write_imagef. */

#include "image_encode_float.clh"

#define WRITE write_imagef
#define DEPTH
#include "image_write.clh"
