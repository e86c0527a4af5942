/* host.h - the interface between the parts that are written by hand. */
#ifndef ELICIT_HOST_H
#define ELICIT_HOST_H

#include "module.h"

/* Gives an instance its memory, as it is before any code has run. Returns 0 if there is none. */
int elicit_begin(elicit_module *m);

/* Makes an instance that goes on where another one is. Returns 0 if there is no memory. */
int elicit_copy(elicit_module *m, const elicit_module *from);

/* The wall clock in milliseconds since 1970-01-01 UTC, or a clock that never goes back and counts suspended time. */
int64_t elicit_now(int elapsed);

#endif
