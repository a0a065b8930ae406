/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * write_imagei to a level of mipmapped images. */

#include "image_encode_int.clh"

#define WRITE write_imagei
#include "image_write_level.clh"
