/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What ends the compiler fails the build, with a log that says where; the next one succeeds. What once ended the
 * application does neither. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "compiler_process.h"

enum { else_ifs = 300, parentheses = 2000, small_stack = 256 << 10, large_header = 300 << 20 };

static char folder[] = "/tmp/quern-compiler-XXXXXX";

/* ------------------------------------------------------------ sources */

static char *repeat(const char *before, const char *line, int count, const char *after) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  fputs(before, out);
  for (int i = 0; i < count; i++) {
    const char *number = strchr(line, '#');
    fprintf(out, "%.*s", number ? (int)(number - line) : (int)strlen(line), line);
    if (number) fprintf(out, "%d%s", i, number + 1);
  }
  fputs(after, out);
  fclose(out);
  return text;
}

static char *many_else_ifs(int count) {
  return repeat("kernel void k(global int *p) { int x = *p; if (x < 0) *p = 1;\n", "else if (x == #) p[1] = x;\n",
                count, "}\n");
}

static char *nested_parentheses(int count) {
  char *open_ones = repeat("kernel void k(global int *p) { *p = ", "(", count, "p[1]");
  char *all = repeat(open_ones, ")", count, "; }\n");
  free(open_ones);
  return all;
}

/* ------------------------------------------------------------ deep programs */

static void *build_deep(void *data) {
  char *source = data;
  return build_source(source, NULL).error ? NULL : data;
}

/** On a thread with a stack as small as daemons have. */
static bool builds_on_a_small_stack(char *source) {
  pthread_attr_t attributes;
  pthread_t thread;
  void *answer = NULL;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, small_stack);
  if (pthread_create(&thread, &attributes, build_deep, source)) return false;
  pthread_attr_destroy(&attributes);
  pthread_join(thread, &answer);
  free(source);
  return answer;
}

static int build_deep_programs(void) {
  void *state = NULL;
  if (test_device_open(&state)) return 1;
  if (!builds_on_a_small_stack(many_else_ifs(else_ifs))) return 2;
  if (!builds_on_a_small_stack(nested_parentheses(parentheses))) return 3;
  return test_device_close(&state) != 0;
}

static void deep_programs_are_built(void **state) {
  (void)state;
  ASSERT_CHILD("deep");
}

static void deep_programs_are_built_in_process(void **state) {
  (void)state;
  setenv("QUERN_COMPILER", "in-process", 1);
  ASSERT_CHILD("deep");
  unsetenv("QUERN_COMPILER");
}

/* ------------------------------------------------------------ what ends the compiler */

/** Clang 22 meets a null pointer in this one; a kernel of any other name is told in the log as well. */
static const char *const crashing =
    "kernel void doomed(global int *p) {\n"
    "#pragma unroll\n"
    "#pragma pack(1)\n"
    "  for (int i = 0; i < 4; i++) p[i] = i;\n"
    "}\n";

static void a_crash_fails_the_build_and_names_the_kernel(void **state) {
  (void)state;
  char printed[4096];
  test_capture_t capture;
  test_capture_begin(&capture, STDERR_FILENO);
  const build_t build = build_source(crashing, NULL);
  const build_t next = build_number(1);
  test_capture_end(&capture, printed, sizeof printed);
  assert_int_equal(build.error, CL_BUILD_PROGRAM_FAILURE);
  assert_non_null(strstr(build.log, "error: the compiler's process ended in the front end"));
  assert_non_null(strstr(build.log, "SIGSEGV"));
  assert_non_null(strstr(build.log, "'doomed'"));
  /* The innermost function is the compiler's, and none of those that handle signals. */
  assert_non_null(strstr(build.log, "\nat: libquern-compiler.so+0x"));
  ASSERT_CL(next.error);
  assert_string_equal(printed, "");
}

/** Prints the log of the build of `source`. */
static int print_log(const char *source, const char *options) {
  void *state = NULL;
  if (test_device_open(&state)) return 1;
  const build_t build = build_source(source, options);
  printf("%s %s", test_error_name(build.error), build.log);
  return build_number(1).error != CL_SUCCESS;
}

/** As `print_log` of another process with this option. */
static void log_with_option(const char *name, const char *value, const char *role, char *output, size_t size) {
  setenv(name, value, 1);
  const int status = test_run_self(role, output, size);
  unsetenv(name);
  assert_int_equal(status, 0);
}

static int print_slow(void) {
  char *source = many_else_ifs(20000);
  const int status = print_log(source, NULL);
  free(source);
  return status;
}

static void a_build_that_takes_too_long_is_stopped(void **state) {
  (void)state;
  char output[16384];
  const double begin = test_seconds();
  log_with_option("QUERN_COMPILER_TIMEOUT", "1", "slow", output, sizeof output);
  assert_non_null(strstr(output, "CL_BUILD_PROGRAM_FAILURE error: the compiler was stopped"));
  assert_non_null(strstr(output, "QUERN_COMPILER_TIMEOUT"));
  assert_true(test_seconds() - begin < 20);
}

/** 8 GiB of declarations, from one line. */
static int print_hungry(void) {
  char *source = repeat("#define A(x) x x x x x x x x\n#define B(x) A(A(A(A(x))))\n", "", 0,
                        "B(B(int a[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};))\nkernel void k(global int *p) { *p = 1; }\n");
  const int status = print_log(source, NULL);
  free(source);
  return status;
}

static void a_build_without_memory_fails(void **state) {
  (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  print_message("skipped: a sanitizer's runtime maps more than any limit allows\n");
  skip();
#endif
  char output[16384];
  log_with_option("QUERN_COMPILER_MEMORY", "1", "hungry", output, sizeof output);
  assert_non_null(strstr(output, "CL_BUILD_PROGRAM_FAILURE error: the compiler's process ended"));
  assert_non_null(strstr(output, "out of memory"));
}

static int print_large(void) {
  return print_log("global char a[3 << 20] = {1}; kernel void k(global char *p) { a[*p] = p[1]; p[2] = a[p[3]]; }\n",
                   "-cl-std=CL3.0");
}

static void a_build_that_gives_too_much_fails(void **state) {
  (void)state;
  char output[16384];
  log_with_option("QUERN_COMPILER_OUTPUT", "1", "large", output, sizeof output);
  assert_non_null(strstr(output, "CL_BUILD_PROGRAM_FAILURE error: the compiler gave more than 1 MiB"));
}

/* Constants that are larger than any memory, of zeros too, are refused before they are made. */
static int print_vast(void) {
  return print_log(
      "constant int a[][0xffffffff] = {{1, 3, 0}, {1, 0, 2}, {3, 0, 1}};\n"
      "kernel void k(global int *p) { *p = a[*p][p[1]]; }\n",
      NULL);
}

static void constants_beyond_the_limit_are_refused(void **state) {
  (void)state;
  char output[16384];
  log_with_option("QUERN_COMPILER_OUTPUT", "64", "vast", output, sizeof output);
  assert_non_null(strstr(output, "CL_BUILD_PROGRAM_FAILURE"));
  assert_non_null(strstr(output, "error: constants take 64 MiB and more (QUERN_COMPILER_OUTPUT)"));
}

/* ------------------------------------------------------------ files */

/** The failing build's log has the words. */
static void assert_refused(const char *file, const char *words) {
  char source[512];
  snprintf(source, sizeof source, "#include \"%s\"\nkernel void k(global int *p) { *p = 1; }\n", file);
  const build_t build = build_source(source, NULL);
  assert_int_equal(build.error, CL_BUILD_PROGRAM_FAILURE);
  assert_non_null(strstr(build.log, words));
}

static const char *in_folder(const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void files_that_are_none_are_refused(void **state) {
  (void)state;
  assert_refused("/dev/zero", "not a regular file");
  assert_int_equal(mkfifo(in_folder("fifo"), 0600), 0);
  assert_refused(in_folder("fifo"), "not a regular file");
  const int large = open(in_folder("large.h"), O_CREAT | O_RDWR, 0600);
  assert_true(large >= 0);
  assert_int_equal(ftruncate(large, large_header), 0);
  close(large);
  assert_refused(in_folder("large.h"), "too large");
  assert_refused(folder, "");
  const build_t build = build_source(
      "constant uchar a[] = {\n#embed \"/dev/zero\"\n};\nkernel void k(global uchar *p) { *p = a[1]; }\n", NULL);
  assert_int_equal(build.error, CL_BUILD_PROGRAM_FAILURE);
}

static atomic_bool is_done;

static void *rewrite(void *path) {
  while (!atomic_load(&is_done)) {
    const int file = open(path, O_RDWR | O_TRUNC);
    if (file < 0) continue;
    static const char text[] = "#define VALUE 1\n";
    for (int i = 0; i < 1000; i++) (void)!write(file, text, sizeof text - 1);
    close(file);
  }
  return NULL;
}

/** Any whole number of lines, or a broken one, is read; nothing ends. */
static void a_header_may_be_cut_short_meanwhile(void **state) {
  (void)state;
  static char path[256];
  pthread_t thread;
  snprintf(path, sizeof path, "%s", in_folder("cut.h"));
  write_file(path, "");
  char source[512];
  snprintf(source, sizeof source, "#include \"%s\"\nkernel void k(global int *p) { *p = 1; }\n", path);
  assert_int_equal(pthread_create(&thread, NULL, rewrite, path), 0);
  for (int i = 0; i < 50; i++) {
    const cl_int error = build_source(source, NULL).error;
    assert_true(error == CL_SUCCESS || error == CL_BUILD_PROGRAM_FAILURE);
  }
  atomic_store(&is_done, true);
  pthread_join(thread, NULL);
}

/** Folders are relative to where the application is at the build. */
static void includes_follow_the_working_directory(void **state) {
  (void)state;
  char before[4096];
  static const char source[] = "#include \"number.h\"\nkernel void k(global int *p) { *p = NUMBER; }\n";
  assert_non_null(getcwd(before, sizeof before));
  write_file(in_folder("number.h"), "#define NUMBER 5\n");
  assert_int_equal(build_source(source, "-I .").error, CL_BUILD_PROGRAM_FAILURE);
  assert_int_equal(chdir(folder), 0);
  const build_t here = build_source(source, "-I .");
  assert_int_equal(chdir(before), 0);
  ASSERT_CL(here.error);
  assert_int_equal(build_source(source, "-I .").error, CL_BUILD_PROGRAM_FAILURE);
  char options[512];
  snprintf(options, sizeof options, "-I %s", folder);
  ASSERT_CL(build_source(source, options).error);
}

/* ------------------------------------------------------------ both places */

static int print_logs(void) {
  void *state = NULL;
  static const char *const sources[] = {
      "kernel void k(global int *p) { *p = missing; }\n",
      "kernel void k(global int *p) { int unused_one; *p = 1; }\n#warning look\n",
      "#include \"nothing_there.h\"\n",
      "int f(int x); kernel void k(global int *p) { *p = f(1); }\n",
      "kernel void k(global float *p) { for (int i = 0; i < 9; i++) p[get_global_id(0)] += p[i]; }\n",
  };
  if (test_device_open(&state)) return 1;
  for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
    const build_t build = build_source(sources[i], "-Wall");
    printf("%s\n%s\n", test_error_name(build.error), build.log);
  }
  return 0;
}

static void logs_are_the_same_in_process(void **state) {
  (void)state;
  static char logs[2][16384];
  setenv("QUERN_VECTORIZE_REMARKS", "1", 1);
  assert_int_equal(test_run_self("logs", logs[0], sizeof logs[0]), 0);
  log_with_option("QUERN_COMPILER", "in-process", "logs", logs[1], sizeof logs[1]);
  unsetenv("QUERN_VECTORIZE_REMARKS");
  assert_non_null(strstr(logs[0], "missing"));
  assert_string_equal(logs[0], logs[1]);
}

static int make_folder(void **state) { return !mkdtemp(folder) || test_device_open(state); }

static int remove_folder(void **state) {
  static const char *const names[] = {"fifo", "large.h", "cut.h", "number.h"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) unlink(in_folder(names[i]));
  return rmdir(folder) || test_device_close(state);
}

int main(int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[1], "deep")) return build_deep_programs();
  if (argc == 2 && !strcmp(argv[1], "slow")) return print_slow();
  if (argc == 2 && !strcmp(argv[1], "hungry")) return print_hungry();
  if (argc == 2 && !strcmp(argv[1], "large")) return print_large();
  if (argc == 2 && !strcmp(argv[1], "vast")) return print_vast();
  if (argc == 2 && !strcmp(argv[1], "logs")) return print_logs();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(deep_programs_are_built),
      cmocka_unit_test(deep_programs_are_built_in_process),
      cmocka_unit_test(a_crash_fails_the_build_and_names_the_kernel),
      cmocka_unit_test(a_build_that_takes_too_long_is_stopped),
      cmocka_unit_test(a_build_without_memory_fails),
      cmocka_unit_test(a_build_that_gives_too_much_fails),
      cmocka_unit_test(constants_beyond_the_limit_are_refused),
      cmocka_unit_test(files_that_are_none_are_refused),
      cmocka_unit_test(a_header_may_be_cut_short_meanwhile),
      cmocka_unit_test(includes_follow_the_working_directory),
      cmocka_unit_test(logs_are_the_same_in_process),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
