/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * SYCL 1.2.1's own name: quern/interop.hpp with the functions of that version that SYCL 2020 has no more (get, and
 * objects made of OpenCL's by constructors), and with the OpenCL backend. All files of a program include the same. */
#ifndef QUERN_NAMES_CL_SYCL_HPP
#define QUERN_NAMES_CL_SYCL_HPP

#include <iostream>

#define QUERN_SYCL_1_2_1 1
#include "quern/sycl/backend/opencl.hpp"

#endif
