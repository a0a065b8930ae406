/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * SYCL 2020's own name of quern/interop.hpp, for programs that include that: the include path has this folder. */
#ifndef QUERN_NAMES_SYCL_HPP
#define QUERN_NAMES_SYCL_HPP

#include <iostream>

#include "quern/interop.hpp"

#endif
