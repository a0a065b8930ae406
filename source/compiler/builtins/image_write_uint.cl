/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * write_imageui. */

#include "image_encode_uint.clh"

#define WRITE write_imageui
#include "image_write.clh"
