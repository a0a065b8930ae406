/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The thread that makes variants of kernels. */
#include "cl/program/specializer.h"

#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/log.h"
#include "base/options.h"
#include "base/thread.h"
#include "cl/program/executable.h"

/* Ten steps are a tenth of the time that others have. */
#define NICER 10
#define NICEST 19

typedef struct job_t {
  struct job_t *next;
  /** Held. */
  executable_t *executable;
  /** To be made; null for a tuning to be kept. */
  variant_t *variant;
  const tuning_t *tuning;
  uint64_t measured;
} job_t;

/* The process has one. */
static struct {
  pthread_mutex_t mutex;
  /** Signalled when `is_busy` becomes false. */
  pthread_cond_t idle;
  /** All of this under `mutex`. The oldest job first. */
  job_t *first, **last;
  /** The thread exists; it is making a variant. */
  bool is_running, is_busy;
  /** Nothing is begun while this is not 0. */
  unsigned pauses;
} specializer = {.mutex = PTHREAD_MUTEX_INITIALIZER, .idle = PTHREAD_COND_INITIALIZER};

static void job_put(job_t *job) {
  if (!specializer.first) specializer.last = &specializer.first;
  job->next = NULL;
  *specializer.last = job;
  specializer.last = &job->next;
}

/* ------------------------------------------------------------ the thread */

static void wait_until_idle(void) {
  while (specializer.is_busy) pthread_cond_wait(&specializer.idle, &specializer.mutex);
}

/* Only the job holds an executable that the application has released. */
static bool is_released(const executable_t *executable) {
  return atomic_load_explicit(&OBJECT(executable)->internal_count, memory_order_relaxed) <= 1;
}

static void job_run(job_t *job) {
  if (!job->variant) {
    tuning_keep(job->tuning, job->measured);
  } else if (!is_released(job->executable)) {
    variant_make(job->variant);
  }
  object_drop(OBJECT(job->executable));
  free(job);
}

/* Where all processors run kernels it has a tenth of one, not its equal part. No less: fork() waits for what is under
 * way, which at the system's lowest priority might not end on a machine that others use, and a thread without rights
 * cannot take its priority back. */
static void priority_lower(void) {
  errno = 0;
  const int nice = getpriority(PRIO_PROCESS, (id_t)gettid());
  if (!errno) setpriority(PRIO_PROCESS, (id_t)gettid(), nice + NICER < NICEST ? nice + NICER : NICEST);
}

/* A thread that executes kernels may have started this one: denormals that are flushed, and the processor that it keeps
 * to, are not for the compiler. */
static void environment_reset(void) {
  cpu_set_t processors;
  fesetenv(FE_DFL_ENV);
  if (sched_getaffinity(getpid(), sizeof processors, &processors) == 0)
    (void)sched_setaffinity(0, sizeof processors, &processors);
}

static void *thread_main(void *unused) {
  (void)unused;
  environment_reset();
  priority_lower();
  pthread_setname_np(pthread_self(), "quern-compile");
  pthread_mutex_lock(&specializer.mutex);
  while (specializer.first && !specializer.pauses) {
    job_t *job = specializer.first;
    specializer.first = job->next;
    specializer.is_busy = true;
    pthread_mutex_unlock(&specializer.mutex);
    job_run(job);
    pthread_mutex_lock(&specializer.mutex);
    specializer.is_busy = false;
    pthread_cond_broadcast(&specializer.idle);
  }
  specializer.is_running = false;
  pthread_mutex_unlock(&specializer.mutex);
  return NULL;
}

/* Under the mutex. Without a thread the jobs wait for the next one that tries. */
static void thread_start(void) {
  if (specializer.is_running || !specializer.first || specializer.pauses) return;
  specializer.is_running = thread_start_detached(thread_main, NULL, NULL);
  if (!specializer.is_running) log_write(log_threads, "no thread to specialize kernels");
}

/* ------------------------------------------------------------ from outside */

/* False without memory. */
static bool submit(job_t content) {
  job_t *job = malloc(sizeof *job);
  if (!job) return false;
  *job = content;
  object_hold(OBJECT(job->executable));
  pthread_mutex_lock(&specializer.mutex);
  job_put(job);
  thread_start();
  pthread_mutex_unlock(&specializer.mutex);
  return true;
}

void specializer_submit(variant_t *variant) {
  if (options_get()->specialize > 1) {
    variant_make(variant);
  } else if (!submit((job_t){.executable = variant->of, .variant = variant})) {
    atomic_store_explicit(&variant->state, variant_state_failed, memory_order_release);
  }
}

void specializer_keep(const tuning_t *tuning, uint64_t measured) {
  (void)submit((job_t){.executable = tuning->executable, .tuning = tuning, .measured = measured});
}

void specializer_pause(void) {
  pthread_mutex_lock(&specializer.mutex);
  specializer.pauses++;
  wait_until_idle();
  pthread_mutex_unlock(&specializer.mutex);
}

void specializer_resume(void) {
  pthread_mutex_lock(&specializer.mutex);
  specializer.pauses--;
  thread_start();
  pthread_mutex_unlock(&specializer.mutex);
}

/* The thread was between two jobs, or gone; what it and others held then is not given back in the child. */
void specializer_forget(void) {
  pthread_mutex_init(&specializer.mutex, NULL);
  pthread_cond_init(&specializer.idle, NULL);
  specializer.first = NULL;
  specializer.is_running = false;
  specializer.pauses = 1;
}
