/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * C11 atomics in generic memory. */

#define SPACE generic
#include "atomic_space.clh"
