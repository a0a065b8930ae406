/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * read_imagei of mipmapped images at a level of detail. */

#include "image_decode_int.clh"

#define READ read_imagei
#include "image_read_level.clh"
