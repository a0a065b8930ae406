/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the processor can execute. */
#include "host/runtime/machine/instruction_set.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#else
#include <sys/auxv.h>
#include <sys/utsname.h>
#endif

#include "base/hash.h"

#if defined(__x86_64__)
/* Registers of cpuid that describe model and features: not those with caches, counters or the number of the core that
 * happens to execute this. */
static const struct {
  unsigned leaf, subleaf;
  bool a, b, c, d;
} registers[] = {
    {0x0, 0, false, true, true, true},          {0x1, 0, true, false, true, true},
    {0x7, 0, false, true, true, true},          {0x7, 1, true, true, true, true},
    {0xd, 1, true, false, false, false},        {0x14, 0, false, true, false, false},
    {0x19, 0, false, true, false, false},       {0x1e, 1, true, false, false, false},
    {0x24, 0, false, true, false, false},       {0x80000001, 0, false, false, true, true},
    {0x80000008, 0, false, true, false, false},
};
enum { register_count = sizeof(registers) / sizeof(registers[0]) };

/* Which registers the system saves: without that, an instruction set is not usable. */
static uint64_t saved_state(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) return 0;
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}

void host_instruction_set_read(char out[host_instruction_set_size]) {
  uint32_t words[register_count + 1][4] = {0};
  for (size_t i = 0; i < register_count; i++) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid_count(registers[i].leaf, registers[i].subleaf, &a, &b, &c, &d)) continue;
    if (registers[i].a) words[i][0] = a;
    if (registers[i].b) words[i][1] = b;
    if (registers[i].c) words[i][2] = c;
    if (registers[i].d) words[i][3] = d;
  }
  uint64_t state = saved_state();
  memcpy(words[register_count], &state, sizeof state);
  char digits[hash128_text_size];
  hash128_write(hash_bytes_128(words, sizeof words), digits);
  snprintf(out, host_instruction_set_size, "x86-64 %s", digits);
}
#else
void host_instruction_set_read(char out[host_instruction_set_size]) {
  struct utsname system;
  uint64_t words[] = {getauxval(AT_HWCAP), getauxval(AT_HWCAP2)};
  char digits[hash128_text_size];
  hash128_write(hash_bytes_128(words, sizeof words), digits);
  snprintf(out, host_instruction_set_size, "%.20s %s", uname(&system) ? "CPU" : system.machine, digits);
}
#endif
