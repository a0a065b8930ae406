/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * read_imageui of mipmapped images at a level of detail. */

#include "image_decode_uint.clh"

#define READ read_imageui
#include "image_read_level.clh"
