/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A program over CL/opencl.hpp: a vector add, errors as exceptions, and the build log in one of them. */
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 300
#define CL_HPP_ENABLE_EXCEPTIONS
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

namespace {

void check(bool condition, const char *what) {
  if (!condition) throw std::runtime_error(what);
}

void add_vectors(const cl::Context &context, cl::CommandQueue &queue) {
  const std::size_t count = 1000;
  std::vector<float> a(count), b(count), sum(count);
  for (std::size_t i = 0; i < count; i++) {
    a[i] = static_cast<float>(i);
    b[i] = static_cast<float>(2 * i);
  }
  cl::Program program(context,
                      "kernel void add(global const float *a, global const float *b, global float *sum) {\n"
                      "  size_t i = get_global_id(0);\n"
                      "  sum[i] = a[i] + b[i];\n"
                      "}\n",
                      true);
  cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer> add(program, "add");
  cl::Buffer a_buffer(queue, a.begin(), a.end(), true), b_buffer(queue, b.begin(), b.end(), true);
  cl::Buffer sum_buffer(context, CL_MEM_WRITE_ONLY, count * sizeof(float));
  cl::Event done = add(cl::EnqueueArgs(queue, cl::NDRange(count)), a_buffer, b_buffer, sum_buffer);
  done.wait();
  cl::copy(queue, sum_buffer, sum.begin(), sum.end());
  for (std::size_t i = 0; i < count; i++) check(sum[i] == static_cast<float>(3 * i), "a sum is wrong");
}

void errors_are_exceptions(const cl::Context &context) {
  try {
    cl::Buffer empty(context, CL_MEM_READ_WRITE, static_cast<cl::size_type>(0));
  } catch (const cl::Error &error) {
    check(error.err() == CL_INVALID_BUFFER_SIZE, "an empty buffer gave the wrong error");
    return;
  }
  check(false, "an empty buffer gave no exception");
}

void build_errors_carry_the_log(const cl::Context &context) {
  cl::Program broken(context, "kernel void broken(global int *p) { *p = nothing; }");
  try {
    broken.build("-cl-std=CL3.0");
  } catch (const cl::BuildError &error) {
    const std::string log = error.getBuildLog().at(0).second;
    check(error.err() == CL_BUILD_PROGRAM_FAILURE, "a broken program gave the wrong error");
    check(log.find("use of undeclared identifier 'nothing'") != std::string::npos, "the log does not name the error");
    return;
  }
  check(false, "a broken program gave no exception");
}

void copies_share_and_count_references(const cl::Context &context) {
  cl::Buffer buffer(context, CL_MEM_READ_WRITE, 64);
  {
    cl::Buffer copy = buffer;
    check(copy() == buffer() && buffer.getInfo<CL_MEM_REFERENCE_COUNT>() == 2, "a copy does not count");
  }
  check(buffer.getInfo<CL_MEM_REFERENCE_COUNT>() == 1, "a destroyed copy still counts");
}

}  // namespace

int main() {
  try {
    std::vector<cl::Platform> platforms;
    cl::Platform::get(&platforms);
    std::vector<cl::Device> devices;
    platforms.at(0).getDevices(CL_DEVICE_TYPE_ALL, &devices);
    std::printf("%s: %s\n", platforms[0].getInfo<CL_PLATFORM_NAME>().c_str(),
                devices.at(0).getInfo<CL_DEVICE_NAME>().c_str());
    cl::Context context(devices[0]);
    cl::CommandQueue queue(context, devices[0], cl::QueueProperties::Profiling);
    add_vectors(context, queue);
    errors_are_exceptions(context);
    build_errors_carry_the_log(context);
    copies_share_and_count_references(context);
  } catch (const cl::Error &error) {
    std::fprintf(stderr, "%s gave %d\n", error.what(), static_cast<int>(error.err()));
    return 1;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
