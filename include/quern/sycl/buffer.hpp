/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Part of quern/interop.hpp. Ranges, accessors and buffers. */
#ifndef QUERN_SYCL_BUFFER_HPP
#define QUERN_SYCL_BUFFER_HPP

#include <array>
#include <memory>
#include <type_traits>
#include <utility>

#include "quern/sycl/context.hpp"

namespace quern {
namespace sycl {

template <int Dimensions = 1>
class range {
 public:
  template <typename... Sizes, typename = std::enable_if_t<sizeof...(Sizes) == Dimensions>>
  range(Sizes... sizes) : sizes_{static_cast<size_t>(sizes)...} {}
  size_t operator[](int dimension) const { return sizes_[static_cast<size_t>(dimension)]; }
  size_t size() const {
    size_t product = 1;
    for (size_t size : sizes_) product *= size;
    return product;
  }

 private:
  std::array<size_t, Dimensions> sizes_;
};

/** A point of a range; one of one dimension is a number. */
template <int Dimensions = 1>
class id {
 public:
  explicit id(const size_t *point) {
    for (size_t i = 0; i < Dimensions; i++) point_[i] = point[i];
  }
  size_t operator[](int dimension) const { return point_[static_cast<size_t>(dimension)]; }
  operator size_t() const {
    static_assert(Dimensions == 1, "a point of several dimensions is no number");
    return point_[0];
  }

 private:
  std::array<size_t, Dimensions> point_;
};

namespace access {
enum class mode { read, write, read_write, discard_write, atomic };
enum class target { global_buffer, local, host_buffer };
enum class placeholder { false_t, true_t };
}  // namespace access

class handler;
template <typename T, int Dimensions>
class buffer;

/** Elements by number, in functions on the host and for the host; elsewhere a name for what a group requires. */
template <typename T, int Dimensions = 1, access::mode Mode = access::mode::read_write,
          access::target Target = access::target::global_buffer,
          access::placeholder IsPlaceholder = access::placeholder::false_t>
class accessor {
 public:
  /** Local memory: an argument of a kernel. */
  accessor(range<Dimensions> range, handler &) : count_(range.size()) {
    static_assert(Target == access::target::local, "accessors of buffers come from the buffer");
  }
  accessor(const quern_accessor_t &native, std::shared_ptr<void> pointer)
      : native_(native), count_(native.size / sizeof(T)), pointer_(std::move(pointer)) {}
  const quern_accessor_t &get_native() const noexcept { return native_; }
  size_t get_count() const noexcept { return count_; }
  size_t get_size() const noexcept { return count_ * sizeof(T); }
  T *get_pointer() const {
    if (pointer_) return static_cast<T *>(pointer_.get());
    void *pointer = nullptr;
    detail::check(quern_handle_get_pointer(detail::current_handle(), native_, &pointer));
    return static_cast<T *>(pointer);
  }
  std::conditional_t<Mode == access::mode::read, const T, T> &operator[](size_t index) const {
    return get_pointer()[index];
  }

 private:
  quern_accessor_t native_{};
  size_t count_ = 0;
  std::shared_ptr<void> pointer_;
};

namespace property {
namespace buffer {
class context_bound {
 public:
  context_bound(sycl::context context) : context_(std::move(context)) {}
  sycl::context get_context() const { return context_; }

 private:
  sycl::context context_;
};
}  // namespace buffer
}  // namespace property

template <typename T, int Dimensions = 1>
class buffer {
 public:
  using bound = property::buffer::context_bound;
  template <int D>
  explicit buffer(const range<D> &range) : buffer(range.size(), nullptr, 0, nullptr) {}
  template <int D>
  buffer(const range<D> &range, const bound &property) : buffer(range.size(), nullptr, 0, &property) {}
  template <int D>
  buffer(const context &, const range<D> &range, const bound &property) : buffer(range, property) {}
  template <int D>
  buffer(T *host, const range<D> &range) : buffer(range.size(), host, 0, nullptr) {}
  template <int D>
  buffer(T *host, const range<D> &range, const bound &property) : buffer(range.size(), host, 0, &property) {}
  template <int D>
  buffer(const T *host, const range<D> &range)
      : buffer(range.size(), const_cast<T *>(host), quern_memory_copy_host, nullptr) {}
  explicit buffer(quern_memory_t handle) : handle_(handle, release) {
    detail::check(quern_memory_get_size(handle, &size_));
  }
  quern_memory_t get_handle() const noexcept { return handle_.get(); }
  size_t get_size() const noexcept { return size_; }
  size_t get_count() const noexcept { return size_ / sizeof(T); }
  void set_final_data(T *destination) { detail::check(quern_memory_set_write_back(get_handle(), destination)); }
  template <typename Property>
  bool has_property() const {
    static_assert(std::is_same_v<Property, bound>, "the only property of buffers");
    return bound_context() != nullptr;
  }
  template <typename Property>
  Property get_property() const {
    quern_context_t context = bound_context();
    if (!context) throw runtime_error(quern_error_not_found, "the buffer is not bound to a context");
    detail::check(quern_context_retain(context));
    return bound(sycl::context(context));
  }
  template <access::mode Mode, access::target Target = access::target::global_buffer>
  accessor<T, Dimensions, Mode, Target> get_access(handler &group) const;
  /** For the host: it waits, and others wait until the accessor is gone. */
  template <access::mode Mode>
  accessor<T, Dimensions, Mode, access::target::host_buffer> get_access() const {
    quern_host_access_t access = nullptr;
    void *pointer = nullptr;
    detail::check(quern_host_access_begin(get_handle(), static_cast<quern_access_t>(Mode), 0, 0, &pointer, &access));
    std::shared_ptr<void> owner(pointer, [access](void *) { quern_host_access_end(access); });
    return {quern_accessor_t{get_handle(), static_cast<quern_access_t>(Mode), 0, size_, 0, quern_target_host},
            std::move(owner)};
  }

 private:
  buffer(size_t count, T *host, quern_memory_flags_t flags, const bound *property) : size_(count * sizeof(T)) {
    quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
    quern_memory_t handle = nullptr;
    options.flags = flags;
    if (property) options.bound_context = property->get_context().get_handle();
    detail::check(quern_buffer_create(size_, host, &options, &handle));
    handle_.reset(handle, release);
  }
  static void release(quern_memory_t handle) { quern_memory_release(handle); }
  quern_context_t bound_context() const {
    quern_context_t context = nullptr;
    detail::check(quern_memory_get_bound_context(get_handle(), &context));
    return context;
  }
  std::shared_ptr<std::remove_pointer_t<quern_memory_t>> handle_;
  size_t size_ = 0;
};

}  // namespace sycl
}  // namespace quern

#endif
