/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Choosing a device by scores, and the ready-made selectors. */
#include "quern/selector.h"

#include "interop/object/registry.h"

typedef struct choice_t {
  quern_device_t device;
  int score;
} choice_t;

static void consider_device(quern_selector_t selector, void *data, quern_device_t device, choice_t *best) {
  int score = selector(device, data);
  if (score > best->score) *best = (choice_t){device, score};
}

static void consider_backend(quern_selector_t selector, void *data, const interop_backend_state_t *state,
                             choice_t *best) {
  for (size_t i = 0; i < state->platform_count; i++) {
    const struct quern_platform_s *platform = state->platforms[i];
    for (size_t j = 0; j < platform->device_count; j++) consider_device(selector, data, platform->devices[j], best);
  }
}

static quern_result_t select_device(quern_selector_t selector, void *data, quern_device_t *out_device) {
  if (!selector) return interop_fail(quern_error_invalid_argument, "the selector is null");
  choice_t best = {NULL, -1};
  for (unsigned backend = 0; backend < interop_backend_count(); backend++) {
    const interop_backend_state_t *state = interop_backend_open((quern_backend_t)backend);
    quern_result_t result = interop_backend_tolerate(state);
    if (result != quern_success) return result;
    consider_backend(selector, data, state, &best);
  }
  if (!best.device) return interop_fail(quern_error_not_found, "the selector wants no device of this machine");
  *out_device = best.device;
  return quern_success;
}

quern_result_t quern_device_select(quern_selector_t selector, void *data, quern_device_t *out_device) {
  if (!out_device) return interop_fail(quern_error_invalid_argument, "null pointer for the device");
  return select_device(selector, data, out_device);
}

quern_result_t quern_platform_select(quern_selector_t selector, void *data, quern_platform_t *out_platform) {
  quern_device_t device;
  if (!out_platform) return interop_fail(quern_error_invalid_argument, "null pointer for the platform");
  quern_result_t result = select_device(selector, data, &device);
  if (result == quern_success) *out_platform = device->platform;
  return result;
}

/* ------------------------------------------------------------ ready-made selectors */

static int score_if(quern_device_t device, quern_device_type_t type, int score) {
  if (interop_device_check(device) != quern_success || !device->info.is_available) return -1;
  return device->info.type & type ? score : -1;
}

int quern_selector_default(quern_device_t device, void *data) {
  static const quern_device_type_t from_worst[] = {quern_device_type_host, quern_device_type_custom,
                                                   quern_device_type_cpu, quern_device_type_accelerator,
                                                   quern_device_type_gpu};
  (void)data;
  int best = -1;
  for (int i = 0; i < (int)(sizeof(from_worst) / sizeof(from_worst[0])); i++) {
    int score = score_if(device, from_worst[i], i);
    if (score > best) best = score;
  }
  return best;
}

int quern_selector_cpu(quern_device_t device, void *data) {
  (void)data;
  return score_if(device, quern_device_type_cpu, 0);
}

int quern_selector_gpu(quern_device_t device, void *data) {
  (void)data;
  return score_if(device, quern_device_type_gpu, 0);
}

int quern_selector_accelerator(quern_device_t device, void *data) {
  (void)data;
  return score_if(device, quern_device_type_accelerator, 0);
}

int quern_selector_host(quern_device_t device, void *data) {
  (void)data;
  return score_if(device, quern_device_type_host, 0);
}
