/* terminal.h - asks one question on the terminal, field by field. It handles effects and events, and no protocol. */
#ifndef EXAMPLE_TERMINAL_H
#define EXAMPLE_TERMINAL_H

#include <cjson/cJSON.h>

/* say prints a peer's text without characters that control a terminal. */
void say(const char *label, const char *peer);

/* complain prints problems in the engine's English. */
void complain(const cJSON *problems);

/* Performs the effects "show", "withdraw" and "problem". */
void show(const cJSON *effect);
void withdraw(const cJSON *effect);
void mend(const cJSON *effect);

/* asking returns whether a question is on the screen. */
int asking(void);

/* typed takes a line from the person, without its end; NULL is the end of the input. When the question has all values,
 * it returns the event "answered", which the caller owns. Otherwise it returns NULL. */
cJSON *typed(char *line);

#endif
