/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Inner loops in which each work-item walks over narrow elements of its own. */
#include <sys/mman.h>
#include <unistd.h>

#include "item.h"

/* From any address, for 0 to 47 turns. */
ITEM(bytes, {
  const global uchar *text = (const global uchar *)in;
  uint hash = 0x811C9DC5u, from = g * 61 + in[g] % 7, to = from + (in[g] >> 3) % 48;
  for (uint at = from; at < to; at++) hash = (hash ^ text[at]) * 0x01000193u;
  out[g] = hash;
})

ITEM(signed_bytes, {
  const global signed char *text = (const global signed char *)in;
  int sum = (int)n, from = (int)(g * 3 + in[g] % 5), turns = (int)((in[g] >> 5) % 21) - 2;
  for (int i = 0; i < turns; i++) sum = sum * 3 + text[from + i];
  out[g] = (uint)sum;
})

/* What was in a turn is used behind the loop: of the last one, of the one before, of none. */
ITEM(used_behind, {
  const global ushort *text = (const global ushort *)in;
  uint i = in[g] % 1000, end = i + in[g + 1] % 19, last = 7, before = 8, sum = 0;
  for (; i < end; i++) {
    before = last;
    last = text[i];
    sum += last ^ (before << 3);
  }
  out[g] = sum + last * 5 + before * 11 + i * 13;
})

/* Walks over elements of several sizes, one from element to element of another kind, and one that is none. */
ITEM(several, {
  const global uchar *bytes = (const global uchar *)in;
  const global ushort *shorts = (const global ushort *)in;
  uint sum = g, at = in[g] % 900;
  for (uint i = 0; i < in[g] % 23; i++) {
    sum = sum * 5 + bytes[at + i] + shorts[at + 3 + i] * 3 + in[at + i] + in[(at + 2 * i) & 511];
  }
  out[g] = sum;
})

/* Elements begin between words, and indices below zero. */
ITEM(from_below, {
  const global uchar *text = (const global uchar *)in + 1025 + n % 3;
  int from = (int)(in[g] % 2000) - 1000, to = from + (int)(in[g + 1] % 27) - 3;
  uint sum = 0;
  for (int at = from; at < to; at++) sum = sum * 31 + text[at];
  out[g] = sum;
})

ITEM(far_below, {
  const global uchar *text = (const global uchar *)in + 1025 + n % 3;
  long from = (long)(in[g] % 9) - 7, to = from + (long)(in[g + 1] % 8);
  uint sum = 0;
  for (long at = from; at < to; at++) sum = sum * 31 + text[at];
  out[g] = sum;
})

/* Indices of which nothing says that 32 bits suffice; one base for some, another for others. */
ITEM(far, {
  const global uchar *text = (const global uchar *)in;
  const global short *shorts = (const global short *)in + 3;
  ulong from = (ulong)in[g] * 61 % 3001, turns = (ulong)in[g + 3] * 7 % 30, chosen = in[g + 5];
  const global uchar *either = chosen & 1 ? text + 1 : text + 58;
  uint sum = 7;
  for (ulong i = 0; i < turns; i++) sum = sum * 3 + (uint)text[from + i] + (uint)shorts[i + from % 997];
  for (ulong i = 0; i < turns; i++) sum = sum * 5 + either[chosen % 100 + i];
  out[g] = sum;
})

/* A loop whose result goes on in it, and what came before is wanted as well. */
ITEM(kept, {
  const global uchar *text = (const global uchar *)in;
  uint sum = g + 1, from = in[g] % 3000, to = from + in[g + 2] % 41;
  uint steps = 0, chain = in[g] | 1;
  while (chain % 64 != 0 && steps < 50) {
    chain = chain * 5 + 3;
    steps++;
  }
  for (uint at = from; at < to; at++) sum = (sum ^ text[at]) * 9 + chain;
  out[g] = sum + chain * 3 + steps;
})

/* Counted down, at least one turn, through a pointer. */
ITEM(counted_down, {
  const global uchar *at = (const global uchar *)in + in[g] % 4000;
  ushort left = (ushort)(in[g + 7] % 33 + 1);
  uint sum = 1;
  do {
    sum = (sum << 3) + (sum >> 29) + *at++;
  } while (--left);
  out[g] = sum;
})

/* The same number of turns for all, of rows that begin anywhere. */
ITEM(same_length, {
  const global uchar *text = (const global uchar *)in;
  uint sum = 0;
  for (uint i = 0; i < n * 3; i++) sum = sum * 31 + text[g * n + i];
  out[g] = sum;
})

/* What was in a turn, or before it, is used behind a loop over bytes; nothing in the loop reads the former. */
ITEM(bytes_used_behind, {
  const global uchar *text = (const global uchar *)in + n % 5;
  uint i = in[g] % 3000, end = i + in[g + 1] % 39, before = 8, sum = 3;
  uchar last = 7;
  for (; i < end; i++) {
    before = sum;
    last = text[i];
    sum = sum * 5 + last;
  }
  out[g] = sum + last * 7 + before * 11 + i * 13;
})

/* Two walks of the same length, from any addresses: most are longer than what is loaded at once. */
ITEM(two_walks, {
  const global uchar *text = (const global uchar *)in;
  uint from = in[g] % 1500, to = in[g + 1] % 1500, turns = in[g + 2] % 67, same = 0;
  for (uint i = 0; i < turns; i++) same = same * 3 + (text[from + i] ^ text[to + i]);
  out[g] = same;
})

/* Numbers of turns in 64 bits, and divisions that only some work-items may make. */
ITEM(many_turns, {
  const global uchar *text = (const global uchar *)in;
  ulong turns = (ulong)in[g] % 43, from = (ulong)in[g + 1] % 2000;
  uint sum = in[g + 3] % 3, other = 5;
  for (ulong i = 0; i < turns; i++) other = other * 7 + text[from + i];
  for (ulong i = 0; i < turns; i++) sum += text[from + i] / (sum % 5 + 1);
  out[g] = sum + other;
})

/* What is written may be what is read next. */
ITEM(written_between, {
  const global uchar *text = (const global uchar *)out;
  out[g * 8] = out[g * 8 + 1] = out[g * 8 + 2] = in[g];
  uint turns = in[g] % 9, sum = 0;
  for (uint i = 0; i < turns; i++) {
    sum = sum * 7 + text[g * 32 + i];
    out[g * 8 + 1] = sum;
  }
  out[g * 8] = sum;
})

/* Within other loops and behind conditions, two in a row. */
ITEM(nested, {
  const global uchar *text = (const global uchar *)in;
  uint sum = 0;
  for (uint round = 0; round < n + 1; round++) {
    uint from = (in[g] + round * 17) % 3000, turns = (in[g] >> round) % 13;
    if (turns & 1) {
      for (uint i = 0; i < turns; i++) sum = sum * 3 + text[from + i];
    } else {
      for (uint i = 0; i < turns; i++) sum ^= (uint)text[from + i] << (i & 15);
    }
    for (uint i = 0; i < (turns & 7); i++) sum += text[sum % 64 + i] * i;
  }
  out[g] = sum;
})

/* Over what the work-item wrote itself. */
ITEM(private_bytes, {
  uchar own[64];
  for (uint i = 0; i < 64; i++) own[i] = (uchar)(in[(g + i) & 255] + i);
  uint from = in[g] % 32, turns = in[g + 1] % 31, sum = 0;
  for (uint i = 0; i < turns; i++) sum = sum * 31 + own[from + i];
  out[g] = sum;
})

/* Rows of a matrix: all as long, and each as long as it likes. */
ITEM(rows, {
  const ulong first = (ulong)g * (n + 13);
  uint sum = 0;
  for (ulong k = 0; k < n + 6; k++) sum = sum * 3 + in[first + k] * in[k];
  out[g] = sum;
})

ITEM(rows_of_some_length, {
  const ulong first = (ulong)g * 17 + n;
  const uint length = in[g] % 14;
  uint sum = 0;
  for (uint k = 0; k < length; k++) sum = sum * 3 + in[first + k];
  out[g] = sum;
})

/* Elements of two rows, one of them of 16 bits. */
ITEM(rows_of_two_sizes, {
  const ulong first = (ulong)g * 19;
  uint sum = 0;
  for (ulong k = 0; k < n + 3; k++) sum = sum * 5 + in[first + k] * ((global const ushort *)in)[first + 2 + k];
  out[g] = sum;
})

DEFINE_RUN_ITEM

enum { MOST_BUFFERS = 4 };

/* One launch of `source`'s kernel `name`. The last of its `buffers`, which are released, is read into `out`; behind
 * them comes `number`, unless that is null. `local` may be null. */
typedef struct launch_t {
  const char *source, *name;
  size_t count;
  const size_t *local;
  cl_mem buffers[MOST_BUFFERS];
  cl_uint buffer_count;
  const cl_uint *number;
  void *out;
  size_t out_size;
} launch_t;

static void launch(const launch_t *l) {
  cl_kernel kernel = test_kernel(l->source, "-cl-std=CL3.0", l->name);
  for (cl_uint i = 0; i < l->buffer_count; i++) {
    ASSERT_CL(clSetKernelArg(kernel, i, sizeof(l->buffers[i]), &l->buffers[i]));
  }
  if (l->number) ASSERT_CL(clSetKernelArg(kernel, l->buffer_count, sizeof(*l->number), l->number));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &l->count, l->local, 0, NULL, NULL));
  test_read(l->buffers[l->buffer_count - 1], l->out_size, l->out);
  for (cl_uint i = 0; i < l->buffer_count; i++) ASSERT_CL(clReleaseMemObject(l->buffers[i]));
  ASSERT_CL(clReleaseKernel(kernel));
}

static cl_mem buffer_in_place(size_t size, void *memory) {
  cl_int status;
  cl_mem buffer = clCreateBuffer(dut.context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, size, memory, &status);
  ASSERT_CL(status);
  return buffer;
}

/* The text ends where memory does, and begins where it does. */
static void nothing_else_is_read(void **state) {
  (void)state;
  static const char source[] =
      "kernel void words(global const uchar *restrict text, global uint *restrict out, uint count) {\n"
      "  const uint i = get_global_id(0);\n"
      "  uint sum = 0;\n"
      "  for (uint at = i; at < count; at++) sum = sum * 31 + text[at];\n"
      "  for (uint at = 0; at < i; at++) sum = sum * 31 + text[at + count - i];\n"
      "  out[i] = sum;\n"
      "}\n";
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), count = 101;
  unsigned char *memory = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(memory != MAP_FAILED);
  assert_int_equal(mprotect(memory + page, page, PROT_READ | PROT_WRITE), 0);
  for (size_t i = 0; i < page; i++) memory[page + i] = (unsigned char)(i * 7 + (i >> 5));
  for (unsigned side = 0; side < 2; side++) {
    unsigned char *text = memory + page + (side ? page - count : 0);
    cl_uint out[101];
    const cl_uint length = (cl_uint)count;
    launch(&(launch_t){.source = source,
                       .name = "words",
                       .count = count,
                       .buffers = {buffer_in_place(count, text), test_buffer(sizeof(out), NULL)},
                       .buffer_count = 2,
                       .number = &length,
                       .out = out,
                       .out_size = sizeof(out)});
    for (size_t i = 0; i < count; i++) {
      cl_uint sum = 0;
      for (size_t at = i; at < count; at++) sum = sum * 31 + text[at];
      for (size_t at = 0; at < i; at++) sum = sum * 31 + text[at + count - i];
      assert_int_equal(out[i], sum);
    }
  }
  munmap(memory, 3 * page);
}

/* Parts of a text, one for each work-item: from[i] to to[i] - 1, none where that is before; `first`, or 0 if there is
 * none, is the first byte's number. A kernel `words` is given text, from, to, out and, if there is one, first. */
typedef struct ranges_t {
  unsigned char *text;
  size_t size, count;
  cl_uint *from, *to;
  const cl_uint *first;
} ranges_t;

static void assert_words_are_read(const char *source, const ranges_t *ranges) {
  const size_t count = ranges->count, size = count * sizeof(cl_uint);
  cl_uint *out = malloc(size);
  assert_non_null(out);
  launch(&(launch_t){.source = source,
                     .name = "words",
                     .count = count,
                     .buffers = {buffer_in_place(ranges->size, ranges->text), test_buffer(size, ranges->from),
                                 test_buffer(size, ranges->to), test_buffer(size, NULL)},
                     .buffer_count = 4,
                     .number = ranges->first,
                     .out = out,
                     .out_size = size});
  const cl_uint first = ranges->first ? *ranges->first : 0;
  for (size_t i = 0; i < count; i++) {
    const cl_int turns = (cl_int)(ranges->to[i] - ranges->from[i]);
    const cl_uint begin = ranges->from[i] - first;
    cl_uint sum = (cl_uint)i;
    for (cl_int turn = 0; turn < turns; turn++) sum = sum * 31 + ranges->text[begin + (cl_uint)turn];
    assert_int_equal(out[i], sum);
  }
  free(out);
}

/* Words end at, and begin behind, the borders of pages, of which only those with bytes of a word may be read. */
static void pages_beside_are_not_read(void **state) {
  (void)state;
  static const char source[] =
      "kernel void words(global const uchar *restrict text, global const int *restrict from,\n"
      "                  global const int *restrict to, global uint *restrict out) {\n"
      "  const uint i = get_global_id(0);\n"
      "  uint sum = i;\n"
      "  for (int at = from[i]; at < to[i]; at++) sum = sum * 31 + text[at];\n"
      "  out[i] = sum;\n"
      "}\n";
  enum { COUNT = 37 * 24 };
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char *memory = mmap(NULL, 4 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(memory != MAP_FAILED);
  unsigned char *text = memory + page;
  assert_int_equal(mprotect(text, 2 * page, PROT_READ | PROT_WRITE), 0);
  for (size_t i = 0; i < 2 * page; i++) text[i] = (unsigned char)(i * 7 + (i >> 5));
  cl_uint from[COUNT], to[COUNT];
  for (cl_uint i = 0; i < COUNT; i++) {
    const cl_uint length = i % 37, border = (cl_uint)page * (i / 37 % 3), shift = i / 111;
    from[i] = !border ? shift : border == (cl_uint)page ? border - shift * 5 : border - length - shift;
    /* Work-items without turns must not read where they would begin. */
    if (!length) from[i] = i % 2 ? 0 - (cl_uint)page / 2 : 2 * (cl_uint)page + 100;
    to[i] = from[i] + length;
  }
  assert_words_are_read(source, &(ranges_t){.text = text, .size = 2 * page, .count = COUNT, .from = from, .to = to});
  munmap(memory, 4 * page);
}

/* A text of four GiB whose last bytes have the last numbers of 32 bits, some of them behind the border of a page. */
static void last_bytes_are_read(void **state) {
  (void)state;
  if (sizeof(size_t) < 8) skip(); /* no such text */
  static const char source[] =
      "kernel void words(global const uchar *restrict text, global const uint *restrict from,\n"
      "                  global const uint *restrict to, global uint *restrict out) {\n"
      "  const uint i = get_global_id(0);\n"
      "  uint sum = i;\n"
      "  for (uint at = from[i]; at < to[i]; at++) sum = sum * 31 + text[at];\n"
      "  out[i] = sum;\n"
      "}\n";
  enum { COUNT = 100, LAST = 10 };
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = (size_t)1 << 32;
  cl_ulong largest;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(largest), &largest, NULL));
  if (largest < size) skip(); /* the device has not as much memory */
  for (size_t shift = 0; shift < 6; shift++) {
    unsigned char *memory =
        mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) skip(); /* the system has not as many addresses to give */
    unsigned char *text = memory + shift;
    for (size_t i = 1; i <= 4 * LAST; i++) text[size - i] = (unsigned char)(i * 37);
    cl_uint from[COUNT], to[COUNT];
    for (cl_uint i = 0; i < COUNT; i++) {
      to[i] = UINT32_MAX - i / LAST;
      from[i] = to[i] - i % LAST;
    }
    assert_words_are_read(source, &(ranges_t){.text = text, .size = size, .count = COUNT, .from = from, .to = to});
    munmap(memory, size + page);
  }
}

/* Numbers of 32 bits count from far before the text, which begins a page, and nothing is before it. */
static void base_may_be_elsewhere(void **state) {
  (void)state;
  static const char source[] =
      "kernel void words(global const uchar *restrict text, global const uint *restrict from,\n"
      "                  global const uint *restrict to, global uint *restrict out, uint first) {\n"
      "  const uint i = get_global_id(0);\n"
      "  const long n = first;\n"
      "  uint sum = i;\n"
      "  for (uint at = from[i]; at < to[i]; at++) sum = sum * 31 + *(text + at - n);\n"
      "  out[i] = sum;\n"
      "}\n";
  enum { COUNT = 40, WORDS = 4 };
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char *memory = mmap(NULL, 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(memory != MAP_FAILED);
  unsigned char *text = memory + page;
  assert_int_equal(mprotect(text, page, PROT_READ | PROT_WRITE), 0);
  for (size_t i = 0; i < page; i++) text[i] = (unsigned char)(i * 7 + 3);
  for (cl_uint room = 1; room <= WORDS; room++) {
    const cl_uint first = UINT32_MAX - room;
    cl_uint from[COUNT], to[COUNT];
    for (cl_uint i = 0; i < COUNT; i++) {
      from[i] = first + i % room;
      to[i] = UINT32_MAX - i / 10 % room;
    }
    assert_words_are_read(
        source, &(ranges_t){.text = text, .size = page, .count = COUNT, .from = from, .to = to, .first = &first});
  }
  munmap(memory, 2 * page);
}

/* Vectors at addresses of their own, of which some work-items have none. */
static void tables_are_read(void **state) {
  (void)state;
  static const char source[] =
      "kernel void rows(global const uint4 *restrict table, global const ulong2 *restrict wide,\n"
      "                 global const uint *restrict places, global uint *restrict out) {\n"
      "  const uint i = get_global_id(0), place = places[i];\n"
      "  uint4 all = (uint4)(i);\n"
      "  if (place < 64) all += table[place] * (uint4)(1, 3, 5, 7);\n"
      "  const ulong2 pair = wide[place % 32];\n"
      "  out[i] = all.s0 + all.s1 + all.s2 + all.s3 + (uint)(pair.s0 ^ pair.s1 * 9);\n"
      "}\n";
  enum { COUNT = 101, ROWS = 64 };
  cl_uint table[4 * ROWS], places[COUNT], out[COUNT];
  cl_ulong wide[ROWS];
  for (cl_uint i = 0; i < 4 * ROWS; i++) table[i] = i * 2654435761U;
  for (cl_uint i = 0; i < ROWS; i++) wide[i] = i * 0x9E3779B97F4A7C15U;
  for (cl_uint i = 0; i < COUNT; i++) places[i] = i % 3 == 1 ? 0x10000000U + i : i * 37 % ROWS;
  const size_t count = COUNT;
  launch(&(launch_t){.source = source,
                     .name = "rows",
                     .count = count,
                     .buffers = {test_buffer(sizeof(table), table), test_buffer(sizeof(wide), wide),
                                 test_buffer(sizeof(places), places), test_buffer(sizeof(out), NULL)},
                     .buffer_count = 4,
                     .out = out,
                     .out_size = sizeof(out)});
  for (cl_uint i = 0; i < COUNT; i++) {
    cl_uint sum = 4 * i;
    for (cl_uint k = 0; k < 4 && places[i] < ROWS; k++) sum += table[4 * places[i] + k] * (2 * k + 1);
    const cl_ulong *pair = wide + places[i] % 32 * 2;
    assert_int_equal(out[i], sum + (cl_uint)(pair[0] ^ pair[1] * 9));
  }
}

/* Vectors that are sub-groups walk too. */
static void sub_groups_walk(void **state) {
  (void)state;
  static const char source[] =
      "kernel void sums(global const uchar *restrict text, global uint *restrict out) {\n"
      "  const uint i = get_global_id(0);\n"
      "  uint sum = 0;\n"
      "  for (uint at = i * 5; at < i * 5 + i % 23; at++) sum = sum * 31 + text[at];\n"
      "  out[i] = sub_group_any(i == 77) ? ~sum : sum ^ sub_group_all(i == 78);\n"
      "}\n";
  enum { COUNT = 64, TEXT = 5 * COUNT + 23 };
  unsigned char text[TEXT];
  for (size_t i = 0; i < TEXT; i++) text[i] = (unsigned char)(i * 7 + (i >> 5));
  const size_t count = COUNT;
  cl_uint out[COUNT];
  launch(&(launch_t){.source = source,
                     .name = "sums",
                     .count = count,
                     .buffers = {test_buffer(sizeof(text), text), test_buffer(sizeof(out), NULL)},
                     .buffer_count = 2,
                     .out = out,
                     .out_size = sizeof(out)});
  for (size_t i = 0; i < count; i++) {
    cl_uint sum = 0;
    for (size_t at = i * 5; at < i * 5 + i % 23; at++) sum = sum * 31 + text[at];
    assert_int_equal(out[i], sum);
  }
}

/* A value for the number of turns alone, which goes on behind the barrier: joined turns need it no more. */
static void number_of_turns_is_kept(void **state) {
  (void)state;
  static const char source[] =
      "kernel void sums(global const uint *in, global uint *out, uint n) {\n"
      "  local uint least[1];\n"
      "  const uint i = get_global_id(0), size = (uint)get_local_size(0), first = in[i & 63];\n"
      "  const global uchar *at = (const global uchar *)in + (63 & first);\n"
      "  const int turns = (int)(popcount(n ? size : n) * 7 % 49u);\n"
      "  uint sum = first, last = 7, before = 8;\n"
      "  int turn = 0;\n"
      "  for (; turn < turns; turn++) {\n"
      "    before = last;\n"
      "    last = at[turn];\n"
      "    sum += last ^ before << 3;\n"
      "  }\n"
      "  sum += (uint)turn * 13;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  if (size) atomic_min(&least[0], first);\n"
      "  out[i] = sum;\n"
      "}\n";
  enum { COUNT = 128, LOCAL = 64, TURNS = 7 };
  cl_uint in[64], out[COUNT];
  for (cl_uint i = 0; i < 64; i++) in[i] = i * 0x9E3779B9u;
  const unsigned char *text = (const unsigned char *)in;
  const size_t count = COUNT, local = LOCAL;
  const cl_uint n = 5;
  launch(&(launch_t){.source = source,
                     .name = "sums",
                     .count = count,
                     .local = &local,
                     .buffers = {test_buffer(sizeof(in), in), test_buffer(sizeof(out), NULL)},
                     .buffer_count = 2,
                     .number = &n,
                     .out = out,
                     .out_size = sizeof(out)});
  for (size_t i = 0; i < COUNT; i++) {
    cl_uint sum = in[i & 63], last = 7, before = 8;
    for (int turn = 0; turn < TURNS; turn++) {
      before = last;
      last = text[(63 & in[i & 63]) + turn];
      sum += last ^ before << 3;
    }
    assert_int_equal(out[i], sum + TURNS * 13);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      ITEM_TEST(bytes),
      ITEM_TEST(signed_bytes),
      ITEM_TEST(used_behind),
      ITEM_TEST(several),
      ITEM_TEST(from_below),
      ITEM_TEST(far_below),
      ITEM_TEST(far),
      ITEM_TEST(kept),
      ITEM_TEST(counted_down),
      ITEM_TEST(same_length),
      ITEM_TEST(bytes_used_behind),
      ITEM_TEST(two_walks),
      ITEM_TEST(many_turns),
      ITEM_TEST(written_between),
      ITEM_TEST(nested),
      ITEM_TEST(rows),
      ITEM_TEST(rows_of_some_length),
      ITEM_TEST(rows_of_two_sizes),
      ITEM_TEST(private_bytes),
      cmocka_unit_test(nothing_else_is_read),
      cmocka_unit_test(pages_beside_are_not_read),
      cmocka_unit_test(last_bytes_are_read),
      cmocka_unit_test(base_may_be_elsewhere),
      cmocka_unit_test(tables_are_read),
      cmocka_unit_test(sub_groups_walk),
      cmocka_unit_test(number_of_turns_is_kept),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
