/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Images over Mux images. */
#include "cl/memory/image.h"

#include "cl/memory/memory_fill.h"
#include "cl/object/mux_error.h"

bool image_type_is_array(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

bool image_type_has_slices(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE3D || image_type_is_array(type);
}

static bool has_height(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY || type == CL_MEM_OBJECT_IMAGE3D;
}

void image_extent(const cl_image_desc *desc, size_t out_extent[3]) {
  out_extent[0] = desc->image_width;
  out_extent[1] = has_height(desc->image_type) ? desc->image_height : 1;
  out_extent[2] = desc->image_type == CL_MEM_OBJECT_IMAGE3D ? desc->image_depth : 1;
  if (desc->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY) out_extent[1] = desc->image_array_size;
  if (desc->image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY) out_extent[2] = desc->image_array_size;
}

unsigned image_level_index(cl_mem_object_type type) {
  switch (type) {
    case CL_MEM_OBJECT_IMAGE1D: return 1;
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    case CL_MEM_OBJECT_IMAGE2D: return 2;
    default: return 3;
  }
}

void image_level_extent(cl_mem image, cl_uint level, size_t out_extent[3]) {
  image_extent(&image->desc, out_extent);
  const mux_extent_3d_t size = level ? image->image->levels[level]->size : image->image->size;
  out_extent[0] = size.x;
  if (has_height(image->type)) out_extent[1] = size.y;
  if (image->type == CL_MEM_OBJECT_IMAGE3D) out_extent[2] = size.z;
}

/* The layers of a 1D array are its rows, and fill it. */
mux_extent_2d_t image_level_pitches(mux_image_t level) {
  bool is_1d_array = level->type == mux_image_type_1d && level->array_layers;
  return is_1d_array ? (mux_extent_2d_t){level->slice_pitch, level->slice_pitch * level->array_layers}
                     : (mux_extent_2d_t){level->row_pitch, level->slice_pitch};
}

/** The Mux image; pitches of zero are packed. A slice pitch without a row pitch is one over packed rows. */
static mux_result_t create_mux_image(cl_mem memory) {
  const cl_image_desc *desc = &memory->desc;
  size_t row_pitch = desc->image_row_pitch;
  if (desc->image_slice_pitch && !row_pitch) row_pitch = desc->image_width * image_format_element_size(&memory->format);
  mux_device_t device = memory->context->mux_device;
  mux_image_type_e type = image_type_to_mux(desc->image_type);
  mux_image_format_e format = image_format_to_mux(&memory->format);
  const uint32_t width = (uint32_t)desc->image_width;
  const uint32_t height = has_height(desc->image_type) ? (uint32_t)desc->image_height : 1;
  const uint32_t depth = desc->image_type == CL_MEM_OBJECT_IMAGE3D ? (uint32_t)desc->image_depth : 1;
  const uint32_t layers = image_type_is_array(desc->image_type) ? (uint32_t)desc->image_array_size : 0;
  if (desc->num_mip_levels > 1) {
    return muxCreateMipmappedImage(device, type, format, width, height, depth, layers, desc->num_mip_levels,
                                   mux_allocator(), &memory->image);
  }
  return muxCreateImage(device, type, format, width, height, depth, layers, row_pitch,
                        image_type_has_slices(desc->image_type) ? desc->image_slice_pitch : 0, mux_allocator(),
                        &memory->image);
}

/** Members that the type has no use for are as if they were never given. */
static cl_image_desc normalise(const cl_image_desc *desc) {
  cl_image_desc out = *desc;
  if (!has_height(desc->image_type)) out.image_height = 0;
  if (desc->image_type != CL_MEM_OBJECT_IMAGE3D) out.image_depth = 0;
  if (!image_type_is_array(desc->image_type)) out.image_array_size = 0;
  if (!image_type_has_slices(desc->image_type)) out.image_slice_pitch = 0;
  if (desc->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER) out.image_row_pitch = 0;
  return out;
}

static cl_mem allocate(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                       const cl_image_desc *desc) {
  cl_mem memory = memory_new(context, desc->image_type, flags, 0);
  if (!memory) return NULL;
  memory->format = *format;
  memory->desc = normalise(desc);
  return memory;
}

static mux_result_t create_storage(cl_mem memory, bool from_host) {
  mux_result_t result = memory_allocate(memory, &memory->image->memory_requirements, from_host);
  if (result != mux_success) return result;
  return muxBindImageMemory(memory->context->mux_device, memory->memory, memory->image, 0);
}

/* The Mux image first: it says how many bytes of external memory the image takes. */
static cl_int create_image(cl_mem memory, const memory_properties_t *properties, bool from_host) {
  TRY(error_from_mux(create_mux_image(memory), CL_MEM_OBJECT_ALLOCATION_FAILURE));
  size_t size = memory->image->memory_requirements.size;
  if (properties->is_external && size > properties->external_size) return CL_INVALID_IMAGE_SIZE;
  TRY(memory_take_properties(memory, properties, size));
  return error_from_mux(create_storage(memory, from_host), CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

/** What the application may ask for: the pitches that the image got, the bytes that it occupies. */
static void note_layout(cl_mem memory) {
  memory->desc.image_row_pitch = memory->image->row_pitch;
  if (image_type_has_slices(memory->type)) memory->desc.image_slice_pitch = memory->image->slice_pitch;
  memory->size = memory->image->memory_requirements.size;
}

static cl_int finish(cl_mem memory, cl_int error, cl_mem *out_image) {
  if (error != CL_SUCCESS) {
    object_release_external(OBJECT(memory));
    return error == CL_OUT_OF_HOST_MEMORY ? CL_MEM_OBJECT_ALLOCATION_FAILURE : error;
  }
  *out_image = memory;
  return CL_SUCCESS;
}

cl_int image_create(cl_context context, const memory_properties_t *properties, cl_mem_flags flags,
                    const cl_image_format *format, const cl_image_desc *desc, void *host_pointer, cl_mem *out_image) {
  cl_mem memory = allocate(context, flags, format, desc);
  if (!memory) return CL_OUT_OF_HOST_MEMORY;
  memory->host_pointer = flags & CL_MEM_USE_HOST_PTR ? host_pointer : NULL;
  bool from_host = memory_shares_host_pointer(context, flags);
  cl_int error = create_image(memory, properties, from_host);
  if (error == CL_SUCCESS) note_layout(memory);
  if (error == CL_SUCCESS && host_pointer && !(from_host && memory_is_coherent(memory))) {
    error = memory_fill_from_host(memory, from_host ? NULL : host_pointer);
  }
  if (error == CL_SUCCESS) memory_close_descriptor(properties);
  return finish(memory, error, out_image);
}

cl_int image_create_from(const memory_properties_t *properties, cl_mem_flags flags, const cl_image_format *format,
                         const cl_image_desc *desc, cl_mem *out_image) {
  cl_mem parent = desc->mem_object;
  cl_mem memory = allocate(parent->context, flags, format, desc);
  if (!memory) return CL_OUT_OF_HOST_MEMORY;
  memory_set_parent(memory, parent, 0);
  cl_int error = memory_take_properties(memory, properties, 0);
  mux_result_t result = error == CL_SUCCESS ? create_mux_image(memory) : mux_success;
  if (error == CL_SUCCESS && result == mux_success) {
    result = muxBindImageMemory(memory->context->mux_device, memory->memory, memory->image, memory->origin);
  }
  if (error == CL_SUCCESS) error = error_from_mux(result, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  if (error == CL_SUCCESS) note_layout(memory);
  return finish(memory, error, out_image);
}
