/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The documents' sample code over quern/interop.hpp: as they have it but for the includes, slips that no compiler takes
 * (a variable used before its declaration, or of another name), and kernels of the sample for which there is no C++
 * compiler for devices: those are OpenCL C. */
#include <clFFT.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "quern/interop.hpp"
#include "quern/sycl/backend/opencl.hpp"
#include "require.hpp"

using namespace cl::sycl;

/* ------------------------------------------------------------ the interop task document, clFFT (T11) */

static void transform() {
  size_t N = 16;
  cl_int err;

  cl::sycl::queue device_queue;
  cl::sycl::buffer<float> X(range<1>(N * 2));
  device_queue.submit([&](handler &h) { h.fill(X.get_access<access::mode::discard_write>(h), 1.0f); });

  /* Setup clFFT. */
  clfftSetupData fftSetup;
  err = clfftInitSetupData(&fftSetup);
  err = clfftSetup(&fftSetup);
  REQUIRE(err == CL_SUCCESS);

  device_queue.submit([=](codeplay::handler &cgh) {
    auto X_accessor = X.get_access<access::mode::read_write>(cgh);
    cgh.interop_task([=](codeplay::interop_handle &handle) {
      cl_int err;
      /* FFT library related declarations */
      clfftPlanHandle planHandle;
      size_t clLengths[1] = {N};

      /* Create a default plan for a complex FFT. */
      err = clfftCreateDefaultPlan(&planHandle, handle.get_context(), CLFFT_1D, clLengths);

      /* Set plan parameters. */
      err = clfftSetPlanPrecision(planHandle, CLFFT_SINGLE);
      err = clfftSetLayout(planHandle, CLFFT_COMPLEX_INTERLEAVED, CLFFT_COMPLEX_INTERLEAVED);
      err = clfftSetResultLocation(planHandle, CLFFT_INPLACE);

      /* Bake the plan. */
      cl_command_queue queue = handle.get_queue();
      err = clfftBakePlan(planHandle, 1, &queue, NULL, NULL);

      /* Execute the plan. */
      cl_mem X_mem = handle.get_mem(X_accessor);
      err = clfftEnqueueTransform(planHandle, CLFFT_FORWARD, 1, &queue, 0, NULL, NULL, &X_mem, NULL, NULL);

      /* Wait for calculations to finish. */
      err = clFinish(queue);

      /* Release the plan. */
      err = clfftDestroyPlan(&planHandle);
      REQUIRE(err == CL_SUCCESS);
    });
  });

  /* A constant signal of 1 + i has its sum at frequency 0, and nothing elsewhere. */
  {
    auto h = X.get_access<access::mode::read>();
    for (size_t i = 0; i < 2 * N; i++) REQUIRE(std::fabs(h[i] - (i < 2 ? 16.0f : 0.0f)) < 1e-4f);
  }

  /* Release clFFT library. */
  clfftTeardown();
}

/* ------------------------------------------------------------ the same document: regular accessors, the older name */

static void third_party_api(cl_command_queue queue, cl_mem a, cl_mem b) {
  REQUIRE(clEnqueueCopyBuffer(queue, a, b, 0, 0, 16 * sizeof(int), 0, NULL, NULL) == CL_SUCCESS);
  REQUIRE(clFinish(queue) == CL_SUCCESS);
}

static void regular_accessors() {
  int values[16], copied[16] = {};
  for (int i = 0; i < 16; i++) values[i] = i;
  {
    queue qA, fallback{qA.get_context()};
    buffer<int> bufA(values, range<1>(16)), bufB(copied, range<1>(16));
    auto cgH = [=](codeplay::handler &cgh) {
      // Get device accessor to SYCL buffer (cannot be dereferenced directly in interop_task).
      auto accA = bufA.get_access<access::mode::read>(cgh);
      auto accB = bufB.get_access<access::mode::read_write>(cgh);

      cgh.interop_task([=](codeplay::interop_handle &handle) {
        third_party_api(handle.get_queue(),        // Get the OpenCL command queue to use, can be the fallback
                        handle.get_buffer(accA),   // Get the OpenCL mem object behind accA
                        handle.get_buffer(accB));  // Get the OpenCL mem object behind accB
        // Assumes call has finish when exiting the task
      });
    };
    qA.submit(cgH);
    qA.submit(cgH, fallback);
  }
  for (int i = 0; i < 16; i++) REQUIRE(copied[i] == i);
}

/* ------------------------------------------------------------ the bound buffer document (C1, C4) */

static const char *const reduction =
    "kernel void reduce(global const float *in, global float *out, local float *scratch, uint length) {\n"
    "  size_t item = get_local_id(0), all = get_global_id(0), half_size = get_local_size(0) / 2;\n"
    "  scratch[item] = all < length ? in[all] : 0;\n"
    "  for (; half_size > 0; half_size /= 2) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (item < half_size) scratch[item] += scratch[item + half_size];\n"
    "  }\n"
    "  if (item == 0) out[get_group_id(0)] = scratch[0];\n"
    "}\n";

static void reduce() {
  context deviceContext;
  queue q{deviceContext}, otherQueue{host_selector()};
  kernel ReductionKernel(program(deviceContext, reduction), "reduce");
  range<3> myRange{3, 3, 3};
  float someHostPointer[27] = {};
  const size_t local = 4;

  /* A normal buffer that holds the data for
   * the execution.
   */
  buffer<float> myBuffer{someHostPointer, myRange};
  /**
   * We can use the normal buffer on any other queue,
   * SYCL will migrate transparently across contexts if required.
   */
  otherQueue.submit([&](handler &h) {
    auto elem = myBuffer.template get_access<access::mode::discard_write>(h);
    h.parallel_for<class example>(range<1>(27), [=](id<1> i) { elem[i] = 1.0f; });
  });

  /* This temporary memory only needs to exist
   * on the context where the operation will be
   * performed.
   */
  buffer<float, 1> tmp{deviceContext, myRange, property::buffer::context_bound(deviceContext)};
  REQUIRE(tmp.has_property<property::buffer::context_bound>());
  REQUIRE(tmp.get_property<property::buffer::context_bound>().get_context() == deviceContext);
  REQUIRE(!myBuffer.has_property<property::buffer::context_bound>());

  bool first = true;
  auto length = tmp.get_count();
  do {
    /* One work-group at a time would overwrite what another one reads: the last step has a single one. */
    size_t groups = first ? (length + local - 1) / local : 1, items = first ? groups * local : 8;
    auto f = [&](handler &h) mutable {
      auto aIn = myBuffer.template get_access<access::mode::read>(h);
      auto aInOut = tmp.template get_access<access::mode::read_write>(h);
      size_t size = first ? local : items;
      accessor<float, 1, access::mode::read_write, access::target::local> scratch(range<1>(size), h);
      h.parallel_for(range<1>(items), range<1>(size), ReductionKernel);
      if (first) {
        h.set_arg(0, aIn);
      } else {
        h.set_arg(0, aInOut);
      }
      h.set_arg(1, aInOut);
      h.set_arg(2, scratch);
      h.set_arg(3, static_cast<cl_uint>(length));
      first = false;
    };
    q.submit(f);
    length = groups;
  } while (length > 1);

  // Retrieve the result from the tmp buffer
  {
    auto h = tmp.get_access<access::mode::read>();
    std::cout << " Reduction value " << h[0] << std::endl;
    REQUIRE(h[0] == 27.0f);
  }

  /* C2: another context is an error. */
  bool was_refused = false;
  try {
    otherQueue.submit([&](handler &h) { tmp.get_access<access::mode::read>(h); });
  } catch (const runtime_error &error) {
    was_refused = error.result() == quern_error_wrong_context;
  }
  REQUIRE(was_refused);
}

/* ------------------------------------------------------------ the generalization document (B1 to B5) */

static_assert(sycl::is_active<sycl::backend::host>::value, "always");
#ifdef SYCL_BACKEND_OPENCL
static_assert(sycl::is_active<sycl::backend::opencl>::value == true, "as the macro says");
#endif
static_assert(std::is_same_v<sycl::interop<sycl::backend::opencl, sycl::context>::type, cl_context>, "B5");

static void backends() {
  REQUIRE(platform().get_backend() == backend::host);
  REQUIRE(platform(host_selector()).get_devices(info::device_type::host).size() == 1);
  for (const platform &p : platform::get_platforms()) {
    REQUIRE(!p.get_info<info::platform::name>().empty());
    for (const device &d : p.get_devices()) REQUIRE(d.get_platform().get_handle() == p.get_handle());
  }
  for (const platform &p : platform::get_platforms_from_backend(backend::opencl)) {
    cl_platform_id native = p.get_native<backend::opencl>();
    REQUIRE(sycl::opencl::make<platform>(native).get_handle() == p.get_handle());
  }
  context c;
  cl_context native = get_native<backend::opencl>(c);
  context again = sycl::opencl::make<context>(native);
  REQUIRE(clReleaseContext(native) == CL_SUCCESS);
  queue q{again};
  cl_command_queue native_queue = opencl::get_native(q);
  REQUIRE(clFinish(native_queue) == CL_SUCCESS && clReleaseCommandQueue(native_queue) == CL_SUCCESS);
}

/* ------------------------------------------------------------ asynchronous errors (B7, T7, T8) */

static void errors() {
  int unsupported = 0, invalid = 0;
  auto count = [&](exception_list list) {
    for (const std::exception_ptr &error : list) {
      try {
        std::rethrow_exception(error);
      } catch (const cl::sycl::feature_not_supported &) {
        unsupported++;
      } catch (const cl::sycl::invalid_object &) {
        invalid++;
      }
    }
  };
  queue host(host_selector(), count), device(default_selector(), count);
  buffer<int> x(range<1>(4));
  host.submit([=](codeplay::handler &h) { h.interop_task([=](codeplay::interop_handle) {}); });
  host.wait_and_throw();
  REQUIRE(unsupported == 1);
  std::vector<std::string> texts;
  queue thrower(host_selector(), [&](exception_list list) {
    for (const std::exception_ptr &error : list) {
      try {
        std::rethrow_exception(error);
      } catch (const cl::sycl::exception &exception) {
        REQUIRE(exception.result() == quern_error_task_failed);
        texts.push_back(exception.what());
      }
    }
  });
  queue thrower_on_device(default_selector(), [&](exception_list list) {
    for (const std::exception_ptr &error : list) {
      try {
        std::rethrow_exception(error);
      } catch (const cl::sycl::exception &exception) {
        texts.push_back(exception.what());
      }
    }
  });
  /* Exceptions of functions end them, and their groups with the same text. */
  thrower.submit([=](handler &h) { h.host_task([=] { throw std::runtime_error("a host task's"); }); });
  thrower.submit([=](handler &h) {
    h.parallel_for(range<1>(4), [=](id<1> i) {
      if (i == 2) throw std::out_of_range("a host kernel's");
    });
  });
  thrower.submit([=](handler &h) { h.host_task([=] { throw 5; }); });
  thrower.wait_and_throw();
  thrower_on_device.submit([=](codeplay::handler &h) {
    h.interop_task([=](codeplay::interop_handle) { throw std::logic_error("an interop task's"); });
  });
  thrower_on_device.wait_and_throw();
  REQUIRE((texts == std::vector<std::string>{"a host task's", "a host kernel's",
                                             "a function threw what is no exception", "an interop task's"}));
  accessor<int> unregistered(
      quern_accessor_t{x.get_handle(), quern_access_read, 0, 16, UINT64_MAX, quern_target_action}, nullptr);
  device.submit([=](codeplay::handler &h) {
    h.interop_task([=](codeplay::interop_handle handle) { handle.get_mem(unregistered); });
  });
  device.wait_and_throw();
  REQUIRE(invalid == 1);
  /* The elements are there while the function runs, not while the group is made. */
  bool is_refused = false;
  try {
    host.submit([&](handler &h) { x.get_access<access::mode::read_write>(h)[0] = 1; });
  } catch (const cl::sycl::invalid_object &) {
    is_refused = true;
  }
  REQUIRE(is_refused);
}

int main() {
  transform();
  regular_accessors();
  reduce();
  backends();
  errors();
  return 0;
}
