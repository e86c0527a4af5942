/* host.h - the interface between the parts that are written by hand. */
#ifndef ELICIT_HOST_H
#define ELICIT_HOST_H

#include "module.h"

/* Makes an instance that is ready. Returns 0 if there is no memory. */
int elicit_begin(elicit_module *m);

/* The wall clock in milliseconds since 1970-01-01 UTC, or a clock that never goes back and counts suspended time. */
int64_t elicit_now(int elapsed);

#endif
