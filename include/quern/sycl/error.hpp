/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Part of quern/interop.hpp. Exceptions with SYCL 2020's error codes, and those of SYCL 1.2.1. */
#ifndef QUERN_SYCL_ERROR_HPP
#define QUERN_SYCL_ERROR_HPP

#include <exception>
#include <functional>
#include <string>
#include <system_error>
#include <vector>

#include "quern/interop.h"

namespace quern {
namespace sycl {

enum class errc : unsigned {
  success,
  runtime,
  kernel,
  accessor,
  nd_range,
  event,
  kernel_argument,
  build,
  invalid,
  memory_allocation,
  platform,
  profiling,
  feature_not_supported,
  kernel_not_supported,
  backend_mismatch
};

namespace detail {

class category : public std::error_category {
 public:
  const char *name() const noexcept override { return "sycl"; }
  std::string message(int code) const override {
    static const char *const texts[] = {"success",
                                        "the runtime failed",
                                        "a kernel failed",
                                        "an accessor is misused",
                                        "a range is invalid",
                                        "an event is misused",
                                        "an argument of a kernel is invalid",
                                        "a program does not build",
                                        "an argument or an object is invalid",
                                        "out of memory",
                                        "a platform failed",
                                        "no times",
                                        "no such feature",
                                        "the device does not support the kernel",
                                        "the object belongs to another backend"};
    return code >= 0 && code < static_cast<int>(sizeof(texts) / sizeof(texts[0])) ? texts[code] : "not a code of SYCL";
  }
};

inline errc code_of(quern_result_t result) {
  switch (result) {
    case quern_success: return errc::success;
    case quern_error_invalid_argument:
    case quern_error_invalid_object:
    case quern_error_invalid_operation:
    case quern_error_wrong_context: return errc::invalid;
    case quern_error_feature_not_supported: return errc::feature_not_supported;
    case quern_error_backend_mismatch: return errc::backend_mismatch;
    case quern_error_out_of_memory: return errc::memory_allocation;
    case quern_error_build_failed: return errc::build;
    default: return errc::runtime;
  }
}

}  // namespace detail

inline const std::error_category &sycl_category() noexcept {
  static const detail::category category;
  return category;
}
inline std::error_code make_error_code(errc code) noexcept { return {static_cast<int>(code), sycl_category()}; }

}  // namespace sycl
}  // namespace quern

namespace std {
template <>
struct is_error_code_enum<quern::sycl::errc> : true_type {};
}  // namespace std

namespace quern {
namespace sycl {

class context;

namespace detail {
inline quern_result_t result_of(const std::error_code &code) {
  if (code == make_error_code(errc::invalid)) return quern_error_invalid_argument;
  if (code == make_error_code(errc::feature_not_supported)) return quern_error_feature_not_supported;
  if (code == make_error_code(errc::backend_mismatch)) return quern_error_backend_mismatch;
  if (code == make_error_code(errc::memory_allocation)) return quern_error_out_of_memory;
  if (code == make_error_code(errc::build)) return quern_error_build_failed;
  return quern_error_task_failed;
}
}  // namespace detail

class exception : public virtual std::exception {
 public:
  exception(std::error_code code, const std::string &what)
      : code_(code), result_(detail::result_of(code)), what_(what) {}
  exception(std::error_code code) : exception(code, code.message()) {}
  exception(int value, const std::error_category &category, const std::string &what)
      : exception(std::error_code(value, category), what) {}
  exception(int value, const std::error_category &category) : exception(std::error_code(value, category)) {}
  exception(quern_result_t result, const std::string &what)
      : code_(make_error_code(detail::code_of(result))), result_(result), what_(what) {}
  const std::error_code &code() const noexcept { return code_; }
  const std::error_category &category() const noexcept { return code_.category(); }
  const char *what() const noexcept override { return what_.c_str(); }
  /** What the library returned, which tells more than the code. */
  quern_result_t result() const noexcept { return result_; }
  bool has_context() const noexcept { return false; }

 private:
  std::error_code code_;
  quern_result_t result_;
  std::string what_;
};

/* The classes of SYCL 1.2.1 that the documents name. */
class runtime_error : public exception {
  using exception::exception;
};
class invalid_object : public runtime_error {
  using runtime_error::runtime_error;
};
class feature_not_supported : public runtime_error {
  using runtime_error::runtime_error;
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

inline void call_handler(const quern_async_error_t *error, void *data) {
  (*static_cast<async_handler *>(data))({make_exception(error->result, error->message)});
}

/** Calls a function of a group; an exception makes the group fail with its text. */
template <typename F>
quern_result_t guard(quern_handle_t handle, F &&function) {
  try {
    function();
    return quern_success;
  } catch (const exception &error) {
    return quern_handle_fail(handle, error.result(), error.what());
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
