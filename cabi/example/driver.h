/* driver.h - the loop of a connection for a POSIX program: lines on file descriptors and a journal in a file.
 *
 * The library decides what happens and in which order (elicit_next). The driver reads, writes and waits. Fill in a
 * driver, call driver_open, and then driver_turn until you want to stop. */
#ifndef EXAMPLE_DRIVER_H
#define EXAMPLE_DRIVER_H

#include <elicit.h>
#include <poll.h>
#include <stdio.h>

/* An end of the connection. With `message`, this program is the end itself: the messages for it go to that function,
 * and driver_say gives its own. Without it, messages are lines on `in` and `out`, which the driver closes. */
typedef struct driver_end {
  void (*message)(void *data, const char *message, size_t size);
  int in, out; /* -1 for none, and after they were closed */
  char *held;  /* the bytes after the last whole line; zero at first */
  size_t size;
} driver_end;

typedef struct driver {
  driver_end client, server;
  const char *journal; /* the name of the journal's file, or NULL; a second chain goes to NAME.1 */
  /* Performs an effect that is no message, such as "show". It may call driver_say and elicit_step. */
  void (*perform)(void *data, const char *effect, size_t size);
  /* Asks a guardian, as in elicit_host; NULL if this host asks none. */
  int (*consult)(void *data, const char *effect, size_t size);
  void *data;
  elicit_handle relay; /* of driver_open */
  FILE *file;
  int chains;
} driver;

/* Opens the journal and the connection. opening is the document of elicit_open, with "pull":true. It returns 0, or -1
 * after it has written why to stderr. */
int driver_open(driver *d, const char *opening, size_t size);

/* Gives the connection a message of an end, and performs nothing yet. */
void driver_say(driver *d, elicit_end from, const char *message, size_t size);

/* Gives the connection an event, JSON text, and performs nothing yet. It returns -1 if it cannot be read. */
int driver_do(driver *d, const char *event, size_t size);

/* Performs what there is to do. It returns the milliseconds until something is due, or -1 for never. */
int driver_perform(driver *d);

/* Performs what there is to do. Then it waits for the ends, for the time, and for `count` other descriptors at `more`,
 * and reads the lines of the ends. It returns -1 after an error of poll. */
int driver_turn(driver *d, struct pollfd *more, size_t count);

/* Settles the open questions, and closes the connection, the journal and the ends. */
void driver_close(driver *d);

#endif
