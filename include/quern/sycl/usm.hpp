/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Part of quern/interop.hpp. Allocations of unified memory, and allocators that use them. */
#ifndef QUERN_SYCL_USM_HPP
#define QUERN_SYCL_USM_HPP

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

#include "quern/sycl/context.hpp"

namespace quern {
namespace sycl {

class queue;

namespace usm {
enum class alloc { host, device, shared, unknown };
}  // namespace usm

namespace detail {
inline quern_usm_kind_t usm_kind_of(usm::alloc kind) {
  switch (kind) {
    case usm::alloc::host: return quern_usm_host;
    case usm::alloc::device: return quern_usm_device;
    case usm::alloc::shared: return quern_usm_shared;
    default: throw exception(make_error_code(errc::invalid), "no kind of allocations");
  }
}
/** Null when there is no memory; what the device cannot do is an exception. */
inline void *usm_allocate(size_t alignment, size_t size, quern_device_t device, const context &context,
                          usm::alloc kind) {
  void *pointer = nullptr;
  if (!size) return nullptr;
  const quern_result_t result =
      quern_usm_allocate(context.get_handle(), device, usm_kind_of(kind), size, alignment, &pointer);
  if (result == quern_error_out_of_memory || result == quern_error_backend_failure) return nullptr;
  check(result);
  return pointer;
}
}  // namespace detail

inline void *aligned_alloc(size_t alignment, size_t size, const device &device, const context &context,
                           usm::alloc kind) {
  return detail::usm_allocate(alignment, size, kind == usm::alloc::host ? nullptr : device.get_handle(), context, kind);
}
inline void *malloc(size_t size, const device &device, const context &context, usm::alloc kind) {
  return aligned_alloc(0, size, device, context, kind);
}
inline void *malloc_device(size_t size, const device &device, const context &context) {
  return malloc(size, device, context, usm::alloc::device);
}
inline void *malloc_shared(size_t size, const device &device, const context &context) {
  return malloc(size, device, context, usm::alloc::shared);
}
inline void *malloc_host(size_t size, const context &context) {
  return detail::usm_allocate(0, size, nullptr, context, usm::alloc::host);
}
template <typename T>
T *malloc_device(size_t count, const device &device, const context &context) {
  return static_cast<T *>(aligned_alloc(alignof(T), count * sizeof(T), device, context, usm::alloc::device));
}
template <typename T>
T *malloc_shared(size_t count, const device &device, const context &context) {
  return static_cast<T *>(aligned_alloc(alignof(T), count * sizeof(T), device, context, usm::alloc::shared));
}
template <typename T>
T *malloc_host(size_t count, const context &context) {
  return static_cast<T *>(detail::usm_allocate(alignof(T), count * sizeof(T), nullptr, context, usm::alloc::host));
}
/** It does not wait: groups that do not require the memory by its address must be complete. */
inline void free(void *pointer, const context &context) {
  detail::check(quern_usm_free(context.get_handle(), pointer));
}

/* The same on the device and in the context of a queue. */
template <typename Queue, typename = std::enable_if_t<std::is_same_v<Queue, queue>>>
void *malloc_device(size_t size, const Queue &queue) {
  return malloc_device(size, queue.get_device(), queue.get_context());
}
template <typename Queue, typename = std::enable_if_t<std::is_same_v<Queue, queue>>>
void *malloc_shared(size_t size, const Queue &queue) {
  return malloc_shared(size, queue.get_device(), queue.get_context());
}
template <typename Queue, typename = std::enable_if_t<std::is_same_v<Queue, queue>>>
void *malloc_host(size_t size, const Queue &queue) {
  return malloc_host(size, queue.get_context());
}
template <typename T, typename Queue, typename = std::enable_if_t<std::is_same_v<Queue, queue>>>
T *malloc_device(size_t count, const Queue &queue) {
  return malloc_device<T>(count, queue.get_device(), queue.get_context());
}
template <typename T, typename Queue, typename = std::enable_if_t<std::is_same_v<Queue, queue>>>
T *malloc_shared(size_t count, const Queue &queue) {
  return malloc_shared<T>(count, queue.get_device(), queue.get_context());
}
template <typename T, typename Queue, typename = std::enable_if_t<std::is_same_v<Queue, queue>>>
T *malloc_host(size_t count, const Queue &queue) {
  return malloc_host<T>(count, queue.get_context());
}
template <typename Queue, typename = std::enable_if_t<std::is_same_v<Queue, queue>>>
void free(void *pointer, const Queue &queue) {
  free(pointer, queue.get_context());
}

inline usm::alloc get_pointer_type(const void *pointer, const context &context) {
  quern_usm_facts_t facts;
  if (!pointer || quern_usm_find(context.get_handle(), pointer, &facts) != quern_success ||
      facts.context != context.get_handle()) {
    return usm::alloc::unknown;
  }
  switch (facts.kind) {
    case quern_usm_device: return usm::alloc::device;
    case quern_usm_host: return usm::alloc::host;
    default: return usm::alloc::shared;
  }
}
/** For memory of the host, the context's first device. */
inline device get_pointer_device(const void *pointer, const context &context) {
  quern_usm_facts_t facts;
  detail::check(quern_usm_find(context.get_handle(), pointer, &facts));
  if (!facts.device) return context.get_devices().at(0);
  detail::check(quern_device_retain(facts.device));
  return device(facts.device);
}

/** An allocator of the standard library's containers, whose memory kernels use by its address. */
template <typename T, usm::alloc Kind, size_t Alignment = 0>
class usm_allocator {
  static_assert(Kind == usm::alloc::host || Kind == usm::alloc::shared, "containers use their memory on the host");

 public:
  using value_type = T;
  template <typename U>
  struct rebind {
    using other = usm_allocator<U, Kind, Alignment>;
  };
  usm_allocator(const context &context, const device &device) : context_(context), device_(device) {}
  template <typename Queue, typename = std::enable_if_t<std::is_same_v<Queue, queue>>>
  explicit usm_allocator(const Queue &queue) : usm_allocator(queue.get_context(), queue.get_device()) {}
  template <typename U>
  usm_allocator(const usm_allocator<U, Kind, Alignment> &other)
      : context_(other.get_context()), device_(other.get_device()) {}
  T *allocate(size_t count) {
    constexpr size_t alignment = Alignment > alignof(T) ? Alignment : alignof(T);
    void *pointer = aligned_alloc(alignment, count * sizeof(T), device_, context_, Kind);
    if (!pointer) throw std::bad_alloc();
    return static_cast<T *>(pointer);
  }
  void deallocate(T *pointer, size_t) noexcept { quern_usm_free(context_.get_handle(), pointer); }
  const context &get_context() const noexcept { return context_; }
  const device &get_device() const noexcept { return device_; }
  template <typename U>
  bool operator==(const usm_allocator<U, Kind, Alignment> &other) const noexcept {
    return context_ == other.get_context() && device_ == other.get_device();
  }
  template <typename U>
  bool operator!=(const usm_allocator<U, Kind, Alignment> &other) const noexcept {
    return !(*this == other);
  }

 private:
  context context_;
  device device_;
};

/** Names the kind of all other buffers: the library allocates for them. */
#ifdef QUERN_SYCL_1_2_1
using buffer_allocator = std::allocator<char>;
namespace detail {
template <typename T>
using default_allocator = buffer_allocator;
}  // namespace detail
#else
template <typename T>
using buffer_allocator = std::allocator<std::remove_const_t<T>>;
namespace detail {
template <typename T>
using default_allocator = buffer_allocator<T>;
}  // namespace detail
#endif

/** Names the kind of a buffer: its storage is unified memory of the context that it is bound to. The buffer allocates
 * that itself. */
template <typename T>
struct svm_allocator {
  using value_type = T;
};

namespace detail {
template <typename Allocator>
struct is_svm : std::false_type {};
template <typename T>
struct is_svm<svm_allocator<T>> : std::true_type {};
}  // namespace detail

}  // namespace sycl
}  // namespace quern

#endif
