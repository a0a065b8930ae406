/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Writes complete nodes into the files of the graph and of the timeline. */
#include "interop/object/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lives as long as the process, and is closed at its end. */
static struct {
  atomic_bool is_on;
  pthread_mutex_t lock;
  FILE *graph, *timeline;
  bool has_events;
} trace = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const char *action_name(interop_action_t action) {
  static const char *const names[] = {
#define NAME(name, text) [interop_action_##name] = (text),
      INTEROP_ACTION_LIST(NAME)
#undef NAME
  };
  return names[action];
}

/* ------------------------------------------------------------ files */

static void close_files(void) {
  pthread_mutex_lock(&trace.lock);
  atomic_store(&trace.is_on, false);
  if (trace.graph) {
    fputs("}\n", trace.graph);
    fclose(trace.graph);
  }
  if (trace.timeline) {
    fputs("\n]\n", trace.timeline);
    fclose(trace.timeline);
  }
  trace.graph = trace.timeline = NULL;
  trace.has_events = false;
  pthread_mutex_unlock(&trace.lock);
}

static FILE *open_file(const char *name, const char *head) {
  FILE *file = fopen(name, "we");
  if (file) fputs(head, file);
  return file;
}

quern_result_t interop_trace_open(const char *graph_file, const char *timeline_file) {
  static bool is_registered;
  close_files();
  if (graph_file && !(trace.graph = open_file(graph_file, "digraph quern {\n  node [shape=box];\n"))) {
    return interop_fail(quern_error_not_found, "%s: %s", graph_file, strerror(errno));
  }
  if (timeline_file && !(trace.timeline = open_file(timeline_file, "[\n"))) {
    quern_result_t result = interop_fail(quern_error_not_found, "%s: %s", timeline_file, strerror(errno));
    close_files();
    return result;
  }
  if (graph_file || timeline_file) {
    if (!is_registered) is_registered = atexit(close_files) == 0;
    atomic_store_explicit(&trace.is_on, true, memory_order_release);
  }
  return quern_success;
}

bool interop_trace_is_on(void) { return atomic_load_explicit(&trace.is_on, memory_order_relaxed); }

/* ------------------------------------------------------------ nodes */

static void write_bytes(FILE *file, const interop_node_t *node) {
  if (node->action == interop_action_transfer) {
    fprintf(file, " %s host, bytes %zu to %zu", node->direction == interop_to_host ? "to" : "from", node->begin,
            node->end);
  }
}

static void write_graph(FILE *file, const interop_node_t *node) {
  const char *device = node->queue->device->info.name;
  fprintf(file, "  n%" PRIu64 " [label=\"%" PRIu64 " %s", node->id, node->id, action_name(node->action));
  write_bytes(file, node);
  fprintf(file, "\\nqueue %u, %s\"%s];\n", node->queue->number, device ? device : "",
          node->result == quern_success ? "" : ", color=red");
  for (size_t i = 0; i < node->edges.count; i++) {
    const interop_edge_t *edge = &node->edges.items[i];
    fprintf(file, "  n%" PRIu64 " -> n%" PRIu64 "%s;\n", edge->from->id, node->id,
            edge->is_strict ? "" : " [style=dashed]");
  }
}

/* Microseconds with their thousandths, as the format has them. */
static void write_timeline(FILE *file, const interop_node_t *node) {
  uint64_t begin = node->started_ns ? node->started_ns : node->submitted_ns;
  uint64_t length = node->ended_ns > begin ? node->ended_ns - begin : 0;
  fprintf(file, "%s{\"name\": \"%s", trace.has_events ? ",\n" : "", action_name(node->action));
  write_bytes(file, node);
  fprintf(file,
          "\", \"ph\": \"X\", \"pid\": 1, \"tid\": %u, \"ts\": %" PRIu64 ".%03u, \"dur\": %" PRIu64
          ".%03u, \"args\": {\"group\": %" PRIu64 ", \"failed\": %s}}",
          node->queue->number, begin / 1000, (unsigned)(begin % 1000), length / 1000, (unsigned)(length % 1000),
          node->id, node->result == quern_success ? "false" : "true");
  trace.has_events = true;
}

void interop_trace_node(const interop_node_t *node) {
  if (!interop_trace_is_on()) return;
  pthread_mutex_lock(&trace.lock);
  if (trace.graph) write_graph(trace.graph, node);
  if (trace.timeline) write_timeline(trace.timeline, node);
  pthread_mutex_unlock(&trace.lock);
}
