/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * oneDNN over SYCL's device for the processor, on two drivers: onednn PLATFORM REFERENCE. A line for each primitive and
 * each kind of memory: "NAME | ok", or what is wrong. oneDNN computes in host tasks; memory, order, and what kernels
 * write before and read afterwards are the driver's. With a third argument, "speed", milliseconds instead. */
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <oneapi/dnnl/dnnl.hpp>
#include <oneapi/dnnl/dnnl_sycl.hpp>
#include <string>
#include <sycl/sycl.hpp>
#include <unordered_map>
#include <vector>

namespace syclex = sycl::ext::oneapi::experimental;
namespace interop = dnnl::sycl_interop;

namespace {

using dnnl::memory;
using Dims = memory::dims;
using Type = memory::data_type;
using Tag = memory::format_tag;
using Arguments = std::unordered_map<int, memory>;

const std::string source = R"(
#include <sycl/sycl.hpp>
namespace syclex = sycl::ext::oneapi::experimental;
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void scale(float *p, float by) { p[sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id()] *= by; }
)";

/** A device as oneDNN sees it, and where its tensors are. */
class Device {
 public:
  Device(const sycl::device &device, interop::memory_kind kind, bool in_order)
      : queue(make_queue(device, in_order)),
        engine(interop::make_engine(device, queue.get_context())),
        stream(interop::make_stream(engine, queue)),
        kind_(kind) {}

  memory empty(const memory::desc &desc) const { return interop::make_memory(desc, engine, kind_); }

  /** Numbers from -1 to 1 in a layout without gaps, the same ones on each device. */
  memory tensor(const Dims &dims, Tag tag, unsigned seed = 1) const {
    memory result = empty({dims, Type::f32, tag});
    const size_t count = std::accumulate(dims.begin(), dims.end(), size_t{1}, std::multiplies<size_t>());
    std::vector<float> values(count);
    for (size_t i = 0; i < count; i++) values[i] = float((i + seed * 977) * 2654435761u % 2001) / 1000 - 1;
    if (kind_ == interop::memory_kind::usm) {
      queue_copy(result.get_data_handle(), values.data(), count);
    } else {
      auto buffer = interop::get_buffer<float>(result);
      sycl::host_accessor accessor(buffer, sycl::write_only);
      std::copy(values.begin(), values.end(), accessor.begin());
    }
    return result;
  }

  memory as(const memory &from, const memory::desc &desc) const {
    if (from.get_desc() == desc) return from;
    memory result = empty(desc);
    memory copy = from;
    dnnl::reorder(copy, result).execute(stream, copy, result);
    return result;
  }

  memory run(const dnnl::primitive &primitive, Arguments arguments, const memory &result) const {
    primitive.execute(stream, arguments);
    return result;
  }

  /** What is in a tensor, as floats in the order of its dimensions. */
  std::vector<float> values(const memory &from) const {
    const Dims dims = from.get_desc().get_dims();
    static constexpr Tag tags[] = {Tag::a, Tag::a, Tag::ab, Tag::abc, Tag::abcd, Tag::abcde};
    memory plain = as(from, {dims, Type::f32, tags[dims.size()]});
    dnnl::stream(stream).wait();
    std::vector<float> result(plain.get_desc().get_size() / sizeof(float));
    if (kind_ == interop::memory_kind::usm) {
      queue_copy(result.data(), plain.get_data_handle(), result.size());
    } else {
      auto buffer = interop::get_buffer<float>(plain);
      sycl::host_accessor accessor(buffer, sycl::read_only);
      std::copy(accessor.begin(), accessor.end(), result.begin());
    }
    return result;
  }

  mutable sycl::queue queue;
  dnnl::engine engine;
  dnnl::stream stream;

 private:
  static sycl::queue make_queue(const sycl::device &device, bool in_order) {
    if (in_order) return sycl::queue(device, sycl::property::queue::in_order());
    return sycl::queue(device);
  }

  void queue_copy(void *to, const void *from, size_t count) const {
    queue.memcpy(to, from, count * sizeof(float)).wait();
  }

  interop::memory_kind kind_;
};

/** The result of a primitive that goes over one input. */
template <typename Primitive>
memory of_one(const Device &device, const typename Primitive::primitive_desc &desc, const memory &in) {
  const memory result = device.empty(desc.dst_desc());
  return device.run(Primitive(desc), {{DNNL_ARG_SRC, in}, {DNNL_ARG_DST, result}}, result);
}

memory multiply(const Device &device, const memory &a, const memory &b, Type to, const Dims &dims) {
  const dnnl::matmul::primitive_desc desc(device.engine, a.get_desc(), b.get_desc(), {dims, to, Tag::ab});
  const memory result = device.empty(desc.dst_desc());
  return device.run(dnnl::matmul(desc), {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, result}}, result);
}

memory matmul_of(const Device &device, Type type, Type to) {
  const memory a = device.as(device.tensor({100, 130}, Tag::ab), {{100, 130}, type, Tag::ab});
  const memory b = device.as(device.tensor({130, 70}, Tag::ab, 2), {{130, 70}, type, Tag::ab});
  return multiply(device, a, b, to, {100, 70});
}

memory matmul(const Device &device) { return matmul_of(device, Type::f32, Type::f32); }
memory matmul_bf16(const Device &device) { return matmul_of(device, Type::bf16, Type::bf16); }
memory matmul_s8(const Device &device) { return matmul_of(device, Type::s8, Type::s32); }

const Dims image{2, 16, 20, 24}, filter{32, 16, 3, 3}, mapped{2, 32, 20, 24}, strides{1, 1}, padding{1, 1};

dnnl::convolution_forward::primitive_desc convolution_desc(const Device &device) {
  return {device.engine,
          dnnl::prop_kind::forward_training,
          dnnl::algorithm::convolution_direct,
          {image, Type::f32, Tag::any},
          {filter, Type::f32, Tag::any},
          {mapped, Type::f32, Tag::any},
          strides,
          padding,
          padding};
}

/** The result of a primitive that goes forward over an input and weights, in the layouts that it wants. */
template <typename Primitive>
memory weighted(const Device &device, const typename Primitive::primitive_desc &desc, const Dims &weights_dims) {
  const memory in = device.as(device.tensor(image, Tag::nchw), desc.src_desc());
  const memory weights = device.as(device.tensor(weights_dims, Tag::oihw, 2), desc.weights_desc());
  const memory result = device.empty(desc.dst_desc());
  return device.run(Primitive(desc), {{DNNL_ARG_SRC, in}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, result}}, result);
}

memory convolution(const Device &device) {
  return weighted<dnnl::convolution_forward>(device, convolution_desc(device), filter);
}

memory convolution_data(const Device &device) {
  const dnnl::convolution_backward_data::primitive_desc desc(
      device.engine, dnnl::algorithm::convolution_direct, {image, Type::f32, Tag::any}, {filter, Type::f32, Tag::any},
      {mapped, Type::f32, Tag::any}, strides, padding, padding, convolution_desc(device));
  const memory gradient = device.as(device.tensor(mapped, Tag::nchw), desc.diff_dst_desc());
  const memory weights = device.as(device.tensor(filter, Tag::oihw, 2), desc.weights_desc());
  const memory result = device.empty(desc.diff_src_desc());
  return device.run(dnnl::convolution_backward_data(desc),
                    {{DNNL_ARG_DIFF_DST, gradient}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DIFF_SRC, result}}, result);
}

memory convolution_weights(const Device &device) {
  const dnnl::convolution_backward_weights::primitive_desc desc(
      device.engine, dnnl::algorithm::convolution_direct, {image, Type::f32, Tag::any}, {filter, Type::f32, Tag::any},
      {mapped, Type::f32, Tag::any}, strides, padding, padding, convolution_desc(device));
  const memory in = device.as(device.tensor(image, Tag::nchw), desc.src_desc());
  const memory gradient = device.as(device.tensor(mapped, Tag::nchw, 2), desc.diff_dst_desc());
  const memory result = device.empty(desc.diff_weights_desc());
  return device.run(dnnl::convolution_backward_weights(desc),
                    {{DNNL_ARG_SRC, in}, {DNNL_ARG_DIFF_DST, gradient}, {DNNL_ARG_DIFF_WEIGHTS, result}}, result);
}

memory deconvolution(const Device &device) {
  const dnnl::deconvolution_forward::primitive_desc desc(device.engine, dnnl::prop_kind::forward_inference,
                                                         dnnl::algorithm::deconvolution_direct,
                                                         {image, Type::f32, Tag::any}, {filter, Type::f32, Tag::any},
                                                         {mapped, Type::f32, Tag::any}, strides, padding, padding);
  return weighted<dnnl::deconvolution_forward>(device, desc, filter);
}

memory inner_product(const Device &device) {
  const Dims weights_dims{40, 16, 20, 24};
  const dnnl::inner_product_forward::primitive_desc desc(
      device.engine, dnnl::prop_kind::forward_inference, {image, Type::f32, Tag::any},
      {weights_dims, Type::f32, Tag::any}, {{2, 40}, Type::f32, Tag::any});
  return weighted<dnnl::inner_product_forward>(device, desc, weights_dims);
}

memory pooling_of(const Device &device, dnnl::algorithm algorithm) {
  const memory in = device.tensor(image, Tag::nchw);
  const dnnl::pooling_forward::primitive_desc desc(device.engine, dnnl::prop_kind::forward_inference, algorithm,
                                                   in.get_desc(), {{2, 16, 10, 12}, Type::f32, Tag::nchw}, {2, 2},
                                                   {2, 2}, {0, 0}, {0, 0}, {0, 0});
  return of_one<dnnl::pooling_forward>(device, desc, in);
}

memory pooling_max(const Device &device) { return pooling_of(device, dnnl::algorithm::pooling_max); }
memory pooling_average(const Device &device) {
  return pooling_of(device, dnnl::algorithm::pooling_avg_exclude_padding);
}

memory activation(const Device &device, dnnl::algorithm algorithm, const memory &in) {
  const dnnl::eltwise_forward::primitive_desc desc(device.engine, dnnl::prop_kind::forward_inference, algorithm,
                                                   in.get_desc(), in.get_desc());
  return of_one<dnnl::eltwise_forward>(device, desc, in);
}

memory gelu(const Device &device) {
  return activation(device, dnnl::algorithm::eltwise_gelu_erf, device.tensor(image, Tag::nchw));
}
memory logistic(const Device &device) {
  return activation(device, dnnl::algorithm::eltwise_logistic, device.tensor(image, Tag::nchw));
}

memory softmax_of(const Device &device, const memory &in) {
  const dnnl::softmax_forward::primitive_desc desc(device.engine, dnnl::prop_kind::forward_inference,
                                                   dnnl::algorithm::softmax_accurate, in.get_desc(), in.get_desc(), 1);
  return of_one<dnnl::softmax_forward>(device, desc, in);
}

memory softmax(const Device &device) { return softmax_of(device, device.tensor(image, Tag::nchw)); }

memory layer_normalization(const Device &device) {
  const memory in = device.tensor({30, 20, 64}, Tag::abc);
  const dnnl::layer_normalization_forward::primitive_desc desc(device.engine, dnnl::prop_kind::forward_inference,
                                                               in.get_desc(), in.get_desc(), 1e-5f,
                                                               dnnl::normalization_flags::none);
  return of_one<dnnl::layer_normalization_forward>(device, desc, in);
}

memory batch_normalization(const Device &device) {
  const memory in = device.tensor(image, Tag::nchw);
  const dnnl::batch_normalization_forward::primitive_desc desc(device.engine, dnnl::prop_kind::forward_training,
                                                               in.get_desc(), in.get_desc(), 1e-5f,
                                                               dnnl::normalization_flags::none);
  const memory result = device.empty(desc.dst_desc());
  const Arguments arguments{{DNNL_ARG_SRC, in},
                            {DNNL_ARG_DST, result},
                            {DNNL_ARG_MEAN, device.empty(desc.mean_desc())},
                            {DNNL_ARG_VARIANCE, device.empty(desc.variance_desc())}};
  return device.run(dnnl::batch_normalization_forward(desc), arguments, result);
}

memory binary(const Device &device) {
  const memory a = device.tensor(image, Tag::nchw), b = device.tensor({1, 16, 1, 1}, Tag::nchw, 2);
  const dnnl::binary::primitive_desc desc(device.engine, dnnl::algorithm::binary_mul, a.get_desc(), b.get_desc(),
                                          a.get_desc());
  const memory result = device.empty(desc.dst_desc());
  return device.run(dnnl::binary(desc), {{DNNL_ARG_SRC_0, a}, {DNNL_ARG_SRC_1, b}, {DNNL_ARG_DST, result}}, result);
}

memory reduction(const Device &device) {
  const memory in = device.tensor(image, Tag::nchw);
  const dnnl::reduction::primitive_desc desc(device.engine, dnnl::algorithm::reduction_mean, in.get_desc(),
                                             {{2, 16, 1, 1}, Type::f32, Tag::nchw}, 0, 0);
  return of_one<dnnl::reduction>(device, desc, in);
}

memory concatenation(const Device &device) {
  const memory a = device.tensor(image, Tag::nchw), b = device.tensor(image, Tag::nchw, 2);
  const dnnl::concat::primitive_desc desc(device.engine, 1, {a.get_desc(), b.get_desc()});
  const memory result = device.empty(desc.dst_desc());
  const Arguments arguments{{DNNL_ARG_MULTIPLE_SRC, a}, {DNNL_ARG_MULTIPLE_SRC + 1, b}, {DNNL_ARG_DST, result}};
  return device.run(dnnl::concat(desc), arguments, result);
}

memory resampling(const Device &device) {
  const memory in = device.tensor(image, Tag::nchw);
  const dnnl::resampling_forward::primitive_desc desc(device.engine, dnnl::prop_kind::forward_inference,
                                                      dnnl::algorithm::resampling_linear, in.get_desc(),
                                                      {{2, 16, 33, 50}, Type::f32, Tag::nchw});
  return of_one<dnnl::resampling_forward>(device, desc, in);
}

memory shuffle(const Device &device) {
  const memory in = device.tensor(image, Tag::nchw);
  const dnnl::shuffle_forward::primitive_desc desc(device.engine, dnnl::prop_kind::forward_inference, in.get_desc(),
                                                   in.get_desc(), 1, 4);
  return of_one<dnnl::shuffle_forward>(device, desc, in);
}

memory layout(const Device &device) {
  return device.as(device.as(device.tensor(image, Tag::nchw), {image, Type::bf16, Tag::nhwc}),
                   {image, Type::f32, Tag::nChw8c});
}

memory lstm(const Device &device) {
  const memory::dim steps = 5, batch = 4, channels = 32;
  const Dims data{steps, batch, channels}, state{1, 1, batch, channels}, weights{1, 1, channels, 4, channels};
  const memory in = device.tensor(data, Tag::tnc);
  const memory layer = device.tensor(weights, Tag::ldigo, 2), iteration = device.tensor(weights, Tag::ldigo, 3);
  const memory bias = device.tensor({1, 1, 4, channels}, Tag::ldgo, 4);
  const memory::desc none;
  const dnnl::lstm_forward::primitive_desc desc(
      device.engine, dnnl::prop_kind::forward_inference, dnnl::rnn_direction::unidirectional_left2right, in.get_desc(),
      none, none, layer.get_desc(), iteration.get_desc(), bias.get_desc(), in.get_desc(), none, none);
  const memory result = device.empty(desc.dst_layer_desc());
  const Arguments arguments{{DNNL_ARG_SRC_LAYER, in},
                            {DNNL_ARG_WEIGHTS_LAYER, layer},
                            {DNNL_ARG_WEIGHTS_ITER, iteration},
                            {DNNL_ARG_BIAS, bias},
                            {DNNL_ARG_DST_LAYER, result}};
  return device.run(dnnl::lstm_forward(desc), arguments, result);
}

/** Primitives one after the other, with no wait between them. */
memory layers(const Device &device) {
  memory data = device.tensor({64, 48}, Tag::ab);
  for (unsigned layer = 0; layer < 20; layer++) {
    data = multiply(device, data, device.tensor({48, 48}, Tag::ab, layer), Type::f32, {64, 48});
    data = activation(device, dnnl::algorithm::eltwise_tanh, data);
  }
  return softmax_of(device, data);
}

struct Case {
  const char *name;
  memory (*compute)(const Device &);
};

constexpr Case cases[] = {
    {"matmul", matmul},
    {"matmul bf16", matmul_bf16},
    {"matmul s8", matmul_s8},
    {"convolution", convolution},
    {"convolution backward data", convolution_data},
    {"convolution backward weights", convolution_weights},
    {"deconvolution", deconvolution},
    {"inner product", inner_product},
    {"pooling max", pooling_max},
    {"pooling average", pooling_average},
    {"gelu", gelu},
    {"logistic", logistic},
    {"softmax", softmax},
    {"layer normalization", layer_normalization},
    {"batch normalization", batch_normalization},
    {"binary", binary},
    {"reduction", reduction},
    {"concatenation", concatenation},
    {"resampling", resampling},
    {"shuffle", shuffle},
    {"layouts", layout},
    {"lstm", lstm},
    {"layers", layers},
};

/** Kernels of SYCL before and after a primitive, ordered by events alone. */
std::vector<float> between_kernels(const Device &device) {
  auto text =
      syclex::create_kernel_bundle_from_source(device.queue.get_context(), syclex::source_language::sycl, source);
  const sycl::kernel scale = syclex::build(text).ext_oneapi_get_kernel("scale");
  const memory in = device.tensor({128, 128}, Tag::ab), weights = device.tensor({128, 128}, Tag::ab, 2);
  const memory result = device.empty(in.get_desc());
  const auto run_kernel = [&](const memory &of, float by, const std::vector<sycl::event> &after) {
    return device.queue.submit([&](sycl::handler &handler) {
      handler.depends_on(after);
      handler.set_args(static_cast<float *>(of.get_data_handle()), by);
      handler.parallel_for(sycl::nd_range<1>(size_t{128} * 128, 64), scale);
    });
  };
  const dnnl::matmul product({device.engine, in.get_desc(), weights.get_desc(), in.get_desc()});
  sycl::event last;
  for (int round = 0; round < 50; round++) {
    const sycl::event before = run_kernel(in, 1.01f, {last});
    const sycl::event middle = interop::execute(
        product, device.stream, {{DNNL_ARG_SRC, in}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, result}}, {before});
    last = run_kernel(result, 0.5f, {middle});
  }
  last.wait_and_throw();
  return device.values(result);
}

sycl::device find_device(const std::string &platform_name) {
  for (const sycl::platform &platform : sycl::platform::get_platforms()) {
    if (platform.get_info<sycl::info::platform::name>() == platform_name) return platform.get_devices().front();
  }
  throw sycl::exception(sycl::errc::runtime, "there is no platform " + platform_name);
}

/** Both drivers run the same code on the host: sums may be split among another number of threads. */
std::string difference(const std::vector<float> &a, const std::vector<float> &b) {
  if (a.empty() || a.size() != b.size()) return "another number of values";
  double largest = 0, apart = 0;
  for (size_t i = 0; i < a.size(); i++) {
    if (!std::isfinite(a[i])) return "a value is not finite";
    largest = std::max(largest, double(std::fabs(b[i])));
    apart = std::max(apart, double(std::fabs(a[i] - b[i])));
  }
  if (largest == 0) return "all values are zero";
  return apart <= 1e-5 * largest ? "ok" : "apart by " + std::to_string(apart / largest);
}

template <typename Compute>
void compare(const std::string &name, const Device &own, const Device &reference, Compute compute) {
  std::string verdict;
  try {
    verdict = difference(compute(own), compute(reference));
  } catch (const std::exception &exception) {
    verdict = exception.what();
  }
  std::printf("%s | %s\n", name.c_str(), verdict.c_str());
  std::fflush(stdout);
}

struct Place {
  const char *name;
  interop::memory_kind kind;
  bool in_order;
};

constexpr Place places[] = {{"usm", interop::memory_kind::usm, false},
                            {"usm in order", interop::memory_kind::usm, true},
                            {"buffer", interop::memory_kind::buffer, false}};

void compare_all(const sycl::device &own_device, const sycl::device &reference_device) {
  for (const Place &place : places) {
    const Device own(own_device, place.kind, place.in_order);
    const Device reference(reference_device, place.kind, place.in_order);
    for (const Case &each : cases) {
      compare(std::string(each.name) + ", " + place.name, own, reference,
              [&](const Device &device) { return device.values(each.compute(device)); });
    }
    if (place.kind != interop::memory_kind::usm) continue;
    compare(std::string("between kernels, ") + place.name, own, reference, between_kernels);
  }
}

double milliseconds(const Device &device, const dnnl::primitive &primitive, const Arguments &arguments) {
  const auto begin = std::chrono::steady_clock::now();
  primitive.execute(device.stream, arguments);
  dnnl::stream(device.stream).wait();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/** A product of square matrices, in turn over both. */
void measure(const sycl::device &own_device, const sycl::device &reference_device, memory::dim size) {
  constexpr size_t rounds = 31;
  const Device devices[] = {{own_device, interop::memory_kind::usm, true},
                            {reference_device, interop::memory_kind::usm, true}};
  std::vector<dnnl::primitive> primitives;
  std::vector<Arguments> arguments;
  for (const Device &device : devices) {
    const memory a = device.tensor({size, size}, Tag::ab), b = device.tensor({size, size}, Tag::ab, 2);
    primitives.push_back(
        dnnl::matmul(dnnl::matmul::primitive_desc(device.engine, a.get_desc(), b.get_desc(), a.get_desc())));
    arguments.push_back({{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, device.empty(a.get_desc())}});
  }
  std::array<std::array<double, rounds>, 2> times;
  for (size_t round = 0; round < rounds; round++) {
    for (size_t i = 0; i < 2; i++) times[i][round] = milliseconds(devices[i], primitives[i], arguments[i]);
  }
  for (auto &each : times) std::sort(each.begin(), each.end());
  std::printf("| %d | %.3f | %.3f |\n", int(size), times[0][rounds / 2], times[1][rounds / 2]);
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: onednn PLATFORM REFERENCE [speed]\n"), 1;
  try {
    const sycl::device own = find_device(argv[1]), reference = find_device(argv[2]);
    if (argc == 3) {
      compare_all(own, reference);
    } else {
      for (memory::dim size : {16, 128, 512}) measure(own, reference, size);
    }
  } catch (const std::exception &exception) {
    return std::printf("run | %s\n", exception.what()), 1;
  }
  return 0;
}
