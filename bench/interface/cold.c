/* cold LIBRARY prints the nanoseconds of dlopen and until the first answer, and the growth of the process in KiB. With
 * RELAY and QUESTION, it prints the processor time until the first answer and of the first question, in nanoseconds.
 * The growth is then that of 100 connections with a question each. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "elicit.h"

static long long now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}

static long resident(void) {
  long all = 0, pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f == NULL || fscanf(f, "%ld %ld", &all, &pages) != 2) pages = 0;
  if (f != NULL) fclose(f);
  return pages * 4;
}

static elicit_status (*opened)(const char *, size_t, elicit_handle *, elicit_bytes *);
static elicit_status (*receive)(elicit_handle, elicit_end, const char *, size_t, elicit_bytes *);

static void ask(const char *relay, const char *question) {
  elicit_handle handle;
  elicit_bytes out;
  if (opened(relay, strlen(relay), &handle, NULL) != ELICIT_OK) exit(4);
  if (receive(handle, ELICIT_SERVER, question, strlen(question), &out) != ELICIT_OK) exit(5);
}

int main(int argc, char **argv) {
  elicit_status (*eval)(const char *, const char *, size_t, elicit_bytes *);
  const long before = resident();
  long long start = now(CLOCK_MONOTONIC), loaded, busy = now(CLOCK_PROCESS_CPUTIME_ID);
  elicit_bytes out;
  void *library = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW);
  loaded = now(CLOCK_MONOTONIC);
  if (library == NULL) return 2;
  *(void **)&eval = dlsym(library, "elicit_eval");
  const char *input = "{\"schema\":{\"type\":\"object\",\"properties\":{}},\"content\":{}}";
  if (eval("check", input, strlen(input), &out) != ELICIT_OK) return 3;
  if (argc < 4)
    return printf("%lld %lld %ld\n", loaded - start, now(CLOCK_MONOTONIC) - start, resident() - before) < 0;
  printf("%lld ", now(CLOCK_PROCESS_CPUTIME_ID) - busy);
  *(void **)&opened = dlsym(library, "elicit_open");
  *(void **)&receive = dlsym(library, "elicit_receive");
  busy = now(CLOCK_PROCESS_CPUTIME_ID);
  ask(argv[2], argv[3]);
  printf("%lld ", now(CLOCK_PROCESS_CPUTIME_ID) - busy);
  for (int i = 1; i < 100; i++) ask(argv[2], argv[3]);
  printf("%ld\n", resident() - before);
  return 0;
}
