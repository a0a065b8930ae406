/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Part of quern/interop.hpp. Backends, exceptions, and what the shared handles have in common. */
#ifndef QUERN_SYCL_ERROR_HPP
#define QUERN_SYCL_ERROR_HPP

#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "quern/interop.h"
#if QUERN_IS_ACTIVE(opencl)
#include "quern/opencl.h"
#define SYCL_BACKEND_OPENCL 1
#endif
#define SYCL_BACKEND_HOST 1

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

/** The native type of an object's class in a backend; only what exists is defined. */
template <backend Name, typename Object>
struct interop;
template <backend Name, typename Object>
using native_t = typename interop<Name, Object>::type;

template <backend Name, typename Object>
native_t<Name, Object> get_native(const Object &object);

/* ------------------------------------------------------------ errors */

class exception : public std::runtime_error {
 public:
  exception(quern_result_t result, const std::string &message) : std::runtime_error(message), result_(result) {}
  quern_result_t code() const noexcept { return result_; }

 private:
  quern_result_t result_;
};
class runtime_error : public exception {
  using exception::exception;
};
class invalid_object : public exception {
  using exception::exception;
};
class feature_not_supported : public exception {
  using exception::exception;
};

using exception_list = std::vector<std::exception_ptr>;
using async_handler = std::function<void(exception_list)>;

namespace detail {

inline std::exception_ptr make_exception(quern_result_t result, const char *message) {
  switch (result) {
    case quern_error_invalid_object: return std::make_exception_ptr(invalid_object(result, message));
    case quern_error_feature_not_supported: return std::make_exception_ptr(feature_not_supported(result, message));
    default: return std::make_exception_ptr(runtime_error(result, message));
  }
}

inline void check(quern_result_t result) {
  if (result != quern_success) std::rethrow_exception(make_exception(result, quern_last_error_message()));
}

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

inline void call_handler(const quern_async_error_t *error, void *data) {
  (*static_cast<async_handler *>(data))({make_exception(error->result, error->message)});
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

/** Calls a function of a group; an exception makes the group fail with its text. */
template <typename F>
quern_result_t guard(quern_handle_t handle, F &&function) {
  try {
    function();
    return quern_success;
  } catch (const exception &error) {
    return quern_handle_fail(handle, error.code(), error.what());
  } catch (const std::exception &error) {
    return quern_handle_fail(handle, quern_error_task_failed, error.what());
  } catch (...) {
    return quern_handle_fail(handle, quern_error_task_failed, "a function threw what is no exception");
  }
}

}  // namespace detail

}  // namespace sycl
}  // namespace quern

#endif
