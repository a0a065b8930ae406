/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * C++17 over quern/interop.h, in SYCL's spelling: command groups, interop tasks, backends, bound buffers. */
#ifndef QUERN_INTEROP_HPP
#define QUERN_INTEROP_HPP

/* Everything is in quern::sycl; cl::sycl and sycl are other names of it. A program that also uses a SYCL implementation
 * defines QUERN_WITHOUT_SYCL_NAMES. Objects are shared handles, as in SYCL. Kernels for devices are OpenCL C (class
 * kernel): C++ functions run on the host backend alone. Errors of calls are exceptions; those of groups reach the
 * queue's async_handler at once, on any thread. What is special to a backend is in a header of its own, which this one
 * does not include: quern/sycl/backend/opencl.hpp. */
#include "quern/sycl/queue.hpp"

#ifndef QUERN_WITHOUT_SYCL_NAMES
namespace sycl = quern::sycl;
namespace cl {
namespace sycl = quern::sycl;
}
#endif

#endif
