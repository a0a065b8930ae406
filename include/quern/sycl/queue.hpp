/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Part of quern/interop.hpp. Command groups, their handlers, and queues. */
#ifndef QUERN_SYCL_QUEUE_HPP
#define QUERN_SYCL_QUEUE_HPP

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "quern/sycl/image.hpp"

/* OpenCL's types, as its headers have them: what the interop task document's handle gives. */
struct _cl_context;
struct _cl_device_id;
struct _cl_command_queue;
struct _cl_mem;

namespace quern {
namespace sycl {

class queue;

/** What a task gets of SYCL 2020: the native objects that it runs among, which are not retained. */
class interop_handle {
 public:
  explicit interop_handle(quern_handle_t handle) : handle_(handle) {}
  backend get_backend() const noexcept {
    quern_backend_t name = quern_backend_host;
    (void)!quern_handle_get_backend(handle_, &name);
    return static_cast<backend>(name);
  }
  /** Of an accessor that the group requires on the device. */
  template <backend Name, typename T, int D, access::mode M, access::target A, access::placeholder P>
  backend_return_t<Name, buffer<T, D>> get_native_mem(const accessor<T, D, M, A, P> &accessor) const {
    return {mem<native_t<Name, buffer<T, D>>>(Name, accessor.get_native())};
  }
  template <backend Name, typename Image, access::mode M, access::target A>
  backend_return_t<Name, Image> get_native_mem(const image_accessor<Image, M, A> &accessor) const {
    return {mem<native_t<Name, Image>>(Name, accessor.get_native())};
  }
  template <backend Name>
  backend_return_t<Name, queue> get_native_queue() const {
    return ask<backend_return_t<Name, queue>>(Name, quern_handle_get_queue);
  }
  template <backend Name>
  backend_return_t<Name, device> get_native_device() const {
    return ask<backend_return_t<Name, device>>(Name, quern_handle_get_device);
  }
  template <backend Name>
  backend_return_t<Name, context> get_native_context() const {
    return ask<backend_return_t<Name, context>>(Name, quern_handle_get_context);
  }

 private:
  void check_backend(backend name) const {
    if (name != get_backend()) throw exception(quern_error_backend_mismatch, "the task runs on another backend");
  }
  template <typename T>
  T mem(backend name, const quern_accessor_t &accessor) const {
    void *native = nullptr;
    check_backend(name);
    detail::check(quern_handle_get_mem(handle_, accessor, &native));
    return static_cast<T>(native);
  }
  template <typename T>
  T ask(backend name, quern_result_t (*function)(quern_handle_t, void **)) const {
    void *native = nullptr;
    check_backend(name);
    detail::check(function(handle_, &native));
    return static_cast<T>(native);
  }
  quern_handle_t handle_;
};

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
  /** Memory by its address: see quern_group_require_pointer. */
  void require(const void *pointer, size_t size, access::mode mode = access::mode::read_write) {
    detail::check(quern_group_require_pointer(group_, pointer, size, static_cast<quern_access_t>(mode)));
  }
  void depends_on(const std::vector<event> &events) {
    for (const event &event : events) depends_on(event);
  }
  void depends_on(const event &event) { detail::check(quern_group_depend(group_, event.get_handle())); }

  /** A C++ function for each point, on the host backend. */
  template <typename Name = void, int D, typename F,
            typename = std::enable_if_t<std::is_invocable_v<F &, id<D>> || std::is_invocable_v<F &, item<D>>>>
  void parallel_for(const range<D> &range, F function) {
    struct kernel_t {
      F function;
      sycl::range<D> range;
    };
    const quern_range_t native = make_range<D>(range, nullptr);
    kernel_t *data = keep(kernel_t{std::move(function), range});
    detail::check(quern_group_set_host_kernel(
        group_,
        [](quern_handle_t handle, const size_t point[3], void *data) {
          const detail::running running(handle);
          auto &kernel = *static_cast<kernel_t *>(data);
          (void)detail::guard(handle, [&] {
            if constexpr (std::is_invocable_v<F &, id<D>>) {
              kernel.function(id<D>(point));
            } else {
              kernel.function(item<D>(id<D>(point), kernel.range));
            }
          });
        },
        data, &native));
  }
  template <typename Name = void, typename F>
  void parallel_for(size_t count, F function) {
    parallel_for<Name>(range<1>(count), std::move(function));
  }
  /** A C++ function once, on the host backend. */
  template <typename Name = void, typename F, typename = std::enable_if_t<std::is_invocable_v<F &>>>
  void single_task(F function) {
    parallel_for<Name>(range<1>(1), [function](id<1>) mutable { function(); });
  }
  /** An OpenCL kernel with one work-item. */
  void single_task(const kernel &kernel) { parallel_for(range<1>(1), kernel); }
  /** An OpenCL kernel; then set_arg. */
  template <int D>
  void parallel_for(const range<D> &range, const kernel &kernel) {
    const quern_range_t native = make_range<D>(range, nullptr);
    detail::check(quern_group_set_kernel(group_, kernel.get_handle(), &native));
  }
  void parallel_for(size_t count, const kernel &kernel) { parallel_for(range<1>(count), kernel); }
  template <int D>
  void parallel_for(const range<D> &global, const range<D> &local, const kernel &kernel) {
    const quern_range_t native = make_range(global, &local);
    detail::check(quern_group_set_kernel(group_, kernel.get_handle(), &native));
  }
  template <typename... Values>
  void set_args(const Values &...values) {
    uint32_t index = 0;
    (set_arg(index++, values), ...);
  }
  /** An address of unified memory, which is not required by that. */
  template <typename T>
  void set_arg(uint32_t index, T *pointer) {
    detail::check(quern_group_set_argument_pointer(group_, index, pointer));
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
  void set_arg(uint32_t index, const sampler &sampler) {
    detail::check(quern_group_set_argument_sampler(group_, index, sampler.get_handle()));
  }
  template <typename Image, access::mode M, access::target A>
  void set_arg(uint32_t index, const image_accessor<Image, M, A> &accessor) {
    detail::check(quern_group_set_argument_accessor(group_, index, accessor.get_native()));
  }
  /** Between accessors, or an accessor and the host's memory, which must live until the group is complete. */
  template <typename From, typename To>
  void copy(const From &from, const To &to) {
    if constexpr (std::is_pointer_v<From>) {
      detail::check(quern_group_set_write(group_, from, to.get_native()));
    } else if constexpr (std::is_pointer_v<To>) {
      detail::check(quern_group_set_read(group_, from.get_native(), to));
    } else {
      detail::check(quern_group_set_copy(group_, from.get_native(), to.get_native()));
    }
  }
  /* On addresses. They require nothing by themselves, as in SYCL 2020. */
  void memcpy(void *to, const void *from, size_t size) {
    if (size) detail::check(quern_group_set_usm_copy(group_, to, from, size));
  }
  template <typename T>
  void copy(const T *from, T *to, size_t count) {
    memcpy(to, from, count * sizeof(T));
  }
  void memset(void *to, int value, size_t size) {
    fill(static_cast<unsigned char *>(to), static_cast<unsigned char>(value), size);
  }
  template <typename T>
  void fill(void *to, const T &pattern, size_t count) {
    if (count) detail::check(quern_group_set_usm_fill(group_, to, &pattern, sizeof(T), count * sizeof(T)));
  }
  void prefetch(void *pointer, size_t size) {
    if (size) detail::check(quern_group_set_prefetch(group_, pointer, size));
  }
  void mem_advise(void *pointer, size_t size, int advice) {
    if (size) detail::check(quern_group_set_advice(group_, pointer, size, static_cast<uint32_t>(advice)));
  }
  template <typename Accessor, typename T>
  void fill(const Accessor &accessor, const T &value) {
    detail::check(quern_group_set_fill(group_, accessor.get_native(), &value, sizeof(value)));
  }
  template <typename Accessor>
  void update_host(const Accessor &accessor) {
    detail::check(quern_group_set_update_host(group_, accessor.get_native()));
  }
  /** A function without a handle uses its accessors on the host; one that takes an interop_handle has them on the
   * device, but for those with the target host_task. */
  template <typename F>
  void host_task(F function) {
    if constexpr (std::is_invocable_v<F &, interop_handle>) {
      detail::check(quern_group_set_interop_task(group_, run<F, interop_handle>, keep(std::move(function))));
    } else {
      detail::check(quern_group_set_host_task(group_, run<F, void>, keep(std::move(function))));
    }
  }

 protected:
  /** Keeps a function until the group has run. */
  template <typename F>
  F *keep(F function) {
    auto owned = std::make_unique<F>(std::move(function));
    detail::check(quern_group_set_destructor(group_, [](void *data) { delete static_cast<F *>(data); }, owned.get()));
    return owned.release();
  }
  template <typename F, typename Handle>
  static quern_result_t run(quern_handle_t handle, void *data) {
    const detail::running running(handle);
    return detail::guard(handle, [&] {
      if constexpr (std::is_void_v<Handle>) {
        (*static_cast<F *>(data))();
      } else {
        Handle argument(handle);
        (*static_cast<F *>(data))(argument);
      }
    });
  }
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

/** The interop task document's handle, of OpenCL. A handle that was kept after its task gives null. */
class interop_handle {
 public:
  explicit interop_handle(quern_handle_t handle) : handle_(handle) {}
  ::_cl_context *get_context() const noexcept { return ask<::_cl_context>(quern_handle_get_context); }
  ::_cl_device_id *get_device() const noexcept { return ask<::_cl_device_id>(quern_handle_get_device); }
  ::_cl_command_queue *get_queue() const noexcept { return ask<::_cl_command_queue>(quern_handle_get_queue); }
  /** Of an accessor that the group did not require: the task ends here, and the group fails with invalid_object. */
  template <typename Accessor>
  ::_cl_mem *get_mem(const Accessor &accessor) const {
    void *native = nullptr;
    detail::check(quern_handle_get_mem(handle_, accessor.get_native(), &native));
    return static_cast<::_cl_mem *>(native);
  }
  template <typename Accessor>
  ::_cl_mem *get_buffer(const Accessor &accessor) const {
    return get_mem(accessor);
  }
  template <typename Accessor>
  ::_cl_mem *get(const Accessor &accessor) const {
    return get_mem(accessor);
  }

 private:
  template <typename T>
  T *ask(quern_result_t (*function)(quern_handle_t, void **)) const noexcept {
    void *native = nullptr;
    return function(handle_, &native) == quern_success ? static_cast<T *>(native) : nullptr;
  }
  quern_handle_t handle_;
};

class handler : public sycl::handler {
 public:
  using sycl::handler::handler;
  template <typename F>
  void interop_task(F function) {
    detail::check(quern_group_set_interop_task(group_, run<F, interop_handle>, keep(std::move(function))));
  }
};

}  // namespace codeplay

namespace detail {
/** An accessor of a group; with `target` for the host in a task that works on the device. */
inline quern_accessor_t access(handler &group, quern_memory_t memory, access::mode mode, access::target target,
                               size_t offset = 0, size_t size = 0) {
  quern_accessor_t native;
  const auto make = target == access::target::host_task ? quern_accessor_make_for_host : quern_accessor_make;
  check(make(memory, static_cast<quern_access_t>(mode), offset, size, &native));
  check(quern_group_require(group.get_handle(), native));
  return native;
}
inline constexpr access::mode without_contents(access::mode mode) {
  return mode == access::mode::read ? mode : access::mode::discard_write;
}
}  // namespace detail

template <typename T, int D, access::mode M, access::target A, access::placeholder P>
template <typename B, access::mode TagMode>
accessor<T, D, M, A, P>::accessor(const buffer<T, D, B> &buffer, handler &group, mode_tag_t<TagMode, A>)
    : accessor(detail::access(group, buffer.get_handle(), M, A), nullptr) {}
template <typename T, int D, access::mode M, access::target A, access::placeholder P>
template <typename B, access::mode TagMode>
accessor<T, D, M, A, P>::accessor(const buffer<T, D, B> &buffer, handler &group, mode_tag_t<TagMode, A>,
                                  property::no_init)
    : accessor(detail::access(group, buffer.get_handle(), detail::without_contents(M), A), nullptr) {}
template <typename T, int D, access::mode M, access::target A, access::placeholder P>
template <typename B>
accessor<T, D, M, A, P>::accessor(const buffer<T, D, B> &buffer, handler &group, const range<D> &count,
                                  const id<D> &first)
    : accessor(buffer.template get_access<M, A>(group, count, first).get_native(), nullptr) {}
template <typename Image, access::mode M, access::target A>
image_accessor<Image, M, A>::image_accessor(const Image &image, handler &group, mode_tag_t<M, A>)
    : native_(detail::access(group, image.get_handle(), M, A)) {}

template <typename T, int Dimensions, typename Allocator>
template <access::mode Mode, access::target Target>
accessor<T, Dimensions, Mode, Target> buffer<T, Dimensions, Allocator>::get_access(handler &group) const {
  return {detail::access(group, get_handle(), Mode, Target), nullptr};
}

template <typename T, int Dimensions, typename Allocator>
template <access::mode Mode, access::target Target>
accessor<T, Dimensions, Mode, Target> buffer<T, Dimensions, Allocator>::get_access(handler &group,
                                                                                   const range<Dimensions> &count,
                                                                                   const id<Dimensions> &first) const {
  const size_t row = count.size() / count[0];
  return {detail::access(group, get_handle(), Mode, Target, first[0] * row * sizeof(T), count.size() * sizeof(T)),
          nullptr};
}

/** In order, unless made out of order. The last copy waits for its groups, whose errors its handler gets. */
class queue {
 public:
  queue() : queue(device(default_selector())) {}
  /** On the device that a selector chooses: a function of devices that gives a score, or a device_selector. */
  template <typename Selector,
            typename = std::enable_if_t<std::is_invocable_r_v<int, const Selector &, const device &>>>
  explicit queue(const Selector &selector, async_handler handler = {}) : queue(device(selector), std::move(handler)) {}
  explicit queue(const device &device, async_handler handler = {}) : queue(context(device), std::move(handler)) {}
  explicit queue(const context &context, async_handler handler = {}, quern_queue_flags_t flags = 0)
      : queue(context, context.get_devices().at(0), std::move(handler), flags) {}
  queue(const context &context, const device &device, async_handler handler = {}, quern_queue_flags_t flags = 0)
      : state_(std::make_shared<state>(context, device, std::move(handler), flags)) {}
  /** Takes over a handle. */
  queue(const context &context, quern_queue_t handle, async_handler handler)
      : state_(std::make_shared<state>(context, handle, std::move(handler))) {}
  backend get_backend() const noexcept { return state_->owner.get_backend(); }
  quern_queue_t get_handle() const noexcept { return state_->handle; }
  context get_context() const { return state_->owner; }
  device get_device() const {
    quern_device_t handle = nullptr;
    detail::check(quern_queue_get_device(get_handle(), &handle));
    detail::check(quern_device_retain(handle));
    return device(handle);
  }
  bool is_in_order() const {
    quern_queue_flags_t flags = 0;
    detail::check(quern_queue_get_flags(get_handle(), &flags));
    return !(flags & quern_queue_out_of_order);
  }
  bool operator==(const queue &other) const noexcept { return get_handle() == other.get_handle(); }

  template <typename F>
  event submit(F function) const {
    return submit_to(function, nullptr);
  }
  /** Tried again on `fallback` when it fails. */
  template <typename F>
  event submit(F function, const queue &fallback) const {
    return submit_to(function, fallback.get_handle());
  }
  /* Groups of one action on addresses, behind the events. */
  event memcpy(void *to, const void *from, size_t size, const std::vector<event> &before = {}) const {
    return submit_after(before, [&](handler &group) { group.memcpy(to, from, size); });
  }
  template <typename T>
  event copy(const T *from, T *to, size_t count, const std::vector<event> &before = {}) const {
    return memcpy(to, from, count * sizeof(T), before);
  }
  event memset(void *to, int value, size_t size, const std::vector<event> &before = {}) const {
    return submit_after(before, [&](handler &group) { group.memset(to, value, size); });
  }
  template <typename T>
  event fill(void *to, const T &pattern, size_t count, const std::vector<event> &before = {}) const {
    return submit_after(before, [&](handler &group) { group.fill(to, pattern, count); });
  }
  event prefetch(void *pointer, size_t size, const std::vector<event> &before = {}) const {
    return submit_after(before, [&](handler &group) { group.prefetch(pointer, size); });
  }
  event mem_advise(void *pointer, size_t size, int advice, const std::vector<event> &before = {}) const {
    return submit_after(before, [&](handler &group) { group.mem_advise(pointer, size, advice); });
  }
  bool is_host() const { return get_device().is_host(); }
#ifdef QUERN_SYCL_1_2_1
  template <backend Name = backend::opencl>
  auto get() const {
    return sycl::get_native<Name>(*this);
  }
#endif
  void wait() const { detail::check(quern_queue_wait(get_handle())); }
  void wait_and_throw() const { wait(); }
  template <backend Name>
  auto get_native() const {
    return sycl::get_native<Name>(*this);
  }

 private:
  struct state {
    state(const context &context, const device &device, async_handler function, quern_queue_flags_t flags)
        : owner(context), handler(std::move(function)) {
      detail::check(quern_queue_create(context.get_handle(), device.get_handle(), flags,
                                       handler ? detail::call_handler : nullptr, &handler, &handle));
    }
    state(const context &context, quern_queue_t made, async_handler function)
        : owner(context), handler(std::move(function)), handle(made) {
      if (handler) detail::check(quern_queue_set_handler(handle, detail::call_handler, &handler));
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
  event submit_after(const std::vector<event> &before, const F &action) const {
    return submit([&](handler &group) {
      group.depends_on(before);
      action(group);
    });
  }
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

/** A queue over a native one. */
template <backend Name>
queue make_queue(const backend_input_t<Name, queue> &native, const context &context, async_handler handler = {}) {
  return interop<Name, queue>::make(native, context, std::move(handler));
}

}  // namespace sycl
}  // namespace quern

#endif
