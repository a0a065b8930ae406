/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * C++17 over quern/interop.h, in SYCL's spelling: command groups, interop tasks, backends, bound buffers. */
#ifndef QUERN_INTEROP_HPP
#define QUERN_INTEROP_HPP

#include <array>
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

/* Everything is in quern::sycl; cl::sycl and sycl are other names of it. A program that also uses a SYCL implementation
 * defines QUERN_WITHOUT_SYCL_NAMES. Objects are shared handles, as in SYCL. Kernels for devices are OpenCL C (class
 * kernel): C++ functions run on the host backend alone. Errors of calls are exceptions; those of groups reach the
 * queue's async_handler at once, on any thread. */
namespace quern {
namespace sycl {

/* ------------------------------------------------------------ backends */

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

/** The handle of the task that the thread runs, for accessors. */
inline quern_handle_t &current_handle() {
  static thread_local quern_handle_t handle{nullptr};
  return handle;
}

}  // namespace detail

/* ------------------------------------------------------------ devices and platforms */

template <backend Name, typename Object>
native_t<Name, Object> get_native(const Object &object) {
  native_t<Name, Object> native = nullptr;
  detail::check(interop<Name, Object>::get(object.get_handle(), &native));
  return native;
}

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
enum class device { QUERN_DEVICE_INFO_LIST(QUERN_HPP_INFO) };
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
}  // namespace info

class platform;

QUERN_HPP_COUNTED(device) {
 public:
  using counted::counted;
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
    typename traits::native_type value;
    detail::check(quern_device_get_info(get_handle(), traits::index, sizeof(value), &value));
    return value;
  }
};

class device_selector {
 public:
  virtual ~device_selector() = default;
  virtual int operator()(const device &device) const = 0;
  device select_device() const {
    quern_device_t chosen = nullptr;
    detail::check(
        quern_device_select([](quern_device_t candidate,
                               void *data) { return (*static_cast<const device_selector *>(data))(device(candidate)); },
                            const_cast<device_selector *>(this), &chosen));
    return device(chosen);
  }
};
#define QUERN_HPP_SELECTOR(name)                                  \
  class name##_selector : public device_selector {                \
   public:                                                        \
    int operator()(const device &device) const override {         \
      return quern_selector_##name(device.get_handle(), nullptr); \
    }                                                             \
  };
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
  explicit platform(const device_selector &selector) : platform(selector.select_device().get_platform()) {}
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

/* ------------------------------------------------------------ contexts, programs, kernels, events */

QUERN_HPP_COUNTED(context) {
 public:
  using counted::counted;
  explicit context(const device_selector &selector = default_selector()) : context(selector.select_device()) {}
  explicit context(const device &device) {
    quern_device_t native = device.get_handle();
    detail::check(quern_context_create(1, &native, nullptr, nullptr, &handle_));
  }
  std::vector<device> get_devices() const {
    auto handles = detail::list<quern_device_t>([&](size_t capacity, quern_device_t *devices, size_t *count) {
      return quern_context_get_devices(get_handle(), capacity, devices, count);
    });
    for (quern_device_t handle : handles) detail::check(quern_device_retain(handle));
    return {handles.begin(), handles.end()};
  }
  bool operator==(const context &other) const noexcept { return get_handle() == other.get_handle(); }
};

QUERN_HPP_COUNTED(program) {
 public:
  using counted::counted;
  /** Builds OpenCL C. */
  program(const context &context, const std::string &source, const std::string &options = "") {
    detail::check(quern_program_create_from_source(context.get_handle(), source.c_str(), options.c_str(), &handle_));
  }
};

QUERN_HPP_COUNTED(kernel) {
 public:
  using counted::counted;
  kernel(const program &program, const std::string &name) {
    detail::check(quern_kernel_create(program.get_handle(), name.c_str(), &handle_));
  }
};

QUERN_HPP_COUNTED(event) {
 public:
  using counted::counted;
  /** Errors of the group are thrown. */
  void wait() const {
    if (get_handle()) detail::check(quern_event_wait(get_handle()));
  }
};
#undef QUERN_HPP_COUNTED

/* ------------------------------------------------------------ ranges, accessors, buffers */

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
    return {quern_accessor_t{get_handle(), static_cast<quern_access_t>(Mode), 0, size_, 0}, std::move(owner)};
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

/* ------------------------------------------------------------ command groups */

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
          detail::current_handle() = handle;
          try {
            (*static_cast<F *>(data))(id<D>(point));
          } catch (...) { /* a misuse of an accessor: the group fails for it */
          }
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
  detail::current_handle() = handle;
  try {
    if constexpr (TakesHandle) {
      codeplay::interop_handle argument(handle);
      (*static_cast<F *>(data))(argument);
    } else {
      (*static_cast<F *>(data))();
    }
  } catch (const exception &error) {
    return error.code();
  } catch (...) {
    return quern_error_task_failed;
  }
  return quern_success;
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

/* ------------------------------------------------------------ native objects of OpenCL */

#if QUERN_IS_ACTIVE(opencl)
#define QUERN_HPP_NATIVE(object, native_type)                       \
  template <>                                                       \
  struct interop<backend::opencl, object> {                         \
    using type = native_type;                                       \
    static constexpr auto get = quern_opencl_##object##_get_native; \
  };
QUERN_HPP_NATIVE(platform, cl_platform_id)
QUERN_HPP_NATIVE(device, cl_device_id)
QUERN_HPP_NATIVE(context, cl_context)
QUERN_HPP_NATIVE(queue, cl_command_queue)
QUERN_HPP_NATIVE(event, cl_event)
QUERN_HPP_NATIVE(program, cl_program)
QUERN_HPP_NATIVE(kernel, cl_kernel)
#undef QUERN_HPP_NATIVE

/** get_native gives a reference of the caller's own; make takes one of its own (quern/native.h). */
namespace opencl {

template <typename Object>
auto get_native(const Object &object) {
  return sycl::get_native<backend::opencl>(object);
}

template <typename Object>
Object make(native_t<backend::opencl, Object> native) {
  if constexpr (std::is_same_v<Object, platform>) {
    quern_platform_t handle = nullptr;
    detail::check(quern_opencl_platform_make_from_native(native, &handle));
    return platform(handle);
  } else if constexpr (std::is_same_v<Object, device>) {
    quern_device_t handle = nullptr;
    detail::check(quern_opencl_device_make_from_native(native, quern_ownership_retain, &handle));
    return device(handle);
  } else {
    static_assert(std::is_same_v<Object, context>, "other objects are made in a context");
    quern_context_t handle = nullptr;
    detail::check(quern_opencl_context_make_from_native(native, quern_ownership_retain, nullptr, nullptr, &handle));
    return context(handle);
  }
}

/** Events, programs and kernels. */
template <typename Object>
Object make(const context &context, native_t<backend::opencl, Object> native) {
  decltype(std::declval<Object>().get_handle()) handle = nullptr;
  if constexpr (std::is_same_v<Object, event>) {
    detail::check(quern_opencl_event_make_from_native(context.get_handle(), native, quern_ownership_retain, &handle));
  } else if constexpr (std::is_same_v<Object, program>) {
    detail::check(quern_opencl_program_make_from_native(context.get_handle(), native, quern_ownership_retain, &handle));
  } else {
    static_assert(std::is_same_v<Object, kernel>, "no such object is made in a context");
    detail::check(quern_opencl_kernel_make_from_native(context.get_handle(), native, quern_ownership_retain, &handle));
  }
  return Object(handle);
}

/** A buffer over a native one. */
template <typename T>
buffer<T> make_buffer(const context &context, cl_mem native) {
  quern_memory_t handle = nullptr;
  detail::check(
      quern_opencl_memory_make_from_native(context.get_handle(), native, quern_ownership_retain, false, &handle));
  return buffer<T>(handle);
}

}  // namespace opencl
#endif

}  // namespace sycl
}  // namespace quern

#ifndef QUERN_WITHOUT_SYCL_NAMES
namespace sycl = quern::sycl;
namespace cl {
namespace sycl = quern::sycl;
}
#endif

#endif
