/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Samplers. */
#include "cl/memory/sampler.h"

#include <math.h>
#include <string.h>

#include "cl/api/entry.h"
#include "cl/api/validate.h"
#include "cl/queueing/refuse.h"
#include "cl/queueing/terminate.h"

/** A level of detail: the bits of a float. */
static cl_float to_lod(cl_sampler_properties value) {
  const cl_uint bits = (cl_uint)value;
  cl_float lod;
  memcpy(&lod, &bits, sizeof lod);
  return lod;
}

static bool is_filter(cl_sampler_properties value) { return value == CL_FILTER_NEAREST || value == CL_FILTER_LINEAR; }

static bool value_is_valid(cl_sampler_properties name, cl_sampler_properties value, bool has_levels) {
  switch (name) {
    case CL_SAMPLER_NORMALIZED_COORDS: return value == CL_TRUE || value == CL_FALSE;
    case CL_SAMPLER_ADDRESSING_MODE: return value >= CL_ADDRESS_NONE && value <= CL_ADDRESS_MIRRORED_REPEAT;
    case CL_SAMPLER_FILTER_MODE: return is_filter(value);
    case CL_SAMPLER_MIP_FILTER_MODE_KHR: return has_levels && is_filter(value);
    case CL_SAMPLER_LOD_MIN_KHR:
    case CL_SAMPLER_LOD_MAX_KHR: return has_levels && !isnan(to_lod(value));
    default: return false;
  }
}

static void set_property(cl_sampler sampler, cl_sampler_properties name, cl_sampler_properties value) {
  switch (name) {
    case CL_SAMPLER_NORMALIZED_COORDS: sampler->normalized_coords = (cl_bool)value; break;
    case CL_SAMPLER_ADDRESSING_MODE: sampler->addressing_mode = (cl_addressing_mode)value; break;
    case CL_SAMPLER_MIP_FILTER_MODE_KHR: sampler->mip_filter_mode = (cl_filter_mode)value; break;
    case CL_SAMPLER_LOD_MIN_KHR: sampler->min_lod = to_lod(value); break;
    case CL_SAMPLER_LOD_MAX_KHR: sampler->max_lod = to_lod(value); break;
    default: sampler->filter_mode = (cl_filter_mode)value; break;
  }
}

static bool appears_before(const cl_sampler_properties *list, const cl_sampler_properties *property) {
  for (; list != property; list += 2) {
    if (list[0] == property[0]) return true;
  }
  return false;
}

/** CL_INVALID_VALUE: an unknown property, an unknown value, the same property twice. */
static cl_int validate_properties(const char *function, cl_context context, const cl_sampler_properties *properties) {
  const bool has_levels = context->mux_device->info->mipmapped_images;
  for (const cl_sampler_properties *property = properties; property && *property; property += 2) {
    REQUIRE(value_is_valid(property[0], property[1], has_levels), function, context, CL_INVALID_VALUE,
            "sampler property 0x%llx cannot be 0x%llx", (unsigned long long)property[0],
            (unsigned long long)property[1]);
    REQUIRE(!appears_before(properties, property), function, context, CL_INVALID_VALUE,
            "sampler property 0x%llx is given twice", (unsigned long long)property[0]);
  }
  return CL_SUCCESS;
}

static cl_int create_sampler(const char *function, cl_context context, const cl_sampler_properties *properties,
                             bool keep, cl_sampler *out_sampler) {
  TRY(context_validate(function, context));
  REQUIRE(context->mux_device->info->image_support, function, context, CL_INVALID_OPERATION,
          "no device of the context supports images");
  TRY(validate_properties(function, context, properties));
  cl_sampler sampler = sampler_create(context);
  REQUIRE(sampler, function, context, CL_OUT_OF_HOST_MEMORY, "out of memory");
  for (const cl_sampler_properties *property = properties; property && *property; property += 2) {
    set_property(sampler, property[0], property[1]);
    sampler->property_count += 2;
  }
  if (keep && properties) {
    sampler->property_count++;
    memcpy(sampler->properties, properties, sampler->property_count * sizeof *properties);
  } else {
    sampler->property_count = 0;
  }
  *out_sampler = sampler;
  return CL_SUCCESS;
}

CL_ENTRY cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context,
                                                              const cl_sampler_properties *sampler_properties,
                                                              cl_int *errcode_ret) {
  cl_sampler sampler = NULL;
  error_answer(errcode_ret, create_sampler(__func__, context, sampler_properties, true, &sampler));
  return sampler;
}

CL_ENTRY cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized_coords,
                                                cl_addressing_mode addressing_mode, cl_filter_mode filter_mode,
                                                cl_int *errcode_ret) {
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                              normalized_coords,
                                              CL_SAMPLER_ADDRESSING_MODE,
                                              addressing_mode,
                                              CL_SAMPLER_FILTER_MODE,
                                              filter_mode,
                                              0};
  cl_sampler sampler = NULL;
  error_answer(errcode_ret, create_sampler(__func__, context, properties, false, &sampler));
  return sampler;
}

CL_ENTRY cl_int CL_API_CALL clRetainSampler(cl_sampler sampler) {
  REQUIRE(sampler_is_valid(sampler) && object_retain_external(OBJECT(sampler)), __func__, NULL, CL_INVALID_SAMPLER,
          "%p is not a sampler", (void *)sampler);
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler) {
  REQUIRE(sampler_is_valid(sampler) && object_release_external(OBJECT(sampler)), __func__, NULL, CL_INVALID_SAMPLER,
          "%p is not a sampler", (void *)sampler);
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name, size_t param_value_size,
                                             void *param_value, size_t *param_value_size_ret) {
  REQUIRE(sampler_is_valid(sampler), __func__, NULL, CL_INVALID_SAMPLER, "%p is not a sampler", (void *)sampler);
#define ANSWER(type, expression)                                                                     \
  do {                                                                                               \
    type answer_ = (expression);                                                                     \
    return info_answer(param_value_size, param_value, param_value_size_ret, &answer_, sizeof(type)); \
  } while (0)
  switch (param_name) {
    case CL_SAMPLER_REFERENCE_COUNT: ANSWER(cl_uint, sampler->object.external_count);
    case CL_SAMPLER_CONTEXT: ANSWER(cl_context, sampler->context);
    case CL_SAMPLER_NORMALIZED_COORDS: ANSWER(cl_bool, sampler->normalized_coords);
    case CL_SAMPLER_ADDRESSING_MODE: ANSWER(cl_addressing_mode, sampler->addressing_mode);
    case CL_SAMPLER_FILTER_MODE: ANSWER(cl_filter_mode, sampler->filter_mode);
    case CL_SAMPLER_MIP_FILTER_MODE_KHR:
    case CL_SAMPLER_LOD_MIN_KHR:
    case CL_SAMPLER_LOD_MAX_KHR:
      REQUIRE(sampler->context->mux_device->info->mipmapped_images, __func__, sampler->context, CL_INVALID_VALUE,
              "query 0x%x: no device has mipmapped images", param_name);
      if (param_name == CL_SAMPLER_MIP_FILTER_MODE_KHR) ANSWER(cl_filter_mode, sampler->mip_filter_mode);
      ANSWER(cl_float, param_name == CL_SAMPLER_LOD_MIN_KHR ? sampler->min_lod : sampler->max_lod);
    case CL_SAMPLER_PROPERTIES:
      return info_answer(param_value_size, param_value, param_value_size_ret, sampler->properties,
                         sampler->property_count * sizeof *sampler->properties);
    default: return refuse(sampler->context, __func__, CL_INVALID_VALUE, "unknown query 0x%x", param_name);
  }
#undef ANSWER
}
