/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * C11 atomics in global memory. */

#define SPACE global
#include "atomic_space.clh"
