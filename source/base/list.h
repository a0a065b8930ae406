/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Intrusive circular doubly linked list. Not thread safe by itself. */
#ifndef BASE_LIST_H
#define BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

/** A node, or the head of a list (which points at itself when the list is empty). */
typedef struct list_t {
  struct list_t *previous, *next;
} list_t;

/** The struct of type `type` that contains `node` as its member `member`. */
#define LIST_ENTRY(node, type, member) ((type *)(void *)((char *)(node) - offsetof(type, member)))
#define LIST_FOR_EACH(node, head) for (list_t *node = (head)->next; node != (head); node = node->next)
/** Like LIST_FOR_EACH, and the body may remove `node`. */
#define LIST_FOR_EACH_SAFE(node, head)                                         \
  for (list_t *node = (head)->next, *node##_next = node->next; node != (head); \
       node = node##_next, node##_next = node->next)

static inline void list_init(list_t *head) { head->previous = head->next = head; }
static inline bool list_is_empty(const list_t *head) { return head->next == head; }

static inline void list_insert_before(list_t *position, list_t *node) {
  node->previous = position->previous;
  node->next = position;
  position->previous->next = node;
  position->previous = node;
}

static inline void list_append(list_t *head, list_t *node) { list_insert_before(head, node); }
static inline void list_prepend(list_t *head, list_t *node) { list_insert_before(head->next, node); }

/** Takes `node` out of its list and makes it an empty list of its own, so that a second removal is harmless. */
static inline void list_remove(list_t *node) {
  node->previous->next = node->next;
  node->next->previous = node->previous;
  list_init(node);
}

static inline list_t *list_first(const list_t *head) { return list_is_empty(head) ? NULL : head->next; }
static inline list_t *list_last(const list_t *head) { return list_is_empty(head) ? NULL : head->previous; }

/** Appends all nodes of `from` to `to`, leaving `from` empty. */
static inline void list_append_all(list_t *to, list_t *from) {
  if (list_is_empty(from)) return;
  from->next->previous = to->previous;
  to->previous->next = from->next;
  from->previous->next = to;
  to->previous = from->previous;
  list_init(from);
}

#endif
