/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Part of quern/interop.hpp. Native objects of OpenCL, both ways. */
#ifndef QUERN_SYCL_OPENCL_HPP
#define QUERN_SYCL_OPENCL_HPP

#include <type_traits>
#include <utility>

#include "quern/sycl/queue.hpp"

namespace quern {
namespace sycl {

#if QUERN_IS_ACTIVE(opencl)
#define QUERN_HPP_NATIVE(object, native_type)                       \
  template <>                                                       \
  struct interop<backend::opencl, object> {                         \
    using type = native_type;                                       \
    static constexpr auto get = quern_opencl_##object##_get_native; \
  };
QUERN_HPP_NATIVE(platform, cl_platform_id)
QUERN_HPP_NATIVE(device, cl_device_id)
QUERN_HPP_NATIVE(context, cl_context)
QUERN_HPP_NATIVE(queue, cl_command_queue)
QUERN_HPP_NATIVE(event, cl_event)
QUERN_HPP_NATIVE(program, cl_program)
QUERN_HPP_NATIVE(kernel, cl_kernel)
#undef QUERN_HPP_NATIVE

/** get_native gives a reference of the caller's own; make takes one of its own (quern/native.h). */
namespace opencl {

template <typename Object>
auto get_native(const Object &object) {
  return sycl::get_native<backend::opencl>(object);
}

template <typename Object>
Object make(native_t<backend::opencl, Object> native) {
  if constexpr (std::is_same_v<Object, platform>) {
    quern_platform_t handle = nullptr;
    detail::check(quern_opencl_platform_make_from_native(native, &handle));
    return platform(handle);
  } else if constexpr (std::is_same_v<Object, device>) {
    quern_device_t handle = nullptr;
    detail::check(quern_opencl_device_make_from_native(native, quern_ownership_retain, &handle));
    return device(handle);
  } else {
    static_assert(std::is_same_v<Object, context>, "other objects are made in a context");
    quern_context_t handle = nullptr;
    detail::check(quern_opencl_context_make_from_native(native, quern_ownership_retain, nullptr, nullptr, &handle));
    return context(handle);
  }
}

/** Events, programs and kernels. */
template <typename Object>
Object make(const context &context, native_t<backend::opencl, Object> native) {
  decltype(std::declval<Object>().get_handle()) handle = nullptr;
  if constexpr (std::is_same_v<Object, event>) {
    detail::check(quern_opencl_event_make_from_native(context.get_handle(), native, quern_ownership_retain, &handle));
  } else if constexpr (std::is_same_v<Object, program>) {
    detail::check(quern_opencl_program_make_from_native(context.get_handle(), native, quern_ownership_retain, &handle));
  } else {
    static_assert(std::is_same_v<Object, kernel>, "no such object is made in a context");
    detail::check(quern_opencl_kernel_make_from_native(context.get_handle(), native, quern_ownership_retain, &handle));
  }
  return Object(handle);
}

/** A buffer over a native one. */
template <typename T>
buffer<T> make_buffer(const context &context, cl_mem native) {
  quern_memory_t handle = nullptr;
  detail::check(
      quern_opencl_memory_make_from_native(context.get_handle(), native, quern_ownership_retain, false, &handle));
  return buffer<T>(handle);
}

}  // namespace opencl
#endif

}  // namespace sycl
}  // namespace quern

#endif
