/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Every command that can be put on a queue, as a table. */
#include "test_commands.h"

enum { BYTES = TEST_COMMAND_BYTES };

/* One enqueue function: EXPRESSION may use queue, objects, n (number of events to wait for), waits and event. */
#define COMMAND(name, expression)                                                                               \
  static cl_int name(cl_command_queue queue, test_command_objects_t *objects, cl_uint n, const cl_event *waits, \
                     cl_event *event) {                                                                         \
    (void)objects;                                                                                              \
    return expression;                                                                                          \
  }

static const size_t origin[3] = {0, 0, 0}, region[3] = {16, 4, 2}, work_items[1] = {BYTES / sizeof(cl_uint)};
static const cl_uint pattern = 7;

static cl_int map(cl_command_queue queue, cl_mem buffer, cl_uint n, const cl_event *waits, cl_event *event) {
  cl_int error = 1;
  clEnqueueMapBuffer(queue, buffer, CL_FALSE, CL_MAP_READ, 0, BYTES, n, waits, event, &error);
  return error;
}

static void CL_CALLBACK keep_memory(cl_command_queue queue, cl_uint count, void *pointers[], void *user_data) {
  (void)queue, (void)count, (void)pointers, (void)user_data;
}

static const size_t pixels[3] = {8, 8, 1}, pixel[3] = {1, 1, 1};
static const cl_float color[4] = {1, 0, 0, 1};

static cl_int map_image(cl_command_queue queue, cl_mem image, cl_uint n, const cl_event *waits, cl_event *event) {
  cl_int error = 1;
  size_t row_pitch;
  clEnqueueMapImage(queue, image, CL_FALSE, CL_MAP_READ, origin, pixel, &row_pitch, NULL, n, waits, event, &error);
  return error;
}

COMMAND(read_image,
        clEnqueueReadImage(queue, objects->image, CL_FALSE, origin, pixels, 0, 0, objects->host, n, waits, event))
COMMAND(write_image,
        clEnqueueWriteImage(queue, objects->image, CL_FALSE, origin, pixels, 0, 0, objects->host, n, waits, event))
COMMAND(fill_image, clEnqueueFillImage(queue, objects->image, color, origin, pixels, n, waits, event))
COMMAND(copy_image,
        clEnqueueCopyImage(queue, objects->image, objects->other_image, origin, origin, pixels, n, waits, event))
COMMAND(image_to_buffer,
        clEnqueueCopyImageToBuffer(queue, objects->image, objects->a, origin, pixel, 0, n, waits, event))
COMMAND(buffer_to_image,
        clEnqueueCopyBufferToImage(queue, objects->a, objects->image, 0, origin, pixel, n, waits, event))
COMMAND(map_pixel, map_image(queue, objects->image, n, waits, event))

COMMAND(read_buffer, clEnqueueReadBuffer(queue, objects->a, CL_FALSE, 0, BYTES, objects->host, n, waits, event))
COMMAND(write_buffer, clEnqueueWriteBuffer(queue, objects->a, CL_FALSE, 0, BYTES, objects->host, n, waits, event))
COMMAND(read_rect, clEnqueueReadBufferRect(queue, objects->a, CL_FALSE, origin, origin, region, 0, 0, 0, 0,
                                           objects->host, n, waits, event))
COMMAND(write_rect, clEnqueueWriteBufferRect(queue, objects->a, CL_FALSE, origin, origin, region, 0, 0, 0, 0,
                                             objects->host, n, waits, event))
COMMAND(copy_buffer, clEnqueueCopyBuffer(queue, objects->a, objects->b, 0, 0, BYTES, n, waits, event))
COMMAND(copy_rect,
        clEnqueueCopyBufferRect(queue, objects->a, objects->b, origin, origin, region, 0, 0, 0, 0, n, waits, event))
COMMAND(fill_buffer, clEnqueueFillBuffer(queue, objects->a, &pattern, sizeof(pattern), 0, BYTES, n, waits, event))
COMMAND(map_buffer, map(queue, objects->a, n, waits, event))
COMMAND(unmap, clEnqueueUnmapMemObject(queue, objects->b, objects->mapped, n, waits, event))
COMMAND(migrate, clEnqueueMigrateMemObjects(queue, 1, &objects->a, 0, n, waits, event))
COMMAND(ndrange, clEnqueueNDRangeKernel(queue, objects->kernel, 1, NULL, work_items, NULL, n, waits, event))
COMMAND(task, clEnqueueTask(queue, objects->kernel, n, waits, event))
COMMAND(svm_free, clEnqueueSVMFree(queue, 1, &objects->svm, keep_memory, NULL, n, waits, event))
COMMAND(svm_memcpy, clEnqueueSVMMemcpy(queue, CL_FALSE, objects->svm, objects->host, BYTES, n, waits, event))
COMMAND(svm_fill, clEnqueueSVMMemFill(queue, objects->svm, &pattern, sizeof(pattern), BYTES, n, waits, event))
COMMAND(svm_map, clEnqueueSVMMap(queue, CL_FALSE, CL_MAP_READ, objects->svm, BYTES, n, waits, event))
COMMAND(svm_unmap, clEnqueueSVMUnmap(queue, objects->svm, n, waits, event))
COMMAND(svm_migrate, clEnqueueSVMMigrateMem(queue, 1, (const void **)&objects->svm, NULL, 0, n, waits, event))
COMMAND(marker, clEnqueueMarkerWithWaitList(queue, n, waits, event))
COMMAND(barrier, clEnqueueBarrierWithWaitList(queue, n, waits, event))

static const test_command_t commands[] = {
    {"clEnqueueReadImage", CL_COMMAND_READ_IMAGE, read_image},
    {"clEnqueueWriteImage", CL_COMMAND_WRITE_IMAGE, write_image},
    {"clEnqueueFillImage", CL_COMMAND_FILL_IMAGE, fill_image},
    {"clEnqueueCopyImage", CL_COMMAND_COPY_IMAGE, copy_image},
    {"clEnqueueCopyImageToBuffer", CL_COMMAND_COPY_IMAGE_TO_BUFFER, image_to_buffer},
    {"clEnqueueCopyBufferToImage", CL_COMMAND_COPY_BUFFER_TO_IMAGE, buffer_to_image},
    {"clEnqueueMapImage", CL_COMMAND_MAP_IMAGE, map_pixel},
    {"clEnqueueReadBuffer", CL_COMMAND_READ_BUFFER, read_buffer},
    {"clEnqueueWriteBuffer", CL_COMMAND_WRITE_BUFFER, write_buffer},
    {"clEnqueueReadBufferRect", CL_COMMAND_READ_BUFFER_RECT, read_rect},
    {"clEnqueueWriteBufferRect", CL_COMMAND_WRITE_BUFFER_RECT, write_rect},
    {"clEnqueueCopyBuffer", CL_COMMAND_COPY_BUFFER, copy_buffer},
    {"clEnqueueCopyBufferRect", CL_COMMAND_COPY_BUFFER_RECT, copy_rect},
    {"clEnqueueFillBuffer", CL_COMMAND_FILL_BUFFER, fill_buffer},
    {"clEnqueueMapBuffer", CL_COMMAND_MAP_BUFFER, map_buffer},
    {"clEnqueueUnmapMemObject", CL_COMMAND_UNMAP_MEM_OBJECT, unmap},
    {"clEnqueueMigrateMemObjects", CL_COMMAND_MIGRATE_MEM_OBJECTS, migrate},
    {"clEnqueueNDRangeKernel", CL_COMMAND_NDRANGE_KERNEL, ndrange},
    {"clEnqueueTask", CL_COMMAND_TASK, task},
    {"clEnqueueSVMFree", CL_COMMAND_SVM_FREE, svm_free},
    {"clEnqueueSVMMemcpy", CL_COMMAND_SVM_MEMCPY, svm_memcpy},
    {"clEnqueueSVMMemFill", CL_COMMAND_SVM_MEMFILL, svm_fill},
    {"clEnqueueSVMMap", CL_COMMAND_SVM_MAP, svm_map},
    {"clEnqueueSVMUnmap", CL_COMMAND_SVM_UNMAP, svm_unmap},
    {"clEnqueueSVMMigrateMem", CL_COMMAND_SVM_MIGRATE_MEM, svm_migrate},
    {"clEnqueueMarkerWithWaitList", CL_COMMAND_MARKER, marker},
    {"clEnqueueBarrierWithWaitList", CL_COMMAND_BARRIER, barrier},
    {NULL, 0, NULL},
};
enum { IMAGE_COMMANDS = 7 };

const test_command_t *test_commands_of_device(void) {
  return test_device_number(CL_DEVICE_IMAGE_SUPPORT) ? commands : commands + IMAGE_COMMANDS;
}

static cl_mem make_image(void) {
  cl_int error;
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = pixels[0], .image_height = pixels[1]};
  if (!test_device_number(CL_DEVICE_IMAGE_SUPPORT)) return NULL;
  cl_mem image = clCreateImage(dut.context, CL_MEM_READ_WRITE, &format, &desc, NULL, &error);
  ASSERT_CL(error);
  return image;
}

void test_command_objects_create(test_command_objects_t *objects) {
  cl_int error;
  for (unsigned i = 0; i < BYTES; i++) objects->host[i] = (unsigned char)i;
  objects->a = test_buffer(BYTES, objects->host);
  objects->b = test_buffer(BYTES, objects->host);
  objects->svm = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, BYTES, 0);
  assert_non_null(objects->svm);
  objects->image = make_image();
  objects->other_image = make_image();
  objects->kernel = test_kernel("kernel void count(global uint *out) { out[get_global_id(0)] += 1; }", NULL, "count");
  ASSERT_CL(clSetKernelArg(objects->kernel, 0, sizeof(objects->b), &objects->b));
  objects->mapped = clEnqueueMapBuffer(dut.queue, objects->b, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL, NULL, &error);
  ASSERT_CL(error);
}

void test_command_objects_release(test_command_objects_t *objects) {
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(clReleaseKernel(objects->kernel));
  if (objects->image) ASSERT_CL(clReleaseMemObject(objects->image));
  if (objects->other_image) ASSERT_CL(clReleaseMemObject(objects->other_image));
  ASSERT_CL(clReleaseMemObject(objects->a));
  clSVMFree(dut.context, objects->svm);
  ASSERT_CL(clReleaseMemObject(objects->b));
}
