/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the process can no longer do once its libraries are loaded. */
#include "compiler/service/program/sandbox.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A sanitizer's runtime opens files of its own, and maps more than any limit allows. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { is_sanitized = true };
#else
enum { is_sanitized = false };
#endif

/* ------------------------------------------------------------ system calls */

/* What compiling on several threads takes, with the C library of today and of some years ago. */
static const int allowed[] = {
    /* Descriptors that are open. */
    SCMP_SYS(read),
    SCMP_SYS(write),
    SCMP_SYS(readv),
    SCMP_SYS(writev),
    SCMP_SYS(pread64),
    SCMP_SYS(lseek),
    SCMP_SYS(fstat),
    SCMP_SYS(close),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(sendmsg),
    SCMP_SYS(recvfrom),
    /* Memory. */
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(madvise),
    SCMP_SYS(brk),
    /* Threads. */
    SCMP_SYS(futex),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(rseq),
    SCMP_SYS(gettid),
    SCMP_SYS(getpid),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(getcpu),
    SCMP_SYS(set_tid_address),
    SCMP_SYS(get_robust_list),
    SCMP_SYS(membarrier),
    /* Signals. */
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(restart_syscall),
    /* Clocks, limits, random numbers for hash seeds. */
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(getrusage),
    SCMP_SYS(getrlimit),
    SCMP_SYS(getrandom),
    SCMP_SYS(sysinfo),
    SCMP_SYS(uname),
};

static bool allow_all(scmp_filter_ctx filter) {
  for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++) {
    /* Some machines have not all of them. */
    const int error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
    if (error && error != -EDOM && error != -EINVAL) return false;
  }
  return true;
}

/* Those whose arguments tell what they do: threads and no processes, memory and no code, signals to itself. */
static bool allow_some(scmp_filter_ctx filter) {
  const struct scmp_arg_cmp is_thread = SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD);
  const struct scmp_arg_cmp is_no_code = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
  const struct scmp_arg_cmp is_self = SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid());
  const struct scmp_arg_cmp asks = SCMP_A2(SCMP_CMP_EQ, 0);
  const struct scmp_arg_cmp names = SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME);
  return !seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, is_thread) &&
         /* Its arguments are in memory; without it the C library takes clone. */
         !seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) &&
         !seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, is_no_code) &&
         !seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, is_no_code) &&
         !seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, is_self) &&
         !seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1, asks) &&
         !seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1, names);
}

/* What is not allowed fails, as without the right to it: libraries know how to go on. */
static void restrict_calls(void) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (!filter) return;
  if (allow_all(filter) && allow_some(filter)) seccomp_load(filter);
  seccomp_release(filter);
}

/* ------------------------------------------------------------ files */

/* Everything that Landlock's first version knows, with no exception. */
static void restrict_files(void) {
#if defined(SYS_landlock_create_ruleset) && defined(SYS_landlock_restrict_self)
  const struct landlock_ruleset_attr rules = {.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
  const int file = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
  if (file < 0) return;
  syscall(SYS_landlock_restrict_self, file, 0);
  close(file);
#endif
}

/* ------------------------------------------------------------ rights and memory */

/* Of an application that has any. */
static void drop_capabilities(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};
  syscall(SYS_capset, &header, none);
}

/* Bytes of address space that are mapped. */
static uint64_t mapped_size(void) {
  unsigned long long pages = 0;
  FILE *file = fopen("/proc/self/statm", "re");
  if (!file) return 0;
  if (fscanf(file, "%llu", &pages) != 1) pages = 0;
  fclose(file);
  return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void limit_memory(uint64_t memory) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit)) return;
  const rlim_t wanted = (rlim_t)(mapped_size() + memory);
  if (wanted < limit.rlim_cur) limit.rlim_cur = wanted;
  setrlimit(RLIMIT_AS, &limit);
}

void sandbox_enter(uint64_t memory) {
  /* Nobody of the same user looks into it. */
  prctl(PR_SET_DUMPABLE, 0);
  drop_capabilities();
  if (is_sanitized || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return;
  limit_memory(memory);
  restrict_files();
  restrict_calls();
}
