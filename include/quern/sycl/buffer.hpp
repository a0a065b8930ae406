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
  template <typename... Sizes, typename = std::enable_if_t<sizeof...(Sizes) == Dimensions &&
                                                           (std::is_convertible_v<Sizes, size_t> && ...)>>
  id(Sizes... sizes) : point_{static_cast<size_t>(sizes)...} {}
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
enum class target { global_buffer, device = global_buffer, local, host_buffer, host_task };
enum class placeholder { false_t, true_t };
}  // namespace access
using access_mode = access::mode;
using target = access::target;

/** Which accessor it becomes: `accessor a{buffer, handler, read_only}`. */
template <access::mode Mode, access::target Target = access::target::device>
struct mode_tag_t {};
inline constexpr mode_tag_t<access::mode::read> read_only;
inline constexpr mode_tag_t<access::mode::read_write> read_write;
inline constexpr mode_tag_t<access::mode::write> write_only;
inline constexpr mode_tag_t<access::mode::read, access::target::host_task> read_only_host_task;
inline constexpr mode_tag_t<access::mode::read_write, access::target::host_task> read_write_host_task;
inline constexpr mode_tag_t<access::mode::write, access::target::host_task> write_only_host_task;

namespace property {
/** The old contents are not needed. */
struct no_init {};
}  // namespace property
inline constexpr property::no_init no_init;

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
  template <access::mode TagMode>
  accessor(const buffer<T, Dimensions> &buffer, handler &group, mode_tag_t<TagMode, Target>);
  template <access::mode TagMode>
  accessor(const buffer<T, Dimensions> &buffer, handler &group, mode_tag_t<TagMode, Target>, property::no_init);
  accessor(const buffer<T, Dimensions> &buffer, handler &group) : accessor(buffer, group, mode_tag_t<Mode, Target>()) {}
  accessor(const quern_accessor_t &native, std::shared_ptr<void> pointer)
      : native_(native), count_(native.size / sizeof(T)), pointer_(std::move(pointer)) {}
  const quern_accessor_t &get_native() const noexcept { return native_; }
  size_t get_count() const noexcept { return count_; }
  size_t get_size() const noexcept { return count_ * sizeof(T); }
  size_t size() const noexcept { return count_; }
  size_t byte_size() const noexcept { return count_ * sizeof(T); }
  bool empty() const noexcept { return count_ == 0; }
  T *begin() const { return get_pointer(); }
  T *end() const { return get_pointer() + count_; }
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

template <typename T, int D, access::mode M, access::target A>
accessor(const buffer<T, D> &, handler &, mode_tag_t<M, A>) -> accessor<T, D, M, A>;
template <typename T, int D, access::mode M, access::target A>
accessor(const buffer<T, D> &, handler &, mode_tag_t<M, A>, property::no_init) -> accessor<T, D, M, A>;
template <typename T, int D>
accessor(const buffer<T, D> &, handler &) -> accessor<T, D, access::mode::read_write, access::target::device>;

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
  /** A part of another one: the same elements. Of several dimensions, by whole rows. */
  template <int D>
  buffer(const buffer &whole, const id<D> &base, const range<D> &part) {
    quern_memory_t handle = nullptr;
    const size_t first = D == 1 ? base[0] : base[0] * (part.size() / part[0]);
    detail::check(quern_buffer_create_part(whole.get_handle(), first * sizeof(T), part.size() * sizeof(T), &handle));
    handle_.reset(handle, release);
    size_ = part.size() * sizeof(T);
  }
  explicit buffer(quern_memory_t handle) : handle_(handle, release) {
    detail::check(quern_memory_get_size(handle, &size_));
  }
  size_t size() const noexcept { return size_ / sizeof(T); }
  size_t byte_size() const noexcept { return size_; }
  bool is_sub_buffer() const {
    quern_memory_t whole = nullptr;
    detail::check(quern_memory_get_whole(get_handle(), &whole, nullptr));
    return whole != nullptr;
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
  template <access::mode Mode = access::mode::read_write>
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

/** The host's use of a buffer, as long as it lives: it waits, and others wait for it. */
template <typename T, int Dimensions = 1, access::mode Mode = access::mode::read_write>
class host_accessor : public accessor<T, Dimensions, Mode, access::target::host_buffer> {
 public:
  template <access::mode TagMode = Mode>
  explicit host_accessor(const buffer<T, Dimensions> &buffer, mode_tag_t<TagMode> = {})
      : accessor<T, Dimensions, Mode, access::target::host_buffer>(buffer.template get_access<Mode>()) {}
};
template <typename T, int D>
host_accessor(const buffer<T, D> &) -> host_accessor<T, D>;
template <typename T, int D, access::mode M>
host_accessor(const buffer<T, D> &, mode_tag_t<M>) -> host_accessor<T, D, M>;

/** A buffer over a native one, whose contents are there when `available` is complete. */
template <backend Name, typename T, int Dimensions = 1>
buffer<T, Dimensions> make_buffer(const backend_input_t<Name, buffer<T, Dimensions>> &native, const context &context,
                                  const event &available = {}) {
  return interop<Name, buffer<T, Dimensions>>::make(native, context, available);
}

}  // namespace sycl
}  // namespace quern

#endif
