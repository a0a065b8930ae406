/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_khr_command_buffer_mutable_dispatch: clUpdateMutableCommandsKHR with every kind of update, and
 * clGetMutableCommandInfoKHR. */
#include <pthread.h>

#include "test_command_buffer.h"

enum { ITEMS = 64, BYTES = ITEMS * sizeof(cl_int) };

static const cl_command_buffer_properties_khr mutable[] = {
    CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, 0};

static cl_kernel add, where;
static cl_mem a, b;

static int open_device(void **state) {
  if (test_device_open(state) || !test_has_extension("cl_khr_command_buffer_mutable_dispatch") || !cb_load()) return 1;
  add = test_kernel("kernel void add(global int *p, int by) { p[get_global_id(0)] += by; }", NULL, "add");
  where = test_kernel(
      "kernel void where(global int *p) {\n"
      "  p[get_global_id(0)] = (int)(get_local_size(0) * 1000 + get_global_offset(0));\n"
      "}\n",
      "-cl-std=CL3.0", "where");
  return 0;
}

static int close_device(void **state) {
  return clReleaseKernel(add) || clReleaseKernel(where) || test_device_close(state);
}

static int make_buffers(void **state) {
  (void)state;
  static const cl_int zeros[ITEMS];
  a = test_buffer(BYTES, zeros);
  b = test_buffer(BYTES, zeros);
  return 0;
}

static int release_buffers(void **state) {
  (void)state;
  return clFinish(dut.queue) || clReleaseMemObject(a) || clReleaseMemObject(b);
}

static cl_int value_at(cl_mem buffer, size_t index) {
  cl_int values[ITEMS];
  test_read(buffer, BYTES, values);
  return values[index];
}

/* A command buffer with one launch of `add` to `a` by 1, finalized. */
static cl_command_buffer_khr finalized_add(const quern_command_properties *properties, cl_mutable_command_khr *handle) {
  cl_command_buffer_khr buffer = test_command_buffer(mutable);
  const cl_int one = 1;
  const size_t items = ITEMS;
  ASSERT_CL(clSetKernelArg(add, 0, sizeof(a), &a));
  ASSERT_CL(clSetKernelArg(add, 1, sizeof(one), &one));
  ASSERT_CL(cb.clCommandNDRangeKernelKHR(buffer, NULL, properties, add, 1, NULL, &items, NULL, 0, NULL, NULL, handle));
  ASSERT_CL(cb.clFinalizeCommandBufferKHR(buffer));
  return buffer;
}

static cl_int update(cl_command_buffer_khr buffer, const quern_mutable_dispatch_config *config) {
  const quern_command_buffer_update_type type = QUERN_UPDATE_MUTABLE_DISPATCH_CONFIG;
  const void *configs[1] = {config};
  return cb.clUpdateMutableCommandsKHR(buffer, 1, &type, configs);
}

/* ------------------------------------------------------------ every kind of update */

static void device_says_that_all_can_be_updated(void **state) {
  (void)state;
  ASSERT_INFO(clGetDeviceInfo, dut.device, CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR, cl_mutable_dispatch_fields_khr,
              CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR |
                  CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR |
                  CL_MUTABLE_DISPATCH_EXEC_INFO_KHR);
}

static void updates_arguments(void **state) {
  (void)state;
  cl_mutable_command_khr command;
  cl_command_buffer_khr buffer = finalized_add(NULL, &command);
  const cl_int ten = 10;
  const cl_mutable_dispatch_arg_khr args[] = {{0, sizeof(b), &b}, {1, sizeof(ten), &ten}};
  test_command_buffer_enqueue(buffer);
  ASSERT_CL(update(buffer, &(quern_mutable_dispatch_config){.command = command, .num_args = 2, .arg_list = args}));
  test_command_buffer_enqueue(buffer);
  test_command_buffer_enqueue(buffer);
  assert_int_equal(value_at(a, 5), 1);
  assert_int_equal(value_at(b, 5), 20);
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void updates_pointers(void **state) {
  (void)state;
  cl_mutable_command_khr command;
  cl_int *svm = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, BYTES, 0);
  cl_command_buffer_khr buffer = finalized_add(NULL, &command);
  const cl_mutable_dispatch_arg_khr arg = {0, 0, svm};
  memset(svm, 0, BYTES);
  ASSERT_CL(
      update(buffer, &(quern_mutable_dispatch_config){.command = command, .num_svm_args = 1, .arg_svm_list = &arg}));
  test_command_buffer_enqueue(buffer);
  ASSERT_CL(clFinish(dut.queue));
  assert_int_equal(svm[7], 1);
  assert_int_equal(value_at(a, 7), 0);
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
  clSVMFree(dut.context, svm);
}

static void updates_execution_information(void **state) {
  (void)state;
  cl_mutable_command_khr command;
  cl_command_buffer_khr buffer = finalized_add(NULL, &command);
  const cl_bool yes = CL_TRUE;
  const void *pointers[1] = {&yes};
  const cl_mutable_dispatch_exec_info_khr infos[] = {
      {CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof(yes), &yes},
      {CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(pointers), pointers},
  };
  const cl_mutable_dispatch_exec_info_khr bad = {0x7FFF, sizeof(yes), &yes};
  ASSERT_CL(update(buffer,
                   &(quern_mutable_dispatch_config){.command = command, .num_exec_infos = 2, .exec_info_list = infos}));
  ASSERT_CL_ERROR(
      update(buffer, &(quern_mutable_dispatch_config){.command = command, .num_exec_infos = 1, .exec_info_list = &bad}),
      CL_INVALID_VALUE);
  test_command_buffer_enqueue(buffer);
  assert_int_equal(value_at(a, 0), 1);
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void updates_sizes_and_offset(void **state) {
  (void)state;
  cl_mutable_command_khr command;
  cl_command_buffer_khr buffer = test_command_buffer(mutable);
  const size_t items = ITEMS, local = 8, fewer = 32, other = 16, offset = 16;
  ASSERT_CL(clSetKernelArg(where, 0, sizeof(a), &a));
  ASSERT_CL(cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, where, 1, NULL, &items, &local, 0, NULL, NULL, &command));
  ASSERT_CL(cb.clFinalizeCommandBufferKHR(buffer));
  test_command_buffer_enqueue(buffer);
  assert_int_equal(value_at(a, 63), 8000);
  ASSERT_CL(update(buffer, &(quern_mutable_dispatch_config){.command = command,
                                                            .work_dim = 1,
                                                            .global_work_offset = &offset,
                                                            .global_work_size = &fewer,
                                                            .local_work_size = &other}));
  test_command_buffer_enqueue(buffer);
  assert_int_equal(value_at(a, 15), 8000); /* Before the offset. */
  assert_int_equal(value_at(a, 16), 16016);
  assert_int_equal(value_at(a, 47), 16016);
  assert_int_equal(value_at(a, 48), 8000); /* Behind the new size. */
  ASSERT_INFO(cb.clGetMutableCommandInfoKHR, command, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, size_t, 32);
  ASSERT_INFO(cb.clGetMutableCommandInfoKHR, command, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, size_t, 16);
  ASSERT_INFO(cb.clGetMutableCommandInfoKHR, command, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR, size_t, 16);
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void several_updates_of_a_command_add_up(void **state) {
  (void)state;
  cl_mutable_command_khr command;
  cl_command_buffer_khr buffer = finalized_add(NULL, &command);
  const cl_int two = 2, three = 3;
  const cl_mutable_dispatch_arg_khr by_two = {1, sizeof(two), &two}, to_b = {0, sizeof(b), &b},
                                    by_three = {1, sizeof(three), &three};
  const quern_mutable_dispatch_config configs[] = {{.command = command, .num_args = 1, .arg_list = &by_two},
                                                   {.command = command, .num_args = 1, .arg_list = &to_b},
                                                   {.command = command, .num_args = 1, .arg_list = &by_three}};
  const quern_command_buffer_update_type types[] = {0, 0, 0};
  const void *list[] = {&configs[0], &configs[1], &configs[2]};
  ASSERT_CL(cb.clUpdateMutableCommandsKHR(buffer, 3, types, list));
  test_command_buffer_enqueue(buffer);
  assert_int_equal(value_at(a, 0), 0);
  assert_int_equal(value_at(b, 0), 3);
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void all_updates_happen_or_none(void **state) {
  (void)state;
  cl_mutable_command_khr command;
  cl_command_buffer_khr buffer = finalized_add(NULL, &command);
  const cl_int two = 2;
  const cl_mutable_dispatch_arg_khr good = {1, sizeof(two), &two}, bad = {9, sizeof(two), &two};
  const quern_mutable_dispatch_config configs[] = {{.command = command, .num_args = 1, .arg_list = &good},
                                                   {.command = command, .num_args = 1, .arg_list = &bad}};
  const quern_command_buffer_update_type types[] = {0, 0};
  const void *list[] = {&configs[0], &configs[1]};
  ASSERT_CL_ERROR(cb.clUpdateMutableCommandsKHR(buffer, 2, types, list), CL_INVALID_ARG_INDEX);
  test_command_buffer_enqueue(buffer);
  assert_int_equal(value_at(a, 0), 1);
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void what_is_enqueued_keeps_its_configuration(void **state) {
  (void)state;
  cl_int error;
  cl_mutable_command_khr command;
  cl_event gate = clCreateUserEvent(dut.context, &error);
  cl_command_buffer_khr buffer = finalized_add(NULL, &command);
  const cl_mutable_dispatch_arg_khr to_b = {0, sizeof(b), &b};
  ASSERT_CL(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &gate, NULL));
  ASSERT_CL(update(buffer, &(quern_mutable_dispatch_config){.command = command, .num_args = 1, .arg_list = &to_b}));
  test_command_buffer_enqueue(buffer);
  ASSERT_CL(clFlush(dut.queue));
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  assert_int_equal(value_at(a, 0), 1);
  assert_int_equal(value_at(b, 0), 1);
  ASSERT_CL(clReleaseEvent(gate));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void updates_leave_kernels_and_other_commands_alone(void **state) {
  (void)state;
  cl_mutable_command_khr first, second;
  cl_command_buffer_khr buffer = test_command_buffer(mutable);
  const cl_int one = 1, ten = 10;
  const size_t items = ITEMS;
  const cl_mutable_dispatch_arg_khr by_ten = {1, sizeof(ten), &ten};
  ASSERT_CL(clSetKernelArg(add, 0, sizeof(a), &a));
  ASSERT_CL(clSetKernelArg(add, 1, sizeof(one), &one));
  ASSERT_CL(cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, add, 1, NULL, &items, NULL, 0, NULL, NULL, &first));
  ASSERT_CL(cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, add, 1, NULL, &items, NULL, 0, NULL, NULL, &second));
  ASSERT_CL(cb.clFinalizeCommandBufferKHR(buffer));
  ASSERT_CL(update(buffer, &(quern_mutable_dispatch_config){.command = second, .num_args = 1, .arg_list = &by_ten}));
  test_command_buffer_enqueue(buffer);
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, add, 1, NULL, &items, NULL, 0, NULL, NULL));
  assert_int_equal(value_at(a, 0), 12);
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

/* ------------------------------------------------------------ missing arguments */

static void arguments_may_come_later(void **state) {
  (void)state;
  cl_mutable_command_khr command;
  const size_t items = ITEMS;
  cl_kernel kernel = test_kernel("kernel void set(global int *p, int v) { p[get_global_id(0)] = v; }", NULL, "set");
  cl_command_buffer_khr buffer = test_command_buffer(mutable);
  const cl_int six = 6;
  const cl_mutable_dispatch_arg_khr args[] = {{0, sizeof(a), &a}, {1, sizeof(six), &six}};
  ASSERT_CL(cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, kernel, 1, NULL, &items, NULL, 0, NULL, NULL, &command));
  ASSERT_CL(cb.clFinalizeCommandBufferKHR(buffer));
  ASSERT_INFO(cb.clGetCommandBufferInfoKHR, buffer, CL_COMMAND_BUFFER_STATE_KHR, cl_command_buffer_state_khr,
              CL_COMMAND_BUFFER_STATE_FINALIZED_KHR);
  ASSERT_CL_ERROR(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL), CL_INVALID_OPERATION);
  ASSERT_CL(update(buffer, &(quern_mutable_dispatch_config){.command = command, .num_args = 1, .arg_list = args}));
  ASSERT_CL_ERROR(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL), CL_INVALID_OPERATION);
  ASSERT_CL(update(buffer, &(quern_mutable_dispatch_config){.command = command, .num_args = 1, .arg_list = &args[1]}));
  ASSERT_INFO(cb.clGetCommandBufferInfoKHR, buffer, CL_COMMAND_BUFFER_STATE_KHR, cl_command_buffer_state_khr,
              CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
  test_command_buffer_enqueue(buffer);
  assert_int_equal(value_at(a, 3), 6);
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
  ASSERT_CL(clReleaseKernel(kernel));
}

static void arguments_may_not_be_missing_for_ever(void **state) {
  (void)state;
  const size_t items = ITEMS;
  const quern_command_properties sizes[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                            CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, 0};
  cl_kernel kernel = test_kernel("kernel void set(global int *p) { *p = 1; }", NULL, "set");
  cl_command_buffer_khr plain = test_command_buffer(NULL), buffer = test_command_buffer(mutable);
  ASSERT_CL_ERROR(cb.clCommandNDRangeKernelKHR(plain, NULL, NULL, kernel, 1, NULL, &items, NULL, NO_SYNC),
                  CL_INVALID_KERNEL_ARGS);
  ASSERT_CL_ERROR(cb.clCommandNDRangeKernelKHR(buffer, NULL, sizes, kernel, 1, NULL, &items, NULL, NO_SYNC),
                  CL_INVALID_KERNEL_ARGS);
  ASSERT_CL(cb.clReleaseCommandBufferKHR(plain));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
  ASSERT_CL(clReleaseKernel(kernel));
}

/* ------------------------------------------------------------ what is refused */

static void updates_refuse_bad_lists(void **state) {
  (void)state;
  cl_mutable_command_khr command;
  const quern_command_buffer_update_type type = 0, unknown = 9;
  const void *null_config[1] = {NULL};
  cl_command_buffer_khr recording = test_command_buffer(mutable), plain = test_command_buffer(NULL);
  cl_command_buffer_khr buffer = finalized_add(NULL, &command);
  const quern_mutable_dispatch_config config = {.command = command};
  const void *configs[1] = {&config};
  ASSERT_CL(cb.clFinalizeCommandBufferKHR(plain));
  ASSERT_CL_ERROR(cb.clUpdateMutableCommandsKHR(NULL, 1, &type, configs), CL_INVALID_COMMAND_BUFFER_KHR);
  ASSERT_CL_ERROR(cb.clUpdateMutableCommandsKHR(recording, 1, &type, configs), CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(cb.clUpdateMutableCommandsKHR(plain, 1, &type, configs), CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(cb.clUpdateMutableCommandsKHR(buffer, 1, NULL, configs), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(cb.clUpdateMutableCommandsKHR(buffer, 1, &type, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(cb.clUpdateMutableCommandsKHR(buffer, 0, &type, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(cb.clUpdateMutableCommandsKHR(buffer, 0, NULL, configs), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(cb.clUpdateMutableCommandsKHR(buffer, 1, &unknown, configs), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(cb.clUpdateMutableCommandsKHR(buffer, 1, &type, null_config), CL_INVALID_VALUE);
  ASSERT_CL(cb.clUpdateMutableCommandsKHR(buffer, 0, NULL, NULL));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(recording));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(plain));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void updates_refuse_commands_of_others(void **state) {
  (void)state;
  cl_mutable_command_khr mine, foreign;
  cl_command_buffer_khr buffer = finalized_add(NULL, &mine), other = finalized_add(NULL, &foreign);
  const quern_mutable_dispatch_config none = {.command = NULL}, not_mine = {.command = foreign},
                                      no_command = {.command = (cl_mutable_command_khr)(void *)dut.queue};
  ASSERT_CL_ERROR(update(buffer, &none), CL_INVALID_MUTABLE_COMMAND_KHR);
  ASSERT_CL_ERROR(update(buffer, &not_mine), CL_INVALID_MUTABLE_COMMAND_KHR);
  ASSERT_CL_ERROR(update(buffer, &no_command), CL_INVALID_MUTABLE_COMMAND_KHR);
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(other));
}

static void updates_refuse_bad_configurations(void **state) {
  (void)state;
  cl_mutable_command_khr command;
  cl_command_buffer_khr buffer = finalized_add(NULL, &command);
  const cl_int one = 1;
  const cl_mutable_dispatch_arg_khr arg = {1, sizeof(one), &one}, bad_size = {1, 3, &one}, bad_svm = {1, 0, &one};
  const cl_mutable_dispatch_exec_info_khr info = {CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL};
  const size_t zero = 0, huge = (size_t)1 << 40, items = ITEMS;
  const quern_mutable_dispatch_config lists[] = {
      {.command = command, .num_args = 1},       {.command = command, .arg_list = &arg},
      {.command = command, .num_svm_args = 1},   {.command = command, .arg_svm_list = &arg},
      {.command = command, .num_exec_infos = 1}, {.command = command, .exec_info_list = &info},
  };
  for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
    ASSERT_CL_ERROR(update(buffer, &lists[i]), CL_INVALID_VALUE);
  }
  const quern_mutable_dispatch_config dimensions = {.command = command, .work_dim = 2};
  const quern_mutable_dispatch_config sized = {.command = command, .num_args = 1, .arg_list = &bad_size};
  const quern_mutable_dispatch_config svm = {.command = command, .num_svm_args = 1, .arg_svm_list = &bad_svm};
  const quern_mutable_dispatch_config no_local = {.command = command, .local_work_size = &zero};
  const quern_mutable_dispatch_config large = {.command = command, .local_work_size = &huge};
  const quern_mutable_dispatch_config same = {.command = command, .work_dim = 1, .global_work_size = &items};
  ASSERT_CL_ERROR(update(buffer, &dimensions), CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(update(buffer, &sized), CL_INVALID_ARG_SIZE);
  ASSERT_CL_ERROR(update(buffer, &svm), CL_INVALID_ARG_VALUE);
  ASSERT_CL_ERROR(update(buffer, &no_local), CL_INVALID_WORK_GROUP_SIZE);
  ASSERT_CL_ERROR(update(buffer, &large), CL_INVALID_WORK_ITEM_SIZE);
  ASSERT_CL(update(buffer, &same));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void updates_refuse_what_was_not_declared(void **state) {
  (void)state;
  cl_mutable_command_khr command;
  const size_t size = 32;
  const cl_int one = 1;
  const cl_bool yes = CL_TRUE;
  const quern_command_properties nothing[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 0, 0};
  const cl_mutable_dispatch_arg_khr arg = {1, sizeof(one), &one}, svm = {0, 0, NULL};
  const cl_mutable_dispatch_exec_info_khr info = {CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof(yes), &yes};
  cl_command_buffer_khr buffer = finalized_add(nothing, &command);
  const quern_mutable_dispatch_config configs[] = {
      {.command = command, .num_args = 1, .arg_list = &arg},
      {.command = command, .num_svm_args = 1, .arg_svm_list = &svm},
      {.command = command, .num_exec_infos = 1, .exec_info_list = &info},
      {.command = command, .global_work_offset = &size},
      {.command = command, .global_work_size = &size},
      {.command = command, .local_work_size = &size},
  };
  for (size_t i = 0; i < sizeof(configs) / sizeof(*configs); i++) {
    ASSERT_CL_ERROR(update(buffer, &configs[i]), CL_INVALID_OPERATION);
  }
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void updates_keep_work_groups_uniform_or_not(void **state) {
  (void)state;
  cl_mutable_command_khr command;
  cl_command_buffer_khr buffer = test_command_buffer(mutable);
  const size_t items = ITEMS, local = 8, odd = 60, even = 56;
  ASSERT_CL(clSetKernelArg(where, 0, sizeof(a), &a));
  ASSERT_CL(cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, where, 1, NULL, &items, &local, 0, NULL, NULL, &command));
  ASSERT_CL(cb.clFinalizeCommandBufferKHR(buffer));
  ASSERT_CL_ERROR(update(buffer, &(quern_mutable_dispatch_config){.command = command, .global_work_size = &odd}),
                  CL_INVALID_OPERATION);
  ASSERT_CL(update(buffer, &(quern_mutable_dispatch_config){.command = command, .global_work_size = &even}));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

/* Without a local size it is the driver that says whether all work-groups are of one size. */
static void updates_of_the_global_size_alone_may_be_any(void **state) {
  (void)state;
  static const size_t sizes[] = {1 << 20, 1000003, 1000, 1};
  enum { COUNT = sizeof(sizes) / sizeof(*sizes) };
  ASSERT_CL(clSetKernelArg(where, 0, sizeof(a), &a));
  for (int first = 0; first < COUNT; first++) {
    cl_mutable_command_khr command;
    cl_command_buffer_khr buffer = test_command_buffer(mutable);
    ASSERT_CL(
        cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, where, 1, NULL, &sizes[first], NULL, 0, NULL, NULL, &command));
    ASSERT_CL(cb.clFinalizeCommandBufferKHR(buffer));
    for (int i = 0; i < COUNT; i++) {
      ASSERT_CL(update(buffer, &(quern_mutable_dispatch_config){.command = command, .global_work_size = &sizes[i]}));
    }
    ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
  }
}

/* The command buffer holds it. */
static void updates_leave_a_released_buffer_in_place(void **state) {
  (void)state;
  cl_mutable_command_khr command;
  const cl_int ten = 10;
  const cl_mutable_dispatch_arg_khr arg = {1, sizeof(ten), &ten};
  cl_command_buffer_khr buffer = finalized_add(NULL, &command);
  ASSERT_CL(clReleaseMemObject(a));
  ASSERT_CL(update(buffer, &(quern_mutable_dispatch_config){.command = command, .num_args = 1, .arg_list = &arg}));
  test_command_buffer_enqueue(buffer);
  ASSERT_CL(clRetainMemObject(a));
  assert_int_equal(value_at(a, 5), 10);
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void recording_checks_properties(void **state) {
  (void)state;
  const size_t items = ITEMS;
  const cl_int one = 1;
  const quern_command_properties unknown[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1 << 20, 0};
  const quern_command_properties asserts[] = {CL_MUTABLE_DISPATCH_ASSERTS_KHR, 1 << 20, 0};
  const quern_command_properties twice[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 0,
                                            CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 0, 0};
  const quern_command_properties good[] = {CL_MUTABLE_DISPATCH_ASSERTS_KHR,
                                           CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR, 0};
  const quern_command_properties *const bad[] = {unknown, asserts, twice};
  cl_command_buffer_khr buffer = test_command_buffer(mutable);
  ASSERT_CL(clSetKernelArg(add, 0, sizeof(a), &a));
  ASSERT_CL(clSetKernelArg(add, 1, sizeof(one), &one));
  for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
    ASSERT_CL_ERROR(cb.clCommandNDRangeKernelKHR(buffer, NULL, bad[i], add, 1, NULL, &items, NULL, NO_SYNC),
                    CL_INVALID_VALUE);
  }
  ASSERT_CL(cb.clCommandNDRangeKernelKHR(buffer, NULL, good, add, 1, NULL, &items, NULL, NO_SYNC));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

/* ------------------------------------------------------------ queries */

static void answers_queries(void **state) {
  (void)state;
  cl_mutable_command_khr command;
  const quern_command_properties properties[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                                 CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0};
  quern_command_properties read[3];
  size_t size;
  cl_command_buffer_khr buffer = finalized_add(properties, &command);
  ASSERT_INFO(cb.clGetMutableCommandInfoKHR, command, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, cl_command_queue,
              dut.queue);
  ASSERT_INFO(cb.clGetMutableCommandInfoKHR, command, CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, cl_command_buffer_khr,
              buffer);
  ASSERT_INFO(cb.clGetMutableCommandInfoKHR, command, CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR, cl_command_type,
              CL_COMMAND_NDRANGE_KERNEL);
  ASSERT_INFO(cb.clGetMutableCommandInfoKHR, command, CL_MUTABLE_DISPATCH_KERNEL_KHR, cl_kernel, add);
  ASSERT_INFO(cb.clGetMutableCommandInfoKHR, command, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, cl_uint, 1);
  ASSERT_INFO(cb.clGetMutableCommandInfoKHR, command, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR, size_t, 0);
  ASSERT_INFO(cb.clGetMutableCommandInfoKHR, command, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, size_t, ITEMS);
  ASSERT_INFO(cb.clGetMutableCommandInfoKHR, command, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, size_t, 0);
  ASSERT_CL(cb.clGetMutableCommandInfoKHR(command, CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, sizeof(read), read, &size));
  assert_int_equal(size, sizeof(properties));
  assert_memory_equal(read, properties, sizeof(properties));
  ASSERT_INFO_RULES(cb.clGetMutableCommandInfoKHR, command, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR);
  ASSERT_CL_ERROR(cb.clGetMutableCommandInfoKHR(NULL, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, 0, NULL, &size),
                  CL_INVALID_MUTABLE_COMMAND_KHR);
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

/* ------------------------------------------------------------ threads */

enum { ROUNDS = 200 };

typedef struct updater_t {
  cl_command_buffer_khr buffer;
  cl_mutable_command_khr command;
  cl_uint index;
  const cl_mem *memory;
  pthread_t thread;
  cl_int error;
} updater_t;

static void *keep_updating(void *data) {
  updater_t *updater = data;
  for (int i = 0; i < ROUNDS && !updater->error; i++) {
    const cl_mutable_dispatch_arg_khr arg = {updater->index, sizeof(cl_mem), updater->memory};
    updater->error = update(updater->buffer, &(quern_mutable_dispatch_config){
                                                 .command = updater->command, .num_args = 1, .arg_list = &arg});
    if (!updater->error) updater->error = cb.clEnqueueCommandBufferKHR(0, NULL, updater->buffer, 0, NULL, NULL);
  }
  return NULL;
}

static void threads_update_different_arguments(void **state) {
  (void)state;
  cl_mutable_command_khr command;
  cl_kernel kernel =
      test_kernel("kernel void both(global int *p, global int *q) { atomic_inc(p); atomic_inc(q); }", NULL, "both");
  cl_command_buffer_khr buffer = test_command_buffer(mutable);
  const size_t one = 1;
  cl_mem unused = test_buffer(BYTES, NULL);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &unused));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), &unused));
  ASSERT_CL(cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, kernel, 1, NULL, &one, NULL, 0, NULL, NULL, &command));
  ASSERT_CL(cb.clFinalizeCommandBufferKHR(buffer));
  updater_t updaters[] = {{buffer, command, 0, &a, 0, 0}, {buffer, command, 1, &b, 0, 0}};
  for (int i = 0; i < 2; i++)
    assert_int_equal(pthread_create(&updaters[i].thread, NULL, keep_updating, &updaters[i]), 0);
  for (int i = 0; i < 2; i++) assert_int_equal(pthread_join(updaters[i].thread, NULL), 0);
  for (int i = 0; i < 2; i++) ASSERT_CL(updaters[i].error);
  /* The argument that a thread has set itself is there in all that it enqueued. */
  assert_true(value_at(a, 0) >= ROUNDS);
  assert_true(value_at(b, 0) >= ROUNDS);
  ASSERT_CL(clReleaseMemObject(unused));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
  ASSERT_CL(clReleaseKernel(kernel));
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, make_buffers, release_buffers)
  const struct CMUnitTest tests[] = {
      CASE(device_says_that_all_can_be_updated),
      CASE(updates_arguments),
      CASE(updates_pointers),
      CASE(updates_execution_information),
      CASE(updates_sizes_and_offset),
      CASE(several_updates_of_a_command_add_up),
      CASE(all_updates_happen_or_none),
      CASE(what_is_enqueued_keeps_its_configuration),
      CASE(updates_leave_kernels_and_other_commands_alone),
      CASE(arguments_may_come_later),
      CASE(arguments_may_not_be_missing_for_ever),
      CASE(updates_refuse_bad_lists),
      CASE(updates_refuse_commands_of_others),
      CASE(updates_refuse_bad_configurations),
      CASE(updates_refuse_what_was_not_declared),
      CASE(updates_keep_work_groups_uniform_or_not),
      CASE(updates_of_the_global_size_alone_may_be_any),
      CASE(updates_leave_a_released_buffer_in_place),
      CASE(recording_checks_properties),
      CASE(answers_queries),
      CASE(threads_update_different_arguments),
  };
  return cmocka_run_group_tests(tests, open_device, close_device);
}
