/* Tests what only the library in C promises: it can be unloaded, loaded twice and forked, a trap ends one group, and
 * connections are small. Usage: groups LIBRARY ANOTHER-COPY [NAME]. It is not linked with the library. */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "checks.h"

static const char *files[2];

/* The functions of one loaded copy. */
typedef struct copy {
  void *file;
  elicit_status (*open)(const char *, size_t, elicit_handle *, elicit_bytes *);
  elicit_status (*receive)(elicit_handle, elicit_end, const char *, size_t, elicit_bytes *);
  elicit_status (*eval)(const char *, const char *, size_t, elicit_bytes *);
  elicit_status (*close)(elicit_handle);
  void (*release)(elicit_bytes *);
} copy;

static const char *load(copy *c, const char *file) {
  WANT((c->file = dlopen(file, RTLD_NOW | RTLD_LOCAL)) != NULL);
  *(void **)&c->open = dlsym(c->file, "elicit_open");
  *(void **)&c->receive = dlsym(c->file, "elicit_receive");
  *(void **)&c->eval = dlsym(c->file, "elicit_eval");
  *(void **)&c->close = dlsym(c->file, "elicit_close");
  *(void **)&c->release = dlsym(c->file, "elicit_release");
  WANT(c->open != NULL && c->receive != NULL && c->eval != NULL && c->close != NULL && c->release != NULL);
  return NULL;
}

#define TEXT(literal) literal, sizeof literal - 1

static const char RELAY[] = "{\"relay\":{\"server\":\"backup\",\"role\":\"client\",\"modes\":[\"form\"],"
    "\"session\":{\"version\":\"2025-11-25\",\"declared\":[\"form\"]}}}";

static const char ASK[] =
    "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"elicitation/create\",\"params\":{\"message\":\"Keep for how long?\","
    "\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"days\":{\"type\":\"integer\",\"maximum\":30}}}}}";

/* ask gives a connection a question, with an id that it has not had. */
static const char *ask(const copy *c, elicit_handle relay, int id) {
  char text[512];
  elicit_bytes out;
  int size = snprintf(text, sizeof text, ASK, id);
  elicit_status status = c->receive(relay, ELICIT_SERVER, text, (size_t)size, &out);
  int taken = holds(&out, "{\"effects\":[{\"effect\":");
  c->release(&out);
  WANT(status == ELICIT_OK && taken);
  return NULL;
}

/* own_kib is the memory of the process that is not of a file. */
static long own_kib(void) {
  char line[256];
  long kib = 0;
  FILE *f = fopen("/proc/self/status", "r");
  while (f != NULL && fgets(line, sizeof line, f) != NULL) sscanf(line, "RssAnon: %ld", &kib);
  if (f != NULL) fclose(f);
  return kib;
}

/* is_unloaded looks for the file in what the process has mapped. */
static int is_unloaded(const char *file) {
  char line[4096];
  int found = 0;
  FILE *f = fopen("/proc/self/maps", "r");
  while (f != NULL && fgets(line, sizeof line, f) != NULL) found |= strstr(line, file) != NULL;
  if (f != NULL) fclose(f);
  return !found;
}

static const char *unloads(void) {
  long before = 0;
  int i;
  for (i = 0; i < 20; i++) {
    copy c;
    elicit_handle relay;
    elicit_bytes out;
    const char *wrong = load(&c, files[0]);
    if (wrong != NULL) return wrong;
    WANT(c.open(TEXT(RELAY), &relay, NULL) == ELICIT_OK);
    if ((wrong = ask(&c, relay, i)) != NULL) return wrong;
    WANT(c.eval("parse", TEXT("{}"), &out) == ELICIT_OK);
    c.release(&out);
    WANT(c.close(relay) == ELICIT_OK);
    WANT(dlclose(c.file) == 0 && is_unloaded(files[0]));
    if (i == 4) before = own_kib();
  }
  WANT(own_kib() < before + 2048);
  return NULL;
}

static const char *is_loaded_twice(void) {
  copy one, other;
  elicit_handle a, b;
  const char *wrong;
  if ((wrong = load(&one, files[0])) != NULL || (wrong = load(&other, files[1])) != NULL) return wrong;
  WANT(one.open != other.open);
  WANT(one.open(TEXT(RELAY), &a, NULL) == ELICIT_OK && other.open(TEXT(RELAY), &b, NULL) == ELICIT_OK);
  if ((wrong = ask(&one, a, 1)) != NULL || (wrong = ask(&other, b, 1)) != NULL) return wrong;
  WANT(other.close(b) == ELICIT_OK && dlclose(other.file) == 0);
  if ((wrong = ask(&one, a, 2)) != NULL) return wrong;
  WANT(one.close(a) == ELICIT_OK && dlclose(one.file) == 0);
  return NULL;
}

static const char *forks(void) {
  copy c;
  elicit_handle relay, more;
  int status = 0, i;
  const char *wrong = load(&c, files[0]);
  if (wrong != NULL) return wrong;
  WANT(c.open(TEXT(RELAY), &relay, NULL) == ELICIT_OK);
  for (i = 1; i < 20; i++) {
    pid_t child = fork();
    WANT(child >= 0);
    if (child == 0) _exit(ask(&c, relay, 1) == NULL && c.open(TEXT(RELAY), &more, NULL) == ELICIT_OK ? 0 : 1);
    WANT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  if ((wrong = ask(&c, relay, 1)) != NULL) return wrong;
  WANT(c.close(relay) == ELICIT_OK && dlclose(c.file) == 0);
  return NULL;
}

enum { GROUP = 64, LONG = 48 << 20 }; /* host.c has the same GROUP */

/* A connection that gets no memory for a message traps. Its group ends, and the next group and new ones go on. */
static const char *ends_one_group(void) {
  static elicit_handle relays[GROUP + 1];
  copy c;
  elicit_bytes out;
  elicit_handle new;
  struct rlimit was, small;
  int i;
  elicit_status status;
  char *message = calloc(1, LONG);
  const char *wrong = load(&c, files[0]);
  if (wrong != NULL) return wrong;
  WANT(message != NULL);
  for (i = 0; i <= GROUP; i++) WANT(c.open(TEXT(RELAY), &relays[i], NULL) == ELICIT_OK);
  WANT(getrlimit(RLIMIT_AS, &was) == 0);
  small = was;
  small.rlim_cur = 64 << 20; /* the process has more already, so it gets nothing */
  WANT(setrlimit(RLIMIT_AS, &small) == 0);
  status = c.receive(relays[0], ELICIT_CLIENT, message, LONG, &out);
  WANT(setrlimit(RLIMIT_AS, &was) == 0);
  WANT(status == ELICIT_INTERNAL && holds(&out, "{\"problems\":[{\"code\":\"internal\""));
  c.release(&out);
  for (i = 0; i < GROUP; i++)
    WANT(c.receive(relays[i], ELICIT_CLIENT, TEXT("{}"), NULL) == ELICIT_INTERNAL);
  if ((wrong = ask(&c, relays[GROUP], 1)) != NULL) return wrong;
  WANT(c.open(TEXT(RELAY), &new, NULL) == ELICIT_OK);
  if ((wrong = ask(&c, new, 1)) != NULL) return wrong;
  for (i = 0; i <= GROUP; i++) WANT(c.close(relays[i]) == ELICIT_OK);
  WANT(c.close(relays[0]) == ELICIT_UNKNOWN_HANDLE && c.close(new) == ELICIT_OK && dlclose(c.file) == 0);
  free(message);
  return NULL;
}

static volatile sig_atomic_t signals;

static void on_signal(int n) {
  char frame[30000];
  memset(frame, n, sizeof frame);
  signals += frame[n] != 0;
}

/* A handler of the host without SA_ONSTACK does no harm. */
static const char *takes_signals(void) {
  copy c;
  elicit_handle relay;
  struct sigaction act;
  timer_t timer;
  struct itimerspec often = {{0, 200000}, {0, 200000}}, never = {{0, 0}, {0, 0}};
  int i;
  const char *wrong = load(&c, files[0]);
  if (wrong != NULL) return wrong;
  memset(&act, 0, sizeof act);
  act.sa_handler = on_signal;
  WANT(sigaction(SIGALRM, &act, NULL) == 0 && c.open(TEXT(RELAY), &relay, NULL) == ELICIT_OK);
  WANT(timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0 && timer_settime(timer, 0, &often, NULL) == 0);
  for (i = 0; i < 200; i++)
    if ((wrong = ask(&c, relay, i + 1)) != NULL) return wrong;
  WANT(timer_settime(timer, 0, &never, NULL) == 0 && timer_delete(timer) == 0 && signals > 0);
  WANT(c.close(relay) == ELICIT_OK && dlclose(c.file) == 0);
  return NULL;
}

static const char *is_small(void) {
  static elicit_handle relays[100];
  copy c;
  int i;
  long before = own_kib(), used;
  const char *wrong = load(&c, files[0]);
  if (wrong != NULL) return wrong;
  for (i = 0; i < 100; i++) {
    WANT(c.open(TEXT(RELAY), &relays[i], NULL) == ELICIT_OK);
    if ((wrong = ask(&c, relays[i], 1)) != NULL) return wrong;
  }
  used = own_kib() - before;
  fprintf(stderr, "100 connections with a question: %ld KiB\n", used);
  WANT(used < 16 << 10);
  for (i = 0; i < 100; i++) WANT(c.close(relays[i]) == ELICIT_OK);
  WANT(dlclose(c.file) == 0);
  return NULL;
}

static const check checks[] = {
    CHECK(is_small), CHECK(unloads), CHECK(is_loaded_twice), CHECK(ends_one_group), CHECK(forks),
    CHECK(takes_signals)};

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  files[0] = argv[1];
  files[1] = argv[2];
  return run_checks(checks, sizeof checks / sizeof *checks, argc > 3 ? argv[3] : NULL);
}
