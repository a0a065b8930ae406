// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Quern authors
// Uses the installed C++ header, and that of the OpenCL backend.
#include <quern/interop.hpp>
#include <quern/sycl/backend/opencl.hpp>

int main() {
  int value = 41;
  {
    sycl::queue queue;
    sycl::buffer<int> buffer(&value, sycl::range<1>(1));
    queue.submit([&](sycl::handler &h) {
      sycl::accessor on_host{buffer, h, sycl::read_write_host_task};
      h.host_task([=] { on_host[0]++; });
    });
    queue.wait();
    cl_context native = sycl::get_native<sycl::backend::opencl>(queue.get_context());
    if (clReleaseContext(native) != CL_SUCCESS) return 1;
  }
  return value == 42 ? 0 : 1;
}
