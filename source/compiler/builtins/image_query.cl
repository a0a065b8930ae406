/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * get_image_width and the other queries of images. */

#include "image.clh"

#define QUERY(R, name, type, value)                                                                                    \
  INLINED R name(type image)                                                                                           \
  {                                                                                                                    \
    image_t i = __quern_image(image);                                                                                  \
    return value;                                                                                                      \
  }
#define EACH_ACCESS(M) M(read_only) M(write_only) M(read_write)

#define QUERIES_OF_ALL(type)                                                                                           \
  QUERY(int, get_image_width, type, (int)i->width)                                                                     \
  QUERY(int, get_image_channel_order, type, (int)i->channel_order)                                                     \
  QUERY(int, get_image_channel_data_type, type, (int)i->channel_type)
#define QUERIES_OF_2D(type)                                                                                            \
  QUERY(int, get_image_height, type, (int)i->height)                                                                   \
  QUERY(int2, get_image_dim, type, (int2)((int)i->width, (int)i->height))
#define QUERIES_OF_ARRAY(type) QUERY(size_t, get_image_array_size, type, i->layers)
#define QUERIES_OF_3D(type)                                                                                            \
  QUERY(int, get_image_height, type, (int)i->height)                                                                   \
  QUERY(int, get_image_depth, type, (int)i->depth)                                                                     \
  QUERY(int4, get_image_dim, type, (int4)((int)i->width, (int)i->height, (int)i->depth, 0))

#define QUERIES(access)                                                                                                \
  EACH_IMAGE_KIND(QUERIES_OF_ALL, access)                                                                              \
  QUERIES_OF_2D(access image2d_t)                                                                                      \
  QUERIES_OF_2D(access image2d_array_t)                                                                                \
  QUERIES_OF_2D(access image2d_depth_t)                                                                                \
  QUERIES_OF_2D(access image2d_array_depth_t)                                                                          \
  QUERIES_OF_ARRAY(access image1d_array_t)                                                                             \
  QUERIES_OF_ARRAY(access image2d_array_t)                                                                             \
  QUERIES_OF_ARRAY(access image2d_array_depth_t)                                                                       \
  QUERIES_OF_3D(access image3d_t)
EACH_ACCESS(QUERIES)
