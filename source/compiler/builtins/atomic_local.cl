/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * C11 atomics in local memory. */

#define SPACE local
#include "atomic_space.clh"
