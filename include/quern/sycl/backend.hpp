/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Part of quern/interop.hpp. Backends, the mapping of their native types, and what the shared handles have in common.
 * What a backend's native types are stands in a header of its own, as quern/sycl/backend/opencl.hpp. */
#ifndef QUERN_SYCL_BACKEND_HPP
#define QUERN_SYCL_BACKEND_HPP

#include <type_traits>
#include <utility>
#include <vector>

#include "quern/sycl/error.hpp"

#define SYCL_BACKEND_HOST 1
#if QUERN_IS_ACTIVE(opencl)
#define SYCL_BACKEND_OPENCL 1
#endif

namespace quern {
namespace sycl {

enum class backend {
#define QUERN_HPP_BACKEND(name) name = quern_backend_##name,
  QUERN_BACKEND_LIST(QUERN_HPP_BACKEND)
#undef QUERN_HPP_BACKEND
};

template <backend Value>
struct is_active : std::false_type {};
#define QUERN_HPP_ACTIVE(name) \
  template <>                  \
  struct is_active<backend::name> : std::bool_constant<QUERN_IS_ACTIVE(name)> {};
QUERN_BACKEND_LIST(QUERN_HPP_ACTIVE)
#undef QUERN_HPP_ACTIVE

/** What an object's class is in a backend; only what exists is defined, by the backend's header:
 *   type          the native type
 *   input_type    what make_... takes
 *   return_type   what get_native gives: the native type, or a vector of it where an object may have several
 *   get(object)   the native objects, each with a reference of the caller's own
 *   make(...)     an object of native ones, with references of its own */
template <backend Name, typename Object>
struct interop;
template <backend Name, typename Object>
using native_t = typename interop<Name, Object>::type;

/** SYCL 2020's way to the same. */
template <backend Name>
struct backend_traits {
  template <typename Object>
  using native_type = typename interop<Name, Object>::type;
  template <typename Object>
  using input_type = typename interop<Name, Object>::input_type;
  template <typename Object>
  using return_type = typename interop<Name, Object>::return_type;
};
template <backend Name, typename Object>
using backend_input_t = typename backend_traits<Name>::template input_type<Object>;
template <backend Name, typename Object>
using backend_return_t = typename backend_traits<Name>::template return_type<Object>;

template <backend Name, typename Object>
auto get_native(const Object &object) {
  return interop<Name, Object>::get(object);
}

namespace detail {

/** Native objects where SYCL 2020 gives a vector, and the documents give the one object. */
template <typename T>
class native_list : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  operator T() const { return this->at(0); }
};

/** A counted handle, which copies share; made of a reference that it takes over. */
template <typename Object, typename T, quern_result_t (*Retain)(T), quern_result_t (*Release)(T)>
class counted {
 public:
  counted() = default;
  explicit counted(T handle) : handle_(handle) {}
  counted(const counted &other) : handle_(other.handle_) {
    if (handle_) check(Retain(handle_));
  }
  counted(counted &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  counted &operator=(counted other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~counted() {
    if (handle_) Release(handle_);
  }
  T get_handle() const noexcept { return handle_; }
  template <backend Name>
  auto get_native() const {
    return sycl::get_native<Name>(static_cast<const Object &>(*this));
  }
#ifdef QUERN_SYCL_1_2_1
  template <backend Name = backend::opencl>
  auto get() const {
    return sycl::get_native<Name>(static_cast<const Object &>(*this));
  }
#endif

 protected:
  T handle_ = nullptr;
};
#define QUERN_HPP_COUNTED(name) \
  class name : public detail::counted<name, quern_##name##_t, quern_##name##_retain, quern_##name##_release>

/** All that a function lists which tells how many there are. */
template <typename T, typename F>
std::vector<T> list(F function) {
  size_t count = 0;
  check(function(0, nullptr, &count));
  std::vector<T> items(count);
  if (count) check(function(count, items.data(), &count));
  return items;
}

/** The handle of the task that the thread runs, for accessors; null outside of tasks. */
inline quern_handle_t &current_handle() {
  static thread_local quern_handle_t handle{0};
  return handle;
}

/** Makes a handle the thread's current one as long as it lives. */
class running {
 public:
  explicit running(quern_handle_t handle) : before_(current_handle()) { current_handle() = handle; }
  running(const running &) = delete;
  running &operator=(const running &) = delete;
  ~running() { current_handle() = before_; }

 private:
  quern_handle_t before_;
};

}  // namespace detail

}  // namespace sycl
}  // namespace quern

#endif
