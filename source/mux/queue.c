/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Queues. */
#include "mux/validate.h"

mux_result_t muxGetQueue(mux_device_t device, mux_queue_type_e queue_type, uint32_t queue_index,
                         mux_queue_t *out_queue) {
  MUX_REQUIRE_HANDLE(device, device);
  MUX_REQUIRE((uint32_t)queue_type < mux_queue_type_total, "queue_type is unknown");
  MUX_REQUIRE(queue_index < device->info->queue_types[queue_type], "queue_index is too large");
  MUX_REQUIRE_OUTPUT(out_queue);
  return mux_target_find(device->id)->get_queue(device, queue_type, queue_index, out_queue);
}
