/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The benchmark of many threads: the same work by a driver and in C with OpenMP, and what is measured of it. */
#ifndef BENCH_SCALING_SCALING_H
#define BENCH_SCALING_SCALING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Work-groups of the kernels of a chain, of larger ones, of one with an uneven load, and work-items of each. */
enum {
  SCALING_GROUPS = 64,
  SCALING_MANY_GROUPS = 1024,
  SCALING_UNEVEN_GROUPS = 1024,
  SCALING_EMPTY_GROUPS = 16384,
  SCALING_LOCAL = 64
};

typedef enum scaling_transfer_e { TRANSFER_COPY, TRANSFER_READ, TRANSFER_WRITE } scaling_transfer_e;

/** Everything returns when it is done. */
typedef struct scaling_backend_t {
  /** Prepares for transfers of up to `bytes`; false when there is no such driver. */
  bool (*open)(size_t bytes);
  /** `launches` kernels, each of which needs what the one before has made: `steps` steps in each work-item. */
  void (*chain)(uint32_t steps, size_t launches);
  /** One kernel of SCALING_MANY_GROUPS work-groups. */
  void (*many_groups)(uint32_t steps);
  /** One kernel that does nothing. */
  void (*empty)(size_t groups);
  void (*transfer)(scaling_transfer_e kind, size_t bytes);
  /** One kernel in which some work-groups have 31 times as many steps as others. */
  void (*uneven)(uint32_t steps);
  /** a = b + 3 * c, over `bytes` in each. */
  void (*stream)(size_t bytes);
  /** Two chains that know nothing of each other, in two queues; null where there is no such thing. */
  void (*chains)(uint32_t steps, size_t launches);
  /** SCALING_GROUPS kernels of one work-group each that may run at the same time. */
  void (*independent)(uint32_t steps);
} scaling_backend_t;

extern const scaling_backend_t scaling_backend_cl;
/** Null functions in a build without OpenMP. */
extern const scaling_backend_t scaling_backend_openmp;

static inline uint32_t scaling_uneven_steps(size_t group, uint32_t steps) {
  return (uint32_t)group * 2654435761u >> 27 == 0 ? 31 * steps : steps;
}

/** What is measured, in the order of the table. */
typedef enum scaling_value_e {
  VALUE_CHAIN_2,
  VALUE_CHAIN_10,
  VALUE_CHAIN_50,
  VALUE_CHAIN_500,
  VALUE_FORK_JOIN,
  VALUE_FINISH,
  VALUE_EMPTY,
  VALUE_UNEVEN,
  VALUE_COMPUTE,
  VALUE_COMPUTE_MANY,
  VALUE_COPY_64K,
  VALUE_COPY_1M,
  VALUE_COPY_16M,
  VALUE_COPY_64M,
  VALUE_READ_64M,
  VALUE_WRITE_64M,
  VALUE_COPY_256M,
  VALUE_COPY_1G,
  VALUE_STREAM,
  VALUE_QUEUES,
  VALUE_INDEPENDENT,
  VALUES
} scaling_value_e;

/** A set of values; the two bits behind them are two processes at once, and a process for each thread. */
typedef uint32_t scaling_rows_t;
#define SCALING_ROW(value) ((scaling_rows_t)1 << (value))
#define SCALING_ROW_PAIR SCALING_ROW(VALUES)
#define SCALING_ROW_SINGLES SCALING_ROW(VALUES + 1)
#define SCALING_ROWS_ALL (SCALING_ROW_SINGLES * 2 - 1)

/** Steps of kernels that take 2, 10, 50, 500 microseconds and 10 milliseconds on one thread, and of the uneven one. */
typedef struct scaling_steps_t {
  uint32_t chain[4], compute, uneven;
} scaling_steps_t;

/** Finds them, on one processor. */
scaling_steps_t scaling_calibrate(const scaling_backend_t *backend);

/** Measures `rows` once, in microseconds; NaN for others, and for what cannot be. */
void scaling_measure(const scaling_backend_t *backend, const scaling_steps_t *steps, size_t largest, bool quick,
                     scaling_rows_t rows, double values[VALUES]);

/** Kernels of 50 microseconds that are done in a second, in chains; measured for `seconds`. */
double scaling_chain_rate(const scaling_backend_t *backend, const scaling_steps_t *steps, double seconds);

/** Kernels of 10 milliseconds with many groups, one after the other. */
double scaling_compute_rate(const scaling_backend_t *backend, const scaling_steps_t *steps, double seconds);

#endif
