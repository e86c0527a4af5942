/* Calls the library while signals arrive whose handlers were installed after it, without SA_ONSTACK, as most programs
 * install them. Usage: late LIBRARY FRAME MODULE. The handlers use FRAME bytes of stack. Each fault is a line. */
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "elicit.h"

enum { THREADS = 3, ROUNDS = 60, MOST = 60 << 10 };

static elicit_status (*do_describe)(elicit_bytes *), (*do_selfcheck)(elicit_bytes *), (*do_close)(elicit_handle);
static elicit_status (*do_open)(const char *, size_t, elicit_handle *, elicit_bytes *);
static elicit_status (*do_step)(elicit_handle, const char *, size_t, elicit_bytes *);
static elicit_status (*do_receive)(elicit_handle, elicit_end, const char *, size_t, elicit_bytes *);
static elicit_status (*do_eval)(const char *, const char *, size_t, elicit_bytes *);
static elicit_status (*do_form)(const char *, size_t, elicit_handle *, elicit_bytes *);
static elicit_status (*do_check)(elicit_handle, const char *, size_t, elicit_bytes *);
static elicit_status (*do_guest)(const uint8_t *, size_t, elicit_bytes *);
static elicit_status (*do_data)(const uint8_t *, size_t, elicit_bytes *);
static void (*do_release)(elicit_bytes *);

static int frame, wrong;
static volatile int caught;
static char module[1 << 16];
static size_t module_size;

static void want(int condition, const char *what) {
  if (condition) return;
  wrong = 1;
  printf("%s\n", what);
}

/* deep overwrites as much of the stack as a handler of a program may. */
static void deep(int size) {
  volatile char room[1 << 10];
  size_t i;
  for (i = 0; i < sizeof room; i++) room[i] = (char)size;
  if (size > (int)sizeof room) deep(size - (int)sizeof room);
  room[0] = 0; /* so that the call above is no loop */
}

static void on_signal(int n) {
  (void)n;
  caught++;
  if (frame > 0) deep(frame);
}

#define DONE(call) do { elicit_bytes out; want((call) == ELICIT_OK, #call); do_release(&out); } while (0)
#define TEXT(s) s, sizeof s - 1

static void *work(void *unused) {
  static const char schema[] = "{\"schema\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\","
                               "\"format\":\"email\",\"pattern\":\"^[a-z]+@[a-z.]+$\"}}}}";
  sigset_t before, after;
  int i, k;
  (void)unused;
  pthread_sigmask(SIG_BLOCK, NULL, &before);
  for (i = 0; i < ROUNDS; i++) {
    elicit_handle engine, relay, form;
    DONE(do_describe(&out));
    DONE(do_selfcheck(&out));
    DONE(do_open(TEXT("{}"), &engine, &out));
    DONE(do_step(engine, TEXT("{\"event\":\"opened\",\"session\":\"s\",\"server\":\"b\",\"side\":\"answering\","
                              "\"declared\":[\"form\"],\"shown\":[\"form\"]}"), &out));
    DONE(do_step(engine, TEXT("{\"event\":\"asked\",\"session\":\"s\",\"ref\":\"1\",\"mode\":\"form\","
                              "\"message\":\"Go on?\",\"schema\":{\"type\":\"object\",\"properties\":{}}}"), &out));
    DONE(do_eval("compile", schema, sizeof schema - 1, &out));
    DONE(do_form(schema, sizeof schema - 1, &form, &out));
    for (k = 0; k < 200; k++) DONE(do_check(form, TEXT("{\"a\":\"me@example.com\"}"), &out));
    DONE(do_open(TEXT("{\"relay\":{\"server\":\"b\",\"modes\":[\"form\"],\"session\":{\"version\":\"2025-11-25\","
                      "\"declared\":[\"form\"]}}}"), &relay, &out));
    for (k = 0; k < 200; k++)
      DONE(do_receive(relay, ELICIT_CLIENT,
                      TEXT("{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"a\":[1,2]}}"), &out));
    DONE(do_receive(relay, ELICIT_SERVER, TEXT("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"elicitation/create\","
        "\"params\":{\"message\":\"Go on?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}"), &out));
    if (i == 0) DONE(do_guest((const uint8_t *)module, module_size, &out));
    DONE(do_data((const uint8_t *)"x", 1, &out));
    want(do_close(engine) == ELICIT_OK && do_close(relay) == ELICIT_OK && do_close(form) == ELICIT_OK, "close");
  }
  pthread_sigmask(SIG_BLOCK, NULL, &after);
  for (i = 1; i <= 64; i++)
    want(sigismember(&before, i) == sigismember(&after, i), "the mask of a thread that called was changed");
  return NULL;
}

/* go_threads_hold tells whether each thread but this one blocks the signal. They are Go's. */
static void go_threads_hold(int n) {
  DIR *tasks = opendir("/proc/self/task");
  struct dirent *one;
  int others = 0;
  if (tasks == NULL) return;
  while ((one = readdir(tasks)) != NULL) {
    char path[300], line[256];
    unsigned long long blocked;
    FILE *status;
    if (one->d_name[0] == '.' || atoi(one->d_name) == (int)getpid()) continue;
    snprintf(path, sizeof path, "/proc/self/task/%s/status", one->d_name);
    status = fopen(path, "r");
    if (status == NULL) continue;
    while (fgets(line, sizeof line, status) != NULL)
      if (sscanf(line, "SigBlk: %llx", &blocked) == 1) {
        others++;
        want((blocked >> (n - 1) & 1) != 0, "a thread of Go takes signals of the program");
      }
    fclose(status);
  }
  closedir(tasks);
  want(others > 0, "there is no thread of Go");
}

static void *find(void *library, const char *name) {
  void *at = dlsym(library, name);
  if (at == NULL) exit(2);
  return at;
}

int main(int argc, char **argv) {
  static const int signals[] = {SIGALRM, SIGUSR1, SIGUSR2,  SIGVTALRM, SIGPROF, SIGURG,
                                SIGCHLD, SIGCONT, SIGWINCH, SIGHUP,    SIGIO};
  struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
  pthread_t threads[THREADS];
  struct sigaction act;
  FILE *file;
  void *library;
  size_t i;
  if (argc < 4 || (library = dlopen(argv[1], RTLD_NOW)) == NULL || (file = fopen(argv[3], "rb")) == NULL) return 2;
  module_size = fread(module, 1, sizeof module, file);
  fclose(file);
  frame = atoi(argv[2]) < MOST ? atoi(argv[2]) : MOST;
  *(void **)&do_describe = find(library, "elicit_describe");
  *(void **)&do_selfcheck = find(library, "elicit_selfcheck");
  *(void **)&do_close = find(library, "elicit_close");
  *(void **)&do_open = find(library, "elicit_open");
  *(void **)&do_step = find(library, "elicit_step");
  *(void **)&do_receive = find(library, "elicit_receive");
  *(void **)&do_eval = find(library, "elicit_eval");
  *(void **)&do_form = find(library, "elicit_form");
  *(void **)&do_check = find(library, "elicit_check");
  *(void **)&do_guest = find(library, "elicit_guest");
  *(void **)&do_data = find(library, "elicit_data");
  *(void **)&do_release = find(library, "elicit_release");
  do_describe(NULL);
  for (i = 0; i < sizeof signals / sizeof *signals; i++) go_threads_hold(signals[i]);
  memset(&act, 0, sizeof act);
  sigfillset(&act.sa_mask); /* so that handlers do not add up */
  act.sa_handler = on_signal;
  act.sa_flags = SA_RESTART;
  for (i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &act, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
  setitimer(ITIMER_VIRTUAL, &often, NULL);
  setitimer(ITIMER_PROF, &often, NULL);
  for (i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (i = 0; i < 3000; i++) {
    pthread_kill(threads[i % THREADS], signals[i % (sizeof signals / sizeof *signals)]);
    kill(getpid(), signals[i / 2 % (sizeof signals / sizeof *signals)]); /* for any thread that takes it */
    usleep(20);
  }
  for (i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  setitimer(ITIMER_REAL, &never, NULL);
  setitimer(ITIMER_VIRTUAL, &never, NULL);
  setitimer(ITIMER_PROF, &never, NULL);
  want(caught > 100, "the handlers were hardly called");
  return wrong;
}
