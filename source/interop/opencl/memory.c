/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL memory objects: making them, and moving contents while the caller waits. */
#include <string.h>

#include "interop/object/make.h"
#include "interop/opencl/image.h"
#include "interop/opencl/opencl.h"

/* ------------------------------------------------------------ making */

static cl_mem create_image(const opencl_api_t *api, const struct quern_memory_s *memory, cl_context context,
                           cl_mem_flags flags, void *host, cl_int *out_error) {
  static const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE3D};
  const quern_image_layout_t *layout = &memory->layout;
  const cl_image_format format = {layout->channel_order, layout->channel_type};
  cl_image_desc description;
  memset(&description, 0, sizeof(description));
  description.image_type = types[layout->dimensions - 1];
  description.image_width = layout->width;
  description.image_height = layout->height;
  description.image_depth = layout->depth;
  return api->CreateImage(context, flags, &format, &description, host, out_error);
}

quern_result_t opencl_create_memory(const struct quern_memory_s *memory, quern_context_t context, void *host,
                                    bool is_initial, void **out_native) {
  const opencl_api_t *api = opencl_api_of(context->state);
  cl_mem_flags flags = CL_MEM_READ_WRITE;
  cl_int error;
  cl_mem native;
  if (host) flags |= is_initial ? CL_MEM_COPY_HOST_PTR : CL_MEM_USE_HOST_PTR;
  if (memory->is_image) {
    native = create_image(api, memory, context->native, flags, host, &error);
  } else {
    native = api->CreateBuffer(context->native, flags, memory->size, host, &error);
  }
  if (error != CL_SUCCESS) return opencl_fail(memory->is_image ? "clCreateImage" : "clCreateBuffer", error);
  *out_native = native;
  return quern_success;
}

quern_result_t opencl_create_part(quern_context_t context, void *whole, size_t offset, size_t size, void **out_native) {
  const cl_buffer_region region = {offset, size};
  cl_int error;
  cl_mem native =
      opencl_api_of(context->state)->CreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  if (error != CL_SUCCESS) return opencl_fail("clCreateSubBuffer", error);
  *out_native = native;
  return quern_success;
}

static void CL_CALLBACK drop_storage(cl_mem native, void *data) {
  (void)native;
  interop_storage_drop(data);
}

quern_result_t opencl_hold_storage(interop_backend_state_t *state, void *native, interop_storage_t *storage) {
  cl_int error = opencl_api_of(state)->SetMemObjectDestructorCallback(native, drop_storage, storage);
  return error == CL_SUCCESS ? quern_success : opencl_fail("clSetMemObjectDestructorCallback", error);
}

static cl_int read_image(const opencl_api_t *api, cl_mem native, quern_memory_t memory) {
  quern_image_layout_t *layout = &memory->layout;
  cl_image_format format = {0, 0};
  cl_int error = api->GetImageInfo(native, CL_IMAGE_FORMAT, sizeof(format), &format, NULL);
  if (error == CL_SUCCESS) error = api->GetImageInfo(native, CL_IMAGE_WIDTH, sizeof(size_t), &layout->width, NULL);
  if (error == CL_SUCCESS) error = api->GetImageInfo(native, CL_IMAGE_HEIGHT, sizeof(size_t), &layout->height, NULL);
  if (error == CL_SUCCESS) error = api->GetImageInfo(native, CL_IMAGE_DEPTH, sizeof(size_t), &layout->depth, NULL);
  /* What an image does not have is 0. */
  if (!layout->height) layout->height = 1;
  if (!layout->depth) layout->depth = 1;
  layout->channel_order = format.image_channel_order;
  layout->channel_type = format.image_channel_data_type;
  memory->is_image = true;
  memory->pixel_size = interop_pixel_size(layout->channel_order, layout->channel_type);
  memory->size = memory->pixel_size * layout->width * layout->height * layout->depth;
  return error;
}

quern_result_t opencl_read_memory(interop_backend_state_t *state, void *native, quern_memory_t memory) {
  const opencl_api_t *api = opencl_api_of(state);
  cl_mem_object_type type = 0;
  cl_int error = api->GetMemObjectInfo(native, CL_MEM_TYPE, sizeof(type), &type, NULL);
  if (error != CL_SUCCESS) return opencl_fail("clGetMemObjectInfo", error);
  switch (type) {
    case CL_MEM_OBJECT_BUFFER: {
      size_t size = 0;
      error = api->GetMemObjectInfo(native, CL_MEM_SIZE, sizeof(size), &size, NULL);
      memory->size = size;
      break;
    }
    case CL_MEM_OBJECT_IMAGE1D: memory->layout.dimensions = 1; break;
    case CL_MEM_OBJECT_IMAGE2D: memory->layout.dimensions = 2; break;
    case CL_MEM_OBJECT_IMAGE3D: memory->layout.dimensions = 3; break;
    default: return interop_fail(quern_error_feature_not_supported, "memory objects of type 0x%x", type);
  }
  if (memory->layout.dimensions) error = read_image(api, native, memory);
  if (error != CL_SUCCESS) return opencl_fail("clGetMemObjectInfo", error);
  if (!memory->size) return interop_fail(quern_error_feature_not_supported, "the image's format is not known");
  return quern_success;
}

/* ------------------------------------------------------------ moving */

quern_result_t opencl_move(quern_queue_t queue, const struct quern_memory_s *memory, void *native,
                           interop_direction_t direction, size_t offset, size_t size, void *host) {
  const opencl_api_t *api = opencl_api_of(queue->context->state);
  cl_command_queue to = queue->native;
  const opencl_region_t region = opencl_region_of(memory);
  cl_int error;
  if (memory->is_image) {
    error = direction == interop_to_host
                ? api->EnqueueReadImage(to, native, CL_TRUE, region.origin, region.size, 0, 0, host, 0, NULL, NULL)
                : api->EnqueueWriteImage(to, native, CL_TRUE, region.origin, region.size, 0, 0, host, 0, NULL, NULL);
  } else {
    error = direction == interop_to_host
                ? api->EnqueueReadBuffer(to, native, CL_TRUE, offset, size, host, 0, NULL, NULL)
                : api->EnqueueWriteBuffer(to, native, CL_TRUE, offset, size, host, 0, NULL, NULL);
  }
  return error == CL_SUCCESS ? quern_success : opencl_fail("clEnqueueRead... or clEnqueueWrite...", error);
}

quern_result_t opencl_map(quern_queue_t queue, void *native, quern_access_t access, size_t offset, size_t size,
                          void **out_pointer) {
  const opencl_api_t *api = opencl_api_of(queue->context->state);
  cl_map_flags flags = CL_MAP_READ | CL_MAP_WRITE;
  cl_int error;
  if (access == quern_access_read) flags = CL_MAP_READ;
  if (access == quern_access_discard_write) flags = CL_MAP_WRITE_INVALIDATE_REGION;
  *out_pointer = api->EnqueueMapBuffer(queue->native, native, CL_TRUE, flags, offset, size, 0, NULL, NULL, &error);
  return error == CL_SUCCESS ? quern_success : opencl_fail("clEnqueueMapBuffer", error);
}

quern_result_t opencl_unmap(quern_queue_t queue, void *native, void *pointer) {
  const opencl_api_t *api = opencl_api_of(queue->context->state);
  cl_event event;
  cl_int error = api->EnqueueUnmapMemObject(queue->native, native, pointer, 0, NULL, &event);
  if (error != CL_SUCCESS) return opencl_fail("clEnqueueUnmapMemObject", error);
  error = api->WaitForEvents(1, &event);
  (void)api->ReleaseEvent(event);
  return error == CL_SUCCESS ? quern_success : opencl_fail("clWaitForEvents", error);
}
