/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * read_imagef of mipmapped images at a level of detail. */

#include "image_decode_float.clh"

#define READ read_imagef
#define LINEAR
#define DEPTH
#include "image_read_level.clh"
