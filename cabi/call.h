/* call.h - the interface between the functions of elicit.h and the engine: in libelicit Go, in the C library the code
 * that wasm/amalgam writes. */
#ifndef ELICIT_CALL_H
#define ELICIT_CALL_H

#include <stddef.h>
#include <stdint.h>

/* One call into the engine. It writes an answer of up to `room` bytes to `near`, and a longer one to memory from
 * malloc at `far`. So a short answer, the usual one, needs no call from Go back into C. Without memory for it, the
 * length is 0. */
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

/* Performs a call. One that is brief takes less time than to block signals for it. */
int32_t elicit_perform(elicit_call *c, int brief);

/* Whether this is a forked child that cannot use the engine. */
int elicit_forked(void);

/* Lets another thread finish its call. */
void elicit_yield(void);

/* The result of elicit_selfcheck as a string from malloc; NULL if there is no memory. */
char *elicit_examine(void);

#endif
