/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * quernc, the offline compiler: a program's binary or any stage of its compilation, as the driver makes them. */
#include "base/options.h"
#include "base/text.h"

#define CL_TARGET_OPENCL_VERSION 300
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CL/cl.h>

#include "compiler/compiler.h"
#include "compiler/quernc/run_passes.h"

/* What can be asked for: the word of --emit, the word of QUERN_DUMP (null: the program binary), and the suffix of the
 * file that QUERN_DUMP writes. */
typedef struct emission_t {
  const char *word, *stage, *suffix;
} emission_t;

static const emission_t emissions[] = {
    {"binary", NULL, NULL},
    {"ir", "ir", ".ir.ll"},
    {"optimized", "optimized", ".optimized.ll"},
    {"workgroup", "workgroup", ".workgroup.ll"},
    {"plan", "plan", ".plan"},
    {"final", "final", ".final.ll"},
    {"asm", "asm", ".s"},
    {"object", "object", ".o"},
};

typedef struct arguments_t {
  const char *input, *output;
  const emission_t *emission;
  text_t build_options;
  /** A pipeline, or null. */
  const char *passes;
  bool verifies_each, writes_statistics;
  /** The file for the vectorizer's remarks, or null. */
  const char *remarks;
} arguments_t;

static const char usage[] =
    "usage: quernc [--emit=WHAT] [-o FILE] [build options] PROGRAM\n"
    "Compiles a program, OpenCL C or SPIR-V, as the driver does, for this machine.\n"
    "  --emit=binary     the program binary for clCreateProgramWithBinary (default)\n"
    "  --emit=ir         LLVM IR from the front end, or what was made of SPIR-V\n"
    "  --emit=optimized  IR of one work-item, simplified\n"
    "  --emit=workgroup  IR of work-group functions\n"
    "  --emit=plan       how each loop over work-items is vectorized\n"
    "  --emit=final      IR before code generation\n"
    "  --emit=asm        assembly\n"
    "  --emit=object     the ELF object inside the binary\n"
    "  -o FILE           where to write; '-' is standard output (default for text)\n"
    "  --remarks=FILE    also writes what the vectorizer tells of each loop, in LLVM's YAML; '-' is standard output\n"
    "  --help-environment  the QUERN_ variables\n"
    "For who works on the compiler:\n"
    "  --passes=PIPELINE      runs these passes alone; PROGRAM is LLVM IR then, and so is the output\n"
    "  --verify-each=0        does not check the IR after each of them\n"
    "  --print-passes         the names of our passes\n"
    "  --print-after=NAMES    prints the IR on stderr after each of these passes\n"
    "  --print-after-all      prints the IR on stderr after every pass\n"
    "  --disable-passes=NAMES leaves these passes out\n"
    "  --stats                prints how often the vectorizer decided what on stderr\n"
    "Every other option is one of clBuildProgram's: -cl-std=CL3.0, -D, -I, ...\n";

static int fail(const char *what, const char *detail) {
  fprintf(stderr, "quernc: %s%s%s\n", what, detail ? ": " : "", detail ? detail : "");
  return EXIT_FAILURE;
}

static const emission_t *find_emission(const char *word) {
  for (size_t i = 0; i < sizeof(emissions) / sizeof(emissions[0]); i++) {
    if (!strcmp(word, emissions[i].word)) return &emissions[i];
  }
  return NULL;
}

/* The words become one option string again, each in quotes. */
static void add_build_option(text_t *options, const char *word) {
  text_append(options, "\"");
  for (; *word; word++) {
    if (*word == '"' || *word == '\\') text_append(options, "\\");
    text_append_bytes(options, word, 1);
  }
  text_append(options, "\" ");
}

/* -D NAME and -I FOLDER may come as two words. */
static bool takes_value(const char *word) { return !strcmp(word, "-D") || !strcmp(word, "-I") || !strcmp(word, "-U"); }

/* What follows `prefix` in `word`, or null. */
static const char *value_of(const char *word, const char *prefix) {
  size_t length = strlen(prefix);
  return strncmp(word, prefix, length) ? NULL : word + length;
}

/* Options about passes: some are those of the environment. */
static bool parse_pass_option(const char *word, arguments_t *out) {
  const char *value;
  if ((value = value_of(word, "--passes="))) {
    out->passes = value;
    setenv("QUERN_COMPILER", "in-process", 1);
  } else if ((value = value_of(word, "--verify-each="))) {
    out->verifies_each = strcmp(value, "0") != 0;
  } else if ((value = value_of(word, "--print-after="))) {
    setenv("QUERN_PRINT_AFTER", value, 1);
  } else if (!strcmp(word, "--print-after-all")) {
    setenv("QUERN_PRINT_AFTER", "all", 1);
  } else if ((value = value_of(word, "--disable-passes="))) {
    setenv("QUERN_DISABLE_PASSES", value, 1);
  } else if (!strcmp(word, "--stats")) {
    out->writes_statistics = true;
    setenv("QUERN_COMPILER", "in-process", 1); /* where they are counted */
    setenv("QUERN_CACHE", "0", 1);             /* what is not compiled is not counted */
  } else {
    return false;
  }
  return true;
}

static bool parse(int argc, char **argv, arguments_t *out) {
  *out = (arguments_t){.emission = &emissions[0], .verifies_each = true};
  for (int i = 1; i < argc; i++) {
    const char *word = argv[i], *value;
    if ((value = value_of(word, "--emit="))) {
      out->emission = find_emission(value);
      if (!out->emission) return false;
    } else if ((value = value_of(word, "--remarks="))) {
      out->remarks = value;
    } else if (parse_pass_option(word, out)) {
      continue;
    } else if (!strcmp(word, "-o") && i + 1 < argc) {
      out->output = argv[++i];
    } else if (word[0] == '-' && word[1]) {
      add_build_option(&out->build_options, word);
      if (takes_value(word) && i + 1 < argc) add_build_option(&out->build_options, argv[++i]);
    } else if (!out->input) {
      out->input = word;
    } else {
      return false;
    }
  }
  return out->input != NULL;
}

static bool read_file(const char *path, text_t *out) {
  FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
  if (!file) return false;
  char block[65536];
  size_t count;
  while ((count = fread(block, 1, sizeof(block), file)) > 0) text_append_bytes(out, block, count);
  bool complete = !ferror(file) && !out->failed;
  if (file != stdin) fclose(file);
  return complete;
}

static bool write_file(const char *path, const void *data, size_t size) {
  FILE *file = strcmp(path, "-") ? fopen(path, "wb") : stdout;
  if (!file) return false;
  bool written = fwrite(data, 1, size, file) == size;
  if (file == stdout) return fflush(file) == 0 && written;
  return fclose(file) == 0 && written;
}

static void print_log(cl_program program, cl_device_id device) {
  size_t size = 0;
  if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) || size <= 1) return;
  char *log = malloc(size);
  if (log && !clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL)) fputs(log, stderr);
  free(log);
}

static int write_binary(cl_program program, const char *path) {
  size_t size = 0;
  if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL)) return fail("no binary", NULL);
  unsigned char *binary = malloc(size);
  int status = EXIT_SUCCESS;
  if (!binary || clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL)) {
    status = fail("no binary", NULL);
  } else if (!write_file(path, binary, size)) {
    status = fail(path, strerror(errno));
  }
  free(binary);
  return status;
}

/* SPIR-V is known by its first word, in either byte order. */
static cl_program create_program(cl_context context, const text_t *source, cl_int *error) {
  const char *text = text_string(source);
  bool is_spirv = source->length >= 4 && (!memcmp(text, "\3\2#\7", 4) || !memcmp(text, "\7#\2\3", 4));
  if (is_spirv) return clCreateProgramWithIL(context, text, source->length, error);
  return clCreateProgramWithSource(context, 1, &text, &source->length, error);
}

/* Builds through the driver's own entry points, so that what comes out is what applications get. */
static int build(const text_t *source, const char *options, const char *binary_path) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int error = clGetPlatformIDs(1, &platform, NULL);
  if (!error) error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL);
  if (error) return fail("no device", NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  if (error) return fail("no context", NULL);
  cl_program program = create_program(context, source, &error);
  int status = error ? fail("the program is not one of OpenCL C or SPIR-V 1.0 to 1.6", NULL) : EXIT_FAILURE;
  if (!error) {
    error = clBuildProgram(program, 1, &device, options, NULL, NULL);
    print_log(program, device);
    status = error ? fail("the program was not built", NULL) : EXIT_SUCCESS;
    if (!error && binary_path) status = write_binary(program, binary_path);
    clReleaseProgram(program);
  }
  clReleaseContext(context);
  return status;
}

/* Moves a file of QUERN_DUMP from our folder to where the user wants it, or removes it where `output` is null. Programs
 * are numbered from 1, and IR for passes is none. */
static int move_dump(const char *folder, unsigned program, const char *suffix, const char *output) {
  text_t path = {0}, contents = {0};
  text_appendf(&path, "%s/quern-%d-%u%s", folder, (int)getpid(), program, suffix);
  int status = EXIT_SUCCESS;
  if (output && !read_file(text_string(&path), &contents)) {
    status = fail("the driver did not write the stage", text_string(&path));
  } else if (output && !write_file(output, text_string(&contents), contents.length)) {
    status = fail(output, strerror(errno));
  }
  unlink(text_string(&path));
  text_free(&path);
  text_free(&contents);
  return status;
}

/* IR in, IR out. */
static int build_passes(const arguments_t *arguments, const text_t *ir) {
  text_t result = {0};
  const char *output = arguments->output ? arguments->output : "-";
  int status = EXIT_SUCCESS;
  if (!run_passes(ir, arguments->passes, arguments->verifies_each, &result)) {
    status = EXIT_FAILURE;
  } else if (!write_file(output, text_string(&result), result.length)) {
    status = fail(output, strerror(errno));
  }
  text_free(&result);
  return status;
}

static const char *output_of(const arguments_t *arguments, const char *fallback) {
  return arguments->output ? arguments->output : fallback;
}

/* Compiles; what QUERN_DUMP names is written beside. */
static int compile(const arguments_t *arguments, const text_t *source) {
  if (arguments->passes) return build_passes(arguments, source);
  const char *binary = arguments->emission->stage ? NULL : output_of(arguments, "program.bin");
  return build(source, text_string(&arguments->build_options), binary);
}

/* The driver writes the stage and the remarks into a folder of ours (QUERN_DUMP). */
static int run(const arguments_t *arguments, const text_t *source) {
  const emission_t *emission = arguments->passes ? &emissions[0] : arguments->emission;
  if (!emission->stage && !arguments->remarks) return compile(arguments, source);
  char folder[] = "/tmp/quernc-XXXXXX";
  if (!mkdtemp(folder)) return fail(folder, strerror(errno));
  text_t stages = {0};
  text_appendf(&stages, "%s%s%s", emission->stage ? emission->stage : "",
               emission->stage && arguments->remarks ? "," : "", arguments->remarks ? "remarks" : "");
  setenv("QUERN_DUMP", text_string(&stages), 1);
  setenv("QUERN_DUMP_DIR", folder, 1);
  int status = compile(arguments, source);
  const unsigned program = arguments->passes ? 0 : 1;
  const char *stage_file = status == EXIT_SUCCESS ? output_of(arguments, "-") : NULL;
  const char *remarks_file = status == EXIT_SUCCESS ? arguments->remarks : NULL;
  if (emission->stage && move_dump(folder, program, emission->suffix, stage_file)) status = EXIT_FAILURE;
  if (arguments->remarks && move_dump(folder, program, ".remarks.yaml", remarks_file)) status = EXIT_FAILURE;
  rmdir(folder);
  text_free(&stages);
  return status;
}

static void write_statistics(void) {
  char *statistics = compiler_statistics();
  if (statistics) fputs(statistics, stderr);
  free(statistics);
}

/* Requests that need no program. */
static bool answer(const char *word, int *out_status) {
  *out_status = EXIT_SUCCESS;
  if (!strcmp(word, "--help-environment")) {
    options_write_markdown(stdout);
  } else if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
    fputs(usage, stdout);
  } else if (!strcmp(word, "--print-passes")) {
    if (!run_passes_print_names()) *out_status = fail(word, "the compiler library cannot be opened");
  } else {
    return false;
  }
  return true;
}

int main(int argc, char **argv) {
  arguments_t arguments;
  text_t source = {0};
  int status;
  /* Nothing of the program runs here. */
  setenv("QUERN_CONSTRUCTORS", "0", 1);
  run_passes_find_library();
  if (argc == 2 && answer(argv[1], &status)) return status;
  if (!parse(argc, argv, &arguments)) {
    fputs(usage, stderr);
    status = EXIT_FAILURE;
  } else if (!read_file(arguments.input, &source)) {
    status = fail(arguments.input, strerror(errno));
  } else {
    status = run(&arguments, &source);
    if (arguments.writes_statistics) write_statistics();
  }
  text_free(&arguments.build_options);
  text_free(&source);
  return status;
}
