/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * write_imagei. */

#include "image_encode_int.clh"

#define WRITE write_imagei
#include "image_write.clh"
