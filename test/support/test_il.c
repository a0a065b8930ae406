/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Clang and the assembler as processes of their own, with files in a temporary folder. */
#include "test_il.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { max_words = 128 };

/* The arguments of a process; each owned. */
typedef struct command_t {
  char *words[max_words];
  size_t count;
} command_t;

static void add(command_t *command, const char *word) {
  assert_true(command->count + 1 < max_words);
  command->words[command->count] = strdup(word);
  assert_non_null(command->words[command->count++]);
}

/* Splits at blanks; quotes group. */
static void add_options(command_t *command, const char *options) {
  char word[1024];
  while (*options) {
    size_t length = 0;
    char quote = '\0';
    for (; *options && (quote || *options != ' '); options++) {
      if (quote ? *options == quote : *options == '"' || *options == '\'') {
        quote = quote ? '\0' : *options;
      } else {
        bool is_escape = *options == '\\' && (options[1] == '"' || options[1] == '\'' || options[1] == '\\');
        if (is_escape) options++;
        assert_true(length + 1 < sizeof(word));
        word[length++] = *options;
      }
    }
    word[length] = '\0';
    if (length) add(command, word);
    while (*options == ' ') options++;
  }
}

/* Runs it with stdin from `input`; true when it gives 0. Frees the words. */
static bool run(command_t *command, const char *input, const char *errors) {
  int status = -1;
  command->words[command->count] = NULL;
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    if (!freopen(input, "rb", stdin) || !freopen(errors, "wb", stderr)) _exit(126);
    execvp(command->words[0], command->words);
    _exit(127);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  for (size_t i = 0; i < command->count; i++) free(command->words[i]);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

typedef struct files_t {
  char folder[64], input[96], output[96], errors[96];
} files_t;

static void open_files(files_t *files, const char *text) {
  snprintf(files->folder, sizeof(files->folder), "/tmp/quern-test-il-XXXXXX");
  assert_non_null(mkdtemp(files->folder));
  snprintf(files->input, sizeof(files->input), "%s/in", files->folder);
  snprintf(files->output, sizeof(files->output), "%s/out", files->folder);
  snprintf(files->errors, sizeof(files->errors), "%s/errors", files->folder);
  FILE *file = fopen(files->input, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
  assert_int_equal(fclose(file), 0);
}

/* The whole file, with a NUL behind; null when it is not there. */
static char *read_whole(const char *path, size_t *out_size) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *data = calloc(1, (size_t)size + 1);
  assert_non_null(data);
  assert_int_equal(fread(data, 1, (size_t)size, file), size);
  fclose(file);
  *out_size = (size_t)size;
  return data;
}

static void *close_files(const files_t *files, bool succeeded, size_t *out_size) {
  size_t size = 0;
  char *errors = read_whole(files->errors, &size);
  if (!succeeded && errors) print_error("%s\n", errors);
  free(errors);
  void *data = succeeded ? read_whole(files->output, out_size) : NULL;
  unlink(files->input);
  unlink(files->output);
  unlink(files->errors);
  rmdir(files->folder);
  assert_non_null(data);
  return data;
}

static const char *tool(const char *variable) {
  const char *path = getenv(variable);
  if (!path) fail_msg("%s is not set: ctest does that", variable);
  return path;
}

bool test_uses_il(void) { return getenv("OPENCL_TEST_IL") != NULL; }

static void append_list(char *argument, size_t size, const char *name) {
  assert_true(strlen(argument) + strlen(name) + 3 < size);
  strcat(strcat(argument, ",+"), name);
}

/* Clang sees the extensions and features that the device's own compiler has. */
static void add_extensions(command_t *command) {
  char argument[4096] = "-cl-ext=-all", extensions[4096];
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_EXTENSIONS, sizeof(extensions), extensions, NULL));
  char *rest = NULL;
  for (char *name = strtok_r(extensions, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
    append_list(argument, sizeof(argument), name);
  }
  cl_name_version features[64];
  size_t size = 0;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_OPENCL_C_FEATURES, sizeof(features), features, &size));
  for (size_t i = 0; i < size / sizeof(*features); i++) append_list(argument, sizeof(argument), features[i].name);
  add(command, "-Xclang");
  add(command, argument);
  if (!strstr(argument, "__opencl_c_images")) add(command, "-U__IMAGE_SUPPORT__");
}

/* Options that the driver has and Clang's driver does not, or that mean nothing to IL. */
static bool is_for_driver(const char *word) {
  return !strcmp(word, "-cl-opt-disable") || !strcmp(word, "-cl-no-subgroup-ifp");
}

static void add_build_options(command_t *command, const char *options) {
  command_t words = {.count = 0};
  bool has_standard = false;
  add_options(&words, options);
  for (size_t i = 0; i < words.count; i++) {
    has_standard = has_standard || strncmp(words.words[i], "-cl-std", strlen("-cl-std")) == 0;
    if (!is_for_driver(words.words[i])) add(command, words.words[i]);
    free(words.words[i]);
  }
  if (!has_standard) add(command, "-cl-std=CL1.2");
}

void *test_compile_il(const char *source, const char *options, const char *level, size_t *out_size) {
  files_t files;
  command_t command = {.count = 0};
  open_files(&files, source);
  add(&command, tool("OPENCL_TEST_CLANG"));
  add_options(&command,
              "-target spirv64 -x cl -nostdlibinc -c -w -D__OPENCL_VERSION__=300 -D__ENDIAN_LITTLE__=1 "
              "-mllvm --spirv-ext=all -Wno-error=incompatible-pointer-types -Wno-error=int-conversion");
  add_options(&command, level);
  add_build_options(&command, options ? options : "");
  add_extensions(&command);
  add(&command, "-o");
  add(&command, files.output);
  add(&command, "-");
  bool succeeded = run(&command, files.input, files.errors);
  return close_files(&files, succeeded, out_size);
}

void *test_assemble_il(const char *text, size_t *out_size) {
  files_t files;
  command_t command = {.count = 0};
  open_files(&files, text);
  add(&command, tool("OPENCL_TEST_SPIRV_AS"));
  add_options(&command, "--target-env spv1.6 --preserve-numeric-ids -o");
  add(&command, files.output);
  add(&command, "-");
  bool succeeded = run(&command, files.input, files.errors);
  return close_files(&files, succeeded, out_size);
}

cl_program test_create_with_il(const void *il, size_t size) {
  cl_int error;
  cl_program program = clCreateProgramWithIL(dut.context, il, size, &error);
  ASSERT_CL(error);
  return program;
}
