/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Part of quern/interop.hpp. Contexts, programs, kernels and events. */
#ifndef QUERN_SYCL_CONTEXT_HPP
#define QUERN_SYCL_CONTEXT_HPP

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "quern/sycl/device.hpp"

namespace quern {
namespace sycl {

QUERN_HPP_COUNTED(context) {
 public:
  using counted::counted;
  explicit context(const device_selector &selector = default_selector(), async_handler handler = {})
      : context(selector.select_device(), std::move(handler)) {}
  explicit context(const device &device, async_handler handler = {})
      : context(std::vector<sycl::device>{device}, std::move(handler)) {}
  explicit context(const std::vector<device> &devices, async_handler handler = {}) : handler_(own(std::move(handler))) {
    std::vector<quern_device_t> natives;
    for (const device &device : devices) natives.push_back(device.get_handle());
    detail::check(quern_context_create(natives.size(), natives.data(), handler_ ? detail::call_handler : nullptr,
                                       handler_.get(), &handle_));
  }
  backend get_backend() const noexcept { return get_platform().get_backend(); }
  platform get_platform() const {
    quern_platform_t platform = nullptr;
    detail::check(quern_context_get_platform(get_handle(), &platform));
    return sycl::platform(platform);
  }
  std::vector<device> get_devices() const {
    auto handles = detail::list<quern_device_t>([&](size_t capacity, quern_device_t *devices, size_t *count) {
      return quern_context_get_devices(get_handle(), capacity, devices, count);
    });
    for (quern_device_t handle : handles) detail::check(quern_device_retain(handle));
    std::vector<device> devices;
    for (quern_device_t handle : handles) devices.emplace_back(handle);
    return devices;
  }
  bool operator==(const context &other) const noexcept { return get_handle() == other.get_handle(); }

  /** A copy of the handler that lives as long as the contexts that have it; null for none. */
  static std::shared_ptr<async_handler> own(async_handler handler) {
    return handler ? std::make_shared<async_handler>(std::move(handler)) : nullptr;
  }
  /** Takes over the handle. */
  context(quern_context_t handle, std::shared_ptr<async_handler> handler)
      : counted(handle), handler_(std::move(handler)) {}

 private:
  std::shared_ptr<async_handler> handler_;
};

QUERN_HPP_COUNTED(program) {
 public:
  using counted::counted;
  /** Builds OpenCL C. */
  program(const context &context, const std::string &source, const std::string &options = "") {
    detail::check(quern_program_create_from_source(context.get_handle(), source.c_str(), options.c_str(), &handle_));
  }
};

QUERN_HPP_COUNTED(kernel) {
 public:
  using counted::counted;
#ifdef QUERN_SYCL_1_2_1
  template <typename Native, backend Name = backend::opencl, typename = std::enable_if_t<std::is_pointer_v<Native>>>
  kernel(Native native, const context &context) : kernel(interop<Name, kernel>::make(native, context)) {}
#endif
  kernel(const program &program, const std::string &name) {
    detail::check(quern_kernel_create(program.get_handle(), name.c_str(), &handle_));
  }
};

enum class bundle_state { input, object, executable };

/** Programs of a context. Those here are built: only executable bundles have kernels. */
template <bundle_state State>
class kernel_bundle {
 public:
  explicit kernel_bundle(program program) : program_(std::move(program)) {}
  const program &get_program() const noexcept { return program_; }
  kernel get_kernel(const std::string &name) const {
    static_assert(State == bundle_state::executable, "kernels are those of executable bundles");
    return kernel(program_, name);
  }
  template <backend Name>
  auto get_native() const {
    return sycl::get_native<Name>(*this);
  }

 private:
  program program_;
};

enum class addressing_mode {
  none = quern_addressing_none,
  clamp = quern_addressing_clamp,
  clamp_to_edge = quern_addressing_clamp_to_edge,
  repeat = quern_addressing_repeat,
  mirrored_repeat = quern_addressing_mirrored_repeat
};
enum class coordinate_mode { normalized, unnormalized };
enum class filtering_mode { nearest, linear };

/** How images are read; says nothing of a context. */
struct image_sampler {
  addressing_mode addressing;
  coordinate_mode coordinate;
  filtering_mode filtering;
};

/** An argument of kernels. */
QUERN_HPP_COUNTED(sampler) {
 public:
  using counted::counted;
  sampler(const context &context, const image_sampler &how) {
    const quern_sampler_description_t description = {how.coordinate == coordinate_mode::normalized,
                                                     static_cast<quern_addressing_t>(how.addressing),
                                                     how.filtering == filtering_mode::linear};
    detail::check(quern_sampler_create(context.get_handle(), &description, &handle_));
  }
};

QUERN_HPP_COUNTED(event) {
 public:
  using counted::counted;
  /** Errors of the group are thrown. */
  void wait() const {
    if (get_handle()) detail::check(quern_event_wait(get_handle()));
  }
  void wait_and_throw() const { wait(); }
  static void wait(const std::vector<event> &events) {
    for (const event &event : events) event.wait();
  }
};
#undef QUERN_HPP_COUNTED

/** `handler` gets the errors of groups on queues that have none. */
template <backend Name>
context make_context(const backend_input_t<Name, context> &native, async_handler handler = {}) {
  return interop<Name, context>::make(native, std::move(handler));
}
template <backend Name>
event make_event(const backend_input_t<Name, event> &native, const context &context) {
  return interop<Name, event>::make(native, context);
}
template <backend Name>
kernel make_kernel(const backend_input_t<Name, kernel> &native, const context &context) {
  return interop<Name, kernel>::make(native, context);
}
template <backend Name, bundle_state State>
kernel_bundle<State> make_kernel_bundle(const backend_input_t<Name, kernel_bundle<State>> &native,
                                        const context &context) {
  return interop<Name, kernel_bundle<State>>::make(native, context);
}
/** SYCL 2020 names the bundle's state, and not its class. */
template <backend Name, bundle_state State>
auto get_native(const kernel_bundle<State> &object) {
  return interop<Name, kernel_bundle<State>>::get(object);
}

}  // namespace sycl
}  // namespace quern

#endif
