/* terminal.h - one question on the terminal, field by field. It knows effects and events, and nothing of a protocol. */
#ifndef EXAMPLE_TERMINAL_H
#define EXAMPLE_TERMINAL_H

#include <cjson/cJSON.h>

/* say prints a peer's text without what a terminal would obey. */
void say(const char *label, const char *peer);

/* complain says what is wrong, in the engine's English. */
void complain(const cJSON *problems);

/* What the effects "show", "withdraw" and "problem" ask for. */
void show(const cJSON *effect);
void withdraw(const cJSON *effect);
void mend(const cJSON *effect);

/* asking tells whether a question is on the screen. */
int asking(void);

/* typed takes a line from the person, without its end; NULL is the end of the input. It returns the event "answered"
 * once the question has all it asks for, else NULL. The caller owns the event. */
cJSON *typed(char *line);

#endif
