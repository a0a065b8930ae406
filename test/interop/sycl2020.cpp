/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * SYCL 2020's interoperability over quern/interop.hpp: backend_traits, get_native, make_..., host tasks with an
 * interop_handle, error codes; images, samplers and parts of buffers. */
#include "quern/interop.hpp"

#ifdef __OPENCL_CL_H
#error "the generic header includes a backend's"
#endif

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "quern/sycl/backend/opencl.hpp"
#include "require.hpp"

constexpr auto ocl = sycl::backend::opencl;
constexpr int thread_count = 3;

template <typename Object, typename In, typename Out>
constexpr bool maps = std::is_same_v<sycl::backend_input_t<ocl, Object>, In> &&
                      std::is_same_v<sycl::backend_return_t<ocl, Object>, Out> &&
                      std::is_same_v<sycl::backend_traits<ocl>::input_type<Object>, In> &&
                      std::is_same_v<sycl::backend_traits<ocl>::return_type<Object>, Out>;
using executable = sycl::kernel_bundle<sycl::bundle_state::executable>;
static_assert(maps<sycl::platform, cl_platform_id, cl_platform_id>, "");
static_assert(maps<sycl::device, cl_device_id, cl_device_id>, "");
static_assert(maps<sycl::context, cl_context, cl_context>, "");
static_assert(maps<sycl::queue, cl_command_queue, cl_command_queue>, "");
static_assert(maps<sycl::event, std::vector<cl_event>, std::vector<cl_event>>, "");
static_assert(maps<sycl::buffer<int, 2>, cl_mem, std::vector<cl_mem>>, "");
static_assert(maps<sycl::kernel, cl_kernel, cl_kernel>, "");
static_assert(maps<executable, cl_program, std::vector<cl_program>>, "");
static_assert(std::is_same_v<sycl::backend_traits<ocl>::native_type<sycl::buffer<float>>, cl_mem>, "");

static const char *const source =
    "kernel void add(global int *x, int value) { x[get_global_id(0)] += value; }\n"
    "kernel void sample(read_only image2d_t image, sampler_t with, global float *out) {\n"
    "  out[get_global_id(0)] = read_imagef(image, with, (float2)(get_global_id(0) / 4.0f + 0.01f, 0.5f)).x;\n"
    "}\n";

template <typename F>
static std::error_code code_of(F function) {
  try {
    function();
  } catch (const sycl::exception &error) {
    return error.code();
  }
  return sycl::errc::success;
}

static cl_uint references(cl_context native) {
  cl_uint count = 0;
  REQUIRE(clGetContextInfo(native, CL_CONTEXT_REFERENCE_COUNT, sizeof(count), &count, nullptr) == CL_SUCCESS);
  return count;
}

/* Everything made of native objects, by the application's own calls. */
static void objects_are_made_of_native_ones() {
  sycl::device device{sycl::default_selector_v};
  cl_device_id native_device = sycl::get_native<ocl>(device);
  REQUIRE(sycl::make_device<ocl>(native_device) == device);
  cl_platform_id native_platform = sycl::get_native<ocl>(device.get_platform());
  REQUIRE(sycl::make_platform<ocl>(native_platform) == device.get_platform());
  REQUIRE(device.get_backend() == ocl);

  cl_int error = CL_SUCCESS;
  cl_context native_context = clCreateContext(nullptr, 1, &native_device, nullptr, nullptr, &error);
  REQUIRE(error == CL_SUCCESS);
  cl_command_queue native_queue = clCreateCommandQueueWithProperties(native_context, native_device, nullptr, &error);
  REQUIRE(error == CL_SUCCESS);
  cl_program native_program =
      clCreateProgramWithSource(native_context, 1, const_cast<const char **>(&source), nullptr, &error);
  REQUIRE(error == CL_SUCCESS);
  REQUIRE(clBuildProgram(native_program, 0, nullptr, nullptr, nullptr, nullptr) == CL_SUCCESS);
  int values[64] = {};
  cl_mem native_buffer = clCreateBuffer(native_context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, &error);
  REQUIRE(error == CL_SUCCESS);
  cl_event filled = nullptr;
  const int five = 5;
  REQUIRE(clEnqueueFillBuffer(native_queue, native_buffer, &five, sizeof(five), 0, sizeof(values), 0, nullptr,
                              &filled) == CL_SUCCESS);
  REQUIRE(clFlush(native_queue) == CL_SUCCESS);
  std::vector<std::string> errors;
  {
    sycl::context context = sycl::make_context<ocl>(native_context, [&](sycl::exception_list list) {
      for (const auto &one : list) {
        try {
          std::rethrow_exception(one);
        } catch (const sycl::exception &failure) {
          errors.push_back(failure.what());
        }
      }
    });
    sycl::queue queue = sycl::make_queue<ocl>(native_queue, context);
    sycl::event event = sycl::make_event<ocl>({filled, filled}, context);
    auto buffer = sycl::make_buffer<ocl, int>(native_buffer, context, event);
    executable bundle = sycl::make_kernel_bundle<ocl, sycl::bundle_state::executable>(native_program, context);
    cl_kernel native_kernel = clCreateKernel(native_program, "add", &error);
    REQUIRE(error == CL_SUCCESS);
    sycl::kernel made = sycl::make_kernel<ocl>(native_kernel, context), found = bundle.get_kernel("add");
    REQUIRE(clReleaseKernel(native_kernel) == CL_SUCCESS);
    for (const sycl::kernel &kernel : {made, found}) {
      queue.submit([&](sycl::handler &h) {
        sycl::accessor x{buffer, h};
        h.parallel_for(sycl::range<1>(64), kernel);
        h.set_arg(0, x);
        h.set_arg(1, 10);
      });
    }
    queue.submit([](sycl::handler &h) { h.host_task([] { throw std::runtime_error("told to the context"); }); });
    queue.wait();
    sycl::host_accessor x{buffer, sycl::read_only};
    for (int value : x) REQUIRE(value == 25);
    REQUIRE(x.size() == 64);
    REQUIRE(sycl::get_native<ocl>(context) == native_context);
    REQUIRE(clReleaseContext(native_context) == CL_SUCCESS);
    std::vector<cl_program> programs = sycl::get_native<ocl>(bundle);
    REQUIRE(programs.size() == 1 && programs[0] == native_program);
    REQUIRE(clReleaseProgram(programs[0]) == CL_SUCCESS);
    programs = sycl::get_native<ocl, sycl::bundle_state::executable>(bundle);
    REQUIRE(programs.size() == 1 && programs[0] == native_program);
    REQUIRE(clReleaseProgram(programs[0]) == CL_SUCCESS);
  }
  REQUIRE(errors == std::vector<std::string>{"told to the context"});
  REQUIRE(clReleaseEvent(filled) == CL_SUCCESS && clReleaseMemObject(native_buffer) == CL_SUCCESS);
  REQUIRE(clReleaseProgram(native_program) == CL_SUCCESS && clReleaseCommandQueue(native_queue) == CL_SUCCESS);
  /* What threads of the library, and of the driver, still hold goes soon. */
  for (int i = 0; i < 5000 && references(native_context) != 1; i++) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  REQUIRE(references(native_context) == 1);
  REQUIRE(clReleaseContext(native_context) == CL_SUCCESS);
}

/* As a library does that enqueues on OpenCL for its caller. */
static void host_tasks_have_native_objects() {
  sycl::queue queue{sycl::default_selector_v};
  std::vector<int> values(256, 1), sums(256, 0);
  {
    sycl::buffer<int> from{values.data(), sycl::range<1>(256)}, to{sums.data(), sycl::range<1>(256)};
    sycl::event event = queue.submit([&](sycl::handler &h) {
      sycl::accessor x{from, h, sycl::read_only};
      sycl::accessor y{to, h, sycl::write_only, sycl::no_init};
      sycl::accessor on_host{from, h, sycl::read_only_host_task};
      h.host_task([=](sycl::interop_handle handle) {
        REQUIRE(handle.get_backend() == ocl);
        cl_command_queue native = handle.get_native_queue<ocl>();
        cl_context context = nullptr;
        REQUIRE(clGetCommandQueueInfo(native, CL_QUEUE_CONTEXT, sizeof(context), &context, nullptr) == CL_SUCCESS);
        REQUIRE(context == handle.get_native_context<ocl>() && handle.get_native_device<ocl>());
        std::vector<cl_mem> source = handle.get_native_mem<ocl>(x);
        cl_mem target = handle.get_native_mem<ocl>(y)[0];
        REQUIRE(source.size() == 1 && on_host[255] == 1);
        REQUIRE(clEnqueueCopyBuffer(native, source[0], target, 0, 0, 256 * sizeof(int), 0, nullptr, nullptr) ==
                CL_SUCCESS);
        REQUIRE(clFinish(native) == CL_SUCCESS);
      });
    });
    std::vector<cl_event> natives = sycl::get_native<ocl>(event);
    cl_event one = event.get_native<ocl>();
    REQUIRE(natives.size() == 1 && one == natives[0]);
    REQUIRE(clWaitForEvents(1, natives.data()) == CL_SUCCESS);
    REQUIRE(clReleaseEvent(one) == CL_SUCCESS && clReleaseEvent(natives[0]) == CL_SUCCESS);
    std::vector<cl_mem> memories = sycl::get_native<ocl>(to);
    REQUIRE(memories.size() == 1 && clReleaseMemObject(memories[0]) == CL_SUCCESS);
  }
  REQUIRE(sums == values);
}

static void parts_are_buffers() {
  enum { half = 4096 };
  sycl::queue queue;
  std::vector<int> values(2 * half, 0);
  sycl::program program(queue.get_context(), source);
  {
    sycl::buffer<int, 2> whole{values.data(), sycl::range<2>(2, half)};
    sycl::buffer<int, 2> second{whole, sycl::id<2>(1, 0), sycl::range<2>(1, half)};
    REQUIRE(second.is_sub_buffer() && !whole.is_sub_buffer() && second.size() == half);
    queue.submit([&](sycl::handler &h) {
      sycl::accessor x{second, h};
      h.parallel_for(sycl::range<1>(half), sycl::kernel(program, "add"));
      h.set_arg(0, x);
      h.set_arg(1, 3);
    });
  }
  for (int i = 0; i < 2 * half; i++) REQUIRE(values[static_cast<size_t>(i)] == (i < half ? 0 : 3));
}

/* Their contents are there at the end; those of a constant one stay. */
static void containers_are_buffers() {
  std::array<int, 300> values;
  values.fill(5);
  const std::vector<int> constant(300, 7);
  sycl::queue queue;
  sycl::program program(queue.get_context(), source);
  sycl::kernel add(program, "add");
  {
    sycl::buffer of_array{values};
    sycl::buffer of_vector{constant};
    static_assert(std::is_same_v<decltype(of_array), sycl::buffer<int>>, "");
    static_assert(std::is_same_v<decltype(of_vector), sycl::buffer<int>>, "");
    REQUIRE(of_array.size() == 300 && of_vector.size() == 300);
    for (const sycl::buffer<int> &buffer : {of_array, of_vector}) {
      queue.submit([&](sycl::handler &h) {
        sycl::accessor x{buffer, h};
        h.set_args(x, 4);
        h.parallel_for(300, add);
      });
    }
  }
  for (int value : values) REQUIRE(value == 9);
  for (int value : constant) REQUIRE(value == 7);
}

static void images_are_read_with_samplers() {
  sycl::queue queue;
  if (!queue.get_device().get_info<sycl::info::device::has_images>()) return;
  sycl::program program(queue.get_context(), source);
  float pixels[4][4], read[4];
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) pixels[i][j] = static_cast<float>(i);
  }
  const sycl::image_sampler nearest{sycl::addressing_mode::clamp_to_edge, sycl::coordinate_mode::normalized,
                                    sycl::filtering_mode::nearest};
  sycl::sampled_image<2> image(pixels, sycl::image_format::r32g32b32a32_sfloat, nearest, sycl::range<2>(4, 1));
  {
    sycl::buffer<float> out(read, sycl::range<1>(4));
    queue.submit([&](sycl::handler &h) {
      sycl::image_accessor from{image, h, sycl::read_only};
      sycl::accessor to{out, h, sycl::write_only, sycl::no_init};
      h.parallel_for(sycl::range<1>(4), sycl::kernel(program, "sample"));
      h.set_arg(0, from);
      h.set_arg(1, sycl::sampler(queue.get_context(), image.get_sampler()));
      h.set_arg(2, to);
    });
    queue.submit([&](sycl::handler &h) {
      sycl::image_accessor from{image, h, sycl::read_only};
      h.host_task([=](sycl::interop_handle handle) {
        std::vector<cl_mem> native = handle.get_native_mem<ocl>(from);
        size_t width = 0;
        REQUIRE(clGetImageInfo(native.at(0), CL_IMAGE_WIDTH, sizeof(width), &width, nullptr) == CL_SUCCESS);
        REQUIRE(width == 4);
      });
    });
    queue.wait();
  }
  for (int i = 0; i < 4; i++) REQUIRE(read[i] == static_cast<float>(i));
  cl_mem native = sycl::get_native<ocl>(image);
  auto again = sycl::make_unsampled_image<ocl, 2>(native, queue.get_context());
  REQUIRE(again.get_range()[0] == 4 && again.size() == 4);
  REQUIRE(clReleaseMemObject(native) == CL_SUCCESS);
}

static void errors_have_codes() {
  REQUIRE(std::string(sycl::sycl_category().name()) == "sycl");
  REQUIRE(std::error_code(sycl::errc::build).category() == sycl::sycl_category());
  sycl::context context;
  REQUIRE(code_of([&] { sycl::program(context, "kernel void broken("); }) == sycl::errc::build);
  REQUIRE(code_of([&] { sycl::get_native<ocl>(sycl::platform()); }) == sycl::errc::backend_mismatch);
  REQUIRE(code_of([&] { sycl::make_platform<ocl>(nullptr); }) == sycl::errc::invalid);
  REQUIRE(code_of([] { sycl::device([](const sycl::device &) { return -1; }); }) == sycl::errc::runtime);
  REQUIRE(code_of([] {
            sycl::device([](const sycl::device &) -> int { throw sycl::exception(sycl::errc::profiling, "mine"); });
          }) == sycl::errc::profiling);
  try {
    sycl::context none(std::vector<sycl::device>{});
    REQUIRE(false);
  } catch (const sycl::exception &error) {
    REQUIRE(error.code() == sycl::errc::invalid && error.category() == sycl::sycl_category());
    REQUIRE(error.result() == quern_error_invalid_argument && std::string(error.what()) == "a context needs a device");
  }
  /* Codes go with exceptions of tasks, too. */
  std::vector<std::error_code> codes;
  sycl::queue queue{sycl::default_selector_v, [&](sycl::exception_list list) {
                      for (const auto &one : list) {
                        try {
                          std::rethrow_exception(one);
                        } catch (const sycl::exception &error) {
                          codes.push_back(error.code());
                        }
                      }
                    }};
  sycl::buffer<int> unrequired(sycl::range<1>(4));
  queue.submit([](sycl::handler &h) {
    h.host_task([] { throw sycl::exception(sycl::make_error_code(sycl::errc::memory_allocation), "no room"); });
  });
  queue.submit([&](sycl::handler &h) {
    sycl::accessor<int> never{
        quern_accessor_t{unrequired.get_handle(), quern_access_read, 0, 16, 0, quern_target_action}, nullptr};
    h.host_task([=](sycl::interop_handle handle) { handle.get_native_mem<ocl>(never); });
  });
  queue.wait();
  REQUIRE((codes == std::vector<std::error_code>{sycl::errc::memory_allocation, sycl::errc::invalid}));
}

static void run() {
  objects_are_made_of_native_ones();
  host_tasks_have_native_objects();
  parts_are_buffers();
  containers_are_buffers();
  images_are_read_with_samplers();
  errors_have_codes();
}

/* Each with objects of its own, in the same library. */
int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < thread_count; i++) threads.emplace_back(run);
  for (std::thread &thread : threads) thread.join();
  return 0;
}
