/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What DPC++'s runtime asks of a driver besides kernels: queues, events, memory of every kind, host tasks, graphs,
 * sub-devices, threads. runtime PLATFORM; prints the tests that fail. Exit status: their number. */
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <string>
#include <sycl/ext/oneapi/experimental/graph.hpp>
#include <sycl/sycl.hpp>
#include <thread>
#include <vector>

namespace syclex = sycl::ext::oneapi::experimental;

namespace {

constexpr int items = 4096;

const std::string source = R"(
#include <cassert>
#include <sycl/sycl.hpp>
namespace syclex = sycl::ext::oneapi::experimental;
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void add(int *p, int by) { p[sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id()] += by; }
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::single_task_kernel))
void total(int *p, int n, int *out) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; *out = s; }
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::single_task_kernel))
void claim(int *p, int wanted) { assert(*p == wanted); *p = -1; }
)";

void check(bool holds, const char *what) {
  if (!holds) throw sycl::exception(sycl::errc::runtime, what);
}

/** A device, a queue without order, and the kernels. */
struct Setup {
  explicit Setup(const sycl::device &of) : device(of), queue(of) {
    auto text = syclex::create_kernel_bundle_from_source(queue.get_context(), syclex::source_language::sycl, source);
    auto bundle = syclex::build(text);
    kernels.push_back(bundle.ext_oneapi_get_kernel("add"));
    kernels.push_back(bundle.ext_oneapi_get_kernel("total"));
    kernels.push_back(bundle.ext_oneapi_get_kernel("claim"));
  }

  void set_add(sycl::handler &handler, int *p, int by) const {
    handler.set_args(p, by);
    handler.parallel_for(sycl::nd_range<1>(items, 64), kernels[0]);
  }

  void set_total(sycl::handler &handler, int *p, int *out) const {
    handler.set_args(p, items, out);
    handler.single_task(kernels[1]);
  }

  sycl::event add(sycl::queue &to, int *p, int by, const std::vector<sycl::event> &after = {}) const {
    return to.submit([&](sycl::handler &handler) {
      handler.depends_on(after);
      set_add(handler, p, by);
    });
  }

  sycl::device device;
  sycl::queue queue;
  std::vector<sycl::kernel> kernels;
};

/** Shared memory for a number per work-item, zeros. */
class Numbers {
 public:
  explicit Numbers(const sycl::queue &queue) : queue_(queue), data_(sycl::malloc_shared<int>(items, queue)) {
    std::fill_n(data_, items, 0);
  }
  Numbers(const Numbers &) = delete;
  ~Numbers() { sycl::free(data_, queue_); }
  operator int *() const { return data_; }
  bool are(int value) const {
    return std::all_of(data_, data_ + items, [=](int v) { return v == value; });
  }

 private:
  sycl::queue queue_;
  int *data_;
};

void events_order_commands(Setup &setup) {
  Numbers p(setup.queue);
  sycl::event last;
  for (int i = 0; i < 100; i++) last = setup.add(setup.queue, p, 1, {last});
  last.wait();
  check(p.are(100), "a command did not wait for the one before it");
  setup.add(setup.queue, p, 1, {setup.queue.ext_oneapi_submit_barrier()});
  setup.queue.wait();
  check(p.are(101), "a command did not wait for a barrier");
}

void queues_in_order_with_profiling(Setup &setup) {
  sycl::queue queue(setup.queue.get_context(), setup.device,
                    {sycl::property::queue::in_order(), sycl::property::queue::enable_profiling()});
  int *p = sycl::malloc_device<int>(items, queue);
  std::vector<int> numbers(items, 5);
  queue.memcpy(p, numbers.data(), items * sizeof(int));
  sycl::event last;
  for (int i = 0; i < 50; i++) last = setup.add(queue, p, 2);
  queue.memcpy(numbers.data(), p, items * sizeof(int)).wait();
  check(std::count(numbers.begin(), numbers.end(), 105) == items, "commands are out of order");
  using namespace sycl::info::event_profiling;
  check(last.get_profiling_info<command_end>() >= last.get_profiling_info<command_start>(), "it ends before its start");
  check(last.get_profiling_info<command_start>() >= last.get_profiling_info<command_submit>(),
        "it starts before it was submitted");
  check(queue.ext_oneapi_empty(), "the queue is not empty");
  sycl::free(p, queue);
}

void memory_of_every_kind(Setup &setup) {
  sycl::queue &queue = setup.queue;
  const sycl::context context = queue.get_context();
  int *device = sycl::malloc_device<int>(items, queue), *host = sycl::malloc_host<int>(items, queue);
  int *aligned = sycl::aligned_alloc_shared<int>(4096, items, queue);
  Numbers shared(queue);
  check(reinterpret_cast<uintptr_t>(aligned) % 4096 == 0, "the alignment is wrong");
  check(sycl::get_pointer_type(device, context) == sycl::usm::alloc::device, "it is the device's");
  check(sycl::get_pointer_type(shared + 5, context) == sycl::usm::alloc::shared, "it is shared");
  check(sycl::get_pointer_type(host, context) == sycl::usm::alloc::host, "it is the host's");
  check(sycl::get_pointer_type(&setup, context) == sycl::usm::alloc::unknown, "it is not known");
  check(sycl::get_pointer_device(device, context) == setup.device, "the device is another one");
  queue.fill(device, 7, items).wait();
  queue.memcpy(shared, device, items * sizeof(int)).wait();
  queue.copy(static_cast<int *>(shared), host, items).wait();
  queue.memset(aligned, 0, items * sizeof(int)).wait();
  check(std::count(host, host + items, 7) == items, "a copy of a copy is wrong");
  check(std::count(aligned, aligned + items, 0) == items, "memory is not cleared");
  queue.prefetch(shared, items * sizeof(int)).wait();
  queue.mem_advise(shared, items * sizeof(int), 0).wait();
  if (setup.device.has(sycl::aspect::usm_system_allocations)) {
    std::vector<int> own(items, 1);
    setup.add(queue, own.data(), 3).wait();
    check(std::count(own.begin(), own.end(), 4) == items, "a kernel did not write memory of the system");
  }
  for (int *p : {device, host, aligned}) sycl::free(p, queue);
}

void buffers_and_accessors(Setup &setup) {
  std::vector<int> numbers(items);
  std::iota(numbers.begin(), numbers.end(), 0);
  {
    sycl::buffer<int> from(numbers.data(), sycl::range<1>(items)), to{sycl::range<1>(items)};
    setup.queue.submit([&](sycl::handler &handler) {
      sycl::accessor source(from, handler, sycl::read_only);
      sycl::accessor target(to, handler, sycl::write_only, sycl::no_init);
      handler.copy(source, target);
    });
    setup.queue.submit([&](sycl::handler &handler) {
      sycl::accessor half(from, handler, sycl::range<1>(items / 2), sycl::id<1>(0), sycl::write_only);
      handler.fill(half, 3);
    });
    sycl::host_accessor copied(to, sycl::read_only);
    check(copied[77] == 77, "the copy came after the write that follows it");
  }
  check(numbers[0] == 3 && numbers[items / 2 - 1] == 3 && numbers[items / 2] == items / 2, "the half is wrong");
}

void rectangles_of_buffers(Setup &setup) {
  sycl::buffer<int, 2> ones(sycl::range<2>(64, 64)), twos(sycl::range<2>(64, 64));
  for (auto [buffer, value] : {std::pair(&ones, 1), std::pair(&twos, 2)}) {
    setup.queue.submit([&, buffer = buffer, value = value](sycl::handler &handler) {
      sycl::accessor all(*buffer, handler, sycl::write_only, sycl::no_init);
      handler.fill(all, value);
    });
  }
  setup.queue.submit([&](sycl::handler &handler) {
    sycl::accessor from(ones, handler, sycl::range<2>(10, 10), sycl::id<2>(3, 4), sycl::read_only);
    sycl::accessor to(twos, handler, sycl::range<2>(10, 10), sycl::id<2>(20, 30), sycl::write_only);
    handler.copy(from, to);
  });
  sycl::host_accessor result(twos, sycl::read_only);
  check(result[20][30] == 1 && result[29][39] == 1, "the rectangle is not copied");
  check(result[30][30] == 2 && result[20][29] == 2 && result[19][30] == 2, "more than the rectangle is copied");
}

void tasks_of_the_host(Setup &setup) {
  Numbers p(setup.queue);
  sycl::event first = setup.add(setup.queue, p, 1);
  sycl::event task = setup.queue.submit([&](sycl::handler &handler) {
    handler.depends_on(first);
    handler.host_task([numbers = static_cast<int *>(p)] {
      for (int i = 0; i < items; i++) numbers[i] *= 10;
    });
  });
  setup.add(setup.queue, p, 2, {task}).wait();
  check(p.are(12), "the host's task is out of order");
}

void graphs_made_of_nodes(Setup &setup) {
  Numbers p(setup.queue), out(setup.queue);
  syclex::command_graph graph(setup.queue.get_context(), setup.device);
  auto add = graph.add([&](sycl::handler &handler) { setup.set_add(handler, p, 1); });
  auto clear = graph.add([&](sycl::handler &handler) { handler.memset(out, 0, sizeof(int)); });
  graph.add([&](sycl::handler &handler) { setup.set_total(handler, p, out); },
            {syclex::property::node::depends_on(add, clear)});
  auto executable = graph.finalize();
  for (int i = 1; i <= 5; i++) {
    setup.queue.ext_oneapi_graph(executable).wait();
    check(out[0] == i * items, "a graph computes something else");
  }
}

void graphs_that_are_recorded(Setup &setup) {
  Numbers p(setup.queue), out(setup.queue);
  syclex::command_graph graph(setup.queue.get_context(), setup.device);
  graph.begin_recording(setup.queue);
  sycl::event last = setup.add(setup.queue, p, 10);
  last = setup.add(setup.queue, p, 20, {last});
  setup.queue.memcpy(out, p, items * sizeof(int), last);
  graph.end_recording();
  check(p.are(0), "what is recorded runs");
  auto executable = graph.finalize();
  for (int i = 0; i < 20; i++) setup.queue.ext_oneapi_graph(executable);
  setup.queue.wait();
  check(p.are(600) && out.are(600), "a graph does not run as often as it was submitted");
}

void sub_devices(Setup &setup) {
  auto parts = setup.device.create_sub_devices<sycl::info::partition_property::partition_equally>(1);
  for (const sycl::device &part : parts) {
    check(part.get_info<sycl::info::device::max_compute_units>() == 1, "a part has several compute units");
    Setup own(part);
    Numbers p(own.queue);
    own.add(own.queue, p, 4).wait();
    check(p.are(4), "a kernel on a part computes something else");
  }
}

void one_queue_of_many_threads(Setup &setup) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; t++) {
    threads.emplace_back([&] {
      Numbers p(setup.queue);
      sycl::event last;
      for (int i = 0; i < 50; i++) last = setup.add(setup.queue, p, 1, {last});
      last.wait();
      if (!p.are(50)) wrong++;
    });
  }
  for (std::thread &thread : threads) thread.join();
  check(wrong == 0, "a thread has other results");
}

/* Nobody flushes or waits: the runtime only asks how far the command is. */
void status_is_asked_for_in_a_loop(Setup &setup) {
  Numbers p(setup.queue);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  const sycl::event last = setup.add(setup.queue, p, 3, {setup.add(setup.queue, p, 4)});
  auto is_complete = [&] {
    return last.get_info<sycl::info::event::command_execution_status>() == sycl::info::event_command_status::complete;
  };
  while (!is_complete()) check(std::chrono::steady_clock::now() < end, "the command does not begin by itself");
  check(p.are(7), "a command that is complete has not run");
}

/* What does not hold is told on the standard error, and ends the command and not the process. */
void assertions(Setup &setup) {
  Numbers p(setup.queue);
  auto claim = [&](int wanted) {
    setup.queue
        .submit([&](sycl::handler &handler) {
          handler.set_args(static_cast<int *>(p), wanted);
          handler.single_task(setup.kernels[2]);
        })
        .wait_and_throw();
  };
  claim(0);
  check(p[0] == -1, "a kernel stops where its assertion holds");
  bool is_error = false;
  try {
    claim(5);
  } catch (const sycl::exception &) {
    is_error = true;
  }
  check(is_error, "an assertion that does not hold is no error");
  claim(-1);
}

void queries_of_kernels(Setup &setup) {
  using namespace sycl::info::kernel_device_specific;
  const sycl::kernel &add = setup.kernels[0];
  check(add.get_info<work_group_size>(setup.device) >= 64, "the work-group size");
  check(add.get_info<preferred_work_group_size_multiple>(setup.device) >= 1, "the preferred multiple");
  check(add.get_info<max_sub_group_size>(setup.device) >= 1, "the sub-group size");
}

struct Test {
  const char *name;
  void (*run)(Setup &setup);
};

#define TEST(name) {#name, name}
constexpr Test tests[] = {
    TEST(events_order_commands),     TEST(queues_in_order_with_profiling), TEST(memory_of_every_kind),
    TEST(buffers_and_accessors),     TEST(rectangles_of_buffers),          TEST(tasks_of_the_host),
    TEST(graphs_made_of_nodes),      TEST(graphs_that_are_recorded),       TEST(sub_devices),
    TEST(one_queue_of_many_threads), TEST(status_is_asked_for_in_a_loop),  TEST(assertions),
    TEST(queries_of_kernels),
};

}  // namespace

int main(int argc, char **argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: runtime PLATFORM\n"), 1;
  int failed = 0, found = 0;
  for (const sycl::platform &platform : sycl::platform::get_platforms()) {
    if (platform.get_info<sycl::info::platform::name>() != argv[1]) continue;
    Setup setup(platform.get_devices().front());
    found++;
    for (const Test &test : tests) {
      try {
        test.run(setup);
      } catch (const sycl::exception &exception) {
        std::printf("%s: %s\n", test.name, exception.what());
        failed++;
      }
    }
  }
  if (!found) return std::fprintf(stderr, "there is no platform %s\n", argv[1]), 1;
  std::printf("%zu of %zu\n", std::size(tests) - size_t(failed), std::size(tests));
  return failed;
}
