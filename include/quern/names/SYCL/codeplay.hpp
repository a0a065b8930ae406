/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Where ComputeCpp has interop tasks. */
#ifndef QUERN_NAMES_CODEPLAY_HPP
#define QUERN_NAMES_CODEPLAY_HPP

#include "quern/names/CL/sycl.hpp"

#endif
