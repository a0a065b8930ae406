/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Part of quern/interop.hpp. Contexts, programs, kernels and events. */
#ifndef QUERN_SYCL_CONTEXT_HPP
#define QUERN_SYCL_CONTEXT_HPP

#include <string>
#include <vector>

#include "quern/sycl/device.hpp"

namespace quern {
namespace sycl {

QUERN_HPP_COUNTED(context) {
 public:
  using counted::counted;
  explicit context(const device_selector &selector = default_selector()) : context(selector.select_device()) {}
  explicit context(const device &device) {
    quern_device_t native = device.get_handle();
    detail::check(quern_context_create(1, &native, nullptr, nullptr, &handle_));
  }
  std::vector<device> get_devices() const {
    auto handles = detail::list<quern_device_t>([&](size_t capacity, quern_device_t *devices, size_t *count) {
      return quern_context_get_devices(get_handle(), capacity, devices, count);
    });
    for (quern_device_t handle : handles) detail::check(quern_device_retain(handle));
    return {handles.begin(), handles.end()};
  }
  bool operator==(const context &other) const noexcept { return get_handle() == other.get_handle(); }
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
  kernel(const program &program, const std::string &name) {
    detail::check(quern_kernel_create(program.get_handle(), name.c_str(), &handle_));
  }
};

QUERN_HPP_COUNTED(event) {
 public:
  using counted::counted;
  /** Errors of the group are thrown. */
  void wait() const {
    if (get_handle()) detail::check(quern_event_wait(get_handle()));
  }
};
#undef QUERN_HPP_COUNTED

}  // namespace sycl
}  // namespace quern

#endif
