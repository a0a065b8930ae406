/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * quern-compiler, the process in which an application's programs are compiled. The driver starts it with the compiler
 * library's path as its argument, and its end of a socket as service_socket. */
#include <dlfcn.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/options.h"
#include "compiler/interface.h"
#include "compiler/loader/large_stack.h"
#include "compiler/service/message.h"
#include "compiler/service/program/crash.h"
#include "compiler/service/program/sandbox.h"
#include "compiler/service/program/serve.h"
#include "compiler/service/start.h"

enum {
  settings_limit = 16 << 20,
  /** Of threads that generate code. */
  helper_stack_size = 64 << 20,
  /** MiB of address space for their stacks and malloc's arenas, which take little of it as memory. */
  helper_space = 1536,
  /** Bytes that malloc keeps for the next build, instead of having the kernel clear them again; and from which size on
   * it does not. */
  kept_memory = 256 << 20,
  large_allocation = 32 << 20,
};

/* The driver takes a process that says nothing for one that cannot be started. */
static _Noreturn void refuse(const char *reason) {
  text_t message = {0};
  message_put_text(&message, reason);
  (void)!message_send(service_socket, message_refused, &message, 0);
  _exit(EXIT_FAILURE);
}

/* The options live as long as the process. */
static const char *read_settings(size_t *out_size) {
  static text_t settings;
  message_kind_e kind;
  if (message_receive(service_socket, &kind, &settings, settings_limit, 0) != message_done ||
      kind != message_settings) {
    _exit(EXIT_FAILURE);
  }
  message_reader_t reader = message_reader(&settings);
  return message_get_bytes(&reader, out_size);
}

static const compiler_interface_t *open_library(const char *path) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) refuse(dlerror());
  const compiler_interface_t *compiler = dlsym(handle, COMPILER_INTERFACE_SYMBOL);
  if (!compiler || compiler->version != COMPILER_INTERFACE_VERSION)
    refuse("the compiler library is of another version");
  return compiler;
}

typedef struct service_t {
  const compiler_interface_t *compiler;
  const char *options;
  size_t options_size;
} service_t;

static void tell_ready(void) {
  text_t message = {0};
  message_put_number(&message, COMPILER_INTERFACE_VERSION);
  message_put_number(&message, (uint32_t)getpid());
  if (message_send(service_socket, message_ready, &message, 0) != message_done) _exit(EXIT_FAILURE);
  text_free(&message);
}

static void *compile(void *data) {
  const service_t *service = data;
  crash_use_stack();
  service->compiler->own_process(service->options, service->options_size);
  service->compiler->attach(&serve_host);
  tell_ready();
  serve_run(service->compiler, service_socket);
  _exit(EXIT_SUCCESS);
}

static bool start_compiling(service_t *service) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  if (!pthread_attr_setstacksize(&attributes, helper_stack_size)) pthread_setattr_default_np(&attributes);
  pthread_attr_setstacksize(&attributes, LARGE_STACK_SIZE);
  return !pthread_create(&thread, &attributes, compile, service);
}

/* Also in the middle of a build, which nobody wants any more. */
static void wait_for_the_end(void) {
  struct pollfd entry = {.fd = service_socket, .events = POLLRDHUP};
  while (poll(&entry, 1, -1) < 1) continue;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fputs("quern-compiler: the driver starts this program\n", stderr);
    return EXIT_FAILURE;
  }
  mallopt(M_TRIM_THRESHOLD, kept_memory);
  mallopt(M_MMAP_THRESHOLD, large_allocation);
  service_t service = {0};
  service.options = read_settings(&service.options_size);
  options_take(service.options, service.options_size);
  crash_install();
  service.compiler = open_library(argv[1]);
  /* Reads the file of the time zone, which stays. */
  tzset();
  serve_prepare();
  sandbox_enter((options_get()->compiler_memory + helper_space) << 20);
  if (!start_compiling(&service)) refuse("no thread for the compiler");
  wait_for_the_end();
  _exit(EXIT_SUCCESS);
}
