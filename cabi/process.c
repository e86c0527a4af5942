/* What a Go runtime asks of its process: no call in a forked child, and no signal handler on a small stack. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>

#include "_cgo_export.h"
#include "call.h"

static volatile int forked; /* written once, by the child, before it has a second thread */

static void in_child(void) { forked = 1; }

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, in_child); }

/* hold blocks the signals whose handlers could run on the small stack of a goroutine: a handler without SA_ONSTACK
 * overruns it, and Go then ends the program. A fault must come through, because blocking it kills. selfcheck.c lets
 * Go's threads block SIGCHLD and SIGPROF, and build.sh tells Go to do without SIGURG. */
static void hold(sigset_t *before) {
  static const int through[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT,
#ifndef __linux__
                                SIGURG,  SIGCHLD, SIGPROF, /* Go's threads take them there */
#endif
  };
  sigset_t held;
  size_t i;
  sigfillset(&held);
  for (i = 0; i < sizeof through / sizeof *through; i++) sigdelset(&held, through[i]);
  pthread_sigmask(SIG_BLOCK, &held, before);
}

static void let_go(const sigset_t *before) { pthread_sigmask(SIG_SETMASK, before, NULL); }

#ifdef __linux__
/* Go's runtime is started by a constructor between these two, and its threads keep the mask of the thread that starts
 * them. So a signal for the whole process always comes to a thread of the host. */
static sigset_t mask_at_load;

__attribute__((constructor(101))) static void hold_at_load(void) { hold(&mask_at_load); }

__attribute__((constructor)) static void let_go_at_load(void) { let_go(&mask_at_load); }
#endif

int32_t elicit_perform(elicit_call *c, int brief) {
  sigset_t before;
  int32_t status;
  if (brief) return elicitCall(c); /* export.go makes the stack large */
  hold(&before);
  status = elicitCall(c);
  let_go(&before);
  return status;
}

int elicit_forked(void) { return forked; }

void elicit_yield(void) { sched_yield(); }
