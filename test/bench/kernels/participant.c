/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Participants: the processes, and what they and the first one tell each other over pipes. */
#include "participant.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data.h"
#include "test_process.h"

enum { MAX_REPETITIONS = 400, MIN_REPETITIONS = 3, PATIENCE_MILLISECONDS = 120000 };
static const double round_seconds = 0.03;

typedef enum request_e { REQUEST_MEASURE, REQUEST_CHECK } request_e;

typedef struct reply_t {
  bench_status_e status;
  double seconds;
  bench_opened_t opened;
} reply_t;

/* ---- in the participant's process */

static bool outputs_check(const bench_participant_t *participant, const bench_case_t *bench_case,
                          const bench_data_t *data) {
  bool right = true;
  participant->backend->spoil();
  participant->backend->run();
  for (size_t i = 0; i < data->argument_count; i++) {
    if (!data->arguments[i].is_output) continue;
    void *found = bench_allocate(data->arguments[i].bytes);
    participant->backend->read(i, found);
    right = bench_output_check(bench_case, data, i, found, participant->label) && right;
    free(found);
  }
  return right;
}

static double measure(const bench_backend_t *backend) {
  double samples[MAX_REPETITIONS];
  size_t count = 0;
  const double begin = test_seconds();
  double now = begin;
  while (count < MIN_REPETITIONS || (count < MAX_REPETITIONS && now - begin < round_seconds)) {
    const double before = now;
    backend->run();
    now = test_seconds();
    samples[count++] = now - before;
  }
  return test_median(samples, count);
}

/** An empty value removes the variable. */
static void environment_set(const char *name, const char *value) {
  if ((value[0] != '\0' ? setenv(name, value, 1) : unsetenv(name)) != 0) abort();
}

/** VARIABLE=VALUE */
static void setting_apply(const char *setting) {
  char *copy = strdup(setting), *value = copy != NULL ? strchr(copy, '=') : NULL;
  if (value == NULL) abort();
  *value = '\0';
  environment_set(copy, value + 1);
  free(copy);
}

static void environment_prepare(const bench_participant_t *participant) {
  environment_set("OCL_ICD_VENDORS", participant->vendors);
  /* The threads of OpenMP look for more work while another participant has its turn, unless told to stop early. */
  environment_set("GOMP_SPINCOUNT", "10000");
  environment_set("KMP_BLOCKTIME", "0");
  if (participant->setting != NULL) setting_apply(participant->setting);
}

static void reply_opened(const bench_participant_t *participant, const bench_case_t *bench_case,
                         const bench_data_t *data, int replies) {
  reply_t reply = {.status = BENCH_FAILED};
  environment_prepare(participant);
  reply.status = participant->backend->open(bench_case, data, participant->builds, &reply.opened);
  const char *platform = participant->platform;
  if (platform != NULL && strncmp(reply.opened.name, platform, strlen(platform)) != 0) {
    fprintf(stderr, "the loader's first driver is \"%s\", not %s: set OCL_ICD_VENDORS\n", reply.opened.name, platform);
    reply.status = BENCH_FAILED;
  }
  if (reply.status == BENCH_OK && !outputs_check(participant, bench_case, data)) reply.status = BENCH_FAILED;
  if (write(replies, &reply, sizeof(reply)) != sizeof(reply) || reply.status != BENCH_OK) _exit(1);
}

/** Ends by _exit: what a driver does at the exit of a process is not measured, nor waited for. */
static _Noreturn void serve(const bench_participant_t *participant, const bench_case_t *bench_case,
                            const bench_data_t *data, int requests, int replies) {
  request_e request;
  reply_opened(participant, bench_case, data, replies);
  while (read(requests, &request, sizeof(request)) == sizeof(request)) {
    reply_t reply = {.status = BENCH_OK};
    if (request == REQUEST_MEASURE) reply.seconds = measure(participant->backend);
    if (request == REQUEST_CHECK && !outputs_check(participant, bench_case, data)) reply.status = BENCH_FAILED;
    if (write(replies, &reply, sizeof(reply)) != sizeof(reply)) _exit(1);
  }
  _exit(0);
}

/* ---- in the first process */

/** A reply whose status is BENCH_FAILED where none comes. */
static reply_t reply_read(const bench_child_t *child) {
  reply_t reply = {.status = BENCH_FAILED};
  struct pollfd descriptor = {.fd = child->replies, .events = POLLIN};
  const bool ready = poll(&descriptor, 1, PATIENCE_MILLISECONDS) == 1;
  if (!ready || read(child->replies, &reply, sizeof(reply)) != sizeof(reply)) reply.status = BENCH_FAILED;
  return reply;
}

static reply_t ask(const bench_child_t *child, request_e request) {
  if (write(child->requests, &request, sizeof(request)) == sizeof(request)) return reply_read(child);
  return (reply_t){.status = BENCH_FAILED};
}

static void child_reap(const bench_child_t *child) {
  close(child->requests);
  close(child->replies);
  kill(child->process, SIGKILL); /* it has nothing left to do, or does not answer */
  waitpid(child->process, NULL, 0);
}

bench_status_e bench_child_start(bench_child_t *child, const bench_participant_t *participant,
                                 const bench_case_t *bench_case, const bench_data_t *data, bench_opened_t *opened) {
  int requests[2], replies[2];
  fflush(NULL);
  if (pipe(requests) != 0 || pipe(replies) != 0 || (child->process = fork()) < 0) {
    perror("a process for a participant");
    exit(2);
  }
  if (child->process == 0) {
    close(requests[1]);
    close(replies[0]);
    serve(participant, bench_case, data, requests[0], replies[1]);
  }
  close(requests[0]);
  close(replies[1]);
  child->requests = requests[1];
  child->replies = replies[0];
  const reply_t reply = reply_read(child);
  *opened = reply.opened;
  if (reply.status != BENCH_OK) child_reap(child);
  return reply.status;
}

double bench_child_measure(const bench_child_t *child) {
  const reply_t reply = ask(child, REQUEST_MEASURE);
  return reply.status == BENCH_OK ? reply.seconds : NAN;
}

bool bench_child_end(const bench_child_t *child) {
  const bool right = ask(child, REQUEST_CHECK).status == BENCH_OK;
  child_reap(child);
  return right;
}
