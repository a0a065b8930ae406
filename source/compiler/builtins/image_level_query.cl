/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Queries of mipmapped images: how many levels there are, and the sizes of one of them, which SPIR-V alone has. */

#include "image.clh"

#define COUNT(type)                                                                                                    \
  INLINED int get_image_num_mip_levels(type image) { return (int)__quern_image(image)->level_count; }
#define QUERY(name, type, member)                                                                                      \
  INLINED int name(type image, int lod) { return (int)__quern_image(image)->levels[lod].member; }
#define WIDTH(type) QUERY(get_image_width, type, width)
#define HEIGHT(type) QUERY(get_image_height, type, height)

#define QUERIES(access)                                                                                                \
  EACH_IMAGE_KIND(COUNT, access)                                                                                       \
  EACH_IMAGE_KIND(WIDTH, access)                                                                                       \
  HEIGHT(access image2d_t)                                                                                             \
  HEIGHT(access image2d_array_t)                                                                                       \
  HEIGHT(access image2d_depth_t)                                                                                       \
  HEIGHT(access image2d_array_depth_t)                                                                                 \
  HEIGHT(access image3d_t)                                                                                             \
  QUERY(get_image_depth, access image3d_t, depth)
QUERIES(read_only)
QUERIES(write_only)
QUERIES(read_write)
