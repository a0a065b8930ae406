/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Part of quern/interop.hpp. Ranges, accessors and buffers. */
#ifndef QUERN_SYCL_BUFFER_HPP
#define QUERN_SYCL_BUFFER_HPP

#include <array>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "quern/sycl/usm.hpp"

namespace quern {
namespace sycl {

template <int Dimensions = 1>
class range {
 public:
  template <typename... Sizes, typename = std::enable_if_t<sizeof...(Sizes) == Dimensions>>
  range(Sizes... sizes) : sizes_{static_cast<size_t>(sizes)...} {}
  size_t operator[](int dimension) const { return sizes_[static_cast<size_t>(dimension)]; }
  size_t get(int dimension) const { return (*this)[dimension]; }
  bool operator==(const range &other) const { return sizes_ == other.sizes_; }
  bool operator!=(const range &other) const { return !(*this == other); }
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

/** A point with the range that it is of. */
template <int Dimensions = 1>
class item {
 public:
  item(const id<Dimensions> &point, const range<Dimensions> &all) : point_(point), range_(all) {}
  id<Dimensions> get_id() const { return point_; }
  size_t get_id(int dimension) const { return point_[dimension]; }
  size_t operator[](int dimension) const { return point_[dimension]; }
  range<Dimensions> get_range() const { return range_; }
  size_t get_range(int dimension) const { return range_[dimension]; }
  size_t get_linear_id() const {
    size_t linear = 0;
    for (int i = 0; i < Dimensions; i++) linear = linear * range_[i] + point_[i];
    return linear;
  }
  operator size_t() const { return point_; }

 private:
  id<Dimensions> point_;
  range<Dimensions> range_;
};

namespace access {
enum class mode { read, write, read_write, discard_write, atomic };
enum class target { global_buffer, device = global_buffer, local, host_buffer, host_task };
enum class placeholder { false_t, true_t };
enum class address_space { global_space, local_space, private_space, generic_space };
enum class decorated { no, yes, legacy };
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

/** An address, with the address space that it would have on a device: functions here run on the host. */
template <typename T, access::address_space Space = access::address_space::generic_space,
          access::decorated Decorated = access::decorated::legacy>
class multi_ptr {
 public:
  using value_type = T;
  explicit multi_ptr(T *pointer = nullptr) : pointer_(pointer) {}
  T *get() const noexcept { return pointer_; }
  T *get_raw() const noexcept { return pointer_; }
  operator T *() const noexcept { return pointer_; }
  friend multi_ptr operator+(multi_ptr pointer, std::ptrdiff_t count) { return multi_ptr(pointer.pointer_ + count); }

 private:
  T *pointer_;
};

class handler;
template <typename T, int Dimensions = 1, typename Allocator = detail::default_allocator<T>>
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
  template <typename A, access::mode TagMode>
  accessor(const buffer<T, Dimensions, A> &buffer, handler &group, mode_tag_t<TagMode, Target>);
  template <typename A, access::mode TagMode>
  accessor(const buffer<T, Dimensions, A> &buffer, handler &group, mode_tag_t<TagMode, Target>, property::no_init);
  template <typename A>
  accessor(const buffer<T, Dimensions, A> &buffer, handler &group)
      : accessor(buffer, group, mode_tag_t<Mode, Target>()) {}
  /** Of a range of it: whole rows, as of parts. */
  template <typename A>
  accessor(const buffer<T, Dimensions, A> &buffer, handler &group, const range<Dimensions> &count,
           const id<Dimensions> &first);
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
  template <access::decorated Decorated = access::decorated::legacy>
  multi_ptr<T, access::address_space::global_space, Decorated> get_multi_ptr() const {
    return multi_ptr<T, access::address_space::global_space, Decorated>(get_pointer());
  }
  std::conditional_t<Mode == access::mode::read, const T, T> &operator[](size_t index) const {
    return get_pointer()[index];
  }

 private:
  quern_accessor_t native_{};
  size_t count_ = 0;
  std::shared_ptr<void> pointer_;
};

/** Local memory: an argument of a kernel. */
template <typename T, int Dimensions = 1>
using local_accessor = accessor<T, Dimensions, access::mode::read_write, access::target::local>;

template <typename T, int D, typename B, access::mode M, access::target A>
accessor(const buffer<T, D, B> &, handler &, mode_tag_t<M, A>) -> accessor<T, D, M, A>;
template <typename T, int D, typename B, access::mode M, access::target A>
accessor(const buffer<T, D, B> &, handler &, mode_tag_t<M, A>, property::no_init) -> accessor<T, D, M, A>;
template <typename T, int D, typename B>
accessor(const buffer<T, D, B> &, handler &) -> accessor<T, D, access::mode::read_write, access::target::device>;

namespace property {
namespace buffer {
class context_bound {
 public:
  context_bound(sycl::context context) : context_(std::move(context)) {}
  sycl::context get_context() const { return context_; }

 private:
  sycl::context context_;
};
/** The host's memory is the storage, as it always is. */
struct use_host_ptr {};
}  // namespace buffer
}  // namespace property

/** Properties of a buffer: `{property::buffer::use_host_ptr{}}`. */
class property_list {
 public:
  template <typename... Properties>
  property_list(const Properties &...properties) {
    (add(properties), ...);
  }
  const property::buffer::context_bound *get_bound() const noexcept { return bound_ ? &*bound_ : nullptr; }

 private:
  void add(const property::buffer::context_bound &property) { bound_ = property; }
  void add(const property::buffer::use_host_ptr &) {}
  std::optional<property::buffer::context_bound> bound_;
};

namespace detail {
/** The type of a contiguous container's elements: of std::vector, std::array and their like. */
template <typename Container>
using element_of = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<Container &>()))>>;
}  // namespace detail

/** With svm_allocator, the storage is unified memory: such a buffer is always bound to a context, and get_pointer has
 * an address that kernels use, too. */
template <typename T, int Dimensions, typename Allocator>
class buffer {
  template <typename A>
  using if_unbound = std::enable_if_t<!detail::is_svm<A>::value>;

 public:
  using value_type = T;
  using allocator_type = Allocator;
  using bound = property::buffer::context_bound;
  /** To be assigned to. */
  buffer() = default;
  template <int D, typename A = Allocator, typename = if_unbound<A>>
  explicit buffer(const range<D> &range) : buffer(range.size(), nullptr, 0, nullptr) {}
  template <typename A = Allocator, typename = if_unbound<A>>
  buffer(const range<Dimensions> &range) : buffer(range.size(), nullptr, 0, nullptr) {}
  template <int D>
  buffer(const range<D> &range, const bound &property) : buffer(range.size(), nullptr, 0, &property) {}
  template <int D>
  buffer(const context &, const range<D> &range, const bound &property) : buffer(range, property) {}
  template <int D, typename A = Allocator, typename = if_unbound<A>>
  buffer(T *host, const range<D> &range) : buffer(range.size(), host, 0, nullptr) {}
  template <int D>
  buffer(T *host, const range<D> &range, const bound &property) : buffer(range.size(), host, 0, &property) {}
  buffer(T *host, const range<Dimensions> &range, const property_list &properties)
      : buffer(range.size(), host, 0, properties.get_bound()) {}
  template <int D, typename U = T, typename = std::enable_if_t<!std::is_const_v<U>>, typename A = Allocator,
            typename = if_unbound<A>>
  buffer(const U *host, const range<D> &range)
      : buffer(range.size(), const_cast<T *>(host), quern_memory_copy_host, nullptr) {}
  /** The elements of a contiguous container, which lives as long as the buffer; a constant one is only read. */
  template <typename Container, typename A = Allocator, typename = if_unbound<A>,
            typename = std::enable_if_t<Dimensions == 1 && std::is_same_v<detail::element_of<Container>, T>>>
  buffer(Container &container) : buffer(std::data(container), range<1>(std::size(container))) {}
  /** The same contents as elements of another type. */
  template <typename U, int D = Dimensions, typename... Range>
  buffer<U, D, detail::default_allocator<U>> reinterpret(const Range &...) const {
    return buffer<U, D, detail::default_allocator<U>>(handle_, size_);
  }
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
  range<1> get_range() const noexcept {
    static_assert(Dimensions == 1, "buffers keep the number of their elements");
    return range<1>(size());
  }
  /** Of a buffer with svm_allocator. */
  T *get_pointer() const {
    static_assert(detail::is_svm<Allocator>::value, "only unified storage has an address");
    void *pointer = nullptr;
    detail::check(quern_memory_get_pointer(get_handle(), &pointer));
    return static_cast<T *>(pointer);
  }
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
  /** Of a range of it: whole rows, as of parts. */
  template <access::mode Mode, access::target Target = access::target::global_buffer>
  accessor<T, Dimensions, Mode, Target> get_access(handler &group, const range<Dimensions> &count,
                                                   const id<Dimensions> &first) const;
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
  template <typename, int, typename>
  friend class buffer;
  buffer(std::shared_ptr<std::remove_pointer_t<quern_memory_t>> handle, size_t size)
      : handle_(std::move(handle)), size_(size) {}
  buffer(size_t count, T *host, quern_memory_flags_t flags, const bound *property) : size_(count * sizeof(T)) {
    quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
    quern_memory_t handle = nullptr;
    options.flags = flags | (detail::is_svm<Allocator>::value ? quern_memory_unified : 0);
    if (property) options.bound_context = property->get_context().get_handle();
    detail::check(quern_buffer_create(size_, const_cast<std::remove_const_t<T> *>(host), &options, &handle));
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

template <typename Container, typename T = detail::element_of<Container>>
buffer(Container &) -> buffer<T, 1>;

/** The host's use of a buffer, as long as it lives: it waits, and others wait for it. */
template <typename T, int Dimensions = 1, access::mode Mode = access::mode::read_write>
class host_accessor : public accessor<T, Dimensions, Mode, access::target::host_buffer> {
 public:
  template <typename A, access::mode TagMode = Mode>
  explicit host_accessor(const buffer<T, Dimensions, A> &buffer, mode_tag_t<TagMode> = {})
      : accessor<T, Dimensions, Mode, access::target::host_buffer>(buffer.template get_access<Mode>()) {}
};
template <typename T, int D, typename A>
host_accessor(const buffer<T, D, A> &) -> host_accessor<T, D>;
template <typename T, int D, typename A, access::mode M>
host_accessor(const buffer<T, D, A> &, mode_tag_t<M>) -> host_accessor<T, D, M>;

/** A buffer over a native one, whose contents are there when `available` is complete. */
template <backend Name, typename T, int Dimensions = 1>
buffer<T, Dimensions> make_buffer(const backend_input_t<Name, buffer<T, Dimensions>> &native, const context &context,
                                  const event &available = {}) {
  return interop<Name, buffer<T, Dimensions>>::make(native, context, available);
}

}  // namespace sycl
}  // namespace quern

#endif
