/* promise.h - the promises of elicit.h about every output, for any input. The program ends if one is broken. */
#ifndef ELICIT_TEST_PROMISE_H
#define ELICIT_TEST_PROMISE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elicit.h"

static void fail(const char *what, const char *op, const char *input, size_t size, const elicit_bytes *out) {
  fprintf(stderr, "%s after %s of %.*s: %s\n", what, op, (int)size, input, out->data == NULL ? "(nothing)" : out->data);
  exit(1);
}

/* kept checks one output and releases it. The status is one that a single thread can get, the document is one JSON
 * object in a text, and a failed call has problems. */
static void kept(elicit_status status, const char *op, const char *input, size_t size, elicit_bytes *out) {
  if (status > ELICIT_TOO_LARGE) fail(elicit_status_name(status), op, input, size, out);
  if (out->data == NULL || out->data[out->size] != 0 || strlen(out->data) != out->size)
    fail("not a text", op, input, size, out);
  if (out->data[0] != '{' || out->data[out->size - 1] != '}') fail("not an object", op, input, size, out);
  if (status != ELICIT_OK && strncmp(out->data, "{\"problems\":[{\"code\":", 21) != 0)
    fail("no problems", op, input, size, out);
  elicit_release(out);
  if (out->data != NULL || out->size != 0) fail("not zeroed", op, input, size, out);
}

#endif
