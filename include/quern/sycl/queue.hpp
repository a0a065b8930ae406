/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Part of quern/interop.hpp. Command groups, their handlers, and queues. */
#ifndef QUERN_SYCL_QUEUE_HPP
#define QUERN_SYCL_QUEUE_HPP

#include <functional>
#include <memory>
#include <utility>

#include "quern/sycl/buffer.hpp"

namespace quern {
namespace sycl {

class handler {
 public:
  explicit handler(quern_group_t group) : group_(group) {}
  handler(const handler &) = delete;
  handler &operator=(const handler &) = delete;
  quern_group_t get_handle() const noexcept { return group_; }

  template <typename T, int D, access::mode M, access::target A>
  void require(const accessor<T, D, M, A, access::placeholder::true_t> &accessor) {
    detail::check(quern_group_require(group_, accessor.get_native()));
  }
  void depends_on(const event &event) { detail::check(quern_group_depend(group_, event.get_handle())); }

  /** A C++ function for each point, on the host backend. */
  template <typename Name = void, int D, typename F, typename = std::enable_if_t<std::is_invocable_v<F &, id<D>>>>
  void parallel_for(const range<D> &range, F function) {
    const quern_range_t native = make_range<D>(range, nullptr);
    F *data = keep(std::move(function));
    detail::check(quern_group_set_host_kernel(
        group_,
        [](quern_handle_t handle, const size_t point[3], void *data) {
          const detail::running running(handle);
          (void)detail::guard(handle, [&] { (*static_cast<F *>(data))(id<D>(point)); });
        },
        data, &native));
  }
  /** An OpenCL kernel; then set_arg. */
  template <int D>
  void parallel_for(const range<D> &range, const kernel &kernel) {
    const quern_range_t native = make_range<D>(range, nullptr);
    detail::check(quern_group_set_kernel(group_, kernel.get_handle(), &native));
  }
  template <int D>
  void parallel_for(const range<D> &global, const range<D> &local, const kernel &kernel) {
    const quern_range_t native = make_range(global, &local);
    detail::check(quern_group_set_kernel(group_, kernel.get_handle(), &native));
  }
  template <typename T>
  void set_arg(uint32_t index, const T &value) {
    static_assert(std::is_trivially_copyable_v<T>, "arguments are copied byte by byte");
    detail::check(quern_group_set_argument(group_, index, sizeof(value), &value));
  }
  template <typename T, int D, access::mode M, access::target A, access::placeholder P>
  void set_arg(uint32_t index, const accessor<T, D, M, A, P> &accessor) {
    detail::check(A == access::target::local ? quern_group_set_argument(group_, index, accessor.get_size(), nullptr)
                                             : quern_group_set_argument_accessor(group_, index, accessor.get_native()));
  }
  template <typename From, typename To>
  void copy(const From &from, const To &to) {
    detail::check(quern_group_set_copy(group_, from.get_native(), to.get_native()));
  }
  template <typename Accessor, typename T>
  void fill(const Accessor &accessor, const T &value) {
    detail::check(quern_group_set_fill(group_, accessor.get_native(), &value, sizeof(value)));
  }
  template <typename Accessor>
  void update_host(const Accessor &accessor) {
    detail::check(quern_group_set_update_host(group_, accessor.get_native()));
  }
  template <typename F>
  void host_task(F function) {
    detail::check(quern_group_set_host_task(group_, run<F, false>, keep(std::move(function))));
  }

 protected:
  /** Keeps a function until the group has run. */
  template <typename F>
  F *keep(F function) {
    auto owned = std::make_unique<F>(std::move(function));
    detail::check(quern_group_set_destructor(group_, [](void *data) { delete static_cast<F *>(data); }, owned.get()));
    return owned.release();
  }
  template <typename F, bool TakesHandle>
  static quern_result_t run(quern_handle_t handle, void *data);
  template <int D>
  static quern_range_t make_range(const range<D> &global, const range<D> *local) {
    quern_range_t native{};
    native.dimensions = D;
    for (int i = 0; i < D; i++) {
      native.global[i] = global[i];
      native.local[i] = local ? (*local)[i] : 0;
    }
    return native;
  }
  quern_group_t group_;
};

namespace codeplay {

#if QUERN_IS_ACTIVE(opencl)
class interop_handle {
 public:
  explicit interop_handle(quern_handle_t handle) : handle_(handle) {}
  cl_context get_context() const noexcept { return quern_opencl_handle_get_context(handle_); }
  cl_device_id get_device() const noexcept { return quern_opencl_handle_get_device(handle_); }
  cl_command_queue get_queue() const noexcept { return quern_opencl_handle_get_queue(handle_); }
  /** Of an accessor that the group did not require: the task ends here, and the group fails with invalid_object. */
  template <typename Accessor>
  cl_mem get_mem(const Accessor &accessor) const {
    void *native = nullptr;
    detail::check(quern_handle_get_mem(handle_, accessor.get_native(), &native));
    return static_cast<cl_mem>(native);
  }
  template <typename Accessor>
  cl_mem get_buffer(const Accessor &accessor) const {
    return get_mem(accessor);
  }

 private:
  quern_handle_t handle_;
};
#else
class interop_handle {
 public:
  explicit interop_handle(quern_handle_t) {}
};
#endif

class handler : public sycl::handler {
 public:
  using sycl::handler::handler;
  template <typename F>
  void interop_task(F function) {
    detail::check(quern_group_set_interop_task(group_, run<F, true>, keep(std::move(function))));
  }
};

}  // namespace codeplay

template <typename F, bool TakesHandle>
quern_result_t handler::run(quern_handle_t handle, void *data) {
  const detail::running running(handle);
  return detail::guard(handle, [&] {
    if constexpr (TakesHandle) {
      codeplay::interop_handle argument(handle);
      (*static_cast<F *>(data))(argument);
    } else {
      (*static_cast<F *>(data))();
    }
  });
}

template <typename T, int Dimensions>
template <access::mode Mode, access::target Target>
accessor<T, Dimensions, Mode, Target> buffer<T, Dimensions>::get_access(handler &group) const {
  quern_accessor_t native;
  detail::check(quern_group_access(group.get_handle(), get_handle(), static_cast<quern_access_t>(Mode), 0, 0, &native));
  return {native, nullptr};
}

/** In order, unless made out of order. The last copy waits for its groups, whose errors its handler gets. */
class queue {
 public:
  explicit queue(const device_selector &selector = default_selector(), async_handler handler = {})
      : queue(context(selector.select_device()), std::move(handler)) {}
  explicit queue(const context &context, async_handler handler = {}, quern_queue_flags_t flags = 0)
      : state_(std::make_shared<state>(context, std::move(handler), flags)) {}
  quern_queue_t get_handle() const noexcept { return state_->handle; }
  context get_context() const { return state_->owner; }
  device get_device() const { return state_->owner.get_devices()[0]; }

  template <typename F>
  event submit(F function) const {
    return submit_to(function, nullptr);
  }
  /** Tried again on `fallback` when it fails. */
  template <typename F>
  event submit(F function, const queue &fallback) const {
    return submit_to(function, fallback.get_handle());
  }
  void wait() const { detail::check(quern_queue_wait(get_handle())); }
  void wait_and_throw() const { wait(); }
  template <backend Name>
  auto get_native() const {
    return sycl::get_native<Name>(*this);
  }

 private:
  struct state {
    state(const context &context, async_handler function, quern_queue_flags_t flags)
        : owner(context), handler(std::move(function)) {
      detail::check(quern_queue_create(context.get_handle(), context.get_devices()[0].get_handle(), flags,
                                       handler ? detail::call_handler : nullptr, &handler, &handle));
    }
    state(const state &) = delete;
    state &operator=(const state &) = delete;
    ~state() {
      (void)!quern_queue_wait(handle);
      quern_queue_release(handle);
    }
    context owner;
    async_handler handler;
    quern_queue_t handle = nullptr;
  };
  template <typename F>
  event submit_to(F &function, quern_queue_t fallback) const {
    quern_group_t group = nullptr;
    quern_event_t event_handle = nullptr;
    detail::check(quern_group_create(get_handle(), &group));
    std::unique_ptr<std::remove_pointer_t<quern_group_t>, quern_result_t (*)(quern_group_t)> owner(group,
                                                                                                   quern_group_discard);
    if (fallback) detail::check(quern_group_set_fallback(group, fallback));
    codeplay::handler handler(group);
    function(handler);
    detail::check(quern_group_submit(group, &event_handle));
    (void)owner.release();
    return event(event_handle);
  }
  std::shared_ptr<state> state_;
};

}  // namespace sycl
}  // namespace quern

#endif
