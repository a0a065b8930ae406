/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clCreateSubDevices, clRetainDevice, clReleaseDevice: equally and by counts, on a device with eight threads whatever
 * the machine has. sub_devices_affinity.c partitions along caches. */
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "test_device.h"

enum { units = 8, groups = 256 };

/** Its address says that a thread failed. */
static char failures;

static cl_uint uint_info(cl_device_id device, cl_device_info name) {
  cl_uint value = 0;
  ASSERT_CL(clGetDeviceInfo(device, name, sizeof(value), &value, NULL));
  return value;
}

/** The property list `name` of `device` is `expected`, of `count` entries. */
static void check_list(cl_device_id device, cl_device_info name, const cl_device_partition_property *expected,
                       size_t count) {
  cl_device_partition_property value[16];
  size_t size = 0;
  ASSERT_CL(clGetDeviceInfo(device, name, sizeof(value), value, &size));
  assert_int_equal(size, count * sizeof(*value));
  assert_memory_equal(value, expected, size);
}

static void partition(cl_device_id device, const cl_device_partition_property *properties, cl_uint expected,
                      cl_device_id *parts) {
  cl_uint count = 0;
  ASSERT_CL(clCreateSubDevices(device, properties, 0, NULL, &count));
  assert_int_equal(count, expected);
  count = 0;
  ASSERT_CL(clCreateSubDevices(device, properties, expected, parts, &count));
  assert_int_equal(count, expected);
}

static void partition_equally(cl_device_id device, cl_uint size, cl_uint expected, cl_device_id *parts) {
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, size, 0};
  partition(device, equally, expected, parts);
}

static void release(cl_uint count, const cl_device_id *devices) {
  for (cl_uint i = 0; i < count; i++) ASSERT_CL(clReleaseDevice(devices[i]));
}

static cl_context context_of(cl_uint count, const cl_device_id *devices) {
  cl_int error;
  cl_context context = clCreateContext(NULL, count, devices, NULL, NULL, &error);
  ASSERT_CL(error);
  return context;
}

static cl_command_queue queue_of(cl_context context, cl_device_id device) {
  cl_int error;
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  ASSERT_CL(error);
  return queue;
}

/** Built for `device`, or for all of the context when it is null. */
static cl_kernel kernel_of(cl_context context, const char *source, cl_device_id device) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clBuildProgram(program, device ? 1 : 0, device ? &device : NULL, "-cl-std=CL3.0", NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  ASSERT_CL(error);
  ASSERT_CL(clReleaseProgram(program));
  return kernel;
}

static cl_mem zeros(cl_context context, size_t size) {
  cl_int error;
  void *data = calloc(1, size);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, data, &error);
  ASSERT_CL(error);
  free(data);
  return buffer;
}

/* ------------------------------------------------------------ schemes and queries */

static void root_answers(void **state) {
  (void)state;
  const cl_device_partition_property none[] = {0};
  assert_int_equal(uint_info(dut.device, CL_DEVICE_MAX_COMPUTE_UNITS), units);
  assert_int_equal(uint_info(dut.device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES), units);
  ASSERT_INFO(clGetDeviceInfo, dut.device, CL_DEVICE_PARENT_DEVICE, cl_device_id, NULL);
  check_list(dut.device, CL_DEVICE_PARTITION_TYPE, none, 1);
  cl_device_partition_property schemes[8] = {0};
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_PARTITION_PROPERTIES, sizeof(schemes), schemes, NULL));
  assert_int_equal(schemes[0], CL_DEVICE_PARTITION_EQUALLY);
  assert_int_equal(schemes[1], CL_DEVICE_PARTITION_BY_COUNTS);
}

static void equally(void **state) {
  (void)state;
  const cl_device_partition_property type[] = {CL_DEVICE_PARTITION_EQUALLY, 3, 0};
  cl_device_id parts[2];
  /* Two units are left over. */
  partition_equally(dut.device, 3, 2, parts);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(uint_info(parts[i], CL_DEVICE_MAX_COMPUTE_UNITS), 3);
    assert_int_equal(uint_info(parts[i], CL_DEVICE_PARTITION_MAX_SUB_DEVICES), 3);
    ASSERT_INFO(clGetDeviceInfo, parts[i], CL_DEVICE_PARENT_DEVICE, cl_device_id, dut.device);
    ASSERT_INFO(clGetDeviceInfo, parts[i], CL_DEVICE_PLATFORM, cl_platform_id, dut.platform);
    ASSERT_INFO(clGetDeviceInfo, parts[i], CL_DEVICE_TYPE, cl_device_type, CL_DEVICE_TYPE_CPU);
    check_list(parts[i], CL_DEVICE_PARTITION_TYPE, type, 3);
  }
  release(2, parts);
}

static void by_counts(void **state) {
  (void)state;
  const cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS,          1, 5, 2,
                                                 CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  cl_device_id parts[3];
  partition(dut.device, counts, 3, parts);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(uint_info(parts[i], CL_DEVICE_MAX_COMPUTE_UNITS), counts[i + 1]);
    check_list(parts[i], CL_DEVICE_PARTITION_TYPE, counts, 6);
  }
  release(3, parts);
}

static void nested(void **state) {
  (void)state;
  const cl_device_partition_property none[] = {0};
  cl_device_id halves[2], quarters[2], eighths[2];
  partition_equally(dut.device, 4, 2, halves);
  partition_equally(halves[1], 2, 2, quarters);
  partition_equally(quarters[0], 1, 2, eighths);
  ASSERT_INFO(clGetDeviceInfo, eighths[0], CL_DEVICE_PARENT_DEVICE, cl_device_id, quarters[0]);
  assert_int_equal(uint_info(eighths[0], CL_DEVICE_PARTITION_MAX_SUB_DEVICES), 0);
  check_list(eighths[0], CL_DEVICE_PARTITION_PROPERTIES, none, 1);
  /* A part keeps the whole it was made from. */
  release(2, halves);
  release(2, quarters);
  assert_int_equal(uint_info(eighths[1], CL_DEVICE_MAX_COMPUTE_UNITS), 1);
  release(2, eighths);
}

static void counts_references(void **state) {
  (void)state;
  cl_device_id parts[2];
  partition_equally(dut.device, 4, 2, parts);
  assert_int_equal(uint_info(parts[0], CL_DEVICE_REFERENCE_COUNT), 1);
  ASSERT_CL(clRetainDevice(parts[0]));
  assert_int_equal(uint_info(parts[0], CL_DEVICE_REFERENCE_COUNT), 2);
  ASSERT_CL(clReleaseDevice(parts[0]));
  assert_int_equal(uint_info(parts[0], CL_DEVICE_REFERENCE_COUNT), 1);
  release(2, parts);
  ASSERT_CL(clRetainDevice(dut.device));
  assert_int_equal(uint_info(dut.device, CL_DEVICE_REFERENCE_COUNT), 1);
  for (int i = 0; i < 3; i++) ASSERT_CL(clReleaseDevice(dut.device));
  assert_int_equal(uint_info(dut.device, CL_DEVICE_REFERENCE_COUNT), 1);
}

/* ------------------------------------------------------------ errors */

static void refuse(cl_device_id device, const cl_device_partition_property *properties, cl_int expected) {
  cl_device_id parts[units + 1];
  cl_uint count = 77;
  ASSERT_CL_ERROR(clCreateSubDevices(device, properties, units + 1, parts, &count), expected);
  assert_int_equal(count, 77);
}

#define REFUSE(device, expected, ...) refuse(device, (const cl_device_partition_property[]){__VA_ARGS__}, expected)

static void errors(void **state) {
  (void)state;
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 2, 0};
  cl_device_id parts[units];
  refuse(NULL, equally, CL_INVALID_DEVICE);
  refuse((cl_device_id)dut.context, equally, CL_INVALID_DEVICE);
  refuse(dut.device, NULL, CL_INVALID_VALUE);
  REFUSE(dut.device, CL_INVALID_VALUE, 0);
  REFUSE(dut.device, CL_INVALID_VALUE, -1, 1, 0);
  REFUSE(dut.device, CL_INVALID_VALUE, CL_DEVICE_PARTITION_EQUALLY, 0, 0);
  REFUSE(dut.device, CL_INVALID_VALUE, CL_DEVICE_PARTITION_EQUALLY, 2, CL_DEVICE_PARTITION_EQUALLY, 2, 0);
  REFUSE(dut.device, CL_DEVICE_PARTITION_FAILED, CL_DEVICE_PARTITION_EQUALLY, units, 0);
  REFUSE(dut.device, CL_INVALID_DEVICE_PARTITION_COUNT, CL_DEVICE_PARTITION_EQUALLY, units + 1, 0);
  REFUSE(dut.device, CL_INVALID_VALUE, CL_DEVICE_PARTITION_BY_COUNTS, 0, 0);
  REFUSE(dut.device, CL_INVALID_DEVICE_PARTITION_COUNT, CL_DEVICE_PARTITION_BY_COUNTS, units + 1, 0, 0);
  REFUSE(dut.device, CL_INVALID_DEVICE_PARTITION_COUNT, CL_DEVICE_PARTITION_BY_COUNTS, 5, 4, 0, 0);
  REFUSE(dut.device, CL_INVALID_DEVICE_PARTITION_COUNT, CL_DEVICE_PARTITION_BY_COUNTS, 1, -1, 0, 0);
  REFUSE(dut.device, CL_INVALID_DEVICE_PARTITION_COUNT, CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0);
  REFUSE(dut.device, CL_INVALID_VALUE, CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 0, 0);
  REFUSE(dut.device, CL_INVALID_VALUE, CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 1 << 20, 0);
  ASSERT_CL_ERROR(clCreateSubDevices(dut.device, equally, 3, parts, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clCreateSubDevices(dut.device, equally, 0, parts, NULL), CL_INVALID_VALUE);
}

static void one_unit_is_not_partitioned(void **state) {
  (void)state;
  cl_device_id parts[units];
  partition_equally(dut.device, 1, units, parts);
  REFUSE(parts[0], CL_DEVICE_PARTITION_FAILED, CL_DEVICE_PARTITION_EQUALLY, 1, 0);
  REFUSE(parts[0], CL_DEVICE_PARTITION_FAILED, CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0);
  REFUSE(parts[0], CL_INVALID_VALUE, CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
         CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0);
  release(units, parts);
}

static void devices_are_not_released_too_often(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cl_device_id parts[2];
  partition_equally(dut.device, 4, 2, parts);
  cl_context context = context_of(1, parts);
  /* One reference is the application's, one the context's. */
  ASSERT_CL(clReleaseDevice(parts[0]));
  ASSERT_CL(clReleaseDevice(parts[0]));
  ASSERT_CL_ERROR(clReleaseDevice(parts[0]), CL_INVALID_DEVICE);
  ASSERT_CL(clReleaseContext(context));
  ASSERT_CL(clReleaseDevice(parts[1]));
}

/* ------------------------------------------------------------ work */

/* The first of two work-items counts: work-groups of one, and those of kernels that cannot tell, may run as lanes of
 * one vector. */
static const char crowd_source[] =
    "kernel void k(volatile global int *inside, volatile global int *most) {\n"
    "  if (get_local_id(0)) return;\n"
    "  int now = atomic_inc(inside) + 1;\n"
    "  atomic_max(most, now);\n"
    "  for (volatile int i = 0; i < 20000; i++) {}\n"
    "  atomic_dec(inside);\n"
    "}\n";

/** How many work-groups run on the queue's device at the same time, at most. */
static cl_int crowd(cl_context context, cl_command_queue queue, cl_kernel kernel) {
  const size_t local = 2, global = local * groups;
  cl_mem inside = zeros(context, sizeof(cl_int)), most = zeros(context, sizeof(cl_int));
  cl_int result = 0;
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(inside), &inside));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(most), &most));
  for (int i = 0; i < 3; i++) ASSERT_CL(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
  ASSERT_CL(clEnqueueReadBuffer(queue, most, CL_TRUE, 0, sizeof(result), &result, 0, NULL, NULL));
  ASSERT_CL(clReleaseMemObject(inside));
  ASSERT_CL(clReleaseMemObject(most));
  return result;
}

static void work_keeps_to_the_units(void **state) {
  (void)state;
  const cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 2, 4, 0, 0};
  cl_device_id parts[3];
  partition(dut.device, counts, 3, parts);
  cl_context context = context_of(3, parts);
  cl_kernel kernel = kernel_of(context, crowd_source, NULL);
  for (int i = 0; i < 3; i++) {
    cl_command_queue queue = queue_of(context, parts[i]);
    const cl_int most = crowd(context, queue, kernel);
    assert_in_range(most, 1, counts[i + 1]);
    ASSERT_CL(clReleaseCommandQueue(queue));
  }
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseContext(context));
  release(3, parts);
}

static void CL_CALLBACK note_processors(void *arguments) {
  cpu_set_t **set = arguments;
  sched_getaffinity(0, sizeof(**set), *set);
}

static void threads_are_bound(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cpu_set_t process, bound[2], both;
  cl_device_id parts[2];
  assert_int_equal(sched_getaffinity(0, sizeof(process), &process), 0);
  if (CPU_COUNT(&process) % 2) skip();
  partition_equally(dut.device, 4, 2, parts);
  cl_context context = context_of(2, parts);
  for (int i = 0; i < 2; i++) {
    cpu_set_t *argument = &bound[i];
    cl_command_queue queue = queue_of(context, parts[i]);
    ASSERT_CL(clEnqueueNativeKernel(queue, note_processors, &argument, sizeof(argument), 0, NULL, NULL, 0, NULL, NULL));
    ASSERT_CL(clFinish(queue));
    ASSERT_CL(clReleaseCommandQueue(queue));
    assert_int_equal(CPU_COUNT(&bound[i]) * 2, CPU_COUNT(&process));
  }
  CPU_OR(&both, &bound[0], &bound[1]);
  assert_true(CPU_EQUAL(&both, &process));
  ASSERT_CL(clReleaseContext(context));
  release(2, parts);
}

/** Each device of the family in turn adds to the buffer, ordered by events alone; the program is built for the root. */
static void family_shares_buffers_and_programs(void **state) {
  (void)state;
  enum { elements = 1000, rounds = 30 };
  const size_t global = elements;
  const char *source = "kernel void k(global int *p) { p[get_global_id(0)] = p[get_global_id(0)] * 3 + 1; }";
  cl_device_id devices[3];
  partition_equally(dut.device, 4, 2, devices);
  devices[2] = dut.device;
  cl_context context = context_of(3, devices);
  cl_kernel kernel = kernel_of(context, source, dut.device);
  cl_mem buffer = zeros(context, elements * sizeof(cl_int));
  cl_command_queue queues[3];
  cl_event before = NULL, event;
  cl_uint expected = 0;
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  for (int i = 0; i < 3; i++) queues[i] = queue_of(context, devices[i]);
  for (int round = 0; round < rounds; round++) {
    cl_command_queue queue = queues[round % 3];
    ASSERT_CL(
        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, before ? 1 : 0, before ? &before : NULL, &event));
    if (before) ASSERT_CL(clReleaseEvent(before));
    before = event;
    expected = expected * 3 + 1;
  }
  cl_int result[elements];
  ASSERT_CL(clEnqueueReadBuffer(queues[0], buffer, CL_TRUE, 0, sizeof(result), result, 1, &before, NULL));
  for (int i = 0; i < elements; i++) assert_int_equal((cl_uint)result[i], expected);
  ASSERT_CL(clReleaseEvent(before));
  for (int i = 0; i < 3; i++) ASSERT_CL(clReleaseCommandQueue(queues[i]));
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseContext(context));
  release(2, devices);
}

/** Host memory is used where it is: what a sub-device writes is there without a read. */
static void a_build_for_a_device_is_one_for_its_parts(void **state) {
  (void)state;
  const char *source = "kernel void k() {}";
  cl_device_id devices[3];
  cl_int error;
  partition_equally(dut.device, 4, 2, devices);
  devices[2] = dut.device;
  cl_context context = clCreateContext(NULL, 3, devices, NULL, NULL, &error);
  ASSERT_CL(error);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clBuildProgram(program, 1, &dut.device, NULL, NULL, NULL));
  for (int i = 0; i < 3; i++) {
    cl_build_status status = CL_BUILD_NONE;
    ASSERT_CL(clGetProgramBuildInfo(program, devices[i], CL_PROGRAM_BUILD_STATUS, sizeof(status), &status, NULL));
    assert_int_equal(status, CL_BUILD_SUCCESS);
  }
  /* Where it is named by none, all of them have it too, and its binary. */
  size_t sizes[3] = {0};
  ASSERT_CL(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL));
  assert_true(sizes[0] > 0 && sizes[1] == sizes[0] && sizes[2] == sizes[0]);
  ASSERT_CL(clReleaseProgram(program));
  ASSERT_CL(clReleaseContext(context));
  release(2, devices);
}

static void host_memory_is_not_copied(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  static cl_int data[64];
  const cl_int pattern = 42;
  cl_device_id parts[2];
  cl_int error;
  partition_equally(dut.device, 4, 2, parts);
  cl_context context = context_of(2, parts);
  cl_command_queue queue = queue_of(context, parts[1]);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, sizeof(data), data, &error);
  ASSERT_CL(error);
  ASSERT_CL(clEnqueueFillBuffer(queue, buffer, &pattern, sizeof(pattern), 0, sizeof(data), 0, NULL, NULL));
  ASSERT_CL(clFinish(queue));
  for (int i = 0; i < 64; i++) assert_int_equal(data[i], 42);
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clReleaseContext(context));
  release(2, parts);
}

/** A user event holds back a chain over two sub-devices and the root, in the order in which nobody flushes. */
static void events_cross_devices(void **state) {
  (void)state;
  const cl_int one = 1, two = 2;
  cl_device_id devices[3];
  cl_command_queue queues[3];
  cl_event events[2];
  cl_int error, result = 0;
  partition_equally(dut.device, 4, 2, devices);
  devices[2] = dut.device;
  cl_context context = context_of(3, devices);
  for (int i = 0; i < 3; i++) queues[i] = queue_of(context, devices[i]);
  cl_mem buffer = zeros(context, sizeof(cl_int));
  cl_event gate = clCreateUserEvent(context, &error);
  ASSERT_CL(error);
  ASSERT_CL(clEnqueueFillBuffer(queues[0], buffer, &one, sizeof(one), 0, sizeof(one), 1, &gate, &events[0]));
  ASSERT_CL(clEnqueueFillBuffer(queues[1], buffer, &two, sizeof(two), 0, sizeof(two), 1, &events[0], &events[1]));
  ASSERT_CL(clEnqueueReadBuffer(queues[2], buffer, CL_FALSE, 0, sizeof(result), &result, 1, &events[1], NULL));
  for (int i = 3; i-- > 0;) ASSERT_CL(clFlush(queues[i]));
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clFinish(queues[2]));
  assert_int_equal(result, 2);
  ASSERT_CL(clReleaseEvent(gate));
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseEvent(events[i]));
  for (int i = 0; i < 3; i++) ASSERT_CL(clReleaseCommandQueue(queues[i]));
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseContext(context));
  release(2, devices);
}

/** What still runs keeps its sub-device; the last reference goes in a callback on a thread of it. */
static void released_while_working(void **state) {
  (void)state;
  for (int i = 0; i < 50; i++) {
    const cl_int one = 1;
    cl_device_id parts[2];
    partition_equally(dut.device, 4, 2, parts);
    cl_context context = context_of(2, parts);
    cl_command_queue queue = queue_of(context, parts[i % 2]);
    cl_mem buffer = zeros(context, sizeof(one));
    release(2, parts);
    ASSERT_CL(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, sizeof(one), 0, NULL, NULL));
    ASSERT_CL(clFlush(queue));
    ASSERT_CL(clReleaseMemObject(buffer));
    ASSERT_CL(clReleaseCommandQueue(queue));
    ASSERT_CL(clReleaseContext(context));
  }
}

static unsigned count_threads(void) {
  unsigned count = 0;
  DIR *tasks = opendir("/proc/self/task");
  assert_non_null(tasks);
  while (readdir(tasks)) count++;
  closedir(tasks);
  return count;
}

/** The threads of a sub-device end with it, at the latest when devices are made or released again. */
static void threads_end(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cl_device_id parts[units];
  const unsigned before = count_threads();
  unsigned after = before + 1;
  for (int i = 0; i < 10; i++) {
    partition_equally(dut.device, 1, units, parts);
    cl_context context = context_of(units, parts);
    for (int part = 0; part < units; part++) {
      cl_command_queue queue = queue_of(context, parts[part]);
      ASSERT_CL(clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL));
      ASSERT_CL(clReleaseCommandQueue(queue));
    }
    release(units, parts);
    ASSERT_CL(clReleaseContext(context));
  }
  for (int i = 0; i < 1000 && after > before; i++) {
    const struct timespec moment = {.tv_nsec = 5000000};
    nanosleep(&moment, NULL);
    partition_equally(dut.device, 1, units, parts);
    release(units, parts);
    after = count_threads();
  }
  assert_in_range(after, 1, before);
}

/** The context alone keeps its devices: what it answers may be retained and used. */
static void context_keeps_its_devices(void **state) {
  (void)state;
  cl_device_id parts[2], kept[2];
  partition_equally(dut.device, 4, 2, parts);
  cl_context context = context_of(2, parts);
  release(2, parts);
  ASSERT_CL(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof(kept), kept, NULL));
  ASSERT_CL(clRetainDevice(kept[1]));
  cl_command_queue queue = queue_of(context, kept[1]);
  ASSERT_CL(clReleaseDevice(kept[1]));
  ASSERT_CL(clFinish(queue));
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clReleaseContext(context));
}

/** Nothing is asserted here, as cmocka knows one thread only: the result says whether all went well. */
static void *come_and_go(void *argument) {
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_EQUALLY, 2, 0};
  const cl_int pattern = 7;
  (void)argument;
  cl_int failed = 0;
  for (int i = 0; i < 20 && !failed; i++) {
    cl_int data[256] = {0}, error;
    cl_device_id parts[4];
    failed |= clCreateSubDevices(dut.device, properties, 4, parts, NULL);
    if (failed) break;
    cl_context context = clCreateContext(NULL, 4, parts, NULL, NULL, &error);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, parts[i % 4], NULL, &error);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(data), NULL, &error);
    failed |= error;
    failed |= clEnqueueFillBuffer(queue, buffer, &pattern, sizeof(pattern), 0, sizeof(data), 0, NULL, NULL);
    failed |= clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL);
    failed |= data[0] != pattern || data[255] != pattern;
    failed |= clReleaseMemObject(buffer) | clReleaseCommandQueue(queue) | clReleaseContext(context);
    for (int part = 0; part < 4; part++) failed |= clReleaseDevice(parts[part]);
  }
  return failed ? &failures : NULL;
}

static void threads_partition_at_once(void **state) {
  (void)state;
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&threads[i], NULL, come_and_go, NULL), 0);
  for (int i = 0; i < 4; i++) {
    void *result;
    assert_int_equal(pthread_join(threads[i], &result), 0);
    assert_null(result);
  }
}

int main(void) {
  setenv("QUERN_NUM_THREADS", "8", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(root_answers),
      cmocka_unit_test(equally),
      cmocka_unit_test(by_counts),
      cmocka_unit_test(nested),
      cmocka_unit_test(counts_references),
      cmocka_unit_test(errors),
      cmocka_unit_test(one_unit_is_not_partitioned),
      cmocka_unit_test(devices_are_not_released_too_often),
      cmocka_unit_test(work_keeps_to_the_units),
      cmocka_unit_test(threads_are_bound),
      cmocka_unit_test(family_shares_buffers_and_programs),
      cmocka_unit_test(a_build_for_a_device_is_one_for_its_parts),
      cmocka_unit_test(host_memory_is_not_copied),
      cmocka_unit_test(events_cross_devices),
      cmocka_unit_test(released_while_working),
      cmocka_unit_test(threads_end),
      cmocka_unit_test(context_keeps_its_devices),
      cmocka_unit_test(threads_partition_at_once),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
