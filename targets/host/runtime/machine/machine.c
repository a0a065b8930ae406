/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Reading the machine. A topology library would cost milliseconds that start-up does not have. */
#include "host/runtime/machine/machine.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "base/options.h"
#include "host/runtime/machine/cgroup.h"

#define MAX_THREADS 4096u

/* From this on a result is taken not to stay in the caches: more than those of most cores, and what the C library's
 * memcpy does is of the same order. */
#define LARGE_RESULT_MIB 32u

static uint64_t configuration_value(int name, uint64_t fallback) {
  long value = sysconf(name);
  return value > 0 ? (uint64_t)value : fallback;
}

static uint32_t affinity_count(const host_cpus_t *cpus) {
  uint32_t count = host_cpus_count(cpus);
  return count ? count : (uint32_t)configuration_value(_SC_NPROCESSORS_ONLN, 1);
}

static uint32_t threads_count(const host_cgroup_limits_t *limits, const host_cpus_t *cpus) {
  uint64_t wanted = options_get()->num_threads;
  if (!wanted) {
    wanted = affinity_count(cpus);
    if (wanted > limits->processors) wanted = limits->processors;
  }
  if (wanted > MAX_THREADS) wanted = MAX_THREADS;
  return wanted ? (uint32_t)wanted : 1;
}

static void caches_read(host_machine_t *machine) {
  machine->cacheline_size = configuration_value(_SC_LEVEL1_DCACHE_LINESIZE, 64);
  machine->level2_size = configuration_value(_SC_LEVEL2_CACHE_SIZE, 256u << 10);
  machine->cache_size = configuration_value(_SC_LEVEL3_CACHE_SIZE, machine->level2_size);
}

/* Copies without leading, trailing and doubled spaces. */
static void name_tidy(char *out, size_t capacity, const char *text) {
  size_t length = 0;
  for (; *text && length + 1 < capacity; ++text) {
    if (*text == ' ' && (!length || out[length - 1] == ' ')) continue;
    out[length++] = *text;
  }
  while (length && out[length - 1] == ' ') --length;
  out[length] = '\0';
}

static uint32_t frequency_read(void) {
  unsigned long khz = 0;
  FILE *file = fopen("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "re");
  if (!file) return 0;
  if (fscanf(file, "%lu", &khz) != 1) khz = 0;
  fclose(file);
  return (uint32_t)(khz / 1000);
}

uint32_t host_nominal_mhz(uint32_t base, const uint32_t counter[3], const char *name) {
  if (base & 0xffff) return base & 0xffff;
  if (counter[0] && counter[1] && counter[2])
    return (uint32_t)((uint64_t)counter[2] * counter[1] / counter[0] / 1000000);
  const char *at = strchr(name, '@');
  return at ? (uint32_t)(strtod(at + 1, NULL) * 1000) : 0;
}

#if defined(__x86_64__)
static bool name_read(char *out, size_t capacity) {
  unsigned words[13] = {0}, unused[3];
  if (!__get_cpuid(0x80000000u, &words[0], &unused[0], &unused[1], &unused[2]) || words[0] < 0x80000004u) return false;
  for (unsigned leaf = 0; leaf < 3; ++leaf) {
    unsigned *part = words + leaf * 4;
    __get_cpuid(0x80000002u + leaf, &part[0], &part[1], &part[2], &part[3]);
  }
  words[12] = 0;
  char text[sizeof words];
  memcpy(text, words, sizeof words);
  name_tidy(out, capacity, text);
  return *out;
}

static uint32_t vendor_read(void) {
  static const struct {
    const char *text;
    uint32_t id;
  } vendors[] = {{"GenuineIntel", 0x8086},
                 {"AuthenticAMD", 0x1022},
                 {"HygonGenuine", 0x1d94},
                 {"CentaurHauls", 0x1106},
                 {"  Shanghai  ", 0x1d17}};
  unsigned highest, b, c, d;
  char text[13] = "";
  if (!__get_cpuid(0, &highest, &b, &c, &d)) return 0;
  memcpy(text, &b, 4);
  memcpy(text + 4, &d, 4);
  memcpy(text + 8, &c, 4);
  for (size_t i = 0; i < sizeof vendors / sizeof *vendors; ++i)
    if (!strcmp(text, vendors[i].text)) return vendors[i].id;
  return 0;
}

static uint32_t nominal_frequency(const char *name) {
  uint32_t base[4] = {0}, counter[4] = {0};
  (void)__get_cpuid(0x16, &base[0], &base[1], &base[2], &base[3]);
  (void)__get_cpuid(0x15, &counter[0], &counter[1], &counter[2], &counter[3]);
  return host_nominal_mhz(base[0], counter, name);
}

/* As Linux reports it, when cpuid does not: only the first processor's lines are read. */
static uint32_t current_frequency(void) {
  double mhz = 0;
  char line[256];
  FILE *file = fopen("/proc/cpuinfo", "re");
  if (!file) return 0;
  for (int i = 0; i < 16 && mhz == 0 && fgets(line, sizeof line, file); ++i)
    if (sscanf(line, "cpu MHz : %lf", &mhz) != 1) mhz = 0;
  fclose(file);
  return (uint32_t)mhz;
}

static void vectors_read(host_machine_t *machine) {
  __builtin_cpu_init();
  bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
              __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
  machine->vector_size = wide ? 64 : __builtin_cpu_supports("avx2") ? 32 : 16;
  machine->has_fma = __builtin_cpu_supports("fma");
}

/* A core of these holds a buffer for longer while it stores past the caches: few of them, which do not get all that the
 * memory gives, are 4 to 9 % slower so (measured on Cascade Lake with two threads). Many share what the memory gives,
 * and are the faster the less of it they ask for. */
static bool streams_slowly(uint32_t threads) {
  return threads < 8 &&
         (__builtin_cpu_is("skylake-avx512") || __builtin_cpu_is("cascadelake") || __builtin_cpu_is("cooperlake"));
}
#else
static bool name_read(char *out, size_t capacity) {
  (void)out, (void)capacity;
  return false;
}
static uint32_t vendor_read(void) { return 0; }
static uint32_t nominal_frequency(const char *name) { return (void)name, 0; }
static uint32_t current_frequency(void) { return 0; }
static void vectors_read(host_machine_t *machine) {
  machine->vector_size = 16;
  machine->has_fma = true;
}
static bool streams_slowly(uint32_t threads) { return (void)threads, false; }
#endif

static void name_fill(host_machine_t *machine) {
  struct utsname system;
  if (name_read(machine->name, sizeof machine->name)) return;
  name_tidy(machine->name, sizeof machine->name, uname(&system) ? "CPU" : system.machine);
}

void host_machine_read(host_machine_t *machine) {
  host_cgroup_limits_t limits = host_cgroup_limits_read("");
  memset(machine, 0, sizeof *machine);
  name_fill(machine);
  machine->vendor_id = vendor_read();
  host_instruction_set_read(machine->instruction_set);
  if (sched_getaffinity(0, sizeof machine->cpus, machine->cpus.parts)) memset(&machine->cpus, 0, sizeof machine->cpus);
  machine->threads = threads_count(&limits, &machine->cpus);
  machine->clock_mhz = frequency_read();
  if (!machine->clock_mhz) machine->clock_mhz = nominal_frequency(machine->name);
  if (!machine->clock_mhz) machine->clock_mhz = current_frequency();
  machine->memory_size = configuration_value(_SC_PHYS_PAGES, 1) * configuration_value(_SC_PAGESIZE, 4096);
  if (limits.memory && limits.memory < machine->memory_size) machine->memory_size = limits.memory;
  caches_read(machine);
  vectors_read(machine);
  machine->streaming_mib = streams_slowly(machine->threads) ? UINT32_MAX : LARGE_RESULT_MIB;
}
