/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The files of task graph and timeline. A child process makes them, since they are complete when it ends. Arguments:
 * the OpenCL platform; a folder to write to. */
#include <sys/wait.h>
#include <unistd.h>

#include "groups.h"

enum { items = 64, bytes = items * sizeof(int), text_capacity = 1 << 16 };

static const char *platform_name, *folder;
static char graph_file[512], timeline_file[512];

static quern_result_t fail_task(quern_handle_t handle, void *data) {
  (void)handle;
  (void)data;
  return quern_error_task_failed;
}

static void ignore(const quern_async_error_t *error, void *data) {
  (void)error;
  (void)data;
}

/* A kernel here, a task there, with a transfer between them, and a failure. */
static void work(void) {
  test_place_t device, host;
  quern_queue_t queue = NULL;
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  static int values[items];
  options.flags = quern_memory_copy_host | quern_memory_separate;
  test_place_open(&device, test_find_device(platform_name));
  test_place_open_host(&host);
  quern_memory_t memory = test_buffer(bytes, values, &options);
  test_add(&device, device.in_order, memory, 1, items);
  test_add_on_host(host.in_order, memory, 1, items);
  test_expect(memory, 2, items);
  ASSERT_SUCCESS(quern_memory_release(memory));
  ASSERT_SUCCESS(quern_queue_create(host.context, host.device, 0, ignore, NULL, &queue));
  quern_group_t group = test_group(queue);
  ASSERT_SUCCESS(quern_group_set_host_task(group, fail_task, NULL));
  test_submit_only(group);
  ASSERT_SUCCESS(quern_queue_wait(queue));
  ASSERT_SUCCESS(quern_queue_release(queue));
  test_place_close(&device);
  test_place_close(&host);
}

static void run_child(void) {
  quern_configuration_t configuration = QUERN_CONFIGURATION_INIT;
  configuration.graph_file = graph_file;
  configuration.timeline_file = timeline_file;
  if (quern_configure(&configuration) != quern_success) exit(2);
  work();
  exit(0);
}

static void read_text(const char *name, char *out_text) {
  FILE *file = fopen(name, "r");
  assert_non_null(file);
  size_t length = fread(out_text, 1, text_capacity - 1, file);
  out_text[length] = '\0';
  fclose(file);
}

static void expect_parts(const char *text, const char *const *parts, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!strstr(text, parts[i])) print_error("no '%s' in:\n%s\n", parts[i], text);
    assert_non_null(strstr(text, parts[i]));
  }
}

static void graph_and_timeline_are_written(void **state) {
  (void)state;
  static char text[text_capacity];
  int status = 0;
  snprintf(graph_file, sizeof(graph_file), "%s/interop-graph.dot", folder);
  snprintf(timeline_file, sizeof(timeline_file), "%s/interop-timeline.json", folder);
  fflush(NULL);
  pid_t child = fork();
  if (!child) run_child();
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);

  static const char *const graph_parts[] = {"digraph quern {",
                                            " kernel\\nqueue ",
                                            " host task\\nqueue ",
                                            "transfer from host, bytes 0 to 256",
                                            "transfer to host, bytes 0 to 256",
                                            " -> n",
                                            "color=red",
                                            "\n}\n"};
  read_text(graph_file, text);
  expect_parts(text, graph_parts, sizeof(graph_parts) / sizeof(graph_parts[0]));
  static const char *const timeline_parts[] = {"[\n{", "\"name\": \"kernel\", \"ph\": \"X\"", "\"failed\": true}}",
                                               "\"name\": \"transfer to host", "\n]\n"};
  read_text(timeline_file, text);
  expect_parts(text, timeline_parts, sizeof(timeline_parts) / sizeof(timeline_parts[0]));
}

static void files_that_cannot_be_written_are_refused(void **state) {
  (void)state;
  quern_configuration_t configuration = QUERN_CONFIGURATION_INIT;
  configuration.graph_file = "/nonexistent/graph.dot";
  ASSERT_ERROR(quern_configure(&configuration), quern_error_not_found, "/nonexistent/graph.dot");
  configuration.graph_file = "";
  ASSERT_ERROR(quern_configure(&configuration), quern_error_invalid_argument, "empty");
}

int main(int argc, char **argv) {
  platform_name = argc > 1 ? argv[1] : "Quern";
  folder = argc > 2 ? argv[2] : ".";
  const struct CMUnitTest tests[] = {cmocka_unit_test(graph_and_timeline_are_written),
                                     cmocka_unit_test(files_that_cannot_be_written_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
