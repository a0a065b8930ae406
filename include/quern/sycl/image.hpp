/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Part of quern/interop.hpp. Images, for kernels in OpenCL C and for interop tasks. */
#ifndef QUERN_SYCL_IMAGE_HPP
#define QUERN_SYCL_IMAGE_HPP

#include <memory>

#include "quern/sycl/buffer.hpp"

namespace quern {
namespace sycl {

/** Names of SYCL 2020; orders and types are OpenCL's values. */
enum class image_format {
  r8g8b8a8_unorm,
  r16g16b16a16_unorm,
  r8g8b8a8_sint,
  r16g16b16a16_sint,
  r32b32g32a32_sint,
  r8g8b8a8_uint,
  r16g16b16a16_uint,
  r32b32g32a32_uint,
  r16b16g16a16_sfloat,
  r32g32b32a32_sfloat,
  b8g8r8a8_unorm
};

namespace detail {
struct channels {
  uint32_t order, type;
};
inline channels channels_of(image_format format) {
  enum : uint32_t { rgba = 0x10b5, bgra = 0x10b6 };
  switch (format) {
    case image_format::r8g8b8a8_unorm: return {rgba, 0x10d2};
    case image_format::r16g16b16a16_unorm: return {rgba, 0x10d3};
    case image_format::r8g8b8a8_sint: return {rgba, 0x10d7};
    case image_format::r16g16b16a16_sint: return {rgba, 0x10d8};
    case image_format::r32b32g32a32_sint: return {rgba, 0x10d9};
    case image_format::r8g8b8a8_uint: return {rgba, 0x10da};
    case image_format::r16g16b16a16_uint: return {rgba, 0x10db};
    case image_format::r32b32g32a32_uint: return {rgba, 0x10dc};
    case image_format::r16b16g16a16_sfloat: return {rgba, 0x10dd};
    case image_format::r32g32b32a32_sfloat: return {rgba, 0x10de};
    case image_format::b8g8r8a8_unorm: return {bgra, 0x10d2};
  }
  throw exception(make_error_code(errc::invalid), "no format of images");
}
}  // namespace detail

/** Its host memory is in use until it goes, and has the final contents then. */
template <int Dimensions = 1>
class unsampled_image {
 public:
  unsampled_image(image_format format, const range<Dimensions> &size) : unsampled_image(nullptr, format, size) {}
  unsampled_image(void *host, image_format format, const range<Dimensions> &size) : size_(size) {
    const detail::channels channels = detail::channels_of(format);
    const quern_image_layout_t layout = {Dimensions,
                                         size[0],
                                         Dimensions > 1 ? size[Dimensions > 1 ? 1 : 0] : 1,
                                         Dimensions > 2 ? size[Dimensions > 2 ? 2 : 0] : 1,
                                         channels.order,
                                         channels.type};
    quern_memory_t handle = nullptr;
    detail::check(quern_image_create(&layout, host, nullptr, &handle));
    handle_.reset(handle, release);
  }
  /** Takes over the handle. */
  explicit unsampled_image(quern_memory_t handle) : handle_(handle, release), size_(size_of(handle)) {}
  quern_memory_t get_handle() const noexcept { return handle_.get(); }
  range<Dimensions> get_range() const noexcept { return size_; }
  size_t size() const noexcept { return size_.size(); }

 private:
  static void release(quern_memory_t handle) { quern_memory_release(handle); }
  static range<Dimensions> size_of(quern_memory_t handle) {
    quern_image_layout_t layout;
    detail::check(quern_image_get_layout(handle, &layout));
    if constexpr (Dimensions == 1) return range<1>(layout.width);
    if constexpr (Dimensions == 2) return range<2>(layout.width, layout.height);
    if constexpr (Dimensions == 3) return range<3>(layout.width, layout.height, layout.depth);
  }
  std::shared_ptr<std::remove_pointer_t<quern_memory_t>> handle_;
  range<Dimensions> size_;
};

/** An image with a way to read it, which becomes an argument of kernels by `sampler(context, image.get_sampler())`. */
template <int Dimensions = 1>
class sampled_image : public unsampled_image<Dimensions> {
 public:
  sampled_image(const void *host, image_format format, const image_sampler &sampler, const range<Dimensions> &size)
      : unsampled_image<Dimensions>(const_cast<void *>(host), format, size), sampler_(sampler) {}
  image_sampler get_sampler() const noexcept { return sampler_; }

 private:
  image_sampler sampler_;
};

/** A name for what a group requires: `unsampled_image_accessor a{image, handler, read_only}`. */
template <typename Image, access::mode Mode, access::target Target = access::target::device>
class image_accessor {
 public:
  image_accessor(const Image &image, handler &group, mode_tag_t<Mode, Target>);
  const quern_accessor_t &get_native() const noexcept { return native_; }

 private:
  quern_accessor_t native_;
};
template <int D, access::mode M, access::target A>
image_accessor(const unsampled_image<D> &, handler &, mode_tag_t<M, A>) -> image_accessor<unsampled_image<D>, M, A>;
template <int D, access::mode M, access::target A>
image_accessor(const sampled_image<D> &, handler &, mode_tag_t<M, A>) -> image_accessor<sampled_image<D>, M, A>;

/** An image over a native one. */
template <backend Name, int Dimensions = 1>
unsampled_image<Dimensions> make_unsampled_image(const backend_input_t<Name, unsampled_image<Dimensions>> &native,
                                                 const context &context, const event &available = {}) {
  return interop<Name, unsampled_image<Dimensions>>::make(native, context, available);
}

}  // namespace sycl
}  // namespace quern

#endif
