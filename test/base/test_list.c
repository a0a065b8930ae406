/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lists keep their order through every insertion and removal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/list.h"

typedef struct item_t {
  int value;
  list_t node;
} item_t;

static void assert_values(const list_t *head, const int *expected, size_t count) {
  size_t i = 0;
  LIST_FOR_EACH(node, head) {
    assert_true(i < count);
    assert_int_equal(LIST_ENTRY(node, item_t, node)->value, expected[i++]);
    assert_ptr_equal(node->previous->next, node);
  }
  assert_int_equal(i, count);
}

static void keeps_insertion_order(void **state) {
  (void)state;
  list_t head;
  item_t a = {.value = 1}, b = {.value = 2}, c = {.value = 3};
  list_init(&head);
  assert_true(list_is_empty(&head));
  assert_null(list_first(&head));
  assert_null(list_last(&head));
  list_append(&head, &b.node);
  list_append(&head, &c.node);
  list_prepend(&head, &a.node);
  assert_values(&head, (int[]){1, 2, 3}, 3);
  assert_ptr_equal(list_first(&head), &a.node);
  assert_ptr_equal(list_last(&head), &c.node);
}

static void removing_twice_is_harmless(void **state) {
  (void)state;
  list_t head;
  item_t a = {.value = 1}, b = {.value = 2};
  list_init(&head);
  list_append(&head, &a.node);
  list_append(&head, &b.node);
  list_remove(&a.node);
  list_remove(&a.node);
  assert_values(&head, (int[]){2}, 1);
}

static void may_remove_while_walking(void **state) {
  (void)state;
  list_t head;
  item_t items[5] = {0};
  list_init(&head);
  for (int i = 0; i < 5; i++) {
    items[i].value = i;
    list_append(&head, &items[i].node);
  }
  LIST_FOR_EACH_SAFE(node, &head) {
    if (LIST_ENTRY(node, item_t, node)->value % 2 == 0) list_remove(node);
  }
  assert_values(&head, (int[]){1, 3}, 2);
}

static void appends_a_whole_list(void **state) {
  (void)state;
  list_t to, from;
  item_t a = {.value = 1}, b = {.value = 2}, c = {.value = 3};
  list_init(&to);
  list_init(&from);
  list_append(&to, &a.node);
  list_append_all(&to, &from);
  assert_values(&to, (int[]){1}, 1);
  list_append(&from, &b.node);
  list_append(&from, &c.node);
  list_append_all(&to, &from);
  assert_values(&to, (int[]){1, 2, 3}, 3);
  assert_true(list_is_empty(&from));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keeps_insertion_order), cmocka_unit_test(removing_twice_is_harmless),
      cmocka_unit_test(may_remove_while_walking), cmocka_unit_test(appends_a_whole_list)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
