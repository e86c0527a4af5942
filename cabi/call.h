/* call.h - the interface between the C side and the Go side of the library. */
#ifndef ELICIT_CALL_H
#define ELICIT_CALL_H

#include <stddef.h>
#include <stdint.h>

/* One call into the Go side. It writes an answer of up to `room` bytes to `near`, and a longer one to memory from
 * malloc at `far`. So a short answer, the usual one, needs no call from Go back into C. */
typedef struct elicit_call {
  uint32_t op;
  const char *name; /* of a stateless operation, instead of op */
  uint64_t handle;
  const char *input;
  size_t size;
  uint64_t opened;
  char *near;
  size_t room;
  char *far;
  size_t length;
} elicit_call;

/* The result of elicit_selfcheck as a string from malloc; NULL if there is no memory. */
char *elicit_examine(int forked);

#endif
