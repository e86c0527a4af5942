/* See driver.h. */
#include "driver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_OTHERS = 8, ONE_READ = 65536 };

/* begin opens the file of a chain of records. It returns 0 if that worked, or if no journal is kept. */
static int begin(driver *d) {
  char name[4096];
  if (d->file != NULL) fclose(d->file);
  d->file = NULL;
  if (d->journal == NULL) return 0;
  if (d->chains == 0) snprintf(name, sizeof name, "%s", d->journal);
  else snprintf(name, sizeof name, "%s.%d", d->journal, d->chains);
  d->chains++;
  d->file = fopen(name, "a");
  if (d->file == NULL) perror(name);
  return d->file == NULL ? -1 : 0;
}

/* keep makes a record durable with its exact bytes, because the next record contains their hash. */
static int keep(void *data, const char *record, size_t size) {
  driver *d = data;
  if (record == NULL) return begin(d);
  if (d->journal == NULL) return 0;
  if (d->file == NULL || fwrite(record, 1, size, d->file) != size || fputc('\n', d->file) == EOF
      || fflush(d->file) != 0) return -1;
  return fsync(fileno(d->file)) == 0 || errno == EINVAL ? 0 : -1; /* EINVAL: not a file that needs it, such as a pipe */
}

static int ask(void *data, const char *effect, size_t size) {
  driver *d = data;
  return d->consult == NULL ? -1 : d->consult(d->data, effect, size);
}

static void shut(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

static int begins(const elicit_bytes *effect, const char *with) {
  return strncmp(effect->data, with, strlen(with)) == 0;
}

/* put writes all of some bytes. An end that is gone is reported by the end of its input. */
static void put(int *fd, const char *data, size_t size) {
  while (*fd >= 0 && size > 0) {
    ssize_t n = write(*fd, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) {
      struct pollfd room = {*fd, POLLOUT, 0};
      poll(&room, 1, -1);
      continue;
    }
    if (n <= 0) {
      shut(fd);
      return;
    }
    data += n;
    size -= (size_t)n;
  }
}

static void deliver(driver *d, driver_end *to, const elicit_bytes *message) {
  if (to->message != NULL) {
    to->message(d->data, message->data, message->size);
    return;
  }
  put(&to->out, message->data, message->size);
  put(&to->out, "\n", 1);
}

static driver_end *end_of(driver *d, const elicit_bytes *effect) {
  return strstr(effect->data, "\":\"server\"") != NULL ? &d->server : &d->client;
}

int driver_perform(driver *d) {
  elicit_host host = {NULL, keep, ask, NULL};
  elicit_bytes out, message;
  elicit_status status;
  int wait = -1;
  host.data = d;
  while ((status = elicit_next(d->relay, &host, -1, -1, &out, &message)) == ELICIT_OK) {
    int done = sscanf(out.data, "{\"wait\":%d}", &wait) == 1;
    if (begins(&out, "{\"effect\":\"close\"")) shut(&end_of(d, &out)->out);
    else if (begins(&out, "{\"effect\":\"forward\"") || begins(&out, "{\"effect\":\"send\""))
      deliver(d, end_of(d, &out), &message);
    else if (!done && d->perform != NULL) d->perform(d->data, out.data, out.size);
    elicit_release(&out);
    if (done) return wait;
  }
  fprintf(stderr, "elicit_next: %s\n", elicit_status_name(status)); /* a bug: both ends are closed */
  elicit_release(&out);
  shut(&d->client.out);
  shut(&d->server.out);
  return -1;
}

int driver_open(driver *d, const char *opening, size_t size) {
  elicit_bytes out;
  elicit_status status;
  if (begin(d) != 0) return -1;
  status = elicit_open(opening, size, &d->relay, &out);
  if (status != ELICIT_OK) fprintf(stderr, "%s: %s\n", elicit_status_name(status), out.data);
  elicit_release(&out);
  return status == ELICIT_OK ? 0 : -1;
}

void driver_say(driver *d, elicit_end from, const char *message, size_t size) {
  elicit_bytes out;
  elicit_status status = elicit_receive(d->relay, from, message, size, &out);
  if (status != ELICIT_OK) fprintf(stderr, "%s: %s\n", elicit_status_name(status), out.data);
  elicit_release(&out);
}

int driver_do(driver *d, const char *event, size_t size) {
  elicit_bytes out;
  elicit_status status = elicit_step(d->relay, event, size, &out);
  if (status != ELICIT_OK) fprintf(stderr, "%s: %s\n", elicit_status_name(status), out.data);
  elicit_release(&out);
  return status == ELICIT_OK ? 0 : -1;
}

static void ended(driver *d, elicit_end name) {
  static const char client[] = "{\"event\":\"ended\",\"end\":\"client\"}";
  static const char server[] = "{\"event\":\"ended\",\"end\":\"server\"}";
  driver_do(d, name == ELICIT_CLIENT ? client : server, sizeof client - 1);
}

/* listen reads what an end has written, and gives the connection each whole line. */
static void listen_to(driver *d, elicit_end name) {
  driver_end *e = name == ELICIT_CLIENT ? &d->client : &d->server;
  char *grown = realloc(e->held, e->size + ONE_READ), *line, *stop;
  ssize_t n;
  if (grown == NULL) exit(2);
  line = e->held = grown;
  n = read(e->in, e->held + e->size, ONE_READ);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (n <= 0) {
    shut(&e->in);
    ended(d, name);
    return;
  }
  e->size += (size_t)n;
  for (; (stop = memchr(line, '\n', e->size)) != NULL; line = stop + 1) {
    driver_say(d, name, line, (size_t)(stop - line));
    e->size -= (size_t)(stop - line) + 1;
    driver_perform(d); /* one message after another: what follows may depend on it */
  }
  memmove(e->held, line, e->size);
}

int driver_turn(driver *d, struct pollfd *more, size_t count) {
  struct pollfd fds[2 + MOST_OTHERS];
  int wait = driver_perform(d);
  size_t i;
  if (count > MOST_OTHERS) return -1;
  fds[0] = (struct pollfd){d->client.in, POLLIN, 0};
  fds[1] = (struct pollfd){d->server.in, POLLIN, 0};
  for (i = 0; i < count; i++) fds[2 + i] = more[i];
  if (poll(fds, 2 + count, wait) < 0 && errno != EINTR) return -1;
  for (i = 0; i < count; i++) more[i].revents = fds[2 + i].revents;
  if (fds[0].revents != 0) listen_to(d, ELICIT_CLIENT);
  if (fds[1].revents != 0) listen_to(d, ELICIT_SERVER);
  driver_perform(d);
  return 0;
}

void driver_close(driver *d) {
  static const char leaving[] = "{\"event\":\"ended\",\"end\":\"host\"}";
  driver_do(d, leaving, sizeof leaving - 1);
  driver_perform(d);
  elicit_close(d->relay);
  if (d->file != NULL) fclose(d->file);
  shut(&d->client.in);
  shut(&d->client.out);
  shut(&d->server.in);
  shut(&d->server.out);
  free(d->client.held);
  free(d->server.held);
}
