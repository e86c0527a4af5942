/* Tests that loading and using the library does not change a program's signals. Usage: signals LIBRARY [NUMBER]. Each
 * fault is a line. With a number, the program uses the library and then raises that signal without a handler. The
 * signal must kill the program. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "elicit.h"

static volatile sig_atomic_t early, late, faults;
static sigjmp_buf back;

static void on_early(int n) { (void)n; early++; }
static void on_late(int n) { (void)n; late++; }
static void on_fault(int n) {
  (void)n;
  faults++;
  siglongjmp(back, 1);
}

static int wrong;

static void want(int condition, const char *what) {
  if (condition) return;
  wrong = 1;
  printf("%s\n", what);
}

static void handle(int n, void (*handler)(int), int flags) {
  struct sigaction act;
  memset(&act, 0, sizeof act);
  act.sa_handler = handler;
  act.sa_flags = flags;
  sigaction(n, &act, NULL);
}

static elicit_status (*eval)(const char *, const char *, size_t, elicit_bytes *);
static void (*release)(elicit_bytes *);

static void *work(void *unused) {
  static const char form[] =
      "{\"schema\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"format\":\"email\"}}}}";
  int i;
  (void)unused;
  for (i = 0; i < 20000; i++) {
    elicit_bytes out;
    want(eval("compile", form, sizeof form - 1, &out) == ELICIT_OK && strstr(out.data, "\"email\"") != NULL,
         "a call went wrong");
    release(&out);
  }
  return NULL;
}

/* unchanged compares the program's handlers before and now. Go replaces the handlers of five signals and passes signals
 * on. For those five, the tests below check the behaviour, and not the address of the handler. */
static void unchanged(const struct sigaction *before) {
  static const int shared[] = {SIGSEGV, SIGBUS, SIGFPE, SIGURG, SIGPIPE};
  int n, i;
  for (n = 1; n <= 64; n++) {
    struct sigaction now;
    char what[64];
    int skip = 0;
    for (i = 0; i < 5; i++) skip |= shared[i] == n;
    if (skip || sigaction(n, NULL, &now) != 0) continue;
    snprintf(what, sizeof what, "the handler of signal %d was changed", n);
    want(now.sa_handler == before[n].sa_handler, what);
    if (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN) continue;
    snprintf(what, sizeof what, "the handler of signal %d may run on a small stack", n);
    want((now.sa_flags & SA_ONSTACK) != 0, what);
  }
}

static void load(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  if (library == NULL) exit(2);
  *(void **)&eval = dlsym(library, "elicit_eval");
  *(void **)&release = dlsym(library, "elicit_release");
  work(NULL);
}

static int broken_pipe(void) {
  int ends[2];
  if (pipe(ends) != 0) exit(2);
  close(ends[0]);
  return write(ends[1], "x", 1) == -1 && errno == EPIPE;
}

/* die makes the signal happen as a bug or a broken pipe would. */
static int die(int n) {
  volatile int *nowhere = (volatile int *)8;
  if (n == SIGSEGV) *nowhere = 1;
  else if (n == SIGPIPE) broken_pipe();
  else raise(n);
  return 0;
}

int main(int argc, char **argv) {
  struct sigaction before[65];
  struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
  sigset_t mask, now;
  pthread_t threads[4];
  int n, i;
  if (argc < 2) return 2;
  if (argc > 2) {
    load(argv[1]);
    return die(atoi(argv[2]));
  }
  handle(SIGALRM, on_early, 0); /* installed before the library, with the flags that most programs use */
  handle(SIGCONT, on_early, SA_RESTART); /* a signal whose handlers Go leaves as they are */
  handle(SIGTSTP, on_early, 0);
  handle(SIGSEGV, on_fault, 0);
  handle(SIGPIPE, SIG_IGN, 0);
  sigemptyset(&mask);
  sigaddset(&mask, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &mask, NULL);
  for (n = 1; n <= 64; n++) sigaction(n, NULL, &before[n]);
  load(argv[1]);
  unchanged(before);
  pthread_sigmask(SIG_BLOCK, NULL, &now);
  want(sigismember(&now, SIGUSR2) == 1 && sigismember(&now, SIGALRM) == 0,
       "the mask of the calling thread was changed");

  handle(SIGUSR1, on_late, SA_RESTART); /* as most programs install it */
  setitimer(ITIMER_REAL, &often, NULL); /* interrupts the calls at many places while they run */
  for (i = 0; i < 4; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (i = 0; i < 2000; i++) {
    pthread_kill(threads[i % 4], SIGUSR1);
    usleep(20);
  }
  for (i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  setitimer(ITIMER_REAL, &never, NULL);
  want(early > 100, "the handler from before the load was hardly called");
  want(late > 100, "the handler from after the load was hardly called");

  want(broken_pipe(), "a broken pipe was more than an error");
  if (sigsetjmp(back, 1) == 0) raise(SIGSEGV);
  want(faults == 1, "a fault of the program did not come to the program's handler");
  work(NULL);
  return wrong;
}
