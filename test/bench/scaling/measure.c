/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What is measured, and how often. */
#include <math.h>
#include <sched.h>

#include "scaling.h"
#include "test_process.h"

enum { MAX_SAMPLES = 2000 };
#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
/** Of kernels this long, launching them is less than a hundredth. */
static const double calibration_seconds = 1e-3;
static const double chain_seconds[] = {2e-6, 10e-6, 50e-6, 500e-6};
static const double warming_seconds = 0.3;
static const double compute_seconds = 10e-3, uneven_seconds = 5e-3;
static double budget_seconds = 0.04;

/** A call to be timed. */
typedef struct job_t {
  const scaling_backend_t *backend;
  void (*run)(const struct job_t *job);
  uint32_t steps;
  size_t number;
  scaling_transfer_e transfer;
} job_t;

static void chain_run(const job_t *job) { job->backend->chain(job->steps, job->number); }
static void many_run(const job_t *job) { job->backend->many_groups(job->steps); }
static void chains_run(const job_t *job) { job->backend->chains(job->steps, job->number); }
static void independent_run(const job_t *job) { job->backend->independent(job->steps); }
static void empty_run(const job_t *job) { job->backend->empty(job->number); }
static void uneven_run(const job_t *job) { job->backend->uneven(job->steps); }
static void transfer_run(const job_t *job) { job->backend->transfer(job->transfer, job->number); }
static void stream_run(const job_t *job) { job->backend->stream(job->number); }

static double seconds_of(const job_t *job) {
  const double begin = test_seconds();
  job->run(job);
  return test_seconds() - begin;
}

/** Seconds: the median of as many calls as there is time for, after some for warming up. */
static double measure(job_t job) {
  static double samples[MAX_SAMPLES];
  size_t count = 0;
  for (int i = 0; i < 3; i++) job.run(&job);
  const double begin = test_seconds();
  while (count < 5 || (count < MAX_SAMPLES && test_seconds() - begin < budget_seconds))
    samples[count++] = seconds_of(&job);
  return test_median(samples, count);
}

/** The shortest time of many, which is nearest to what it takes when nothing else runs. */
static double measure_lowest(job_t job) {
  double lowest = INFINITY;
  for (int i = 0; i < 40; i++) lowest = fmin(lowest, seconds_of(&job));
  return lowest;
}

static uint32_t steps_for(double seconds, double step_seconds) {
  const double steps = round(seconds / step_seconds);
  return steps < 1 ? 1 : (uint32_t)steps;
}

scaling_steps_t scaling_calibrate(const scaling_backend_t *backend) {
  scaling_steps_t steps;
  enum { PROBE = 100, KERNELS = 4 };
  job_t job = {.backend = backend, .run = chain_run, .steps = PROBE, .number = KERNELS};
  /* A processor that was idle is slow at first. */
  for (const double begin = test_seconds(); test_seconds() - begin < warming_seconds;) job.run(&job);
  job.steps = steps_for(calibration_seconds, measure_lowest(job) / KERNELS / PROBE);
  const double step = measure_lowest(job) / KERNELS / job.steps;
  for (int i = 0; i < 4; i++) steps.chain[i] = steps_for(chain_seconds[i], step);
  steps.compute = steps_for(compute_seconds, step);
  /* One group in 32 has 31 times the steps: about twice the work on the whole. */
  steps.uneven = steps_for(uneven_seconds / 2 * SCALING_GROUPS / SCALING_UNEVEN_GROUPS, step);
  return steps;
}

static double transfer_measure(const scaling_backend_t *backend, scaling_transfer_e kind, size_t bytes,
                               size_t largest) {
  if (bytes > largest) return NAN;
  return measure((job_t){.backend = backend, .run = transfer_run, .number = bytes, .transfer = kind});
}

/** Of kernels that cost each thread some time, and twice that: what is left when the cost is taken away. */
static double fork_join_measure(const scaling_backend_t *backend, const scaling_steps_t *steps) {
  cpu_set_t processors;
  uint32_t threads = 1;
  if (sched_getaffinity(0, sizeof(processors), &processors) == 0) threads = (uint32_t)CPU_COUNT(&processors);
  job_t job = {.backend = backend, .run = chain_run, .steps = steps->chain[1] * threads, .number = 100};
  const double once = measure(job);
  job.steps *= 2;
  return (2 * once - measure(job)) / (double)job.number;
}

static double chain_measure(const scaling_backend_t *backend, const scaling_steps_t *steps, int which) {
  static const size_t launches[] = {400, 200, 100, 20};
  const job_t job = {.backend = backend, .run = chain_run, .steps = steps->chain[which], .number = launches[which]};
  return measure(job) / (double)launches[which];
}

static double queues_measure(const scaling_backend_t *backend, const scaling_steps_t *steps) {
  if (backend->chains == NULL) return NAN;
  return measure((job_t){.backend = backend, .run = chains_run, .steps = steps->chain[2], .number = 50}) / 100;
}

static double independent_measure(const scaling_backend_t *backend, const scaling_steps_t *steps) {
  const job_t job = {.backend = backend, .run = independent_run, .steps = steps->chain[2] * SCALING_GROUPS};
  return measure(job) / SCALING_GROUPS;
}

/** The kernel of 10 milliseconds, in more groups. */
static job_t many_job(const scaling_backend_t *backend, const scaling_steps_t *steps) {
  const uint32_t each = steps->compute * SCALING_GROUPS / SCALING_MANY_GROUPS;
  return (job_t){.backend = backend, .run = many_run, .steps = each ? each : 1};
}

static double empty_measure(const scaling_backend_t *backend, size_t groups) {
  return measure((job_t){.backend = backend, .run = empty_run, .number = groups});
}

static double stream_measure(const scaling_backend_t *backend, size_t largest) {
  const size_t bytes = largest < 64 * MIB ? largest : 64 * MIB;
  return measure((job_t){.backend = backend, .run = stream_run, .number = bytes});
}

static double kernels_measure(const scaling_backend_t *backend, const scaling_steps_t *steps, scaling_value_e value) {
  switch (value) {
    case VALUE_CHAIN_2:
    case VALUE_CHAIN_10:
    case VALUE_CHAIN_50:
    case VALUE_CHAIN_500: return chain_measure(backend, steps, (int)value - VALUE_CHAIN_2);
    case VALUE_FORK_JOIN: return fork_join_measure(backend, steps);
    case VALUE_FINISH: return empty_measure(backend, 1);
    case VALUE_EMPTY: return empty_measure(backend, SCALING_EMPTY_GROUPS);
    case VALUE_UNEVEN: return measure((job_t){.backend = backend, .run = uneven_run, .steps = steps->uneven});
    case VALUE_COMPUTE:
      return measure((job_t){.backend = backend, .run = chain_run, .steps = steps->compute, .number = 1});
    case VALUE_COMPUTE_MANY: return measure(many_job(backend, steps));
    case VALUE_QUEUES: return queues_measure(backend, steps);
    case VALUE_INDEPENDENT: return independent_measure(backend, steps);
    default: return NAN;
  }
}

static double transfers_measure(const scaling_backend_t *backend, size_t largest, scaling_value_e value) {
  switch (value) {
    case VALUE_COPY_64K: return transfer_measure(backend, TRANSFER_COPY, 64 * KIB, largest);
    case VALUE_COPY_1M: return transfer_measure(backend, TRANSFER_COPY, MIB, largest);
    case VALUE_COPY_16M: return transfer_measure(backend, TRANSFER_COPY, 16 * MIB, largest);
    case VALUE_COPY_64M: return transfer_measure(backend, TRANSFER_COPY, 64 * MIB, largest);
    case VALUE_READ_64M: return transfer_measure(backend, TRANSFER_READ, 64 * MIB, largest);
    case VALUE_WRITE_64M: return transfer_measure(backend, TRANSFER_WRITE, 64 * MIB, largest);
    case VALUE_COPY_256M: return transfer_measure(backend, TRANSFER_COPY, 256 * MIB, largest);
    case VALUE_COPY_1G: return transfer_measure(backend, TRANSFER_COPY, 1024 * MIB, largest);
    case VALUE_STREAM: return stream_measure(backend, largest);
    default: return NAN;
  }
}

void scaling_measure(const scaling_backend_t *backend, const scaling_steps_t *steps, size_t largest, bool quick,
                     scaling_rows_t rows, double values[VALUES]) {
  if (quick) budget_seconds = 0;
  for (scaling_value_e i = 0; i < VALUES; i++) {
    values[i] = NAN;
    if ((rows & SCALING_ROW(i)) == 0) continue;
    const bool transfers = i >= VALUE_COPY_64K && i <= VALUE_STREAM;
    values[i] = 1e6 * (transfers ? transfers_measure(backend, largest, i) : kernels_measure(backend, steps, i));
  }
}

/** Of jobs one after the other, for `seconds`: how many there are in a second. */
static double rate(const job_t *job, double seconds) {
  const double begin = test_seconds();
  double count = 0;
  for (; test_seconds() - begin < seconds; count++) job->run(job);
  return count / (test_seconds() - begin);
}

double scaling_chain_rate(const scaling_backend_t *backend, const scaling_steps_t *steps, double seconds) {
  const job_t job = {.backend = backend, .run = chain_run, .steps = steps->chain[2], .number = 40};
  return (double)job.number * rate(&job, seconds);
}

double scaling_compute_rate(const scaling_backend_t *backend, const scaling_steps_t *steps, double seconds) {
  const job_t job = many_job(backend, steps);
  return rate(&job, seconds);
}
