/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The OpenCL backend's name in implementations between SYCL 1.2.1 and SYCL 2020. */
#ifndef QUERN_NAMES_CL_SYCL_BACKEND_OPENCL_HPP
#define QUERN_NAMES_CL_SYCL_BACKEND_OPENCL_HPP

#include "quern/names/CL/sycl.hpp"

#endif
