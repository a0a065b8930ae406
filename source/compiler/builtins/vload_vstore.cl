/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * vloadn and vstoren; pointers are aligned as the element, no more. */

#include "builtins.clh"

#define EACH_TYPE(M, ...)                                                                                              \
  M(char, ##__VA_ARGS__) M(uchar, ##__VA_ARGS__) M(short, ##__VA_ARGS__) M(ushort, ##__VA_ARGS__)                      \
  M(int, ##__VA_ARGS__) M(uint, ##__VA_ARGS__) M(long, ##__VA_ARGS__) M(ulong, ##__VA_ARGS__)                          \
  M(half, ##__VA_ARGS__) M(float, ##__VA_ARGS__) M(double, ##__VA_ARGS__)

/* An underaligned vector type makes the access one vector load or store. Three elements are a load of two and of one:
 * a vector of three would read a fourth. Indices are signed inside: kernels do pass negative ones. */
#define DEFINE_TYPE(T, N) typedef T##N T##N##_unaligned __attribute__((aligned(sizeof(T))));
#define DEFINE_TYPES(T) DEFINE_TYPE(T, 2) DEFINE_TYPE(T, 4) DEFINE_TYPE(T, 8) DEFINE_TYPE(T, 16)
EACH_TYPE(DEFINE_TYPES)

#define DEFINE_VLOAD(T, space, N)                                                                                      \
  OVER __attribute__((pure)) T##N vload##N(size_t i, const space T *p)                                                 \
  {                                                                                                                    \
    return *(const space T##N##_unaligned *)(p + N * (ptrdiff_t)i);                                                    \
  }
#define DEFINE_VLOAD3(T, space)                                                                                        \
  OVER __attribute__((pure)) T##3 vload3(size_t i, const space T *p)                                                   \
  {                                                                                                                    \
    const space T *q = p + 3 * (ptrdiff_t)i;                                                                           \
    return (T##3)(*(const space T##2_unaligned *)q, q[2]);                                                             \
  }
#define DEFINE_VSTORE(T, space, N)                                                                                     \
  OVER void vstore##N(T##N value, size_t i, space T *p) { *(space T##N##_unaligned *)(p + N * (ptrdiff_t)i) = value; }
#define DEFINE_VSTORE3(T, space)                                                                                       \
  OVER void vstore3(T##3 value, size_t i, space T *p)                                                                  \
  {                                                                                                                    \
    space T *q = p + 3 * (ptrdiff_t)i;                                                                                 \
    *(space T##2_unaligned *)q = value.xy;                                                                             \
    q[2] = value.z;                                                                                                    \
  }

#define DEFINE_VLOADS(T, space)                                                                                        \
  DEFINE_VLOAD(T, space, 2)                                                                                            \
  DEFINE_VLOAD3(T, space)                                                                                              \
  DEFINE_VLOAD(T, space, 4) DEFINE_VLOAD(T, space, 8) DEFINE_VLOAD(T, space, 16)
#define DEFINE_VSTORES(T, space)                                                                                       \
  DEFINE_VSTORE(T, space, 2)                                                                                           \
  DEFINE_VSTORE3(T, space)                                                                                             \
  DEFINE_VSTORE(T, space, 4) DEFINE_VSTORE(T, space, 8) DEFINE_VSTORE(T, space, 16)

#define DEFINE_ALL(space) EACH_TYPE(DEFINE_VLOADS, space) EACH_TYPE(DEFINE_VSTORES, space)
EACH_ADDRESS_SPACE(DEFINE_ALL)
EACH_TYPE(DEFINE_VLOADS, constant)
