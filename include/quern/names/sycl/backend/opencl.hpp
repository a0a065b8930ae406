/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * SYCL 2020's own name of quern/sycl/backend/opencl.hpp. */
#ifndef QUERN_NAMES_BACKEND_OPENCL_HPP
#define QUERN_NAMES_BACKEND_OPENCL_HPP

#include "quern/sycl/backend/opencl.hpp"

#endif
