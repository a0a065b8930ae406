/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * write_imagef to a level of mipmapped images. */

#include "image_encode_float.clh"

#define WRITE write_imagef
#define DEPTH
#include "image_write_level.clh"
