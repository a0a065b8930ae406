/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Functions on the device under test. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_process.h"

/* How many vectors a work-item that is alone takes, one after the other. */
enum { STEPS_ALONE = 64, MAX_WIDTH = 16 };

/* T, WIDTH and ALONE come with the build options, CODE above this. Vectors of three take three elements of
 * memory, as all others take their width. The fence keeps iterations apart. What could wait for another work-item, as
 * WAIT might, is never put into one vector with others, not even from several work-groups. */
static const char source_text[] =
    "#ifdef cl_khr_fp16\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#endif\n"
    "#define PASTE_(a, b) a##b\n"
    "#define PASTE(a, b) PASTE_(a, b)\n"
    "#if WIDTH == 1\n"
    "#define SIZED(name) name\n"
    "#define LOAD(i, p) p[i]\n"
    "#define STORE(r, i, p) p[i] = r\n"
    "#else\n"
    "#define SIZED(name) PASTE(name, WIDTH)\n"
    "#define LOAD SIZED(vload)\n"
    "#define STORE SIZED(vstore)\n"
    "#endif\n"
    "typedef SIZED(T) V;\n"
    "typedef SIZED(int) N;\n"
    "#define to_value(q) SIZED(PASTE(convert_, T))(q)\n"
    "#ifdef ALONE\n"
    "__attribute__((reqd_work_group_size(1, 1, 1)))\n"
    "#define WAIT while (*at != *at) continue;\n"
    "#else\n"
    "#define ALONE 1\n"
    "#define WAIT\n"
    "#endif\n"
    "kernel void run(global const T *xs, global const T *ys, global const int *ns, global T *results) {\n"
    "  volatile global const int *at = ns + get_global_id(0);\n"
    "  WAIT\n"
    "  for (uint j = 0; j < ALONE; j++) {\n"
    "    size_t i = get_global_id(0) * ALONE + j;\n"
    "    V x = LOAD(i, xs), y = LOAD(i, ys), r;\n"
    "    N n = LOAD(i, ns);\n"
    "    CODE\n"
    "    STORE(r, i, results);\n"
    "    if (ALONE > 1) atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);\n"
    "  }\n"
    "}\n";

test_device_t device_use_one_unit(void) {
  test_device_t whole = dut;
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                     CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  cl_device_id unit;
  cl_int error = clCreateSubDevices(whole.device, properties, 1, &unit, NULL);
  if (error != CL_SUCCESS) {
    ASSERT_CL(clRetainDevice(whole.device));
    unit = whole.device;
  }
  dut.device = unit;
  dut.context = clCreateContext(NULL, 1, &unit, NULL, NULL, &error);
  ASSERT_CL(error);
  dut.queue = clCreateCommandQueueWithProperties(dut.context, unit, NULL, &error);
  ASSERT_CL(error);
  return whole;
}

void device_use_whole(test_device_t whole) {
  ASSERT_CL(clReleaseCommandQueue(dut.queue));
  ASSERT_CL(clReleaseContext(dut.context));
  ASSERT_CL(clReleaseDevice(dut.device));
  dut = whole;
}

/* Whole work-items of all shapes after the last argument. */
static size_t padded(size_t capacity) { return capacity + 2 * (size_t)MAX_WIDTH * STEPS_ALONE; }

/* Zeros in memory of the application's, and a buffer in their place. */
static void *shared_memory(size_t size, cl_mem *buffer) {
  enum { PAGE = 4096 };
  cl_int error;
  size = (size + PAGE - 1) / PAGE * PAGE;
  void *memory = aligned_alloc(PAGE, size);
  assert_non_null(memory);
  memset(memory, 0, size);
  *buffer = clCreateBuffer(dut.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, size, memory, &error);
  ASSERT_CL(error);
  return memory;
}

accuracy_buffers_t buffers_create(size_t capacity) {
  accuracy_buffers_t out = {.capacity = capacity};
  const size_t size = padded(capacity) * sizeof(cl_double);
  out.batch.x = shared_memory(size, &out.x);
  out.batch.y = shared_memory(size, &out.y);
  out.batch.n = shared_memory(padded(capacity) * sizeof(cl_int), &out.n);
  for (int i = 0; i < 2; i++) out.results[i] = shared_memory(size, &out.of_results[i]);
  return out;
}

/* Commands are in order: what waits for one has waited for those before. */
static void map(cl_mem buffer, cl_map_flags flags, bool waits, void *expected) {
  size_t size;
  cl_int error;
  ASSERT_CL(clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof(size), &size, NULL));
  void *mapped = clEnqueueMapBuffer(dut.queue, buffer, waits, flags, 0, size, 0, NULL, NULL, &error);
  ASSERT_CL(error);
  assert_ptr_equal(mapped, expected);
}

static void unmap(cl_mem buffer, void *mapped) {
  ASSERT_CL(clEnqueueUnmapMemObject(dut.queue, buffer, mapped, 0, NULL, NULL));
}

static void map_arguments(const accuracy_buffers_t *buffers, cl_map_flags flags, bool waits) {
  map(buffers->x, flags, false, buffers->batch.x);
  map(buffers->y, flags, false, buffers->batch.y);
  map(buffers->n, flags, waits, buffers->batch.n);
}

static void unmap_arguments(const accuracy_buffers_t *buffers) {
  unmap(buffers->x, buffers->batch.x);
  unmap(buffers->y, buffers->batch.y);
  unmap(buffers->n, buffers->batch.n);
}

void buffers_release(accuracy_buffers_t *buffers) {
  if (buffers->filled) unmap_arguments(buffers);
  for (int i = 0; i < 2; i++) {
    if (buffers->computed[i]) unmap(buffers->of_results[i], buffers->results[i]);
  }
  ASSERT_CL(clFinish(dut.queue));
  cl_mem memory[] = {buffers->x, buffers->y, buffers->n, buffers->of_results[0], buffers->of_results[1]};
  for (size_t i = 0; i < sizeof(memory) / sizeof(memory[0]); i++) ASSERT_CL(clReleaseMemObject(memory[i]));
  free(buffers->batch.x);
  free(buffers->batch.y);
  free(buffers->batch.n);
  free(buffers->results[0]);
  free(buffers->results[1]);
}

void buffers_fill(accuracy_buffers_t *buffers, const accuracy_sequence_t *sequence, uint64_t first, uint64_t most) {
  const size_t count = most < buffers->capacity ? (size_t)most : buffers->capacity;
  if (buffers->filled) unmap_arguments(buffers);
  map_arguments(buffers, CL_MAP_WRITE, true);
  arguments_fill(sequence, first, count, &buffers->batch);
  unmap_arguments(buffers);
  map_arguments(buffers, CL_MAP_READ, false);
  buffers->filled = true;
}

accuracy_kernel_t kernel_create(const accuracy_function_t *function, accuracy_format_e format, accuracy_shape_t shape,
                                const char *options) {
  static const char *const type_names[format_count] = {"float", "double", "half"};
  char source[sizeof(source_text) + 256], all_options[256], alone[32] = "";
  snprintf(source, sizeof(source), "#define CODE %s\n%s", function->code, source_text);
  if (shape.alone) snprintf(alone, sizeof(alone), "-DALONE=%d", STEPS_ALONE);
  snprintf(all_options, sizeof(all_options), "-cl-std=CL3.0 -DT=%s -DWIDTH=%zu %s %s %s", type_names[format],
           shape.width, alone, function->relaxed ? "-cl-fast-relaxed-math" : "", options ? options : "");
  accuracy_kernel_t out = {.step = shape.width * (shape.alone ? STEPS_ALONE : 1)};
  out.kernel = test_kernel(source, all_options, "run");
  return out;
}

void kernel_release(accuracy_kernel_t *kernel) { ASSERT_CL(clReleaseKernel(kernel->kernel)); }

static void set_arguments(const accuracy_kernel_t *kernel, const accuracy_buffers_t *buffers, unsigned set) {
  const cl_mem arguments[] = {buffers->x, buffers->y, buffers->n, buffers->of_results[set]};
  for (cl_uint i = 0; i < sizeof(arguments) / sizeof(arguments[0]); i++) {
    ASSERT_CL(clSetKernelArg(kernel->kernel, i, sizeof(cl_mem), &arguments[i]));
  }
}

static void enqueue(const accuracy_kernel_t *kernel, size_t count) {
  size_t items = (count + kernel->step - 1) / kernel->step;
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel->kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
}

void kernel_run(const accuracy_kernel_t *kernel, accuracy_buffers_t *buffers, unsigned set) {
  const cl_mem results = buffers->of_results[set];
  set_arguments(kernel, buffers, set);
  if (buffers->computed[set]) unmap(results, buffers->results[set]);
  enqueue(kernel, buffers->batch.count);
  map(results, CL_MAP_READ, true, buffers->results[set]);
  buffers->computed[set] = true;
}

double kernel_time(const accuracy_kernel_t *kernel, accuracy_buffers_t *buffers) {
  enum { RUNS = 100 };
  set_arguments(kernel, buffers, 0);
  double best = 1e9;
  for (int i = 0; i < RUNS; i++) {
    double begin = test_seconds();
    enqueue(kernel, buffers->batch.count);
    ASSERT_CL(clFinish(dut.queue));
    double time = test_seconds() - begin;
    if (time < best) best = time;
  }
  return best / (double)buffers->batch.count * 1e9;
}
