/* door.h - what the C side and the Go side of the library say to each other. */
#ifndef ELICIT_DOOR_H
#define ELICIT_DOOR_H

#include <stddef.h>
#include <stdint.h>

/* One call through the door. The Go side writes an answer of up to `room` bytes to `near`, a longer one to memory from
 * malloc at `far`; so a short answer, the usual one, costs no call back into C. */
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

/* The self-check of elicit.h as a string from malloc, NULL when there is no memory. */
char *elicit_examine(int forked);

#endif
