/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A helper that acts between two looks of the owner at its share: the page of shares is protected, and the owner's
 * first access to the helper's share is executed alone, in a single step of the processor. */
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "host/runtime/scheduling/plan.h"
#include "host/runtime/scheduling/region.h"
#include "host/runtime/scheduling/share.h"
#include "scheduler.h"

#if defined(__x86_64__)

enum { PARTS = 64, SHARES = 2, TRAP_FLAG = 0x100 };

static host_team_t *team;
static unsigned char done[PARTS];
static host_division_t division;
/* What the helper has stolen, and is about to make its share. */
static host_run_t stolen;
static host_member_share_t *shares;
static size_t page_size;
static bool is_owner_done, is_helper_next;
static int helper_steps;

static void shares_protect(int protection) { (void)!mprotect(shares, page_size, protection); }

/* It stores what it stole, finds that the team is to be smaller, and leaves. */
static void helper_step(void) {
  host_member_share_t *share = &shares[1];
  atomic_store(&share->word,
               host_share_word(division.tag, HOST_SHARE_JOINED, stolen.first, stolen.first + stolen.count));
  share->units = PARTS / 2;
  atomic_store(&share->finished, division.tag);
  ++helper_steps;
}

static void on_access(int signal, siginfo_t *info, void *context) {
  (void)signal;
  is_helper_next = (char *)info->si_addr >= (char *)&shares[1];
  shares_protect(PROT_READ | PROT_WRITE);
  ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

/* The access has been executed. */
static void on_step(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)info;
  ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
  if (is_helper_next)
    helper_step();
  else
    shares_protect(PROT_NONE);
}

static bool parts_run(const host_job_t *job, host_thread_t *thread, uint64_t first, uint64_t count) {
  (void)job, (void)thread;
  for (uint64_t part = first; part < first + count; ++part) ++done[part];
  if (is_owner_done) return true;
  /* In the owner's first run the helper comes, executes its share, and takes some of the owner's. */
  is_owner_done = true;
  division = (host_division_t){.tag = team->tag, .shares = SHARES, .units = PARTS};
  for (uint64_t part = PARTS / 2; part < PARTS; ++part) ++done[part];
  atomic_store(&shares[1].word, host_share_word(division.tag, HOST_SHARE_JOINED, PARTS, PARTS));
  /* All that is left of it, so that the owner finds its own share empty and goes on to the helper's. */
  assert_true(host_share_steal(&shares[0].word, &division, 0, PARTS, &stolen));
  assert_true(stolen.count > 0);
  shares_protect(PROT_NONE);
  return true;
}

static void parts_help(const host_job_t *job, host_helper_t *helper) { (void)job, (void)helper; }

static void what_is_stolen_late_is_not_lost(void **state) {
  (void)state;
  const host_job_t job = {.run = parts_run, .help = parts_help};
  const host_plan_t plan = {.end = PARTS, .helpers = 1, .least_parts = 1, .steals = true};
  uint64_t ticks;
  struct sigaction access = {.sa_sigaction = on_access, .sa_flags = SA_SIGINFO}, access_before;
  struct sigaction step = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO}, step_before;
  assert_int_equal(sigaction(SIGSEGV, &access, &access_before), 0);
  assert_int_equal(sigaction(SIGTRAP, &step, &step_before), 0);
  mux_result_t result = host_region_run(scheduler, team, &job, &plan, host_thread_get(), &ticks);
  sigaction(SIGSEGV, &access_before, NULL);
  sigaction(SIGTRAP, &step_before, NULL);
  assert_int_equal(result, mux_success);
  assert_int_equal(helper_steps, 1);
  for (int part = 0; part < PARTS; ++part) assert_int_equal(done[part], 1);
}

static int begin(void **state) {
  if (scheduler_begin(state)) return -1;
  team = team_own();
  page_size = (size_t)sysconf(_SC_PAGESIZE);
  shares = mmap(NULL, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (shares == MAP_FAILED) return -1;
  team->shares = shares;
  return 0;
}

static int end(void **state) {
  munmap(shares, page_size);
  return scheduler_end(state);
}

#else

/* Where it is not known how to execute one instruction. */
static void what_is_stolen_late_is_not_lost(void **state) {
  (void)state;
  skip();
}

static int begin(void **state) { return scheduler_begin(state); }
static int end(void **state) { return scheduler_end(state); }

#endif

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(what_is_stolen_late_is_not_lost, begin, end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
