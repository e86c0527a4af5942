/* checks.h - a program of checks: each is a function that returns what went wrong, or NULL. Usage: PROGRAM [NAME]. */
#ifndef ELICIT_TEST_CHECKS_H
#define ELICIT_TEST_CHECKS_H

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "elicit.h"

#define WANT(condition) \
  if (!(condition)) return #condition

typedef struct check {
  const char *name;
  const char *(*run)(void);
} check;

#define CHECK(function) {#function, function}

static int holds(const elicit_bytes *out, const char *text) {
  return out->data != NULL && strstr(out->data, text) != NULL;
}

enum { MOST_THREADS = 64 };

/* together runs a function in some threads at once. */
static inline const char *together(int count, void *(*work)(void *), void *with) {
  pthread_t threads[MOST_THREADS];
  int i;
  WANT(count <= MOST_THREADS);
  for (i = 0; i < count; i++) WANT(pthread_create(&threads[i], NULL, work, with) == 0);
  for (i = 0; i < count; i++) pthread_join(threads[i], NULL);
  return NULL;
}

/* run_checks prints a line for each check and returns the exit code. */
static int run_checks(const check *checks, size_t count, const char *only) {
  size_t i;
  int failed = 0;
  for (i = 0; i < count; i++) {
    const char *wrong;
    if (only != NULL && strcmp(only, checks[i].name) != 0) continue;
    wrong = checks[i].run();
    if (wrong == NULL) {
      printf("ok %s\n", checks[i].name);
      continue;
    }
    printf("FAILED %s: %s\n", checks[i].name, wrong);
    failed = 1;
  }
  return failed;
}

#endif
