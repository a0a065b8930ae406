/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Functions on the device under test. */
#include "device.h"

#include <stdio.h>

#include "test_process.h"

/* How many vectors a work-item that is alone takes, one after the other. */
enum { STEPS_ALONE = 64 };

/* T, WIDTH and ALONE come with the build options, CODE above this. Vectors of three take three elements of
 * memory, as all others take their width. The fence keeps iterations apart. */
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
    "#else\n"
    "#define ALONE 1\n"
    "#endif\n"
    "kernel void run(global const T *xs, global const T *ys, global const int *ns, global T *results) {\n"
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

static size_t element_size(accuracy_format_e format) {
  static const size_t sizes[format_count] = {sizeof(cl_float), sizeof(cl_double), sizeof(cl_half)};
  return sizes[format];
}

accuracy_kernel_t kernel_create(const accuracy_function_t *function, accuracy_format_e format, accuracy_shape_t shape,
                                size_t capacity, const char *options) {
  static const char *const type_names[format_count] = {"float", "double", "half"};
  char source[sizeof(source_text) + 256], all_options[256], alone[32] = "";
  snprintf(source, sizeof(source), "#define CODE %s\n%s", function->code, source_text);
  if (shape.alone) snprintf(alone, sizeof(alone), "-DALONE=%d", STEPS_ALONE);
  snprintf(all_options, sizeof(all_options), "-cl-std=CL3.0 -DT=%s -DWIDTH=%zu %s %s %s", type_names[format],
           shape.width, alone, function->relaxed ? "-cl-fast-relaxed-math" : "", options ? options : "");
  /* a batch is padded to what whole work-items take */
  size_t step = shape.width * (shape.alone ? STEPS_ALONE : 1), size = (capacity + 2 * step) * element_size(format);
  accuracy_kernel_t out = {.format = format, .step = step, .capacity = capacity};
  out.kernel = test_kernel(source, all_options, "run");
  out.x = test_buffer(size, NULL);
  out.y = test_buffer(size, NULL);
  out.n = test_buffer((capacity + 2 * step) * sizeof(cl_int), NULL);
  out.results = test_buffer(size, NULL);
  ASSERT_CL(clSetKernelArg(out.kernel, 0, sizeof(cl_mem), &out.x));
  ASSERT_CL(clSetKernelArg(out.kernel, 1, sizeof(cl_mem), &out.y));
  ASSERT_CL(clSetKernelArg(out.kernel, 2, sizeof(cl_mem), &out.n));
  ASSERT_CL(clSetKernelArg(out.kernel, 3, sizeof(cl_mem), &out.results));
  return out;
}

void kernel_release(accuracy_kernel_t *kernel) {
  ASSERT_CL(clReleaseKernel(kernel->kernel));
  cl_mem buffers[] = {kernel->x, kernel->y, kernel->n, kernel->results};
  for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
}

static void write_buffer(cl_mem buffer, size_t size, const void *data) {
  ASSERT_CL(clEnqueueWriteBuffer(dut.queue, buffer, CL_TRUE, 0, size, data, 0, NULL, NULL));
}

static void write_arguments(const accuracy_kernel_t *kernel, const accuracy_batch_t *batch) {
  size_t size = batch->count * element_size(kernel->format);
  write_buffer(kernel->x, size, batch->x);
  write_buffer(kernel->y, size, batch->y);
  write_buffer(kernel->n, batch->count * sizeof(cl_int), batch->n);
}

static void enqueue(const accuracy_kernel_t *kernel, size_t count) {
  size_t items = (count + kernel->step - 1) / kernel->step;
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel->kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
}

void kernel_run(const accuracy_kernel_t *kernel, const accuracy_batch_t *batch, void *results) {
  write_arguments(kernel, batch);
  enqueue(kernel, batch->count);
  test_read(kernel->results, batch->count * element_size(kernel->format), results);
}

double kernel_time(const accuracy_kernel_t *kernel, const accuracy_batch_t *batch) {
  enum { RUNS = 100 };
  write_arguments(kernel, batch);
  double best = 1e9;
  for (int i = 0; i < RUNS; i++) {
    double begin = test_seconds();
    enqueue(kernel, batch->count);
    ASSERT_CL(clFinish(dut.queue));
    double time = test_seconds() - begin;
    if (time < best) best = time;
  }
  return best / (double)batch->count * 1e9;
}
