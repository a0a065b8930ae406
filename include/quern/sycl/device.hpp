/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Part of quern/interop.hpp. Platforms, devices and selectors. */
#ifndef QUERN_SYCL_DEVICE_HPP
#define QUERN_SYCL_DEVICE_HPP

#include <functional>
#include <string>
#include <vector>

#include "quern/sycl/backend.hpp"

namespace quern {
namespace sycl {

namespace info {
enum class device_type : uint32_t {
  cpu = quern_device_type_cpu,
  gpu = quern_device_type_gpu,
  accelerator = quern_device_type_accelerator,
  custom = quern_device_type_custom,
  host = quern_device_type_host,
  all = quern_device_type_all
};
#define QUERN_HPP_INFO(name, type, opencl) name,
enum class platform { QUERN_PLATFORM_INFO_LIST(QUERN_HPP_INFO) };
enum class device {
  QUERN_DEVICE_INFO_LIST(QUERN_HPP_INFO)
  /* SYCL's names where they are others. */
  device_type = type,
  max_num_sub_groups = max_sub_groups,
  max_mem_alloc_size = max_memory_allocation_size,
  mem_base_addr_align = memory_base_address_alignment,
  global_mem_size = global_memory_size,
  global_mem_cache_size = global_memory_cache_size,
  global_mem_cache_line_size = global_memory_cache_line_size,
  local_mem_size = local_memory_size,
  image_support = has_images,
  host_unified_memory = has_host_unified_memory,
  error_correction_support = has_error_correction,
  usm_device_allocations = quern_device_info_total,
  usm_host_allocations,
  usm_shared_allocations
};
#undef QUERN_HPP_INFO

template <typename Enum, Enum Param>
struct param_traits;
template <typename T>
using result_t = std::conditional_t<std::is_same_v<T, const char *>, std::string, T>;
#define QUERN_HPP_TRAITS(object, name, type)                    \
  template <>                                                   \
  struct param_traits<object, object::name> {                   \
    using native_type = QUERN_INFO_TYPE_##type;                 \
    using return_type = result_t<native_type>;                  \
    static constexpr auto index = quern_##object##_info_##name; \
  };
#define QUERN_HPP_PLATFORM(name, type, opencl) QUERN_HPP_TRAITS(platform, name, type)
#define QUERN_HPP_DEVICE(name, type, opencl) QUERN_HPP_TRAITS(device, name, type)
QUERN_PLATFORM_INFO_LIST(QUERN_HPP_PLATFORM)
QUERN_DEVICE_INFO_LIST(QUERN_HPP_DEVICE)
#undef QUERN_HPP_PLATFORM
#undef QUERN_HPP_DEVICE
#undef QUERN_HPP_TRAITS
#define QUERN_HPP_USM_TRAITS(name)            \
  template <>                                 \
  struct param_traits<device, device::name> { \
    using return_type = bool;                 \
  };
QUERN_HPP_USM_TRAITS(usm_device_allocations)
QUERN_HPP_USM_TRAITS(usm_host_allocations)
QUERN_HPP_USM_TRAITS(usm_shared_allocations)
#undef QUERN_HPP_USM_TRAITS
}  // namespace info

class platform;

enum class aspect {
  host,
  cpu,
  gpu,
  accelerator,
  custom,
  fp16,
  fp64,
  image,
  usm_device_allocations,
  usm_host_allocations,
  usm_shared_allocations
};

QUERN_HPP_COUNTED(device) {
 public:
  using counted::counted;
  /** Of a selector: a function of devices that gives a score, or one of the classes below. */
  template <typename Selector,
            typename = std::enable_if_t<std::is_invocable_r_v<int, const Selector &, const device &>>>
  explicit device(const Selector &selector) : device(select(selector)) {}
  backend get_backend() const noexcept;
  bool operator==(const device &other) const noexcept { return get_handle() == other.get_handle(); }
  platform get_platform() const;
  bool is_host() const { return get_info<info::device::type>() & quern_device_type_host; }
  bool has_extension(const std::string &extension) const {
    bool has = false;
    detail::check(quern_device_has_extension(get_handle(), extension.c_str(), &has));
    return has;
  }
  template <info::device Param>
  typename info::param_traits<info::device, Param>::return_type get_info() const {
    using traits = info::param_traits<info::device, Param>;
    if constexpr (Param == info::device::usm_device_allocations) {
      return has(aspect::usm_device_allocations);
    } else if constexpr (Param == info::device::usm_host_allocations) {
      return has(aspect::usm_host_allocations);
    } else if constexpr (Param == info::device::usm_shared_allocations) {
      return has(aspect::usm_shared_allocations);
    } else {
      typename traits::native_type value;
      detail::check(quern_device_get_info(get_handle(), traits::index, sizeof(value), &value));
      return value;
    }
  }
  bool has(aspect what) const {
    const quern_device_type_t type = get_info<info::device::type>();
    switch (what) {
      case aspect::host: return type & quern_device_type_host;
      case aspect::cpu: return type & quern_device_type_cpu;
      case aspect::gpu: return type & quern_device_type_gpu;
      case aspect::accelerator: return type & quern_device_type_accelerator;
      case aspect::custom: return type & quern_device_type_custom;
      case aspect::fp16: return get_info<info::device::half_fp_config>() != 0;
      case aspect::fp64: return get_info<info::device::double_fp_config>() != 0;
      case aspect::image: return get_info<info::device::has_images>();
      case aspect::usm_device_allocations: return has_unified(1);
      default: return has_unified(2);
    }
  }

 private:
  /** Unified memory, or shared virtual memory with one of these of OpenCL's capabilities. */
  bool has_unified(uint64_t capabilities) const {
    return is_host() || has_extension("cl_intel_unified_shared_memory") ||
           (get_info<info::device::svm_capabilities>() & capabilities) != 0;
  }
  /** A root device: not counted. What a selector throws ends the choice. */
  template <typename Selector>
  static quern_device_t select(const Selector &selector) {
    struct state {
      const Selector &selector;
      std::exception_ptr error;
    } chosen{selector, nullptr};
    quern_device_t handle = nullptr;
    const quern_result_t result = quern_device_select(
        [](quern_device_t candidate, void *data) {
          auto &call = *static_cast<state *>(data);
          try {
            return call.error ? -1 : static_cast<int>(call.selector(device(candidate)));
          } catch (...) {
            call.error = std::current_exception();
            return -1;
          }
        },
        &chosen, &handle);
    if (chosen.error) std::rethrow_exception(chosen.error);
    detail::check(result);
    return handle;
  }
};

class device_selector {
 public:
  virtual ~device_selector() = default;
  virtual int operator()(const device &device) const = 0;
  device select_device() const { return device(*this); }
};
#define QUERN_HPP_SELECTOR(name)                                  \
  class name##_selector : public device_selector {                \
   public:                                                        \
    int operator()(const device &device) const override {         \
      return quern_selector_##name(device.get_handle(), nullptr); \
    }                                                             \
  };                                                              \
  inline const name##_selector name##_selector_v;
QUERN_HPP_SELECTOR(default)
QUERN_HPP_SELECTOR(host)
QUERN_HPP_SELECTOR(cpu)
QUERN_HPP_SELECTOR(gpu)
QUERN_HPP_SELECTOR(accelerator)
#undef QUERN_HPP_SELECTOR

class platform {
 public:
  explicit platform(quern_platform_t handle) : handle_(handle) {}
  explicit platform(backend name = backend::host) {
    detail::check(quern_platform_make(static_cast<quern_backend_t>(name), &handle_));
  }
  template <typename Selector,
            typename = std::enable_if_t<std::is_invocable_r_v<int, const Selector &, const device &>>>
  explicit platform(const Selector &selector) : platform(device(selector).get_platform()) {}
  bool operator==(const platform &other) const noexcept { return handle_ == other.handle_; }
  quern_platform_t get_handle() const noexcept { return handle_; }
  std::vector<device> get_devices(info::device_type type = info::device_type::all) const {
    auto handles = detail::list<quern_device_t>([&](size_t capacity, quern_device_t *devices, size_t *count) {
      return quern_platform_get_devices(handle_, static_cast<uint32_t>(type), capacity, devices, count);
    });
    return {handles.begin(), handles.end()};
  }
  template <info::platform Param>
  typename info::param_traits<info::platform, Param>::return_type get_info() const {
    using traits = info::param_traits<info::platform, Param>;
    typename traits::native_type value;
    detail::check(quern_platform_get_info(handle_, traits::index, sizeof(value), &value));
    return value;
  }
  bool has_extension(const std::string &extension) const {
    bool has = false;
    detail::check(quern_platform_has_extension(handle_, extension.c_str(), &has));
    return has;
  }
  static std::vector<platform> get_platforms() {
    auto handles = detail::list<quern_platform_t>(quern_platform_list);
    return {handles.begin(), handles.end()};
  }
  static std::vector<platform> get_platforms_from_backend(backend name) {
    auto handles = detail::list<quern_platform_t>([&](size_t capacity, quern_platform_t *platforms, size_t *count) {
      return quern_platform_list_of_backend(static_cast<quern_backend_t>(name), capacity, platforms, count);
    });
    return {handles.begin(), handles.end()};
  }
  backend get_backend() const noexcept {
    quern_backend_t name = quern_backend_host;
    (void)!quern_platform_get_backend(handle_, &name);
    return static_cast<backend>(name);
  }
  template <backend Name>
  auto get_native() const {
    return sycl::get_native<Name>(*this);
  }

 private:
  quern_platform_t handle_ = nullptr;
};

inline platform device::get_platform() const {
  quern_platform_t handle = nullptr;
  detail::check(quern_device_get_platform(get_handle(), &handle));
  return platform(handle);
}

inline backend device::get_backend() const noexcept {
  quern_platform_t handle = nullptr;
  (void)!quern_device_get_platform(get_handle(), &handle);
  return platform(handle).get_backend();
}

template <backend Name>
platform make_platform(const backend_input_t<Name, platform> &native) {
  return interop<Name, platform>::make(native);
}
template <backend Name>
device make_device(const backend_input_t<Name, device> &native) {
  return interop<Name, device>::make(native);
}

}  // namespace sycl
}  // namespace quern

#endif
