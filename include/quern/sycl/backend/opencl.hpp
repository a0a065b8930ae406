/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The OpenCL backend's part of quern/interop.hpp: native objects, both ways. Needs OpenCL's headers, no library. */
#ifndef QUERN_SYCL_BACKEND_OPENCL_HPP
#define QUERN_SYCL_BACKEND_OPENCL_HPP

#include <type_traits>
#include <utility>

#include "quern/interop.hpp"

#if QUERN_IS_ACTIVE(opencl)
#include "quern/opencl.h"

namespace quern {
namespace sycl {

namespace detail {
template <typename Native, typename Handle>
Native opencl_get(quern_result_t (*function)(Handle, Native *), Handle handle) {
  Native native = nullptr;
  check(function(handle, &native));
  return native;
}
template <typename Handle, typename Native>
Handle opencl_make(quern_result_t (*function)(quern_context_t, Native, quern_ownership_t, Handle *),
                   const context &context, Native native) {
  Handle handle = nullptr;
  check(function(context.get_handle(), native, quern_ownership_retain, &handle));
  return handle;
}
/** After what it waits for: the library knows the contents from then on. */
inline quern_memory_t opencl_make_memory(cl_mem native, const context &context, const event &available) {
  quern_memory_t handle = nullptr;
  available.wait();
  check(quern_opencl_memory_make_from_native(context.get_handle(), native, quern_ownership_retain, false, &handle));
  return handle;
}
/** In each context of OpenCL that has used it. */
inline native_list<cl_mem> opencl_get_memory(quern_memory_t memory) {
  auto contexts = list<quern_context_t>([&](size_t capacity, quern_context_t *found, size_t *count) {
    return quern_memory_get_contexts(memory, capacity, found, count);
  });
  native_list<cl_mem> natives;
  for (quern_context_t context : contexts) {
    quern_platform_t platform = nullptr;
    check(quern_context_get_platform(context, &platform));
    if (sycl::platform(platform).get_backend() != backend::opencl) continue;
    cl_mem native = nullptr;
    check(quern_opencl_memory_get_native(memory, context, &native));
    natives.push_back(native);
  }
  return natives;
}
}  // namespace detail

/** One native object, given and taken. */
#define QUERN_HPP_NATIVE(object, native_type)                                           \
  using type = native_type;                                                             \
  using input_type = native_type;                                                       \
  using return_type = native_type;                                                      \
  static native_type get(const object &object) {                                        \
    return detail::opencl_get(quern_opencl_##object##_get_native, object.get_handle()); \
  }
template <>
struct interop<backend::opencl, platform> {
  QUERN_HPP_NATIVE(platform, cl_platform_id)
  static platform make(cl_platform_id native) {
    quern_platform_t handle = nullptr;
    detail::check(quern_opencl_platform_make_from_native(native, &handle));
    return platform(handle);
  }
};
template <>
struct interop<backend::opencl, device> {
  QUERN_HPP_NATIVE(device, cl_device_id)
  static device make(cl_device_id native) {
    quern_device_t handle = nullptr;
    detail::check(quern_opencl_device_make_from_native(native, quern_ownership_retain, &handle));
    return device(handle);
  }
};
template <>
struct interop<backend::opencl, context> {
  QUERN_HPP_NATIVE(context, cl_context)
  static context make(cl_context native, async_handler handler = {}) {
    auto owned = context::own(std::move(handler));
    quern_context_t handle = nullptr;
    detail::check(quern_opencl_context_make_from_native(native, quern_ownership_retain,
                                                        owned ? detail::call_handler : nullptr, owned.get(), &handle));
    return context(handle, std::move(owned));
  }
};
template <>
struct interop<backend::opencl, queue> {
  QUERN_HPP_NATIVE(queue, cl_command_queue)
  static queue make(cl_command_queue native, const context &context, async_handler handler = {}) {
    return queue(context, detail::opencl_make(quern_opencl_queue_make_from_native, context, native),
                 std::move(handler));
  }
};
template <>
struct interop<backend::opencl, kernel> {
  QUERN_HPP_NATIVE(kernel, cl_kernel)
  static kernel make(cl_kernel native, const context &context) {
    return kernel(detail::opencl_make(quern_opencl_kernel_make_from_native, context, native));
  }
};
template <>
struct interop<backend::opencl, sampler> {
  QUERN_HPP_NATIVE(sampler, cl_sampler)
  static sampler make(cl_sampler native, const context &context) {
    return sampler(detail::opencl_make(quern_opencl_sampler_make_from_native, context, native));
  }
};
/** The documents' class of programs; SYCL 2020's is kernel_bundle. */
template <>
struct interop<backend::opencl, program> {
  QUERN_HPP_NATIVE(program, cl_program)
  static program make(cl_program native, const context &context) {
    return program(detail::opencl_make(quern_opencl_program_make_from_native, context, native));
  }
};
#undef QUERN_HPP_NATIVE

template <>
struct interop<backend::opencl, event> {
  using type = cl_event;
  using input_type = std::vector<cl_event>;
  using return_type = std::vector<cl_event>;
  static detail::native_list<cl_event> get(const event &object) {
    return {detail::opencl_get(quern_opencl_event_get_native, object.get_handle())};
  }
  static event make(cl_event native, const context &context) {
    return event(detail::opencl_make(quern_opencl_event_make_from_native, context, native));
  }
  /** Of several, one that is complete when they are. */
  static event make(const std::vector<cl_event> &natives, const context &context) {
    if (natives.size() == 1) return make(natives[0], context);
    queue queue(context);
    return queue.submit([&](handler &group) {
      for (cl_event native : natives) group.depends_on(make(native, context));
    });
  }
};
template <bundle_state State>
struct interop<backend::opencl, kernel_bundle<State>> {
  using type = cl_program;
  using input_type = cl_program;
  using return_type = std::vector<cl_program>;
  static detail::native_list<cl_program> get(const kernel_bundle<State> &object) {
    return {interop<backend::opencl, program>::get(object.get_program())};
  }
  static kernel_bundle<State> make(cl_program native, const context &context) {
    return kernel_bundle<State>(interop<backend::opencl, program>::make(native, context));
  }
};
template <typename T, int Dimensions, typename Allocator>
struct interop<backend::opencl, buffer<T, Dimensions, Allocator>> {
  using type = cl_mem;
  using input_type = cl_mem;
  using return_type = std::vector<cl_mem>;
  static detail::native_list<cl_mem> get(const buffer<T, Dimensions, Allocator> &object) {
    return detail::opencl_get_memory(object.get_handle());
  }
  static buffer<T, Dimensions, Allocator> make(cl_mem native, const context &context, const event &available = {}) {
    return buffer<T, Dimensions, Allocator>(detail::opencl_make_memory(native, context, available));
  }
};
template <int Dimensions>
struct interop<backend::opencl, unsampled_image<Dimensions>> {
  using type = cl_mem;
  using input_type = cl_mem;
  using return_type = std::vector<cl_mem>;
  static detail::native_list<cl_mem> get(const unsampled_image<Dimensions> &object) {
    return detail::opencl_get_memory(object.get_handle());
  }
  static unsampled_image<Dimensions> make(cl_mem native, const context &context, const event &available = {}) {
    return unsampled_image<Dimensions>(detail::opencl_make_memory(native, context, available));
  }
};
template <int Dimensions>
struct interop<backend::opencl, sampled_image<Dimensions>> {
  using type = cl_mem;
  using return_type = std::vector<cl_mem>;
  static detail::native_list<cl_mem> get(const sampled_image<Dimensions> &object) {
    return detail::opencl_get_memory(object.get_handle());
  }
};

/* The generalization document's functions of the backend, with one native object each. get_native gives a reference of
 * the caller's own; make takes one of its own (quern/native.h). */
namespace opencl {

template <typename Object>
native_t<backend::opencl, Object> get_native(const Object &object) {
  return interop<backend::opencl, Object>::get(object);
}

/** Platforms, devices and contexts. */
template <typename Object>
Object make(native_t<backend::opencl, Object> native) {
  return interop<backend::opencl, Object>::make(native);
}

/** All other objects. */
template <typename Object>
Object make(const context &context, native_t<backend::opencl, Object> native) {
  return interop<backend::opencl, Object>::make(native, context);
}

/** A buffer over a native one. */
template <typename T>
buffer<T> make_buffer(const context &context, cl_mem native) {
  return interop<backend::opencl, buffer<T>>::make(native, context);
}

}  // namespace opencl

}  // namespace sycl
}  // namespace quern
#endif

#endif
