/* Loads the given library. It prints the nanoseconds of dlopen, the nanoseconds until the first answer, and the growth
 * of the process in KiB. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "elicit.h"

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}

static long resident(void) {
  long all = 0, pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f == NULL || fscanf(f, "%ld %ld", &all, &pages) != 2) pages = 0;
  if (f != NULL) fclose(f);
  return pages * 4;
}

int main(int argc, char **argv) {
  elicit_status (*eval)(const char *, const char *, size_t, elicit_bytes *);
  const long before = resident();
  long long start = now(), loaded;
  elicit_bytes out;
  void *library = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW);
  loaded = now();
  if (library == NULL) return 2;
  *(void **)&eval = dlsym(library, "elicit_eval");
  const char *input = "{\"schema\":{\"type\":\"object\",\"properties\":{}},\"content\":{}}";
  if (eval("check", input, strlen(input), &out) != ELICIT_OK) return 3;
  printf("%lld %lld %ld\n", loaded - start, now() - start, resident() - before);
  return 0;
}
