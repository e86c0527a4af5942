/* promise.h - what elicit.h promises of every answer, whatever the call was given. A program that sees one broken ends. */
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

/* kept holds one answer against the header and releases it: a status that one thread can get, one object that is a text, problems
 * when the call failed. */
static void kept(elicit_status status, const char *op, const char *input, size_t size, elicit_bytes *out) {
  if (status > ELICIT_TOO_LARGE) fail(elicit_status_name(status), op, input, size, out);
  if (out->data == NULL || out->data[out->size] != 0 || strlen(out->data) != out->size) fail("not a text", op, input, size, out);
  if (out->data[0] != '{' || out->data[out->size - 1] != '}') fail("not an object", op, input, size, out);
  if (status != ELICIT_OK && strncmp(out->data, "{\"problems\":[{\"code\":", 21) != 0) fail("no problems", op, input, size, out);
  elicit_release(out);
  if (out->data != NULL || out->size != 0) fail("not zeroed", op, input, size, out);
}

#endif
