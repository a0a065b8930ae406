/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Checked growth of arrays. */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool array_reserve(void *data, size_t *capacity, size_t needed, size_t element_size) {
  if (needed <= *capacity) return true;
  size_t new_capacity = *capacity ? *capacity : 8, bytes;
  while (new_capacity < needed) {
    if (!size_multiply(new_capacity, (size_t)2, &new_capacity)) return false;
  }
  if (!size_multiply(new_capacity, element_size, &bytes)) return false;
  /* `data` points to a pointer of some object type; memcpy reads and writes it without breaking aliasing rules. */
  void *array;
  memcpy(&array, data, sizeof(array));
  void *grown = realloc(array, bytes);
  if (!grown) return false;
  memcpy(data, &grown, sizeof(grown));
  *capacity = new_capacity;
  return true;
}
