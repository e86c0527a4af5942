/* Loads the library and then OTHER, and prints the self-check before and after. Usage: double LIBRARY OTHER [FUNCTION].
 * With FUNCTION, OTHER is some Go library with a function of that name that returns int, and it must still work.
 * Without FUNCTION, OTHER is a second copy of our library, and both must still work. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elicit.h"

typedef struct copy {
  elicit_status (*selfcheck)(elicit_bytes *);
  elicit_status (*open)(const char *, size_t, elicit_handle *, elicit_bytes *);
  elicit_status (*step)(elicit_handle, const char *, size_t, elicit_bytes *);
  elicit_status (*close)(elicit_handle);
  void (*release)(elicit_bytes *);
} copy;

static void *must(void *got, const char *what) {
  if (got != NULL) return got;
  fprintf(stderr, "%s: %s\n", what, dlerror());
  exit(2);
}

static void *load(const char *path) { return must(dlopen(path, RTLD_NOW | RTLD_LOCAL), path); }

static copy functions(void *library) {
  copy c;
  *(void **)&c.selfcheck = must(dlsym(library, "elicit_selfcheck"), "elicit_selfcheck");
  *(void **)&c.open = must(dlsym(library, "elicit_open"), "elicit_open");
  *(void **)&c.step = must(dlsym(library, "elicit_step"), "elicit_step");
  *(void **)&c.close = must(dlsym(library, "elicit_close"), "elicit_close");
  *(void **)&c.release = must(dlsym(library, "elicit_release"), "elicit_release");
  return c;
}

static void say(copy c) {
  elicit_bytes out;
  if (c.selfcheck(&out) != ELICIT_OK) exit(3);
  puts(out.data);
  c.release(&out);
}

static elicit_handle work(copy c) {
  static const char ticked[] = "{\"event\":{\"event\":\"ticked\"}}";
  elicit_handle engine;
  int i;
  if (c.open("{}", 2, &engine, NULL) != ELICIT_OK) exit(4);
  for (i = 0; i < 5000; i++)
    if (c.step(engine, ticked, sizeof ticked - 1, NULL) != ELICIT_OK) exit(5);
  return engine;
}

int main(int argc, char **argv) {
  copy first, second;
  elicit_handle ours, theirs;
  void *other;
  if (argc < 3) return 2;
  first = functions(load(argv[1]));
  ours = work(first);
  say(first);
  other = load(argv[2]);
  say(first);
  if (argc > 3) {
    int (*function)(int);
    *(void **)&function = must(dlsym(other, argv[3]), argv[3]);
    if (function(21) != 42) return 6;
    return first.close(ours) == ELICIT_OK ? 0 : 7;
  }
  second = functions(other);
  theirs = work(second);
  say(second);
  if (second.close(theirs) != ELICIT_OK || second.close(theirs) != ELICIT_UNKNOWN_HANDLE) return 8;
  return first.close(ours) == ELICIT_OK ? 0 : 7;
}
